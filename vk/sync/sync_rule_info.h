// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_SYNC_RULE_INFO_H_
#define ASSAY_VK_SYNC_SYNC_RULE_INFO_H_

#include <array>
#include <span>
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

// The image of a layout transition or queue family ownership transfer with the layout must have a bit of each of the
// usages that are not 0.
struct LayoutUsageRule {
  VuidIndex vuid;
  std::string_view owner;
  VkImageLayout layout;
  std::array<VkImageUsageFlags, 3> usages;
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
