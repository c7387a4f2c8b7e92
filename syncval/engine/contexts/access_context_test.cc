// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/contexts/access_context.h"

#include <cstdint>

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kFragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags2 kVertex = VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kStorageRead = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
constexpr Range kRange = {16, 32};

// A command buffer of one-access commands.
class Recorder {
 public:
  Hazard Do(vk::SyncAccessIndex index, const Range& range = kRange, OrderingRule ordering = OrderingRule::kNone) {
    Hazard hazard;
    context.DetectAndUpdate({range, index, ordering}, Tag{tag++}, hazard);
    return hazard;
  }
  void Barrier(const BarrierFlags& flags) {
    context.ApplyGlobal(cache.Get(flags, kQueue));
    ++tag;
  }
  void RangeBarrier(const Range& range, const BarrierFlags& flags) {
    context.ApplyRange(range, cache.Get(flags, kQueue));
    ++tag;
  }
  Hazard Transition(const BarrierFlags& flags, const Range& range = kRange) {
    Hazard hazard;
    const syncval::RangeBarrier barrier{range, &cache.Get(flags, kQueue), true};
    context.DetectLayoutTransition(range, *barrier.barrier, hazard);
    context.ApplyAll({}, {&barrier, 1}, Tag{tag++});
    return hazard;
  }

  AccessContext context;
  BarrierCache cache;
  uint32_t tag = 0;
};

TEST(AccessContext, ReadAfterReadIsNoHazard) {
  Recorder recorder;
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferRead));
  EXPECT_FALSE(recorder.Do(vk::kSyncFragmentShaderShaderSampledRead));
}

TEST(AccessContext, ReadAfterWrite) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  const Hazard hazard = recorder.Do(vk::kSyncComputeShaderShaderStorageRead, {24, 40});
  EXPECT_EQ(hazard.kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(hazard.prior_access, vk::kSyncCopyTransferWrite);
  EXPECT_EQ(hazard.prior_tag, Tag{0});
  EXPECT_EQ(hazard.range, (Range{24, 32}));
  EXPECT_TRUE(hazard.visible_to.Empty());
}

TEST(AccessContext, ReadAfterWriteWithBarrier) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kCompute, kStorageRead});
  EXPECT_FALSE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
}

// The barrier before the access is for another access of the same stage, and the report can say so.
TEST(AccessContext, BarrierForAnotherAccess) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kCompute, VK_ACCESS_2_UNIFORM_READ_BIT});
  const Hazard hazard = recorder.Do(vk::kSyncComputeShaderShaderStorageRead);
  EXPECT_EQ(hazard.kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(hazard.visible_to, SyncAccessMask(vk::kSyncComputeShaderUniformRead));
  EXPECT_EQ(hazard.ordered_stages, kCompute);
}

TEST(AccessContext, WriteAfterWrite) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite).kind, HazardKind::kWriteAfterWrite);
  recorder.Barrier({kCopy, 0, kCopy, 0});
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite).kind, HazardKind::kWriteAfterWrite);
  recorder.Barrier({kCopy, kWrite, kCopy, kWrite});
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite));
}

// A write after a read needs an execution dependency only.
TEST(AccessContext, WriteAfterRead) {
  Recorder recorder;
  recorder.Do(vk::kSyncComputeShaderShaderStorageRead);
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite).kind, HazardKind::kWriteAfterRead);
  recorder.Barrier({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT, kCompute, kStorageRead});
  recorder.Do(vk::kSyncComputeShaderShaderStorageRead);
  recorder.Barrier({kCompute, 0, kCopy, 0});
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite));
}

// All reads that lack a barrier are told, the latest first.
TEST(AccessContext, WriteAfterSeveralReads) {
  Recorder recorder;
  recorder.Do(vk::kSyncVertexShaderShaderStorageRead);
  recorder.Do(vk::kSyncFragmentShaderShaderStorageRead);
  recorder.Do(vk::kSyncComputeShaderShaderStorageRead);
  recorder.Barrier({kVertex, 0, kCopy, 0});
  const Hazard hazard = recorder.Do(vk::kSyncCopyTransferWrite);
  EXPECT_EQ(hazard.kind, HazardKind::kWriteAfterRead);
  EXPECT_EQ(hazard.prior_tag, Tag{2});
  EXPECT_EQ(hazard.all_prior_stages, kCompute | kFragment);
}

