// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPY_TRANSFORMS_H_
#define ASSAY_CORE_COPIES_COPY_TRANSFORMS_H_

#include <array>
#include <optional>
#include <string_view>

#include "core/copies/copied_image.h"
#include "core/copies/copy_check.h"
#include "vk/chain.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: regions that a command turns (VK_QCOM_rotated_copy_commands).
namespace assay::core {

inline constexpr std::string_view kTransformInfo = "VkCopyCommandTransformInfoQCOM";

// How the region is turned; nothing for a region without the structure, even if that says identity.
inline std::optional<VkSurfaceTransformFlagBitsKHR> TransformOf(const VkBufferImageCopy&) { return std::nullopt; }
inline std::optional<VkSurfaceTransformFlagBitsKHR> TransformOf(const VkImageBlit&) { return std::nullopt; }
template <class Region>
std::optional<VkSurfaceTransformFlagBitsKHR> TransformOf(const Region& region) {
  const auto* info = vk::FindInChain<VkCopyCommandTransformInfoQCOM>(region.pNext);
  if (info == nullptr) return std::nullopt;
  return info->transform;
}

// The rules of a turned region of an image whose other side is a buffer.
struct TurnedIds {
  vk::VuidIndex inside;
  vk::VuidIndex no_blocks;
  vk::VuidIndex is_2d;
  vk::VuidIndex one_plane;
  // imageOffset-10051 to -10058.
  std::array<vk::VuidIndex, 8> blocks;
};

// For subresources that exist. The box has the offset and the extent of the region.
void CheckTurnedBox(const CopyCheck& check, const CopiedImage& image, const VkImageSubresourceLayers& layers,
                    const ImageBox& box, VkSurfaceTransformFlagBitsKHR transform, const TurnedIds& ids,
                    const messages::Location& region);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPY_TRANSFORMS_H_
