// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/image_notes.h"

#include <cstddef>

#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {

std::vector<ImageNote> ReadImageNotes(absl::Span<const uint32_t> causes, uint32_t first_word, uint32_t count) {
  std::vector<ImageNote> notes;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t at = first_word + size_t{i} * kImageNoteWords;
    if (at + kImageNoteWords > causes.size()) break;
    const absl::Span<const uint32_t> words = causes.subspan(at, kImageNoteWords);
    if (words[kImageNoteActionWord] == 0) continue;
    notes.push_back({.number = i + 1,
                     .action = words[kImageNoteActionWord] - 1,
                     .shader_id = words[kImageNoteShaderWord],
                     .instruction = words[kImageNoteInstructionWord],
                     .stage = words[kImageNoteStageWord]});
  }
  return notes;
}

}  // namespace assay::spirv_instrument
