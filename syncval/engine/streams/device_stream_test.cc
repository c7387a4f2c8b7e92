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

}  // namespace
}  // namespace assay::syncval
