// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A replay takes shortcuts where accesses are to regions (regions.h). The same submissions whose accesses name no
// region take none, and leave the same behind.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "syncval/context_dump.h"
#include "syncval/engine/engine.h"
#include "testing/dump/dump.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {
namespace {

constexpr VkQueueFlags kFlags = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT | VK_QUEUE_TRANSFER_BIT;
constexpr std::array<VkPipelineStageFlags2, 4> kStages = {
    VK_PIPELINE_STAGE_2_COPY_BIT, VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
    VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT};
constexpr std::array kKinds = {vk::kSyncCopyTransferRead, vk::kSyncComputeShaderShaderStorageRead,
                               vk::kSyncFragmentShaderShaderStorageRead, vk::kSyncCopyTransferWrite,
                               vk::kSyncComputeShaderShaderStorageWrite};
constexpr size_t kReadKinds = 3;
constexpr uint64_t kRegions = 6;
constexpr uint64_t kRegionBytes = 64;

using RandomBits = std::mt19937;
uint32_t Below(RandomBits& random, uint32_t end) { return static_cast<uint32_t>(random() % end); }

Barrier RandomBarrier(RandomBits& random) {
  const auto stages = [&] { return kStages[Below(random, kStages.size())]; };
  const auto accesses = [&]() -> VkAccessFlags2 {
    return Below(random, 3) == 0 ? 0 : VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  };
  return MakeBarrier({stages(), accesses(), stages(), accesses()}, kFlags);
}

// A part of a region; most often the same one.
Range RandomRange(RandomBits& random, uint64_t region) {
  const uint64_t begin = region + (Below(random, 4) == 0 ? 8 : 0);
  return {begin, begin + (Below(random, 4) == 0 ? 32 : 16)};
}

// A command of a command buffer.
struct Command {
  enum class Kind : uint8_t { kAccesses, kGlobal, kRange, kTransition, kRenderPass };
  Kind kind = Kind::kAccesses;
  std::vector<Access> accesses;
  Barrier barrier;
};

Command RandomCommand(RandomBits& random, uint32_t write_share, bool has_subpasses) {
  Command command{.barrier = RandomBarrier(random)};
  const uint32_t what = Below(random, 20);
  if (what < 4) command.kind = Command::Kind::kGlobal;
  if (what == 4) command.kind = Command::Kind::kRange;
  if (what == 5) command.kind = Command::Kind::kTransition;
  if (what == 6 && has_subpasses) command.kind = Command::Kind::kRenderPass;
  const uint32_t count = command.kind == Command::Kind::kAccesses ? 1 + Below(random, 3) : 1;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t region = (1 + Below(random, kRegions)) * kRegionBytes;
    const bool is_write = Below(random, 8) < write_share;
    const size_t kind = is_write ? kReadKinds + Below(random, kKinds.size() - kReadKinds) : Below(random, kReadKinds);
    command.accesses.push_back({.range = RandomRange(random, region), .index = kKinds[kind], .region = region});
  }
  std::ranges::partition(command.accesses,
                         [](const Access& access) { return vk::SyncStageAccesses()[access.index].is_write; });
  return command;
}

// Records the commands, without regions or with them.
class Recording {
 public:
  Recording(const std::vector<Command>& commands, bool has_regions) : has_regions_(has_regions) {
    for (const Command& command : commands) Record(command);
  }

  AccessContext& context() { return context_; }
  uint32_t tag_count() const { return next_.value; }

 private:
  Tag TakeTag() { return Tag{next_.value++}; }
  Access Place(Access access) const {
    if (!has_regions_) access.region = 0;
    return access;
  }
  void Record(const Command& command) {
    const Access front = Place(command.accesses.front());
    const Barrier* const barrier = &command.barrier;
    const RangeBarrier transition{front.range, barrier, true, front.region};
    switch (command.kind) {
      case Command::Kind::kAccesses:
        return RecordAccesses(command.accesses);
      case Command::Kind::kGlobal:
        TakeTag();
        return context_.ApplyGlobal(*barrier);
      case Command::Kind::kRange:
        TakeTag();
        return context_.ApplyRange(front.range, *barrier, front.region);
      case Command::Kind::kTransition:
        return context_.ApplyAll({}, {&transition, 1}, TakeTag());
      case Command::Kind::kRenderPass:
        context_.EnterSubpass({&barrier, 1}, TakeTag());
        RecordAccesses(command.accesses);
        context_.EndRenderPass({&barrier, 1}, TakeTag());
    }
  }
  void RecordAccesses(const std::vector<Access>& accesses) {
    const Tag tag = TakeTag();
    std::vector<Access> placed;
    placed.reserve(accesses.size());
    for (const Access& access : accesses) placed.push_back(Place(access));
    if (has_regions_ && context_.TryRecord(absl::MakeConstSpan(placed), tag)) return;
    Hazard hazard;
    for (const Access& access : placed) context_.DetectHazard(access, tag, hazard);
    for (const Access& access : placed) context_.Update(access, tag);
  }

