// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses to resources that share no bytes with others (regions.h), while recording and in replays.

#include <malloc.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags2 kStorageRead = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
constexpr uint64_t kRegion = 256;

constexpr Access Written(const Range& range, uint64_t region = kRegion) {
  return {.range = range, .index = vk::kSyncCopyTransferWrite, .region = region};
}
constexpr Access Read(const Range& range, uint64_t region = kRegion) {
  return {.range = range, .index = vk::kSyncComputeShaderShaderStorageRead, .region = region};
}

// A command buffer. Do returns whether a command is in order with those before it.
struct Recorded {
  bool Do(const std::vector<Access>& accesses) {
    const Tag tag{next++};
    if (context.TryRecord(absl::MakeConstSpan(accesses), tag)) return true;
    Hazard hazard;
    for (const Access& access : accesses) context.DetectHazard(access, tag, hazard);
    for (const Access& access : accesses) context.Update(access, tag);
    return !hazard;
  }
  void Barrier(const BarrierFlags& flags) { context.ApplyGlobal(cache.Get(flags, kFlags)); }

  AccessContext context;
  BarrierCache cache;
  uint32_t next = 0;
};

class RegionTest : public testing::Test {
 protected:
  std::vector<ReplayHazard> Submit(Recorded& recorded) {
    std::vector<ReplayHazard> hazards;
    device_.Replay(recorded.context, {.tag_count = recorded.next + 1, .queue = queue_},
                   [&](const ReplayHazard& found) { hazards.push_back(found); });
    return hazards;
  }

  DeviceContext device_{1000};
  const QueueIndex queue_ = device_.AddQueue(kFlags);
};

// The first command accesses the end of one region and the begin of the next alike, so that their states become one.
TEST_F(RegionTest, RegionsThatTouch) {
  constexpr uint64_t kNext = 512;
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Written({256, 512}), Written({512, 768}, kNext)}));
  for (uint64_t i = 3; i < 9; ++i) EXPECT_TRUE(recorded.Do({Written({256 * i, 256 * (i + 1)}, kNext)}));
  // Puts the first region into the map.
  Hazard hazard;
  EXPECT_TRUE(recorded.context.DetectHazard(Read({256, 512}), Tag{100}, hazard));
  recorded.Barrier({kCopy, kWrite, kCopy | kCompute, kWrite | kStorageRead});
  EXPECT_TRUE(recorded.Do({Read({256, 512}), Read({1024, 1280}, kNext)}));
  // What was not read may be written.
  EXPECT_TRUE(recorded.Do({Written({512, 768}, kNext)}));
  EXPECT_FALSE(recorded.Do({Written({256, 512})}));
  EXPECT_FALSE(recorded.Do({Written({1024, 1280}, kNext)}));
}

// A write after a read of a part of its bytes is the first access to the others.
TEST_F(RegionTest, FirstAccessToSomeBytes) {
  Recorded earlier;
  earlier.Do({Written({384, 400})});
  EXPECT_TRUE(Submit(earlier).empty());
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Read({256, 320})}));
  recorded.Barrier({kCompute, 0, kCopy, 0});
  EXPECT_TRUE(recorded.Do({Written({256, 400})}));
  const std::vector<ReplayHazard> hazards = Submit(recorded);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards.front().hazard.kind, HazardKind::kWriteAfterWrite);
  EXPECT_EQ(hazards.front().access.range, (Range{384, 400}));
}

// A write after a read replaces no write of the same command buffer, so that it is compared with earlier ones.
TEST_F(RegionTest, WriteAfterOwnRead) {
  Recorded earlier;
  earlier.Do({{.range = {256, 320}, .index = vk::kSyncFragmentShaderShaderStorageRead, .region = kRegion}});
  Submit(earlier);
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Read({256, 320})}));
  recorded.Barrier({kCompute, 0, kCopy, 0});
  EXPECT_TRUE(recorded.Do({Written({256, 320})}));
  const std::vector<ReplayHazard> hazards = Submit(recorded);
  ASSERT_EQ(hazards.size(), 1u);
  EXPECT_EQ(hazards.front().hazard.kind, HazardKind::kWriteAfterRead);
  EXPECT_EQ(hazards.front().hazard.prior_access, vk::kSyncFragmentShaderShaderStorageRead);
}

TEST_F(RegionTest, BarrierOfARegionThatIsNotAccessed) {
  Recorded recorded;
  recorded.context.ApplyRange({4096, 4352}, recorded.cache.Get({kCopy, kWrite, kCompute, kStorageRead}, kFlags), 4096);
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  EXPECT_TRUE(Submit(recorded).empty());
  EXPECT_EQ(Submit(recorded).size(), 1u);
}

// Other accesses to the bytes were without a region, as of a resource that shared its memory.
TEST_F(RegionTest, BytesThatWereAccessedWithoutARegion) {
  Recorded earlier;
  earlier.Do({Written({256, 512}, 0)});
  Submit(earlier);
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Written({256, 320})}));
  // Puts the region into the map.
  Hazard hazard;
  EXPECT_TRUE(recorded.context.DetectHazard(Read({256, 320}), Tag{100}, hazard));
  Submit(recorded);
  Recorded later;
  later.Do({Read({256, 512}, 0)});
  const std::vector<ReplayHazard> hazards = Submit(later);
  ASSERT_EQ(hazards.size(), 2u);
  EXPECT_EQ(hazards[0].access.range, (Range{256, 320}));
  EXPECT_EQ(hazards[1].access.range, (Range{320, 512}));
  EXPECT_LT(hazards[1].hazard.prior_tag, hazards[0].hazard.prior_tag);
}

