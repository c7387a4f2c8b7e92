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

std::string NameOfId(vk::VuidIndex vuid) { return std::string(vk::GetVuid(vuid).id); }

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
    cases.AddDisabled(
        NameOfId(rule.vuid).substr(5), CallOf(rule.owner), [=](TestCalls& c) { c.SetStages(rule.member, stage); },
        disabled);
  }
}

void AddAccessStages(TestCaseList& cases) {
  for (const vk::AccessStageRule& rule : vk::AccessStageRules()) {
    const bool src = rule.member == "srcAccessMask";
    const SyncScope wrong{OtherStage(rule.access), rule.access};
    cases.Add(NameOfId(rule.vuid).substr(5), CallOf(rule.owner),
              [=](TestCalls& c) { c.SetScope(rule.owner, src, wrong); });
    // The positive twin: with every stage of the sentence.
    const SyncScope right{rule.stages & (~rule.stages + 1), rule.access};
    cases.all.back().right = [=](SyncDevice& device) {
      TestCalls calls(device);
      calls.SetScope(rule.owner, src, right);
      calls.Run(CallOf(rule.owner));
    };
  }
}

void AddLayouts(TestCaseList& cases) {
  for (const vk::LayoutUsageRule& rule : vk::LayoutUsageRules()) {
    // core/render_passes has the others.
    if (!rule.owner.starts_with("VkImageMemoryBarrier")) continue;
    const auto with = [=](VkImageUsageFlags usage) {
      return [=](SyncDevice& device) {
        TestCalls calls(device);
        calls.image_info.usage = usage;
        calls.SetLayouts(VK_IMAGE_LAYOUT_GENERAL, rule.layout);
        calls.Run(CallOf(rule.owner));
      };
    };
    cases.Add(NameOfId(rule.vuid).substr(5), CallOf(rule.owner), {});
    VkImageUsageFlags all = 0;
    for (VkImageUsageFlags one_of : rule.usages) all |= one_of;
    cases.all.back().wrong = with(rule.usages[0] & VK_IMAGE_USAGE_TRANSFER_DST_BIT ? VK_IMAGE_USAGE_STORAGE_BIT
                                                                                   : VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    cases.all.back().right = with(all);
  }
  for (const vk::LayoutFeatureRule& rule : vk::LayoutFeatureRules()) {
    cases.AddDisabled(NameOfId(rule.vuid).substr(5), CallOf(rule.owner),
                      [=](TestCalls& c) {
                        c.image_info.usage = ~VkImageUsageFlags{0};
                        if (rule.member == "oldLayout") c.SetLayouts(rule.layout, VK_IMAGE_LAYOUT_GENERAL);
                        if (rule.member == "newLayout") c.SetLayouts(VK_IMAGE_LAYOUT_GENERAL, rule.layout);
                      },
                      {std::string(rule.feature)});
  }
}

}  // namespace assay::core
