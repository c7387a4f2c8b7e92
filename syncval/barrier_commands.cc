// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What pipeline barriers order, and the layout transitions that they do.

#include "absl/container/inlined_vector.h"
#include "syncval/check.h"
#include "syncval/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

// The barriers of one command, in the engine's terms.
struct Barriers {
  absl::InlinedVector<const Barrier*, 4> globals;
  absl::InlinedVector<RangeBarrier, 8> ranges;
};

// An image barrier with a layout transition, for the check of the transition.
struct Transition {
  VkImage image;
  BarrierFlags flags;
  const Barrier* barrier;
  // Those of its ranges in Barriers::ranges.
  size_t first_range;
  size_t range_count;
  const char* member;
  uint32_t index;
};

class BarrierCollector {
 public:
  explicit BarrierCollector(SyncRecording& recording) : recording_(recording) {}

  void AddGlobal(const BarrierFlags& flags) { barriers_.globals.push_back(&Get(flags)); }

  void AddBuffer(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, const BarrierFlags& flags) {
    const auto* buffer = DeviceState::Get<state::Buffer>(handle);
    const VkDeviceSize length = buffer != nullptr && buffer->address != 0 ? buffer->Clamp(offset, size) : 0;
    // The execution dependency is there whatever the barrier is on.
    if (length == 0) return AddGlobal({flags.src_stages, 0, flags.dst_stages, 0});
    const uint64_t begin = buffer->address + offset;
    barriers_.ranges.push_back({{begin, begin + length}, &Get(flags), false});
  }

  // union_with: the access masks of global barriers of the same dependency, which a transition follows and precedes too.
  template <class B>
  void AddImage(const B& barrier, const BarrierFlags& flags, const BarrierFlags& with_globals, const char* member, uint32_t index) {
    const auto* image = DeviceState::Get<state::Image>(barrier.image);
    const bool transition = barrier.oldLayout != barrier.newLayout;
    state::ByteRanges ranges;
    if (image != nullptr) image->layout.AppendRanges(barrier.subresourceRange, ranges);
    if (ranges.empty()) return AddGlobal({flags.src_stages, 0, flags.dst_stages, 0});
    const BarrierFlags& used = transition ? with_globals : flags;
    const Barrier& scopes = Get(used);
    if (transition) {
      transitions_.push_back({barrier.image, used, &scopes, barriers_.ranges.size(), ranges.size(), member, index});
    }
    for (const state::ByteRange& range : ranges) {
      barriers_.ranges.push_back({{image->address + range.begin, image->address + range.end}, &scopes, transition});
    }
  }

  // Checks the transitions and records everything.
  void Finish(vk::CommandId id, messages::Report& report) {
    const Tag tag = recording_.Begin(id);
    for (const Transition& transition : transitions_) LogAndCheck(transition, report);
    if (report.skip()) return recording_.Abandon();
    recording_.context.ApplyAll(barriers_.globals, barriers_.ranges, tag);
  }

 private:
  const Barrier& Get(const BarrierFlags& flags) { return recording_.barriers.Get(flags, recording_.queue_flags()); }

  void LogAndCheck(const Transition& transition, messages::Report& report) {
    absl::InlinedVector<Range, 4> ranges;
    Hazard hazard;
    for (size_t i = 0; i < transition.range_count; ++i) {
      const Range& range = barriers_.ranges[transition.first_range + i].range;
      ranges.push_back(range);
      recording_.Add({range, reinterpret_cast<uint64_t>(transition.image), state::Image::kType, transition.index, transition.member,
                      vk::kSyncImageLayoutTransition});
      recording_.context.DetectLayoutTransition(range, *transition.barrier, hazard);
    }
    if (!hazard) return;
    ReportTransitionHazard(recording_, hazard, transition.image, transition.member, transition.index, ranges, transition.flags,
                           report);
  }

  SyncRecording& recording_;
  Barriers barriers_;
  absl::InlinedVector<Transition, 4> transitions_;
};

template <class B>
BarrierFlags FlagsOf(const B& barrier) {
  return {barrier.srcStageMask, barrier.srcAccessMask, barrier.dstStageMask, barrier.dstAccessMask};
}

}  // namespace

// One dependency for all of the call's barriers: the stages are the call's.
void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  BarrierCollector collector(*recording);
  const auto flags = [&](VkAccessFlags src, VkAccessFlags dst) {
    return BarrierFlags{call.srcStageMask, src, call.dstStageMask, dst};
  };
  VkAccessFlags src_of_globals = 0;
  VkAccessFlags dst_of_globals = 0;
  for (uint32_t i = 0; i < call.memoryBarrierCount; ++i) {
    const VkMemoryBarrier& barrier = call.pMemoryBarriers[i];
    src_of_globals |= barrier.srcAccessMask;
    dst_of_globals |= barrier.dstAccessMask;
  }
  // The first scopes of several memory barriers are united, and so are the second ones.
  const bool alone = call.bufferMemoryBarrierCount == 0 && call.imageMemoryBarrierCount == 0;
  if (call.memoryBarrierCount != 0 || alone) collector.AddGlobal(flags(src_of_globals, dst_of_globals));
  for (uint32_t i = 0; i < call.bufferMemoryBarrierCount; ++i) {
    const VkBufferMemoryBarrier& barrier = call.pBufferMemoryBarriers[i];
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size, flags(barrier.srcAccessMask, barrier.dstAccessMask));
  }
  for (uint32_t i = 0; i < call.imageMemoryBarrierCount; ++i) {
    const VkImageMemoryBarrier& barrier = call.pImageMemoryBarriers[i];
    collector.AddImage(barrier, flags(barrier.srcAccessMask, barrier.dstAccessMask),
                       flags(barrier.srcAccessMask | src_of_globals, barrier.dstAccessMask | dst_of_globals),
                       "pImageMemoryBarriers", i);
  }
  collector.Finish(call.kId, report);
}

// Each barrier is a dependency of its own.
void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier2& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr || call.pDependencyInfo == nullptr) return;
  const VkDependencyInfo& info = *call.pDependencyInfo;
  BarrierCollector collector(*recording);
  for (uint32_t i = 0; i < info.memoryBarrierCount; ++i) collector.AddGlobal(FlagsOf(info.pMemoryBarriers[i]));
  for (uint32_t i = 0; i < info.bufferMemoryBarrierCount; ++i) {
    const VkBufferMemoryBarrier2& barrier = info.pBufferMemoryBarriers[i];
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size, FlagsOf(barrier));
  }
  for (uint32_t i = 0; i < info.imageMemoryBarrierCount; ++i) {
    const VkImageMemoryBarrier2& barrier = info.pImageMemoryBarriers[i];
    collector.AddImage(barrier, FlagsOf(barrier), FlagsOf(barrier), "pDependencyInfo.pImageMemoryBarriers", i);
  }
  collector.Finish(call.kId, report);
}

}  // namespace assay::syncval
