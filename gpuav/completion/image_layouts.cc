// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/completion/image_layouts.h"

#include <optional>
#include <utility>

namespace assay::gpuav {

using spirv_instrument::ImageNote;

std::vector<LayoutFault> FindLayoutFaults(const ActionLog& log, absl::Span<const uint32_t> causes,
                                          const ImageNumbers& numbers, const state::ExecutionLayouts& layouts) {
  std::vector<LayoutFault> faults;
  for (const ImageNotes& notes : log.image_notes) {
    for (const ImageNote& note : spirv_instrument::ReadImageNotes(causes, notes.first_word, notes.count)) {
      if (note.action >= log.actions.size()) continue;
      std::optional<NumberedImage> image = numbers.Find(note.number);
      if (!image) continue;
      const auto mismatch = layouts.FindMismatch(*image->view, image->layout, log.actions[note.action].position);
      if (mismatch) faults.push_back({note, *std::move(image), *mismatch});
    }
  }
  return faults;
}

}  // namespace assay::gpuav
