// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/trace/timeline/barrier_analysis.h"

#include <vector>

#include "gtest/gtest.h"
#include "syncval/trace/timeline/barrier_text.h"
#include "syncval/trace/timeline/trace_builder.h"

namespace assay::syncval::trace {
namespace {

using Verdict = BarrierFinding::Verdict;

constexpr BarrierFlags kEverything = {kAllStages, kAllAccess, kAllStages, kAllAccess};
constexpr BarrierFlags kCopyToCopy = {kCopyStage, kWriteAccess, kCopyStage, kReadAccess};
// Waits for a read, and makes nothing visible.
constexpr BarrierFlags kCopyWaitsForCopy = {kCopyStage, 0, kCopyStage, 0};

std::vector<BarrierFinding> UsesOf(RecordingBuilder& recording) {
  RunBuilder run;
  run.Submit(0, {recording.Finish()});
  return AnalyzeBarriers(run.timeline).findings;
}

TEST(PositiveBarrierAnalysis, NeededAsItIs) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kCopyToCopy).Copy(1, 2);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(PositiveBarrierAnalysis, NeededForAWriteAfterARead) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kCopyWaitsForCopy).Copy(2, 0);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(NegativeBarrierAnalysis, BetweenReads) {
  RecordingBuilder recording;
  recording.Read(0).Barrier(kCopyToCopy, 0).Read(0);
  // The write that a later submission may do has to come after the first read. With a write here, that is settled.
  recording.Barrier({kComputeStage, 0, kCopyStage, 0}).Copy(1, 0);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kOrderedNothing);
  EXPECT_EQ(findings[0].command, 1u);
  EXPECT_EQ(findings[0].executions, 1u);
}
// A later submission may need the barrier.
TEST(PositiveBarrierAnalysis, NoAccessAfterwardsYet) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kCopyToCopy);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(PositiveBarrierAnalysis, AccessInALaterSubmission) {
  RecordingBuilder first, second;
  first.Copy(0, 1).Barrier(kCopyToCopy);
  second.Copy(1, 2);
  RunBuilder run;
  run.Submit(0, {first.Finish()});
  run.Submit(0, {second.Finish()});
  EXPECT_TRUE(AnalyzeBarriers(run.timeline).findings.empty());
}
TEST(NegativeBarrierAnalysis, OfAnotherResource) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kCopyToCopy, 1).Barrier(kCopyToCopy, 5).Copy(1, 2);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kOrderedNothing);
  EXPECT_EQ(findings[0].command, 2u);
}
// Its memory dependency is of another resource, but what read before it may be written after it.
TEST(PositiveBarrierAnalysis, ExecutionDependencyIsForEverything) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier({kCopyStage, 0, kCopyStage, 0}, 5).Copy(2, 0);
  EXPECT_TRUE(UsesOf(recording).empty());
}
// The first of two orders everything, so the second could be left out, but not both.
TEST(NegativeBarrierAnalysis, Twice) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kCopyToCopy).Barrier(kCopyToCopy).Copy(1, 2);
  // So that nothing of it is open in the end.
  recording.Barrier({kCopyStage, kWriteAccess, kCopyStage, kWriteAccess}).Copy(3, 1).Copy(3, 2);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].command, 2u);
}
TEST(NegativeBarrierAnalysis, WiderThanNeeded) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kEverything).Copy(1, 2);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kWider);
  EXPECT_EQ(findings[0].needed, kCopyToCopy);
}
// All that its executions needed, together.
TEST(NegativeBarrierAnalysis, WiderThanAllExecutionsNeeded) {
  RecordingBuilder barrier, copy, read;
  barrier.Copy(0, 1).Barrier(kEverything);
  copy.Copy(1, 2);
  read.Read(1);
  const RecordedTraceRef shared = barrier.Finish();
  RunBuilder run;
  run.Submit(0, {shared, copy.Finish()});
  run.Submit(0, {shared, read.Finish()});
  const std::vector<BarrierFinding> findings = AnalyzeBarriers(run.timeline).findings;
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].executions, 2u);
  EXPECT_EQ(findings[0].needed, (BarrierFlags{kCopyStage, kWriteAccess, kCopyStage | kComputeStage,
                                              kReadAccess | VK_ACCESS_2_SHADER_STORAGE_READ_BIT}));
}
// A transition has an effect besides ordering.
TEST(PositiveBarrierAnalysis, TransitionOfUnaccessedImage) {
  RecordingBuilder recording;
  recording.Transition({0, 0, kCopyStage, kReadAccess}, 0).Copy(0, 1);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(NegativeBarrierAnalysis, WiderTransition) {
  RecordingBuilder recording;
  recording.Transition({0, 0, kAllStages, kAllAccess}, 0).Copy(0, 1);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kWider);
  EXPECT_EQ(findings[0].needed, (BarrierFlags{0, 0, kCopyStage, kReadAccess}));
}
// Neither barrier orders the two alone, so both stay as they are.
TEST(PositiveBarrierAnalysis, Chain) {
  RecordingBuilder recording;
  recording.Copy(0, 1)
      .Barrier({kCopyStage, kWriteAccess, kComputeStage, kAllAccess})
      .Barrier({kComputeStage, 0, kCopyStage, kReadAccess})
      .Copy(1, 2);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(PositiveBarrierAnalysis, ChainOverQueues) {
  RecordingBuilder first, second;
  first.Copy(0, 1).Barrier({kAllStages, kAllAccess, kAllStages, kAllAccess});
  second.Barrier({kAllStages, kAllAccess, kAllStages, kAllAccess}).Copy(1, 2);
  RunBuilder run(2);
  const BatchPoint point = run.Submit(0, {first.Finish()});
  run.Submit(1, {second.Finish()}, {point});
  EXPECT_TRUE(AnalyzeBarriers(run.timeline).findings.empty());
}
TEST(PositiveBarrierAnalysis, NothingIsJudgedWithUnknownAccesses) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kEverything).Copy(1, 2).Unknown();
  RunBuilder run;
  run.Submit(0, {recording.Finish()});
  const BarrierAnalysis found = AnalyzeBarriers(run.timeline);
  EXPECT_TRUE(found.findings.empty());
  EXPECT_EQ(found.unknown_commands, 1u);
  EXPECT_EQ(found.arrows.size(), 1u);
}
TEST(PositiveBarrierAnalysis, HostMayRead) {
  RecordingBuilder recording;
  recording.Copy(0, 1)
      .Barrier({kCopyStage, kWriteAccess, VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT})
      .Barrier({kCopyStage, kWriteAccess, kCopyStage, kWriteAccess})
      .Copy(0, 1);
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(PositiveBarrierAnalysis, QueueFamilyOwnershipTransferAndEvent) {
  RecordingBuilder transfer, event;
  transfer.Read(0).Barrier(kEverything, 0);
  transfer.last_barrier().is_queue_family_ownership_transfer = true;
  event.Read(0).Barrier(kEverything, 0);
  event.last_barrier().is_event = true;
  EXPECT_TRUE(UsesOf(transfer).empty());
  EXPECT_TRUE(UsesOf(event).empty());
}
// The barrier may order the presentation engine's accesses before those after the acquire.
TEST(PositiveBarrierAnalysis, FollowsUponAnAcquire) {
  RecordingBuilder recording;
  recording.Transition({kAllStages, 0, kAllStages, kAllAccess}, 0).Copy(0, 1);
  RunBuilder run;
  TracedBatch batch{.point = {0, 1}, .command = vk::CommandId::kQueueSubmit2};
  batch.waits.push_back({"VkSemaphore 0x7", 0, kCopyStage, {}, "image 0 of VkSwapchainKHR 0x8"});
  batch.command_buffers.push_back(recording.Finish());
  run.timeline.Add(std::move(batch));
  EXPECT_TRUE(AnalyzeBarriers(run.timeline).findings.empty());
}
TEST(PositiveBarrierAnalysis, BeginningWasDropped) {
  RecordingBuilder before, recording;
  before.Copy(0, 1);
  recording.Barrier(kEverything, 1).Copy(1, 2);
  RunBuilder run(1, 3);
  run.Submit(0, {before.Finish()});
  run.Submit(0, {recording.Finish()});
  ASSERT_EQ(run.timeline.dropped_batches(), 1u);
  EXPECT_TRUE(AnalyzeBarriers(run.timeline).findings.empty());
}
// Rasterization order orders the draws.
TEST(NegativeBarrierAnalysis, BetweenDrawsToOneAttachment) {
  constexpr vk::SyncAccessIndex kDraw = vk::kSyncColorAttachmentOutputColorAttachmentWrite;
  RecordingBuilder recording;
  const auto draw = [&] {
    recording.Command(vk::CommandId::kCmdDraw).Access(0, kDraw).Ordering(OrderingRule::kRaster);
  };
  draw();
  recording.Barrier(kCopyToCopy, 0);
  draw();
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kOrderedNothing);
}

