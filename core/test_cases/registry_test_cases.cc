// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Test cases of the rules that are one sentence for many stages, accesses or layouts.

#include <set>
#include <string>
#include <string_view>

#include "core/test_cases/test_calls.h"
#include "core/test_cases/test_case_list.h"
#include "vk/sync/sync_rule_info.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

// Without "VUID-".
std::string_view IdOf(vk::VuidIndex vuid) { return vk::GetVuid(vuid).id.substr(5); }

// A stage that certainly does not do the access.
VkPipelineStageFlags2 OtherStage(VkAccessFlags2 access) {
  return access == VK_ACCESS_2_TRANSFER_WRITE_BIT ? VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT : VK_PIPELINE_STAGE_2_CLEAR_BIT;
}

}  // namespace

void AddStageFeatures(TestCaseList& cases) {
  for (const vk::StageFeatureRule& rule : vk::StageFeatureRules()) {
    std::set<std::string, std::less<>> disabled;
    for (std::string_view feature : rule.features) {
      if (!feature.empty()) disabled.emplace(feature);
    }
    const VkPipelineStageFlags2 stage = rule.stages & (~rule.stages + 1);
    CallMembers with = {.stages = stage};
    if (rule.member.starts_with("src")) with.src = {stage, 0};
    if (rule.member.starts_with("dst")) with.dst = {stage, 0};
    cases.AddDisabled(IdOf(rule.vuid), with, disabled);
  }
}

void AddAccessStages(TestCaseList& cases) {
  for (const vk::AccessStageRule& rule : vk::AccessStageRules()) {
    const auto with = [&](VkPipelineStageFlags2 stage) {
      return WithScope(rule.member == "srcAccessMask", {stage, rule.access});
    };
    // The positive twin: with a stage of the sentence.
    cases.AddPair(IdOf(rule.vuid), with(OtherStage(rule.access)), with(rule.stages & (~rule.stages + 1)));
  }
}

void AddLayouts(TestCaseList& cases) {
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    // core/render_passes has the others.
    if (!rule.owner.starts_with("VkImageMemoryBarrier")) continue;
    const auto with = [&](VkImageUsageFlags usage) {
      CallMembers members = {.layouts = {VK_IMAGE_LAYOUT_GENERAL, rule.layout}};
      members.image_info.usage = usage;
      return members;
    };
    VkImageUsageFlags all = 0;
    for (VkImageUsageFlags one_of : rule.usages) all |= one_of;
    const bool needs_transfer = (rule.usages[0] & VK_IMAGE_USAGE_TRANSFER_DST_BIT) != 0;
    cases.AddPair(IdOf(rule.vuid), with(needs_transfer ? VK_IMAGE_USAGE_STORAGE_BIT : VK_IMAGE_USAGE_TRANSFER_DST_BIT),
                  with(all));
  }
  for (const vk::LayoutFeatureRule& rule : vk::LayoutFeatureRules()) {
    CallMembers with;
    if (rule.member == "oldLayout") with.layouts = {rule.layout, VK_IMAGE_LAYOUT_GENERAL};
    if (rule.member == "newLayout") with.layouts = {VK_IMAGE_LAYOUT_GENERAL, rule.layout};
    cases.AddDisabled(IdOf(rule.vuid), with, {std::string(rule.feature)});
  }
}

}  // namespace assay::core
