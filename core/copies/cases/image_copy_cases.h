// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_CASES_IMAGE_COPY_CASES_H_
#define ASSAY_CORE_COPIES_CASES_IMAGE_COPY_CASES_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "core/test_cases/family_cases.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Test-only: cases of the rules of copies of images.
namespace assay::core {

// Formats of the test's driver that do not support one thing each.
inline constexpr VkFormat kNoTransferSource = VK_FORMAT_R16G16_UNORM;
inline constexpr VkFormat kNoTransferTarget = VK_FORMAT_R16G16_SNORM;
inline constexpr VkFormat kNoColorAttachment = VK_FORMAT_R16G16_SSCALED;
inline constexpr VkFormat kNoTransferDepth = VK_FORMAT_D16_UNORM_S8_UINT;
inline constexpr VkFormat kNoBlitSource = VK_FORMAT_R8G8_UNORM;
inline constexpr VkFormat kNoBlitTarget = VK_FORMAT_R8G8_SNORM;
inline constexpr VkFormat kNoLinearAttachment = VK_FORMAT_R16G16_USCALED;
inline constexpr VkFormat kNoFilter = VK_FORMAT_R8G8_SSCALED;
// The queue families of the test's driver. Transfers on the second one are of 8 x 8 texels.
inline constexpr uint32_t kComputeFamily = 1;
inline constexpr uint32_t kTransferFamily = 2;

struct CopySide {
  VkImageCreateInfo info = {
      .imageType = VK_IMAGE_TYPE_2D,
      .format = VK_FORMAT_R8G8B8A8_UNORM,
      .extent = {64, 64, 1},
      .mipLevels = 2,
      .arrayLayers = 4,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT};
  // VkImageStencilUsageCreateInfo, unless 0.
  VkImageUsageFlags stencil_usage = 0;
  bool is_bound = true;
  VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  VkOffset3D offset = {0, 0, 0};
};

// A copy between two images, or between one of them and a buffer.
struct ImageCopy {
  CopySide source;
  CopySide target;
  // Both are the source.
  bool is_one_image = false;
  // The images and the buffer begin at the same byte of memory.
  bool is_one_memory = false;
  VkExtent3D extent = {16, 16, 1};
  VkFilter filter = VK_FILTER_NEAREST;
  VkImageLayout source_layout = VK_IMAGE_LAYOUT_GENERAL;
  VkImageLayout target_layout = VK_IMAGE_LAYOUT_GENERAL;
  // VkCopyCommandTransformInfoQCOM in the region's chain, unless 0.
  VkSurfaceTransformFlagBitsKHR transform = VkSurfaceTransformFlagBitsKHR{};
  // VkBlitImageCubicWeightsInfoQCOM in the chain.
  bool has_other_weights = false;
  // Of copies by the host.
  VkHostImageCopyFlags host_flags = 0;
  uint32_t family = 0;
  bool is_in_protected_commands = false;

  VkDeviceSize buffer_size = 65536;
  VkBufferUsageFlags buffer_usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT;
  VkBufferCreateFlags buffer_flags = 0;
  bool is_buffer_bound = true;
  VkDeviceSize buffer_offset = 0;
  uint32_t row_length = 0;
  uint32_t image_height = 0;
};

// What resolves begin with.
ImageCopy ResolveCopy();

// For any device (rules of all commands; those of blits alone), for one without maintenance5, for one of Vulkan 1.0,
// and for one with maintenance8.
absl::Span<const FamilyCase<ImageCopy>> ImageCopyCases();
absl::Span<const FamilyCase<ImageCopy>> ImageBlitCases();
absl::Span<const FamilyCase<ImageCopy>> OldImageCopyCases();
absl::Span<const FamilyCase<ImageCopy>> OldestImageCopyCases();
absl::Span<const FamilyCase<ImageCopy>> Maintenance8Cases();
// For copies by the host; and for these and all commands.
absl::Span<const FamilyCase<ImageCopy>> HostCopyCases();
absl::Span<const FamilyCase<ImageCopy>> SharedCopyCases();
ImageCopy HostCopy();
// For regions that are turned (VK_QCOM_rotated_copy_commands), and for blits with structures of other extensions.
absl::Span<const FamilyCase<ImageCopy>> TurnedCopyCases();
absl::Span<const FamilyCase<ImageCopy>> ChainedBlitCases();
// With the feature linearColorAttachment.
absl::Span<const FamilyCase<ImageCopy>> LinearResolveCases();
// For vkCmdCopyMemoryToImageIndirectNV.
absl::Span<const FamilyCase<ImageCopy>> IndirectCopyCases();

// The ids of the cases, of all commands.
std::vector<vk::VuidIndex> ImageCopyIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_CASES_IMAGE_COPY_CASES_H_