constexpr uint32_t kOutside = VK_SUBPASS_EXTERNAL;
constexpr VkPipelineStageFlags2 kColorStage = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 kColorWrite = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
constexpr BarrierFlags kColorToCopy = {kColorStage, kColorWrite, kCopyStage, kReadAccess};
constexpr BarrierFlags kColorToColor = {kColorStage, kColorWrite, kColorStage, kColorWrite};

RecordingBuilder& Draw(RecordingBuilder& recording, uint32_t resource) {
  return recording.Command(vk::CommandId::kCmdDraw)
      .Access(resource, vk::kSyncColorAttachmentOutputColorAttachmentWrite)
      .Ordering(OrderingRule::kRaster);
}

// The dependency orders the draw before the copy, so that the barrier has nothing to order.
TEST(NegativeBarrierAnalysis, AfterASubpassDependency) {
  RecordingBuilder recording;
  Draw(recording.BeginRenderPass(), 0);
  recording.EndRenderPass().Dependency(0, kOutside, kColorToCopy).Barrier(kColorToCopy).Copy(0, 1);
  // So that nothing is open in the end.
  recording.Barrier({kCopyStage, kWriteAccess, kCopyStage, kWriteAccess}).Copy(2, 0).Copy(2, 1);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kOrderedNothing);
  EXPECT_EQ(findings[0].command, 3u);
}
TEST(NegativeBarrierAnalysis, WiderThanNeededBeforeARenderPass) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kEverything).BeginRenderPass();
  recording.Command(vk::CommandId::kCmdDraw).Access(1, vk::kSyncComputeShaderShaderStorageRead);
  recording.EndRenderPass();
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].verdict, Verdict::kWider);
  EXPECT_EQ(findings[0].needed,
            (BarrierFlags{kCopyStage, kWriteAccess, kComputeStage, VK_ACCESS_2_SHADER_STORAGE_READ_BIT}));
}
// The barrier is the first part of a chain, or the last.
TEST(PositiveBarrierAnalysis, ChainIntoASubpass) {
  RecordingBuilder recording;
  recording.Copy(1, 0)
      .Barrier({kCopyStage, kWriteAccess, kComputeStage, kWriteAccess})
      .BeginRenderPass()
      .Dependency(kOutside, 0, {kComputeStage, 0, kColorStage, kColorWrite});
  Draw(recording, 0).EndRenderPass();
  EXPECT_TRUE(UsesOf(recording).empty());
}
TEST(PositiveBarrierAnalysis, ChainOutOfASubpass) {
  RecordingBuilder recording;
  Draw(recording.BeginRenderPass(), 0);
  recording.EndRenderPass()
      .Dependency(0, kOutside, {kColorStage, kColorWrite, kComputeStage, 0})
      .Barrier({kComputeStage, 0, kCopyStage, kReadAccess})
      .Copy(0, 1);
  EXPECT_TRUE(UsesOf(recording).empty());
}
// Rasterization order does not go from one render pass instance to the next.
TEST(PositiveBarrierAnalysis, BetweenDrawsOfTwoRenderPasses) {
  RecordingBuilder recording;
  Draw(recording.BeginRenderPass(), 0).EndRenderPass().Barrier(kColorToColor);
  Draw(recording.BeginRenderPass(), 0).EndRenderPass();
  EXPECT_TRUE(UsesOf(recording).empty());
}
// The dependency is of subpass 1: what subpass 0 reads, the barrier alone puts before the write.
TEST(PositiveBarrierAnalysis, DependencyOfAnotherSubpass) {
  const auto read = [](RecordingBuilder& recording) {
    recording.Command(vk::CommandId::kCmdDraw).Access(0, vk::kSyncComputeShaderShaderStorageRead);
  };
  RecordingBuilder recording;
  read(recording.BeginRenderPass());
  read(recording.NextSubpass());
  recording.EndRenderPass()
      .Dependency(1, kOutside, {kComputeStage, 0, kCopyStage, 0})
      .Barrier({kComputeStage, 0, kCopyStage, 0})
      .Copy(1, 0);
  EXPECT_TRUE(UsesOf(recording).empty());
}
// The dependency is for subpass 0: what reads after the render pass has the barrier for it.
TEST(PositiveBarrierAnalysis, DependencyIntoASubpass) {
  constexpr BarrierFlags kCopyToCompute = {kCopyStage, kWriteAccess, kComputeStage,
                                           VK_ACCESS_2_SHADER_STORAGE_READ_BIT};
  RecordingBuilder recording;
  recording.Copy(0, 1).BeginRenderPass().Dependency(kOutside, 0, kCopyToCompute);
  recording.Command(vk::CommandId::kCmdDraw).Access(1, vk::kSyncComputeShaderShaderStorageRead);
  recording.EndRenderPass().Barrier(kCopyToCompute).Read(1);
  // So that nothing is open in the end.
  recording.Barrier({kComputeStage | kCopyStage, 0, kCopyStage, 0}).Copy(3, 1).Copy(3, 0);
  EXPECT_TRUE(UsesOf(recording).empty());
}
// The scopes of a barrier in a subpass are of that subpass alone.
TEST(NegativeBarrierAnalysis, BarrierInASubpass) {
  RecordingBuilder recording;
  Draw(recording.BeginRenderPass(), 1).Barrier(kColorToColor);
  recording.EndRenderPass().Dependency(0, kOutside, kColorToCopy);
  recording.Read(2).Barrier(kEverything).Copy(1, 2);
  // So that what was drawn is not open in the end.
  recording.Barrier({kCopyStage, 0, kCopyStage, 0}).Copy(3, 1);
  const std::vector<BarrierFinding> findings = UsesOf(recording);
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].command, 2u);
  EXPECT_EQ(findings[0].verdict, Verdict::kOrderedNothing);
  EXPECT_EQ(findings[1].command, 5u);
  EXPECT_EQ(findings[1].needed, (BarrierFlags{kComputeStage, 0, kCopyStage, 0}));
}
// A layout transition of the render pass is between its dependencies.
TEST(BarrierAnalysis, TransitionOfARenderPass) {
  RecordingBuilder recording;
  recording.Copy(1, 0)
      .BeginRenderPass()
      .Dependency(kOutside, 0, {kCopyStage, kWriteAccess, kColorStage, kColorWrite})
      .Access(0, vk::kSyncImageLayoutTransition)
      .OfSubpass(0);
  Draw(recording, 0);
  recording.EndRenderPass()
      .Dependency(0, kOutside, kColorToCopy)
      .Access(0, vk::kSyncImageLayoutTransition)
      .OfSubpass(0)
      .Barrier(kEverything, 1)
      .Copy(0, 2);
  RunBuilder run;
  run.Submit(0, {recording.Finish()});
  const BarrierAnalysis found = AnalyzeBarriers(run.timeline);
  EXPECT_EQ(found.unknown_commands, 0u);
  EXPECT_TRUE(found.findings.empty());
  // From the copy to the transition, and from there to the draw; from the draw, or the transition, to the copy.
  ASSERT_EQ(found.arrows.size(), 2u);
  EXPECT_EQ(found.arrows[0].earlier, 0u);
  EXPECT_EQ(found.arrows[0].barrier, 1u);
  EXPECT_EQ(found.arrows[1].barrier, 3u);
}

