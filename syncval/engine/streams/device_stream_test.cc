// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/streams/device_stream.h"

#include <cstdint>
#include <map>
#include <string>

#include "gtest/gtest.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/streams/compare_device_stream.h"
#include "syncval/engine/streams/shrink_device_stream.h"

namespace assay::syncval {
namespace {

void ExpectAgreement(uint64_t seed, const DeviceStream& stream) {
  const auto fails = [](const DeviceStream& candidate) {
    return !FindDeviceDisagreement<Mutation::kNone>(candidate).empty();
  };
  const std::string disagreement = FindDeviceDisagreement<Mutation::kNone>(stream);
  if (disagreement.empty()) return;
  const DeviceStream small = ShrinkDeviceStream(stream, fails);
  FAIL() << "Seed " << seed << ", " << disagreement << "\nShrunk, " << FindDeviceDisagreement<Mutation::kNone>(small)
         << "\n"
         << ToCode(small);
}

class DeviceStreamTest : public testing::TestWithParam<uint64_t> {};

TEST_P(DeviceStreamTest, OneQueue) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(seed, {});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, SeveralQueues) {
  constexpr uint64_t kStreams = 600;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream =
        RandomDeviceStream(~seed, {.commands = 6, .steps = 10, .queues = 2 + static_cast<uint32_t>(seed % 2)});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

TEST_P(DeviceStreamTest, Events) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        ~seed, {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 2), .with_events = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, 4)));
  }
}

TEST_P(DeviceStreamTest, RenderPasses) {
  constexpr uint64_t kStreams = 400;
  for (uint64_t seed = GetParam() * kStreams; seed < (GetParam() + 1) * kStreams; ++seed) {
    const DeviceStream stream = RandomDeviceStream(
        seed ^ 0x5555,
        {.commands = 8, .steps = 6, .queues = 1 + static_cast<uint32_t>(seed % 3), .with_render_passes = true});
    ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, stream));
    for (const uint64_t region_bytes : {1, 4, 12}) {
      ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, WithRegions(stream, region_bytes)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Part, DeviceStreamTest, testing::Range(uint64_t{0}, uint64_t{8}));

// The streams test little unless each outcome is frequent.
TEST(DeviceStreams, HaveEveryOutcome) {
  std::map<HazardKind, size_t> counts;
  for (uint64_t seed = 0; seed < 300; ++seed) {
    DeviceComparison<Mutation::kNone> comparison(
        RandomDeviceStream(seed, {.commands = 6, .steps = 10, .queues = 3, .with_events = seed % 2 == 0}));
    EXPECT_EQ(comparison.Run(), "");
    for (const auto& [kind, count] : comparison.counts()) counts[kind] += count;
  }
  for (const HazardKind kind :
       {HazardKind::kReadAfterWrite, HazardKind::kWriteAfterRead, HazardKind::kWriteAfterWrite,
        HazardKind::kReadRacingWrite, HazardKind::kWriteRacingRead, HazardKind::kWriteRacingWrite}) {
    EXPECT_GT(counts[kind], 200u) << static_cast<int>(kind);
  }
}

// A secondary command buffer waits for an event that its primary sets before the render pass. The barrier after the
// wait continues the chain that the wait makes, though it is like the one before the wait.
TEST(DeviceStreamTest, EqualBarriersBesideAWait) {
  const StreamCommand barrier = {.barriers = {{.flags = {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
                                                         VK_ACCESS_2_MEMORY_WRITE_BIT, VK_PIPELINE_STAGE_2_RESOLVE_BIT,
                                                         VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT}}}};
  const StreamCommand wait = {
      .barriers = {{.flags = {VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT, 0, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, 0}}},
      .event = StreamEvent::kWait,
      .event_number = 1};
  const StreamCommand write = {.accesses = {{.range = {3, 4}, .index = vk::kSyncResolveTransferWrite}}};
  const StreamCommand begin = {.subpass = StreamSubpass::kBegin,
                               .subpasses = 3,
                               .dependencies = {{1,
                                                 2,
                                                 {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT,
                                                  VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, 0}}}};
  const DeviceStream stream = {.buffers = {{barrier, wait, barrier, write},
                                           {{.event = StreamEvent::kSet, .event_number = 1},
                                            begin,
                                            {.subpass = StreamSubpass::kNext},
                                            {.executes = {0}}}},
                               .inside_buffers = 1,
                               .steps = {{.queue = 1, .waits = {}, .buffers = {1, 1}, .signals = {}}}};
  EXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(stream), "");
}

