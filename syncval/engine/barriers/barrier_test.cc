// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/barrier.h"

#include <vector>

#include "gtest/gtest.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;

// The execution scope takes logically earlier or later stages in, the access scope does not.
TEST(MakeBarrier, ExpandsExecutionScopeOnly) {
  const Barrier barrier = MakeBarrier({VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_WRITE_BIT,
                                       VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_READ_BIT},
                                      kQueue);
  EXPECT_NE(barrier.src.stages & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, 0u);
  EXPECT_EQ(barrier.src.stages & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0u);
  EXPECT_EQ(barrier.dst.stages & VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, 0u);
  EXPECT_NE(barrier.dst.stages & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0u);
  EXPECT_TRUE(barrier.src.accesses.Has(vk::kSyncFragmentShaderShaderStorageWrite));
  EXPECT_FALSE(barrier.src.accesses.Has(vk::kSyncVertexShaderShaderStorageWrite));
  EXPECT_TRUE(barrier.dst.accesses.Has(vk::kSyncFragmentShaderShaderSampledRead));
  EXPECT_FALSE(barrier.dst.accesses.Has(vk::kSyncFragmentShaderUniformRead));
}

// "TOP_OF_PIPE is equivalent to ALL_COMMANDS with VkAccessFlags2 set to 0 when specified in the second synchronization
// scope, but specifies no stage of execution when specified in the first", and BOTTOM_OF_PIPE the other way round.
TEST(MakeBarrier, TopAndBottomOfPipe) {
  const Barrier none = MakeBarrier({VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                    VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, VK_ACCESS_2_MEMORY_READ_BIT},
                                   kQueue);
  EXPECT_EQ(none, Barrier());
  EXPECT_FALSE(none.HasEffect());
  const Barrier all = MakeBarrier({VK_PIPELINE_STAGE_2_BOTTOM_OF_PIPE_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                   VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT, VK_ACCESS_2_MEMORY_READ_BIT},
                                  kQueue);
  EXPECT_NE(all.src.stages & VK_PIPELINE_STAGE_2_COPY_BIT, 0u);
  EXPECT_NE(all.dst.stages & VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, 0u);
  EXPECT_TRUE(all.src.accesses.Empty());
  EXPECT_TRUE(all.dst.accesses.Empty());
}

TEST(MakeBarrier, AllCommandsLeavesTheHostOut) {
  const Barrier barrier = MakeBarrier({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                       VK_PIPELINE_STAGE_2_HOST_BIT, VK_ACCESS_2_HOST_READ_BIT},
                                      kQueue);
  EXPECT_EQ(barrier.src.stages & VK_PIPELINE_STAGE_2_HOST_BIT, 0u);
  EXPECT_FALSE(barrier.src.accesses.Has(vk::kSyncHostHostWrite));
  EXPECT_TRUE(barrier.src.accesses.Has(vk::kSyncCopyTransferWrite));
  EXPECT_EQ(barrier.dst.stages, VK_PIPELINE_STAGE_2_HOST_BIT);
  EXPECT_TRUE(barrier.dst.accesses.Has(vk::kSyncHostHostRead));
}

TEST(BarrierCache, CachesByValue) {
  BarrierCache cache;
  const BarrierFlags copy = {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_2_COPY_BIT,
                             0};
  const Barrier& first = cache.Get(copy, kQueue);
  EXPECT_EQ(&first, &cache.Get(copy, kQueue));
  EXPECT_EQ(first, MakeBarrier(copy, kQueue));
  for (uint64_t access = 0; access < 1000; ++access) {
    const BarrierFlags flags = {VK_PIPELINE_STAGE_2_COPY_BIT, access, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, access};
    ASSERT_EQ(cache.Get(flags, kQueue), MakeBarrier(flags, kQueue));
  }
  EXPECT_EQ(first, MakeBarrier(copy, kQueue));
}

BarrierFlags FlagsNumber(uint64_t number) {
  return {VK_PIPELINE_STAGE_2_COPY_BIT, number, VK_PIPELINE_STAGE_2_ALL_GRAPHICS_BIT, number};
}

// Barriers that share a slot do not replace each other.
TEST(BarrierCache, HasEachBarrierOnce) {
  BarrierCache cache;
  std::vector<const Barrier*> first;
  for (uint64_t i = 0; i < 100; ++i) first.push_back(&cache.Get(FlagsNumber(i), kQueue));
  for (int round = 0; round < 10; ++round) {
    for (uint64_t i = 0; i < 100; ++i) ASSERT_EQ(&cache.Get(FlagsNumber(i), kQueue), first[i]);
    cache.LimitSize();
  }
  EXPECT_EQ(cache.size(), 100u);
  EXPECT_NE(&cache.Get(FlagsNumber(0), VK_QUEUE_TRANSFER_BIT), first[0]);
}

TEST(BarrierCache, ForgetsTooManyBarriers) {
  BarrierCache cache;
  for (uint64_t round = 0; round < 10; ++round) {
    for (uint64_t i = 0; i < 1000; ++i) {
      const BarrierFlags flags = FlagsNumber(1000 * round + i);
      ASSERT_EQ(cache.Get(flags, kQueue), MakeBarrier(flags, kQueue));
    }
    cache.LimitSize();
    EXPECT_EQ(cache.size(), 0u);
  }
}

}  // namespace
}  // namespace assay::syncval