TEST(BarrierAnalysis, Arrows) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Read(3).Barrier(kCopyToCopy).Read(3).Copy(1, 2);
  RunBuilder run;
  run.Submit(0, {recording.Finish()});
  const std::vector<BarrierArrow> arrows = AnalyzeBarriers(run.timeline).arrows;
  ASSERT_EQ(arrows.size(), 1u);
  EXPECT_EQ(arrows[0].earlier, 0u);
  EXPECT_EQ(arrows[0].barrier, 2u);
  EXPECT_EQ(arrows[0].later, 4u);
}
TEST(BarrierAnalysis, Text) {
  RecordingBuilder recording;
  recording.Copy(0, 1).Barrier(kEverything, 1).Transition(kEverything, 1);
  recording.EndRenderPass().Dependency(1, kOutside, kCopyToCopy);
  const RecordedTraceRef trace = recording.Finish();
  EXPECT_EQ(BarrierText(*trace, trace->barriers[2], kCopyToCopy).substr(0, 122),
            "VkSubpassDependency2{.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2, .srcSubpass = 1, .dstSubpass = "
            "VK_SUBPASS_EXTERNAL, ");
  EXPECT_EQ(
      BarrierText(*trace, trace->barriers[0], kCopyToCopy),
      "VkBufferMemoryBarrier2{.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2, .srcStageMask = "
      "VK_PIPELINE_STAGE_2_COPY_BIT, .srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT, .dstStageMask = "
      "VK_PIPELINE_STAGE_2_COPY_BIT, .dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT, .buffer = /* VkBuffer 0x2 */, …}");
  EXPECT_NE(BarrierText(*trace, trace->barriers[1], {})
                .find(".srcStageMask = VK_PIPELINE_STAGE_2_NONE, .srcAccessMask = VK_ACCESS_2_NONE"),
            std::string::npos);
}

}  // namespace
}  // namespace assay::syncval::trace
