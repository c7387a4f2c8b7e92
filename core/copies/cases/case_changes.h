// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_CASE_CHANGES_H_
#define ASSAY_CORE_COPIES_CASES_CASE_CHANGES_H_

#include "core/copies/cases/image_copy_cases.h"

// Test-only: changes of correct copies, for the tables of cases.
namespace assay::core {

inline constexpr VkImageUsageFlags kUsages = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;

inline void SetFormat(CopySide& side, VkFormat format, VkImageAspectFlags aspects) {
  side.info.format = format;
  side.layers.aspectMask = aspects;
}
inline void SetFormats(ImageCopy& copy, VkFormat format, VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT) {
  SetFormat(copy.source, format, aspects);
  SetFormat(copy.target, format, aspects);
}
// All layers from the end of the image on.
inline void LeaveNoLayers(CopySide& side) {
  side.layers.baseArrayLayer = side.info.arrayLayers;
  side.layers.layerCount = VK_REMAINING_ARRAY_LAYERS;
}
inline void SetSparse(ImageCopy& copy) {
  copy.source.info.flags = copy.target.info.flags = VK_IMAGE_CREATE_SPARSE_BINDING_BIT;
}
// One level and one layer.
inline void SetPlain(CopySide& side) { side.info.mipLevels = side.info.arrayLayers = 1; }
inline void SetPlanes(CopySide& side, VkImageAspectFlags aspects,
                      VkFormat format = VK_FORMAT_G8_B8_R8_3PLANE_420_UNORM) {
  SetFormat(side, format, aspects);
  SetPlain(side);
}
inline void SetSubsampled(CopySide& side) {
  side.info.flags = VK_IMAGE_CREATE_SUBSAMPLED_BIT_EXT;
  side.info.mipLevels = 1;
}
inline void SetType(CopySide& side, VkImageType type) {
  side.info.imageType = type;
  side.info.extent = {64, type == VK_IMAGE_TYPE_1D ? 1u : 64u, type == VK_IMAGE_TYPE_3D ? 4u : 1u};
  if (type == VK_IMAGE_TYPE_3D) side.info.arrayLayers = 1;
}
inline void SetTypes(ImageCopy& copy, VkImageType type) {
  SetType(copy.source, type);
  SetType(copy.target, type);
  if (type == VK_IMAGE_TYPE_1D) copy.extent = {16, 1, 1};
}

inline constexpr VkImageAspectFlags kColor = VK_IMAGE_ASPECT_COLOR_BIT;
inline constexpr VkImageAspectFlags kPlane0 = VK_IMAGE_ASPECT_PLANE_0_BIT;
inline constexpr VkImageAspectFlags kDepth = VK_IMAGE_ASPECT_DEPTH_BIT;
inline constexpr VkImageAspectFlags kStencil = VK_IMAGE_ASPECT_STENCIL_BIT;
inline constexpr VkFormat kBlocks = VK_FORMAT_BC1_RGBA_UNORM_BLOCK;

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_CASE_CHANGES_H_
