// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_LAYOUT_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_LAYOUT_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Notes which images are accessed, by the numbers that their descriptors have in the tables (runtime/layout.h). Layouts
// are a matter of the host, which knows what each command finds, and cannot know which descriptors a shader accesses:
// it compares the layouts of those that were noted with what their descriptors say (Vulkan, VUID-vkCmdDraw-None-09600).
//
// Sampled and storage images and input attachments count, alone or combined with samplers, in all instructions that
// access texels. A query of an image's size is no access.
//
// The note is made before the access, whether that is executed or a check of another pass finds it bad: a descriptor
// that does not exist, or has another type, is not noted.
//
// *Literals*: set, binding, constant part of the index, the descriptor types, the factor of each term. *Ids*: the terms
// of the index. There is no condition.
//
// What it does not see: see DescriptorIndexConfig; helper invocations of fragment shaders, whose atomics have no
// effect.
struct ImageLayoutConfig {};

std::unique_ptr<Pass> MakeImageLayout(const ImageLayoutConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_IMAGE_LAYOUT_H_