// Writes of the same bytes, with barriers between them that each order one with the next. With one region each barrier
// is asked about once, so that the map takes over (OrderedPairs); with four the writes stay pending.
class WriteChainTest : public testing::TestWithParam<uint64_t> {
 protected:
  static constexpr BarrierFlags kBetween = {kCopy, kWrite, kCopy, kWrite};

  // One write of each region. Returns whether all are in order, and fails if only some are.
  bool WriteAll() {
    uint64_t in_order = 0;
    for (uint64_t i = 1; i <= GetParam(); ++i) {
      const uint64_t region = i * kRegion;
      in_order += recorded_.Do({Written({region, region + 64}, region)});
    }
    EXPECT_TRUE(in_order == 0 || in_order == GetParam());
    return in_order != 0;
  }

  Recorded recorded_;
};

TEST_P(WriteChainTest, BarrierIsMissingOnce) {
  for (const int missing : {1, 2, 5, 20}) {
    for (int round = 0; round < 30; ++round) {
      EXPECT_EQ(WriteAll(), round != missing) << "round " << round << " of the chain without barrier " << missing;
      if (round + 1 != missing) recorded_.Barrier(kBetween);
    }
    recorded_.context.Reset();
    recorded_.next = 0;
  }
}

TEST_P(WriteChainTest, BarrierOfOtherStages) {
  for (const int wrong : {1, 2, 5, 20}) {
    for (int round = 0; round < 30; ++round) {
      EXPECT_EQ(WriteAll(), round != wrong) << "round " << round << " of the chain with wrong barrier " << wrong;
      recorded_.Barrier(round + 1 != wrong ? kBetween : BarrierFlags{kCompute, kStorageRead, kCompute, kStorageRead});
    }
    recorded_.context.Reset();
    recorded_.next = 0;
  }
}

// A write takes the place of the one before it. Each barrier keeps a few bytes.
TEST_P(WriteChainTest, KeepsItsSize) {
  constexpr uint64_t kWrites = 100'000;
  const auto bytes_in_use = [] {
    const auto info = mallinfo2();
    return info.uordblks + info.hblkhd;
  };
  const size_t before = bytes_in_use();
  for (uint64_t i = 0; i < kWrites / GetParam(); ++i) {
    ASSERT_TRUE(WriteAll());
    recorded_.Barrier(kBetween);
  }
  EXPECT_LT(bytes_in_use(), before + kWrites * sizeof(Access));
}

INSTANTIATE_TEST_SUITE_P(Regions, WriteChainTest, testing::Values(uint64_t{1}, uint64_t{4}));

// Two writes of one command: barriers that cover everything order the first one, the second needs what a read hands on.
// So the map has to compare the second one, which stays the last write.
TEST_F(RegionTest, TwoWritesOfACommand) {
  constexpr VkAccessFlags2 kStorageWrite = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.Barrier({kCopy, kWrite, kCompute, kStorageRead | kStorageWrite});
  EXPECT_TRUE(recorded.Do({Read({256, 512})}));
  recorded.Barrier({kCompute, 0, kCompute | kCopy, 0});
  EXPECT_TRUE(recorded.Do({{.range = {256, 512}, .index = vk::kSyncComputeShaderShaderStorageWrite, .region = kRegion},
                           Written({256, 512})}));
  recorded.Barrier({kCompute, kStorageWrite, kCompute, kStorageRead});
  Hazard hazard;
  EXPECT_TRUE(recorded.context.DetectHazard(Read({256, 512}), Tag{recorded.next}, hazard));
  EXPECT_EQ(hazard.kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(hazard.prior_access, vk::kSyncCopyTransferWrite);
}

// The same two writes at the same epochs of the barrier log, with another barrier between them.
TEST_F(RegionTest, AnswersEndWithAReset) {
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.Barrier({kCopy, kWrite, kCopy, kWrite});
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.context.Reset();
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.Barrier({kCompute, kStorageRead, kCompute, kStorageRead});
  EXPECT_FALSE(recorded.Do({Written({256, 512})}));
}
TEST_F(RegionTest, AnswersEndWithAnUndo) {
  constexpr uint64_t kOther = 1024;
  Recorded recorded;
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.context.BeginUndoable(Tag{recorded.next});
  recorded.Barrier({kCopy, kWrite, kCopy, kWrite});
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  recorded.context.Undo();
  EXPECT_TRUE(recorded.Do({Written({1024, 1280}, kOther)}));
  recorded.Barrier({kCompute, kStorageRead, kCompute, kStorageRead});
  EXPECT_FALSE(recorded.Do({Written({1024, 1280}, kOther)}));
  EXPECT_FALSE(recorded.Do({Written({256, 512})}));
}
// A write that is undone has replaced none from before.
TEST_F(RegionTest, UndoneWriteReplacesNothing) {
  Recorded recorded;
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(recorded.Do({Written({256, 512})}));
    recorded.Barrier({kCopy, kWrite, kCopy, kWrite});
  }
  EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  const Tag last{recorded.next - 1};
  recorded.context.BeginUndoable(Tag{recorded.next});
  for (int i = 0; i < 3; ++i) {
    recorded.Barrier({kCopy, kWrite, kCopy, kWrite});
    EXPECT_TRUE(recorded.Do({Written({256, 512})}));
  }
  recorded.context.Undo();
  Hazard hazard;
  EXPECT_TRUE(recorded.context.DetectHazard(Read({256, 512}), Tag{recorded.next}, hazard));
  EXPECT_EQ(hazard.kind, HazardKind::kReadAfterWrite);
  EXPECT_EQ(hazard.prior_tag, last);
}

}  // namespace
}  // namespace assay::syncval