// Atomic writes of two queues in no order: each queue remembers one.
TEST(DeviceStreamTest, UnorderedAtomicsAndAWayBack) {
  const StreamCommand increment = {
      .accesses = {
          {.range = {10, 11}, .index = vk::kSyncComputeShaderShaderStorageWrite, .ordering = OrderingRule::kAtomic}}};
  const StreamCommand read = {
      .accesses = {{.range = {10, 11}, .index = vk::kSyncEarlyFragmentTestsDepthStencilAttachmentRead}}};
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  const DeviceStream stream = {.buffers = {{read, increment}, {increment}},
                               .steps = {{.queue = 0, .waits = {}, .buffers = {0}, .signals = {{0, kAll}}},
                                         {.queue = 1, .waits = {}, .buffers = {1}, .signals = {}},
                                         {.queue = 1, .waits = {{0, kAll}}, .buffers = {}, .signals = {}},
                                         {.is_host_wait = true, .waited_for = 1},
                                         {.queue = 1, .waits = {}, .buffers = {}, .signals = {{4, kAll}}},
                                         {.queue = 0, .waits = {{4, kAll}}, .buffers = {0}, .signals = {}}}};
  EXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(stream), "");
}

// The same by way of a third queue, with an ordinary read before the write that is forgotten.
TEST(DeviceStreamTest, UnorderedAtomicsOfThreeQueues) {
  const StreamCommand increment = {
      .accesses = {
          {.range = {11, 12}, .index = vk::kSyncComputeShaderShaderStorageWrite, .ordering = OrderingRule::kAtomic}}};
  const StreamCommand read = {.accesses = {{.range = {11, 12}, .index = vk::kSyncHostHostRead}}};
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  const StreamCommand barrier = {.barriers = {{.flags = {kAll, 0, kAll, 0}}}};
  const DeviceStream stream = {
      .buffers = {{increment, barrier}, {{.executes = {0, 0}}, read}},
      .steps = {
          {.queue = 0, .waits = {}, .buffers = {0}, .signals = {}},
          {.queue = 1, .waits = {}, .buffers = {1}, .signals = {{3, kAll}}},
          {.queue = 0,
           .waits = {{3, VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT}},
           .buffers = {0},
           .signals = {}},
          {.queue = 2, .waits = {}, .buffers = {0}, .signals = {{5, kAll}}},
          {.queue = 0,
           .waits = {{5, kAll}},
           .buffers = {},
           .signals = {{6, VK_PIPELINE_STAGE_2_RESOLVE_BIT | VK_PIPELINE_STAGE_2_BLIT_BIT}}},
          {.is_host_wait = true, .waited_for = 3},
          {.queue = 1, .waits = {{6, kAll}}, .buffers = {1}, .signals = {}}}};
  EXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(stream), "");
}

// The last command writes a byte twice. Its first write uses up what the recording spends on questions about barriers
// (OrderedPairs), so that the map has to compare the second one.
TEST(DeviceStreamTest, TwoWritesOfACommand) {
  constexpr VkPipelineStageFlags2 kAllCommands = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  constexpr VkAccessFlags2 kMemoryWrite = VK_ACCESS_2_MEMORY_WRITE_BIT;
  const StreamBarrier barrier = {.flags = {kAllCommands, kMemoryWrite, kAllCommands, kMemoryWrite}};
  const Stream buffer = {
      {.accesses = {{.range = {6, 7}, .index = vk::kSyncColorAttachmentOutputColorAttachmentWrite},
                    {.range = {6, 8}, .index = vk::kSyncFragmentShaderInputAttachmentRead}}},
      {.barriers = {{.flags = {kAllCommands, kMemoryWrite, kAllCommands, VK_ACCESS_2_MEMORY_READ_BIT}}}},
      {.accesses = {{.range = {6, 7}, .index = vk::kSyncVertexShaderUniformRead},
                    {.range = {6, 7},
                     .index = vk::kSyncColorAttachmentOutputColorAttachmentWrite,
                     .ordering = OrderingRule::kRaster}}},
      {.barriers = {barrier}, .event = StreamEvent::kSet, .event_number = 1},
      {.barriers = {barrier}, .event = StreamEvent::kWait, .event_number = 1},
      {.accesses = {{.range = {6, 8}, .index = vk::kSyncColorAttachmentOutputColorAttachmentWrite},
                    {.range = {7, 8}, .index = vk::kSyncVertexShaderShaderStorageWrite}}}};
  const DeviceStream stream = {.buffers = {buffer},
                               .steps = {{.queue = 0, .waits = {}, .buffers = {0, 0}, .signals = {}}}};
  EXPECT_EQ(FindDeviceDisagreement<Mutation::kNone>(WithRegions(stream, 4)), "");
}

}  // namespace
}  // namespace assay::syncval
