// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/sync_rule_info.h"

#include <algorithm>
#include <bit>
#include <string>

#include "gtest/gtest.h"

namespace assay::vk {
namespace {

template <class Rule>
const Rule* Find(std::span<const Rule> rules, VuidIndex vuid) {
  const auto found = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.vuid == vuid; });
  return found != rules.end() ? &*found : nullptr;
}

TEST(SyncRuleInfo, StageOfFeature) {
  const auto* rule = Find(StageFeatureRules(), Vuid("VUID-VkImageMemoryBarrier2-dstStageMask-03930"));
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->owner, "VkImageMemoryBarrier2");
  EXPECT_EQ(rule->member, "dstStageMask");
  EXPECT_EQ(rule->stages, VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT |
                              VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT);
  EXPECT_EQ(rule->features[0], "tessellationShader");
  EXPECT_EQ(rule->features[1], "");
}

TEST(SyncRuleInfo, StageOfFeatureOrExtension) {
  const auto* rule = Find(StageFeatureRules(), Vuid("VUID-vkCmdSetEvent-stageMask-07949"));
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->stages, VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR);
  EXPECT_EQ(rule->features[0], "VK_NV_ray_tracing");
  EXPECT_EQ(rule->features[1], "rayTracingPipeline");
}

TEST(SyncRuleInfo, NoStageAtAll) {
  const auto* rule = Find(StageFeatureRules(), Vuid("VUID-VkSubmitInfo-pWaitDstStageMask-03937"));
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->stages, 0u);
  EXPECT_EQ(rule->features[0], "synchronization2");
}

TEST(SyncRuleInfo, AnyShaderStage) {
  const auto* rule = Find(AccessStageRules(), Vuid("VUID-VkMemoryBarrier2-srcAccessMask-03904"));
  ASSERT_NE(rule, nullptr);
  EXPECT_EQ(rule->access, VK_ACCESS_2_UNIFORM_READ_BIT);
  EXPECT_TRUE(rule->stages & VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT);
  EXPECT_TRUE(rule->stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  EXPECT_FALSE(rule->stages & VK_PIPELINE_STAGE_2_COPY_BIT);
}

TEST(SyncRuleInfo, UsagesOfLayouts) {
  const auto* loop = Find(LayoutUsageRules(), Vuid("VUID-VkImageMemoryBarrier-srcQueueFamilyIndex-07006"));
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->usages[0],
            VkImageUsageFlags{VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
  EXPECT_EQ(loop->usages[1], VkImageUsageFlags{VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
  EXPECT_EQ(loop->usages[2], VkImageUsageFlags{VK_IMAGE_USAGE_ATTACHMENT_FEEDBACK_LOOP_BIT_EXT});
  const auto* local = Find(LayoutUsageRules(), Vuid("VUID-VkImageMemoryBarrier2-srcQueueFamilyIndex-09550"));
  ASSERT_NE(local, nullptr);
  EXPECT_EQ(local->usages[0], VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT});
  EXPECT_EQ(local->usages[1], VkImageUsageFlags{VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT |
                                                VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
  EXPECT_EQ(local->usages[2], 0u);
}

TEST(SyncRuleInfo, UsagesOfAttachments) {
  const auto* loop = Find(LayoutUsageRules(), Vuid("VUID-vkCmdBeginRenderPass2-initialLayout-07002"));
  ASSERT_NE(loop, nullptr);
  EXPECT_EQ(loop->usages[0],
            VkImageUsageFlags{VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT});
  EXPECT_EQ(loop->usages[1], VkImageUsageFlags{VK_IMAGE_USAGE_INPUT_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT});
  const auto* stencil = Find(LayoutUsageRules(), Vuid("VUID-vkCmdBeginRenderPass-stencilInitialLayout-02843"));
  ASSERT_NE(stencil, nullptr);
  EXPECT_EQ(stencil->member, "stencilInitialLayout");
  EXPECT_EQ(std::ranges::count(LayoutUsageRules(), stencil->vuid, &LayoutUsageRule::vuid), 2);
}

TEST(SyncRuleInfo, Sync1AndSync2HaveTheSameLayoutRules) {
  const auto count = [](std::string_view owner) {
    return std::count_if(LayoutUsageRules().begin(), LayoutUsageRules().end(),
                         [&](const LayoutUsageRule& r) { return r.owner == owner && r.usages[0] != 0; });
  };
  EXPECT_EQ(count("VkImageMemoryBarrier"), count("VkImageMemoryBarrier2"));
  EXPECT_EQ(count("vkCmdBeginRenderPass"), count("vkCmdBeginRenderPass2"));
  EXPECT_EQ(static_cast<size_t>(2 * (count("VkImageMemoryBarrier") + count("vkCmdBeginRenderPass"))),
            LayoutUsageRules().size());
}

TEST(SyncRuleInfo, EachBarrierHasEveryAccessOnBothSides) {
  for (const AccessStageRule& rule : AccessStageRules()) {
    EXPECT_TRUE(std::has_single_bit(rule.access));
    EXPECT_NE(rule.stages, 0u);
    for (std::string_view owner : {"VkMemoryBarrier2", "VkBufferMemoryBarrier2", "VkImageMemoryBarrier2"}) {
      for (std::string_view member : {"srcAccessMask", "dstAccessMask"}) {
        const auto same = [&](const AccessStageRule& r) {
          return r.owner == owner && r.member == member && r.access == rule.access;
        };
        EXPECT_EQ(std::count_if(AccessStageRules().begin(), AccessStageRules().end(), same), 1)
            << owner << ' ' << GetVuid(rule.vuid).id;
      }
    }
  }
}

}  // namespace
}  // namespace assay::vk