// Made available by the first barrier, made visible by the second, which is ordered after it.
TEST(AccessContext, DependencyChain) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kVertex, 0});
  recorder.Barrier({kVertex, 0, kCompute, kStorageRead});
  EXPECT_FALSE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
}

TEST(AccessContext, BrokenDependencyChain) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kFragment, 0});
  recorder.Barrier({kVertex, 0, kCompute, kStorageRead});
  EXPECT_TRUE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
}

// The design document's first example: R2 happens after R1 and needs no barrier against W; R3 does.
TEST(AccessContext, MostRecentAccessOfReads) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kVertex, kStorageRead});
  EXPECT_FALSE(recorder.Do(vk::kSyncVertexShaderShaderStorageRead));
  recorder.Barrier({kVertex, 0, kFragment, 0});
  EXPECT_FALSE(recorder.Do(vk::kSyncFragmentShaderShaderSampledRead));
  EXPECT_EQ(recorder.Do(vk::kSyncComputeShaderShaderStorageRead).kind, HazardKind::kReadAfterWrite);
}

// Its second: W1 is compared with R alone.
TEST(AccessContext, MostRecentAccessOfWrites) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kCompute, kStorageRead});
  EXPECT_FALSE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
  recorder.Barrier({kCompute, 0, kCopy, 0});
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite));
}

// A read handed W's visibility on and was then replaced by a later one of its kind.
TEST(AccessContext, ReplacedReadStillCarries) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kVertex, kStorageRead});
  recorder.Do(vk::kSyncVertexShaderShaderStorageRead);
  recorder.Barrier({kVertex, 0, kFragment, 0});
  recorder.Do(vk::kSyncVertexShaderShaderStorageRead);
  EXPECT_FALSE(recorder.Do(vk::kSyncFragmentShaderShaderSampledRead));
}

// The memory dependency of a buffer barrier is for its range, its execution dependency for everything.
TEST(AccessContext, RangeBarrier) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite, {0, 8});
  recorder.Do(vk::kSyncCopyTransferRead, {8, 16});
  recorder.RangeBarrier({0, 4}, {kCopy, kWrite, kCopy, kWrite});
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite, {0, 4}));
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite, {4, 8}).kind, HazardKind::kWriteAfterWrite);
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite, {8, 16}));
}

TEST(AccessContext, BarriersOfOneCommandDoNotChain) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  const Barrier& first = recorder.cache.Get({kCopy, kWrite, kVertex, 0}, kQueue);
  const Barrier& second = recorder.cache.Get({kVertex, 0, kCompute, kStorageRead}, kQueue);
  recorder.context.ApplyAll({&first, &second}, {}, Tag{recorder.tag++});
  EXPECT_TRUE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
}

TEST(AccessContext, OverlappingRangeBarriersOfOneCommandDoNotChain) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  const Barrier& first = recorder.cache.Get({kCopy, kWrite, kVertex, 0}, kQueue);
  const Barrier& second = recorder.cache.Get({kVertex, 0, kCompute, kStorageRead}, kQueue);
  recorder.context.ApplyAll({}, {{{16, 28}, &first}, {{20, 32}, &second}}, Tag{recorder.tag++});
  EXPECT_TRUE(recorder.Do(vk::kSyncComputeShaderShaderStorageRead));
}

TEST(AccessContext, RasterizationOrder) {
  Recorder recorder;
  const vk::SyncAccessIndex write = vk::kSyncColorAttachmentOutputColorAttachmentWrite;
  recorder.Do(write, kRange, OrderingRule::kColorAttachment);
  EXPECT_FALSE(recorder.Do(write, kRange, OrderingRule::kColorAttachment));
  EXPECT_FALSE(recorder.Do(vk::kSyncFragmentShaderInputAttachmentRead, kRange, OrderingRule::kRaster));
  EXPECT_TRUE(recorder.Do(write, kRange, OrderingRule::kDepthStencilAttachment));
  EXPECT_TRUE(recorder.Do(write));
  EXPECT_TRUE(recorder.Do(vk::kSyncFragmentShaderShaderSampledRead, kRange, OrderingRule::kRaster));
}

