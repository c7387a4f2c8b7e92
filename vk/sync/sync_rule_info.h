// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_SYNC_RULE_INFO_H_
#define ASSAY_VK_SYNC_SYNC_RULE_INFO_H_

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>

#include "vk/vuid.h"
#include "vk/vulkan.h"

// Explicit synchronization rules, read from the specification's sentences. Each is about one stage, access or layout.
// Many structures and commands have the same rule, each with its own id.
namespace assay::vk {

// While none of the features is enabled, the member must not have any of the stages.
struct StageFeatureRule {
  VuidIndex vuid;
  // "VkMemoryBarrier2", "vkCmdSetEvent".
  std::string_view owner;
  // "srcStageMask".
  std::string_view member;
  // The stages, whose bits are the same in sync1 and synchronization2. If 0, the member must not be 0.
  VkPipelineStageFlags2 stages;
  // Features ("geometryShader") and extensions ("VK_NV_ray_tracing"); unused ones are empty.
  std::array<std::string_view, 2> features;
};
std::span<const StageFeatureRule> StageFeatureRules();

// With the access in the member, the stage mask of the same side must have one of the stages.
struct AccessStageRule {
  VuidIndex vuid;
  std::string_view owner;
  // "srcAccessMask" or "dstAccessMask".
  std::string_view member;
  VkAccessFlags2 access;
  // The stages of the sentence, including those that stand for several.
  VkPipelineStageFlags2 stages;
};
std::span<const AccessStageRule> AccessStageRules();

// The image of a layout transition or queue family ownership transfer, or the view of a render pass's attachment, that
// has the layout must have a bit of each of the usages that are not 0. One rule may have several such rows.
struct LayoutUsageRule {
  VuidIndex vuid;
  // "VkImageMemoryBarrier2", "vkCmdBeginRenderPass".
  std::string_view owner;
  // The member that the id names: for attachments "initialLayout", or "stencilInitialLayout" for a layout of stencil.
  std::string_view member;
  VkImageLayout layout;
  std::array<VkImageUsageFlags, 3> usages;

  bool IsKeptBy(VkImageUsageFlags usage) const {
    return std::ranges::all_of(usages, [&](VkImageUsageFlags one_of) { return one_of == 0 || (usage & one_of) != 0; });
  }
  // "VK_IMAGE_USAGE_A|VK_IMAGE_USAGE_B, and VK_IMAGE_USAGE_C": one of each.
  std::string UsagesText() const;
};
std::span<const LayoutUsageRule> LayoutUsageRules();

// While the feature is not enabled, the member must not be the layout. One rule may have several such rows.
struct LayoutFeatureRule {
  VuidIndex vuid;
  std::string_view owner;
  // "oldLayout" or "newLayout".
  std::string_view member;
  VkImageLayout layout;
  std::string_view feature;
};
std::span<const LayoutFeatureRule> LayoutFeatureRules();

}  // namespace assay::vk

#endif  // ASSAY_VK_SYNC_SYNC_RULE_INFO_H_
