// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_RUNTIME_IMAGE_NOTES_H_
#define ASSAY_SPIRV_INSTRUMENT_RUNTIME_IMAGE_NOTES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"

namespace assay::spirv_instrument {

// Notes of the images that actions have accessed (passes/image_layout.h). Several actions may share them: each
// is of one that accessed the image.

struct ImageNote {
  // DescriptorState::note.
  uint32_t number = 0;
  // The action's index.
  uint32_t action = 0;
  // As in an ErrorRecord.
  uint32_t shader_id = 0;
  uint32_t instruction = 0;
  uint32_t stage = 0;
};

// The notes in the causes: so many numbers, from this word on. What executions are pending may be incomplete.
std::vector<ImageNote> ReadImageNotes(absl::Span<const uint32_t> causes, uint32_t first_word, uint32_t count);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_RUNTIME_IMAGE_NOTES_H_