  const bool has_regions_;
  AccessContext context_;
  Tag next_{0};
};

// The bytes that are in a hazard. Which accesses are may differ: one that is pending may be compared though an earlier
// one of its command buffer has written all of its bytes.
using HazardousBytes = std::set<uint64_t>;

// A device with recordings of the same commands.
class TestedDevice {
 public:
  TestedDevice(const std::vector<std::vector<Command>>& command_buffers, bool has_regions) {
    for (const std::vector<Command>& commands : command_buffers)
      recordings_.push_back(std::make_unique<Recording>(commands, has_regions));
  }

  HazardousBytes Submit(QueueIndex queue, size_t recording) {
    HazardousBytes found;
    Recording& submitted = *recordings_[recording];
    device_.Replay(submitted.context(), {.tag_count = submitted.tag_count(), .queue = queue},
                   [&](const ReplayHazard& hazard) {
                     const Range& range = hazard.access.range;
                     for (uint64_t byte = range.begin; byte < range.end; ++byte) found.insert(byte);
                   });
    return found;
  }
  // What its queues have.
  test::Dump States() {
    test::Dump dump;
    ContextDump::Append(device_, dump);
    return dump;
  }
  DeviceContext& device() { return device_; }

 private:
  std::vector<std::unique_ptr<Recording>> recordings_;
  DeviceContext device_;
};

testing::AssertionResult HaveSameStates(TestedDevice& with, TestedDevice& without) {
  const std::string difference = test::Dump::Difference(without.States(), with.States());
  return difference.empty() ? testing::AssertionSuccess() : testing::AssertionFailure() << difference;
}

TEST(RegionReplay, LeavesWhatAReplayWithoutRegionsLeaves) {
  size_t hazards = 0;
  for (uint32_t seed = 0; seed < 600; ++seed) {
    RandomBits random(seed);
    // Of reads of one kind in several subpasses, some that make no difference may stay.
    const bool has_subpasses = seed % 3 == 0;
    std::vector<std::vector<Command>> command_buffers(4);
    for (std::vector<Command>& commands : command_buffers) {
      const uint32_t write_share = Below(random, 4);
      for (uint32_t i = 1 + Below(random, 8); i > 0; --i) {
        commands.push_back(RandomCommand(random, write_share, has_subpasses));
      }
    }
    TestedDevice with(command_buffers, true);
    TestedDevice without(command_buffers, false);
    for (TestedDevice* device : {&with, &without}) {
      for (int i = 0; i < 2; ++i) device->device().AddQueue(kFlags);
    }
    for (int i = 0; i < 8; ++i) {
      const QueueIndex queue{static_cast<uint8_t>(Below(random, 4) == 0)};
      const size_t recording = Below(random, static_cast<uint32_t>(command_buffers.size()));
      const bool is_undone = Below(random, 4) == 0;
      if (is_undone) {
        with.device().BeginUndoable();
        with.Submit(queue, recording);
        ASSERT_TRUE(with.device().Undo());
        ASSERT_TRUE(has_subpasses || HaveSameStates(with, without)) << "seed " << seed << ", undone submission " << i;
      }
      const HazardousBytes expected = without.Submit(queue, recording);
      ASSERT_EQ(with.Submit(queue, recording), expected) << "seed " << seed << ", submission " << i;
      hazards += expected.size();
      // That puts everything into the map.
      const bool is_compared = !has_subpasses && Below(random, 2) == 0;
      ASSERT_TRUE(!is_compared || HaveSameStates(with, without)) << "seed " << seed << ", submission " << i;
    }
  }
  EXPECT_GT(hazards, 1000u);
}

}  // namespace
}  // namespace assay::syncval
