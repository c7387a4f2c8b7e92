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

// Many subpasses. The dependencies form no chains: none has the second scope of another in its first scope.

constexpr uint32_t kMany = 40;
constexpr BarrierFlags kStorageToColor = {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT,
                                          VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                          VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT};
constexpr BarrierFlags StorageTo(VkPipelineStageFlags2 stage) {
  return {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, stage,
          VK_ACCESS_2_TRANSFER_READ_BIT};
}
constexpr Access kStorageWrite = {.range = {0, 4}, .index = vk::kSyncFragmentShaderShaderStorageWrite};
constexpr Access kBlitRead = {.range = {0, 4}, .index = vk::kSyncBlitTransferRead};

class ManySubpassesTest : public SubpassTest {
 protected:
  static SubpassGraph WithoutTransitions(const std::vector<SubpassGraph::Dependency>& dependencies) {
    return SubpassGraph(kMany, dependencies, kQueue, std::vector<uint32_t>(dependencies.size()));
  }
  // The hazard of an access in one subpass, or after all of them, after a write of storage in another.
  HazardKind AfterStorageWrite(const SubpassGraph& graph, uint32_t first, const Access& second_access,
                               uint32_t second) {
    HazardKind result = HazardKind::kNone;
    context_.Reset();
    tag_ = 0;
    for (uint32_t i = 0; i < kMany; ++i) {
      context_.EnterSubpass(graph.AtBegin(i), Next());
      if (i == first) Do(kStorageWrite);
      if (i == second) result = Do(second_access);
      if (i + 1 < kMany) context_.LeaveSubpass(graph.AtEnd(i), Next());
    }
    context_.EndRenderPass(graph.AtEnd(kMany - 1), Next());
    return second == kMany ? Do(second_access) : result;
  }
};

TEST_F(ManySubpassesTest, EachDependencyHasItsOwnFirstScope) {
  for (const uint32_t distance : {1u, 5u}) {
    std::vector<SubpassGraph::Dependency> dependencies;
    for (uint32_t i = 0; i + distance < kMany; ++i) dependencies.push_back({i, i + distance, kStorageToColor});
    const SubpassGraph graph = WithoutTransitions(dependencies);
    for (uint32_t first = 0; first + distance < kMany; ++first) {
      for (uint32_t second = first + 1; second < kMany; ++second) {
        const HazardKind expected = second == first + distance ? HazardKind::kNone : HazardKind::kWriteAfterWrite;
        EXPECT_EQ(AfterStorageWrite(graph, first, kColorWrite, second), expected) << first << " " << second;
      }
    }
  }
}

// More than there are stages lead to what comes after the render pass.
TEST_F(ManySubpassesTest, SecondScopesAfterTheRenderPass) {
  std::vector<SubpassGraph::Dependency> dependencies;
  for (uint32_t i = 0; i < kMany; ++i) {
    const bool is_even = i % 2 == 0;
    dependencies.push_back(
        {i, kExternal, StorageTo(is_even ? VK_PIPELINE_STAGE_2_COPY_BIT : VK_PIPELINE_STAGE_2_BLIT_BIT)});
  }
  const SubpassGraph graph = WithoutTransitions(dependencies);
  for (uint32_t first = 0; first < kMany; ++first) {
    const bool is_even = first % 2 == 0;
    EXPECT_EQ(AfterStorageWrite(graph, first, kCopyRead, kMany),
              is_even ? HazardKind::kNone : HazardKind::kReadAfterWrite)
        << first;
    EXPECT_EQ(AfterStorageWrite(graph, first, kBlitRead, kMany),
              is_even ? HazardKind::kReadAfterWrite : HazardKind::kNone)
        << first;
  }
}

// A stage that is needed until the end is not given to others.
TEST_F(ManySubpassesTest, LongDependency) {
  std::vector<SubpassGraph::Dependency> dependencies = {{0, kMany - 1, kStorageToColor}};
  for (uint32_t i = 1; i + 2 < kMany; ++i) dependencies.push_back({i, i + 1, kStorageToColor});
  const SubpassGraph graph = WithoutTransitions(dependencies);
  for (uint32_t first = 0; first + 2 < kMany; ++first) {
    EXPECT_EQ(AfterStorageWrite(graph, first, kColorWrite, kMany - 1),
              first == 0 ? HazardKind::kNone : HazardKind::kWriteAfterWrite)
        << first;
  }
}

// A layout transition happens after the dependencies that lead from where the attachment was used before, wherever
// these lead to.
TEST_F(SubpassTest, FirstScopeOfALaterTransition) {
  const SubpassGraph graph(3, {{0, 1, kColorToInput}}, kQueue, {2});
  context_.EnterSubpass(graph.AtBegin(0), Next());
  Do(kColorWrite);
  context_.LeaveSubpass(graph.AtEnd(0), Next());
  context_.EnterSubpass(graph.AtBegin(1), Next());
  context_.LeaveSubpass(graph.AtEnd(1), Next());
  const Barrier barrier{.src = graph.FirstScope(0, 2), .dst = {}, .flags = {}};
  Hazard hazard;
  EXPECT_FALSE(context_.DetectTransitionOf({kColorWrite.range, &barrier, true}, hazard));
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
