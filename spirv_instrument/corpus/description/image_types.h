// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_IMAGE_TYPES_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_IMAGE_TYPES_H_

#include "absl/strings/string_view.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/vulkan.h"

namespace assay::spirv_instrument::corpus {

// "1d", "2d_array", "cube", …. VK_IMAGE_VIEW_TYPE_MAX_ENUM if there is none of that name.
VkImageViewType ImageViewTypeByName(absl::string_view name);

VkImageType ImageTypeOf(VkImageViewType type);

// Whether it is one of the _ARRAY types.
bool IsArrayed(VkImageViewType type);

// The extent of a level, which halves with each, down to 1.
VkExtent3D LevelExtent(const ImageDescription& image, uint32_t level);

// Where a level begins in the image's contents, in bytes. Of the level behind the last, it is the size of all.
uint64_t LevelOffset(const ImageDescription& image, uint32_t level);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_DESCRIPTION_IMAGE_TYPES_H_
