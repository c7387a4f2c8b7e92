// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Possible reads in a context: OrderingRule::kPossible.

#include "gtest/gtest.h"
#include "syncval/engine/engine.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kQueue = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kVertexInput = VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT;
constexpr vk::SyncAccessIndex kVertices = vk::kSyncVertexAttributeInputVertexAttributeRead;
constexpr vk::SyncAccessIndex kWrite = vk::kSyncCopyTransferWrite;

class PossibleRead : public testing::Test {
 protected:
  void Record(const Range& range, vk::SyncAccessIndex index, OrderingRule rule = OrderingRule::kNone) {
    context_.Update({.range = range, .index = index, .ordering = rule}, Tag{next_++});
  }
  void RecordPossible(const Range& range) { Record(range, kVertices, OrderingRule::kPossible); }
  Hazard Detect(const Range& range, vk::SyncAccessIndex index) {
    Hazard hazard;
    context_.DetectHazard({.range = range, .index = index}, Tag{next_}, hazard);
    return hazard;
  }
  void ApplyGlobal(const BarrierFlags& flags) { context_.ApplyGlobal(MakeBarrier(flags, kQueue)); }

  AccessContext context_;
  uint32_t next_ = 0;
};

TEST_F(PossibleRead, IsUncertain) {
  RecordPossible({0, 16});
  const Hazard hazard = Detect({0, 16}, kWrite);
  EXPECT_EQ(hazard.kind, HazardKind::kWriteAfterRead);
  EXPECT_TRUE(hazard.is_prior_possible);
  ApplyGlobal({kVertexInput, 0, kCopy, 0});
  EXPECT_FALSE(Detect({0, 16}, kWrite));
}

// What is certain comes first: another read, at higher addresses too, and a write.
TEST_F(PossibleRead, GivesWayToACertainRead) {
  Record({8, 16}, vk::kSyncIndexInputIndexRead);
  RecordPossible({0, 16});
  const Hazard hazard = Detect({0, 16}, kWrite);
  EXPECT_EQ(hazard.prior_access, vk::kSyncIndexInputIndexRead);
  EXPECT_FALSE(hazard.is_prior_possible);
}
TEST_F(PossibleRead, GivesWayToAWrite) {
  Record({0, 16}, vk::kSyncClearTransferWrite);
  RecordPossible({0, 16});
  const Hazard hazard = Detect({0, 16}, kWrite);
  EXPECT_EQ(hazard.kind, HazardKind::kWriteAfterWrite);
  EXPECT_FALSE(hazard.is_prior_possible);
}

// It does not stand for an earlier certain read of its kind, nor that for it.
TEST_F(PossibleRead, IsAKindOfItsOwn) {
  Record({0, 16}, kVertices);
  RecordPossible({0, 16});
  EXPECT_FALSE(Detect({0, 16}, kWrite).is_prior_possible);
  EXPECT_EQ(Detect({0, 16}, kWrite).prior_tag, Tag{0});
}

// What it may have read counts as read: barriers that lead from it order later writes after earlier ones.
TEST_F(PossibleRead, HandsTheWriteOn) {
  for (const bool reads : {false, true}) {
    context_.Reset();
    Record({0, 16}, kWrite);
    ApplyGlobal({kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, kVertexInput, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT});
    if (reads) RecordPossible({0, 16});
    ApplyGlobal({kVertexInput, 0, kCopy, 0});
    EXPECT_EQ(static_cast<bool>(Detect({0, 16}, kWrite)), !reads);
    // It says nothing of other bytes.
    Record({16, 32}, kWrite);
    EXPECT_TRUE(Detect({16, 32}, kWrite));
  }
}

// A replay compares it with what is before, and has it for what is after.
TEST_F(PossibleRead, IsReplayed) {
  AccessContext read;
  read.Update({.range = {0, 16}, .index = kVertices, .ordering = OrderingRule::kPossible}, Tag{0});
  Record({0, 8}, kWrite);
  int found = 0;
  context_.Replay(read, Tag{next_++}, [&](const ReplayHazard& hazard) {
    EXPECT_EQ(hazard.access.range, (Range{0, 8}));
    EXPECT_EQ(hazard.access.ordering, OrderingRule::kPossible);
    ++found;
  });
  EXPECT_EQ(found, 1);
  EXPECT_TRUE(Detect({8, 16}, kWrite).is_prior_possible);
}

}  // namespace
}  // namespace assay::syncval
