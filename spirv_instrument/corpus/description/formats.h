// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_FORMATS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_FORMATS_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// The format that GLSL's layout qualifiers call `name`, such as r32ui or rgba8_snorm; also the 64-bit formats, the
// formats of three components, and d32f for depth. VK_FORMAT_UNDEFINED if there is none.
VkFormat FormatByName(absl::string_view name);

// The bytes of a texel of one of these formats; 0 for others.
uint32_t TexelSize(VkFormat format);

// VK_IMAGE_ASPECT_DEPTH_BIT or VK_IMAGE_ASPECT_COLOR_BIT.
VkImageAspectFlags AspectOf(VkFormat format);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_FORMATS_H_
