// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Random commands through TryRecord, and at the side through DetectHazard and Update alone: the same hazards. Few kinds
// of accesses to few ranges, so that writes of the same bytes follow each other; barriers of few kinds between them.

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "syncval/engine/engine.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkAccessFlags2 kAll = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
constexpr std::array<BarrierFlags, 6> kBarriers = {{
    {kCopy | kCompute, kAll, kCopy | kCompute, kAll},
    {kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT},
    {kCopy, VK_ACCESS_2_TRANSFER_WRITE_BIT, kCompute, VK_ACCESS_2_SHADER_STORAGE_READ_BIT},
    {kCompute, kAll, kCompute, kAll},
    {kCompute, 0, kCopy, 0},
    {kCopy, kAll, kCompute, kAll},
}};
constexpr std::array kKinds = {vk::kSyncCopyTransferRead, vk::kSyncCopyTransferWrite,
                               vk::kSyncComputeShaderShaderStorageRead, vk::kSyncComputeShaderShaderStorageWrite};

// What both contexts have found, to see that there was something to find.
struct Counts {
  uint32_t tried = 0;
  uint32_t hazards = 0;
};

class SideBySide {
 public:
  explicit SideBySide(uint32_t seed) : random_(seed) {}

  void Step(Counts& counts) {
    const uint32_t what = Below(40);
    if (what == 0) return StepUndo();
    if (what == 1) return Reset();
    if (what < 4) {
      const uint64_t region = RandomRegion();
      const Barrier& barrier = RandomBarrier();
      return Both([&](AccessContext& context) { context.ApplyRange({region, region + 64}, barrier, region); });
    }
    if (what < 16) {
      const Barrier& barrier = RandomBarrier();
      return Both([&](AccessContext& context) { context.ApplyGlobal(barrier); });
    }
    Record(RandomAccesses(), counts);
  }

 private:
  uint32_t Below(uint32_t end) { return static_cast<uint32_t>(random_() % end); }
  const Barrier& RandomBarrier() { return cache_.Get(kBarriers[Below(kBarriers.size())], kFlags); }
  uint64_t RandomRegion() { return 256 * uint64_t{1 + Below(3)}; }
  template <class F>
  void Both(F&& change) {
    change(with_);
    change(without_);
  }

  // Writes come first, since accesses may overlap.
  std::vector<Access> RandomAccesses() {
    std::vector<Access> accesses(1 + Below(4) / 3);
    for (Access& access : accesses) {
      const uint64_t region = RandomRegion();
      const uint64_t begin = Below(4) == 0 ? region + 16 : region;
      access = {.range = {begin, Below(4) == 0 ? begin + 16 : region + 64},
                .index = kKinds[Below(kKinds.size())],
                .region = region};
    }
    std::ranges::partition(accesses,
                           [](const Access& access) { return vk::SyncStageAccesses()[access.index].is_write; });
    return accesses;
  }

  void Record(const std::vector<Access>& accesses, Counts& counts) {
    const Tag tag{next_++};
    const Hazard expected = DetectAndUpdate(without_, accesses, tag);
    counts.hazards += static_cast<bool>(expected);
    if (with_.TryRecord(absl::MakeConstSpan(accesses), tag)) {
      ++counts.tried;
      ASSERT_EQ(expected.kind, HazardKind::kNone);
      return;
    }
    const Hazard found = DetectAndUpdate(with_, accesses, tag);
    ASSERT_EQ(found.kind, expected.kind);
    if (!expected) return;
    ASSERT_EQ(found.prior_tag, expected.prior_tag);
    ASSERT_EQ(found.prior_access, expected.prior_access);
  }
  static Hazard DetectAndUpdate(AccessContext& context, const std::vector<Access>& accesses, Tag tag) {
    Hazard hazard;
    for (const Access& access : accesses) context.DetectHazard(access, tag, hazard);
    for (const Access& access : accesses) context.Update(access, tag);
    return hazard;
  }

  void StepUndo() {
    if (!is_undoable_) {
      is_undoable_ = true;
      begin_ = next_;
      return Both([&](AccessContext& context) { context.BeginUndoable(Tag{begin_}); });
    }
    is_undoable_ = false;
    if (Below(2) == 0) return Both([](AccessContext& context) { context.EndUndoable(); });
    next_ = begin_;
    Both([](AccessContext& context) { context.Undo(); });
  }
  // Cannot be undone.
  void Reset() {
    if (is_undoable_) return;
    next_ = 0;
    Both([](AccessContext& context) { context.Reset(); });
  }

  std::mt19937 random_;
  BarrierCache cache_;
  AccessContext with_;
  AccessContext without_;
  uint32_t next_ = 0;
  bool is_undoable_ = false;
  uint32_t begin_ = 0;
};

TEST(TryRecord, FindsTheHazardsOfDetectHazard) {
  Counts counts;
  for (uint32_t seed = 0; seed < 3000; ++seed) {
    SideBySide contexts(seed);
    for (int step = 0; step < 80; ++step) {
      ASSERT_NO_FATAL_FAILURE(contexts.Step(counts)) << "seed " << seed << ", step " << step;
    }
  }
  EXPECT_GT(counts.tried, 10'000u);
  EXPECT_GT(counts.hazards, 10'000u);
}

}  // namespace
}  // namespace assay::syncval
