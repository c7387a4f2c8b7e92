// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_COMPLETION_IMAGE_LAYOUTS_H_
#define ASSAY_GPUAV_COMPLETION_IMAGE_LAYOUTS_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/descriptors/image_numbers.h"
#include "gpuav/recording/recording.h"
#include "spirv_instrument/runtime/image_notes.h"
#include "state/state.h"

namespace assay::gpuav {

// An access to an image by a descriptor that says another layout than the image was in.
struct LayoutFault {
  // Of one of the accesses, where several are alike.
  spirv_instrument::ImageNote note;
  NumberedImage image;
  state::ExecutionLayouts::Mismatch mismatch;
};

// What the notes in the causes of an execution say that is wrong with these layouts.
std::vector<LayoutFault> FindLayoutFaults(const ActionLog& log, absl::Span<const uint32_t> causes,
                                          const ImageNumbers& numbers, const state::ExecutionLayouts& layouts);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_COMPLETION_IMAGE_LAYOUTS_H_