TEST(AccessContext, LayoutTransitionAfterWrite) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  EXPECT_EQ(recorder.Transition({kCopy, 0, kFragment, VK_ACCESS_2_SHADER_READ_BIT}).kind, HazardKind::kWriteAfterWrite);
  EXPECT_FALSE(recorder.Do(vk::kSyncFragmentShaderShaderSampledRead));
  const Hazard hazard = recorder.Do(vk::kSyncComputeShaderShaderSampledRead);
  EXPECT_EQ(hazard.kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(hazard.prior_access, vk::kSyncImageLayoutTransition);
}

TEST(AccessContext, LayoutTransitionAfterRead) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferRead);
  EXPECT_EQ(recorder.Transition({kVertex, 0, kCopy, 0}).kind, HazardKind::kWriteAfterRead);
  recorder.Barrier({kCopy, 0, kCopy, VK_ACCESS_2_TRANSFER_READ_BIT});
  recorder.Do(vk::kSyncCopyTransferRead);
  EXPECT_FALSE(recorder.Transition({kCopy, 0, kCopy, 0}));
}

// Layout transitions are in submission order by themselves.
TEST(AccessContext, LayoutTransitionAfterLayoutTransition) {
  Recorder recorder;
  EXPECT_FALSE(recorder.Transition({}));
  EXPECT_FALSE(recorder.Transition({}));
}

TEST(AccessContext, AccessesOfOneCommandDoNotConflict) {
  AccessContext context;
  Hazard hazard;
  context.Update({kRange, vk::kSyncComputeShaderShaderStorageRead}, Tag{1});
  EXPECT_FALSE(context.DetectHazard({kRange, vk::kSyncComputeShaderShaderStorageWrite}, Tag{1}, hazard));
  context.Update({kRange, vk::kSyncComputeShaderShaderStorageWrite}, Tag{1});
  EXPECT_FALSE(context.DetectHazard({kRange, vk::kSyncComputeShaderShaderStorageRead}, Tag{1}, hazard));
  // The read is still known, but does not stand between the write and what follows.
  EXPECT_TRUE(context.DetectHazard({kRange, vk::kSyncCopyTransferWrite}, Tag{2}, hazard));
  EXPECT_EQ(hazard.kind, HazardKind::kWriteAfterRead);
  BarrierCache cache;
  context.ApplyGlobal(cache.Get({kCompute, 0, kCopy, 0}, kQueue));
  Hazard after_barrier;
  EXPECT_TRUE(context.DetectHazard({kRange, vk::kSyncCopyTransferWrite}, Tag{2}, after_barrier));
  EXPECT_EQ(after_barrier.kind, HazardKind::kWriteAfterWrite);
}

TEST(AccessContext, ManyKindsOfReads) {
  Recorder recorder;
  SyncAccessMask reads;
  const auto pairs = vk::SyncStageAccesses();
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i].is_write || pairs[i].stage == 0) continue;
    const auto index = static_cast<vk::SyncAccessIndex>(i);
    EXPECT_FALSE(recorder.Do(index));
    reads.Set(index);
  }
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite, {20, 24}).all_prior_accesses, reads);
  EXPECT_EQ(recorder.context.RangeCount(), 3u);
  EXPECT_EQ(recorder.Do(vk::kSyncCopyTransferWrite, {8, 24}).all_prior_accesses.Count(), reads.Count() + 1);
}

TEST(AccessContext, JoinsEqualStates) {
  Recorder recorder;
  for (uint64_t i = 0; i < 300; ++i) recorder.Do(vk::kSyncCopyTransferWrite, {2 * i, 2 * i + 1});
  EXPECT_EQ(recorder.context.RangeCount(), 300u);
  recorder.Do(vk::kSyncCopyTransferWrite, {0, 600});
  EXPECT_EQ(recorder.context.RangeCount(), 1u);
  Hazard hazard;
  recorder.context.DetectAndUpdate({{600, 700}, vk::kSyncCopyTransferWrite}, Tag{recorder.tag - 1}, hazard);
  EXPECT_EQ(recorder.context.RangeCount(), 1u);
}

