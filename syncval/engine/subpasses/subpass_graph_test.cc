// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/subpasses/subpass_graph.h"

#include <vector>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr uint32_t kExternal = SubpassGraph::kExternal;
constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr BarrierFlags kCopyToColor = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                       VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                       VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr BarrierFlags kColorToInput = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                        VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                        VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT};
constexpr BarrierFlags kColorToCopy = {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                       VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                                       VK_ACCESS_2_TRANSFER_READ_BIT};
constexpr Access kCopyWrite = {.range = {0, 4}, .index = vk::kSyncCopyTransferWrite};
constexpr Access kCopyRead = {.range = {0, 4}, .index = vk::kSyncCopyTransferRead};
constexpr Access kColorWrite = {.range = {0, 4}, .index = vk::kSyncColorAttachmentOutputColorAttachmentWrite};
constexpr Access kInputRead = {.range = {0, 4}, .index = vk::kSyncFragmentShaderInputAttachmentRead};

// Does one access after another, each at the next tag.
class SubpassTest : public testing::Test {
 protected:
  HazardKind Do(const Access& access) {
    Hazard hazard;
    context_.DetectAndUpdate(access, Next(), hazard);
    return hazard.kind;
  }
  Tag Next() { return Tag{tag_++}; }

  AccessContext context_;
  uint32_t tag_ = 0;
};

TEST(SubpassGraphTest, OneSubpassNeedsNoStageBetween) {
  const SubpassGraph graph(1, {{kExternal, 0, kCopyToColor}, {0, kExternal, kColorToCopy}, {0, 0, kColorToInput}},
                           kQueue);
  ASSERT_EQ(graph.AtBegin(0).size(), 1u);
  EXPECT_EQ(graph.AtBegin(0)[0]->src.stages.inside, 0u);
  EXPECT_EQ(graph.AtBegin(0)[0]->dst.stages.outside, 0u);
  ASSERT_EQ(graph.AtEnd(0).size(), 1u);
  EXPECT_EQ(graph.AtEnd(0)[0]->src.stages.outside, 0u);
  EXPECT_EQ(graph.AtEnd(0)[0]->dst.stages.inside, 0u);
}

TEST(SubpassGraphTest, EqualFirstScopesShareAStage) {
  const SubpassGraph graph(3, {{0, 1, kColorToInput}, {0, 2, kColorToInput}, {0, kExternal, kColorToCopy}}, kQueue);
  EXPECT_EQ(graph.AtEnd(0).size(), 1u);
  EXPECT_EQ(graph.AtBegin(1)[0]->src, graph.AtBegin(2)[0]->src);
}

TEST_F(SubpassTest, DependencyIntoOneSubpassOrdersNoOther) {
  const SubpassGraph graph(2, {{kExternal, 0, kCopyToColor}, {0, kExternal, kColorToCopy}}, kQueue);
  Do(kCopyWrite);
  context_.EnterSubpass(graph.AtBegin(0), Next());
  context_.LeaveSubpass(graph.AtEnd(0), Next());
  context_.EnterSubpass(graph.AtBegin(1), Next());
  EXPECT_EQ(Do(kColorWrite), HazardKind::kWriteAfterWrite);
}

TEST_F(SubpassTest, BetweenSubpasses) {
  const SubpassGraph graph(2, {{0, 1, kColorToInput}, {0, kExternal, kColorToCopy}}, kQueue);
  context_.EnterSubpass(graph.AtBegin(0), Next());
  Do(kColorWrite);
  context_.LeaveSubpass(graph.AtEnd(0), Next());
  context_.EnterSubpass(graph.AtBegin(1), Next());
  EXPECT_EQ(Do(kInputRead), HazardKind::kNone);
  EXPECT_EQ(Do(kColorWrite), HazardKind::kWriteAfterRead);
  context_.EndRenderPass(graph.AtEnd(1), Next());
  EXPECT_EQ(Do(kCopyRead), HazardKind::kReadAfterWrite);
}

// A barrier after the render pass is ordered after the dependency that leads into it.
TEST_F(SubpassTest, ChainThroughARenderPass) {
  const SubpassGraph graph(1, {{kExternal, 0, kCopyToColor}}, kQueue);
  Do(kCopyWrite);
  context_.EnterSubpass(graph.AtBegin(0), Next());
  context_.EndRenderPass(graph.AtEnd(0), Next());
  context_.ApplyGlobal(MakeBarrier(kColorToCopy, kQueue));
  EXPECT_EQ(Do(kCopyRead), HazardKind::kNone);
}

TEST_F(SubpassTest, RulesOrderOneSubpass) {
  const SubpassGraph graph(2, {}, kQueue);
  Access in_order = kColorWrite;
  in_order.ordering = OrderingRule::kColorAttachment;
  context_.EnterSubpass(graph.AtBegin(0), Next());
  Do(in_order);
  EXPECT_EQ(Do(in_order), HazardKind::kNone);
  context_.LeaveSubpass(graph.AtEnd(0), Next());
  context_.EnterSubpass(graph.AtBegin(1), Next());
  EXPECT_EQ(Do(in_order), HazardKind::kWriteAfterWrite);
}

}  // namespace
}  // namespace assay::syncval