TEST(AccessContext, ResetClears) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  recorder.Barrier({kCopy, kWrite, kCopy, kWrite});
  recorder.context.Reset();
  EXPECT_EQ(recorder.context.RangeCount(), 0u);
  EXPECT_FALSE(recorder.Do(vk::kSyncCopyTransferWrite));
  EXPECT_TRUE(recorder.Do(vk::kSyncCopyTransferWrite));
}

// A range far behind the log sees each barrier that matters, in order.
TEST(AccessContext, CatchesUpWithThousandsOfBarriers) {
  for (const bool in_order : {true, false}) {
    Recorder recorder;
    recorder.Do(vk::kSyncCopyTransferWrite);
    const BarrierFlags first = {kCopy, kWrite, kVertex, 0};
    const BarrierFlags second = {kVertex, 0, kCompute, kStorageRead};
    for (int i = 0; i < 5000; ++i) recorder.Barrier({kCompute, kStorageRead, kCompute, kStorageRead});
    recorder.Barrier(in_order ? first : second);
    for (int i = 0; i < 5000; ++i) recorder.Barrier({kCompute, kStorageRead, kCompute, kStorageRead});
    recorder.Barrier(in_order ? second : first);
    EXPECT_EQ(bool{recorder.Do(vk::kSyncComputeShaderShaderStorageRead)}, !in_order);
  }
}

// Suggestions.

TEST(SuggestBarrier, ReadAfterWrite) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  const Suggestion suggestion =
      recorder.context.SuggestBarrier({{{kRange, vk::kSyncComputeShaderShaderStorageRead}}}, Tag{1});
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddBarrier);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{kCopy, kWrite, kCompute, kStorageRead}));
}

TEST(SuggestBarrier, WriteAfterReadsNeedsExecutionOnly) {
  Recorder recorder;
  recorder.Do(vk::kSyncComputeShaderShaderStorageRead);
  recorder.Do(vk::kSyncFragmentShaderShaderStorageRead);
  const Suggestion suggestion = recorder.context.SuggestBarrier({{{kRange, vk::kSyncCopyTransferWrite}}}, Tag{2});
  EXPECT_EQ(suggestion.flags, (BarrierFlags{kCompute | kFragment, 0, kCopy, 0}));
}

// The read is of the command that wrote, so that ordering it alone would leave a hazard with the write. Found by random
// streams.
TEST(SuggestBarrier, WriteAfterReadAndWriteOfOneCommand) {
  AccessContext context;
  context.Update({kRange, vk::kSyncComputeShaderShaderStorageWrite}, Tag{0});
  context.Update({kRange, vk::kSyncComputeShaderShaderStorageRead}, Tag{0});
  const Suggestion suggestion = context.SuggestBarrier({{{kRange, vk::kSyncCopyTransferWrite}}}, Tag{1});
  EXPECT_EQ(suggestion.flags, (BarrierFlags{kCompute, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, kCopy, kWrite}));
}

TEST(SuggestBarrier, LayoutTransition) {
  Recorder recorder;
  recorder.Do(vk::kSyncCopyTransferWrite);
  const BarrierFlags flags = {kCopy, 0, kFragment, VK_ACCESS_2_SHADER_READ_BIT};
  const Suggestion suggestion = recorder.context.SuggestForLayoutTransition({kRange}, flags, kQueue);
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddToTransition);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{0, kWrite, 0, 0}));
}

// What a transition without a second scope leaves behind, no later barrier can make visible.
TEST(SuggestBarrier, AfterLayoutTransitionWithoutSecondScope) {
  Recorder recorder;
  recorder.Transition({});
  const Suggestion suggestion =
      recorder.context.SuggestBarrier({{{kRange, vk::kSyncComputeShaderShaderStorageRead}}}, Tag{1});
  EXPECT_EQ(suggestion.kind, Suggestion::Kind::kAddToPriorTransition);
  EXPECT_EQ(suggestion.flags, (BarrierFlags{0, 0, kCompute, kStorageRead}));
}

}  // namespace
}  // namespace assay::syncval
