// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What pipeline barriers order, and the layout transitions that they do.

#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "syncval/check.h"
#include "syncval/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;
using state::Items;

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
    barriers_.ranges.push_back({{begin, begin + length}, &Get(flags), false, buffer->region()});
  }

  template <class B>
  void AddImage(const B& barrier, const BarrierFlags& flags, const char* member, uint32_t index) {
    const auto* image = DeviceState::Get<state::Image>(barrier.image);
    const bool transition = barrier.oldLayout != barrier.newLayout;
    state::ByteRanges ranges;
    if (image != nullptr) image->layout.AppendRanges(barrier.subresourceRange, ranges);
    if (ranges.empty()) return AddGlobal({flags.src_stages, 0, flags.dst_stages, 0});
    const Barrier& scopes = Get(flags);
    changes_layouts_ |= transition;
    if (transition && !IsAcquire(barrier)) {
      transitions_.push_back({barrier.image, flags, &scopes, barriers_.ranges.size(), ranges.size(), member, index});
    }
    for (const state::ByteRange& range : ranges) {
      barriers_.ranges.push_back(
          {{image->address + range.begin, image->address + range.end}, &scopes, transition, image->address});
    }
  }

  // Checks the transitions and records everything.
  void Finish(vk::CommandId id, messages::Report& report) {
    if (!changes_layouts_) {
      // Accesses nothing, so it needs no place in the log.
      if (!report.skip()) recording_.context.ApplyAll(barriers_.globals, barriers_.ranges, Tag());
      return;
    }
    const Tag tag = recording_.Begin(id);
    for (const Transition& transition : transitions_) LogAndCheck(transition, report);
    if (report.skip()) return recording_.Abandon();
    recording_.context.ApplyAll(barriers_.globals, barriers_.ranges, tag);
  }

 private:
  // Whether the barrier takes the image over from another queue family. What its transition follows upon is that
  // queue's business.
  template <class B>
  bool IsAcquire(const B& barrier) const {
    return barrier.srcQueueFamilyIndex != barrier.dstQueueFamilyIndex &&
           barrier.dstQueueFamilyIndex == recording_.buffer().pool.queue_family;
  }

  const Barrier& Get(const BarrierFlags& flags) { return recording_.barriers.Get(flags, recording_.queue_flags()); }

  void LogAndCheck(const Transition& transition, messages::Report& report) {
    Hazard hazard;
    const auto covered = absl::MakeConstSpan(barriers_.ranges).subspan(transition.first_range, transition.range_count);
    for (const RangeBarrier& part : covered) {
      recording_.Add({part.range, reinterpret_cast<uint64_t>(transition.image), state::Image::kType, transition.index,
                      transition.member, vk::kSyncImageLayoutTransition, Role::kParameter, OrderingRule::kNone,
                      part.region});
      recording_.context.DetectLayoutTransition(part.range, *transition.barrier, hazard, part.region);
    }
    if (!hazard) [[likely]]
      return;
    std::vector<Range> ranges;
    for (const RangeBarrier& part : covered) ranges.push_back(part.range);
    ReportTransitionHazard(recording_, hazard, transition.image, transition.member, transition.index, ranges,
                           transition.flags, report);
  }

  SyncRecording& recording_;
  Barriers barriers_;
  absl::InlinedVector<Transition, 4> transitions_;
  bool changes_layouts_ = false;
};

template <class B>
BarrierFlags FlagsOf(const B& barrier) {
  return {barrier.srcStageMask, barrier.srcAccessMask, barrier.dstStageMask, barrier.dstAccessMask};
}

void ApplyGlobal(SyncRecording& recording, const BarrierFlags& flags, const messages::Report& report) {
  if (!report.skip()) recording.context.ApplyGlobal(recording.barriers.Get(flags, recording.queue_flags()));
}

}  // namespace

// One dependency for all of the call's barriers: the stages are the call's, and accesses of the global barriers are
// within the scopes of what the others cover too.
void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr) return;
  VkAccessFlags src_of_globals = 0;
  VkAccessFlags dst_of_globals = 0;
  const auto globals = Items(call.pMemoryBarriers, call.memoryBarrierCount);
  for (const VkMemoryBarrier& barrier : globals) {
    src_of_globals |= barrier.srcAccessMask;
    dst_of_globals |= barrier.dstAccessMask;
  }
  const auto flags = [&](VkAccessFlags src, VkAccessFlags dst) {
    return BarrierFlags{call.srcStageMask, src | src_of_globals, call.dstStageMask, dst | dst_of_globals};
  };
  const auto buffers = Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount);
  if (buffers.empty() && call.imageMemoryBarrierCount == 0) return ApplyGlobal(*recording, flags(0, 0), report);
  BarrierCollector collector(*recording);
  const auto images = Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount);
  if (!globals.empty() || (buffers.empty() && images.empty())) collector.AddGlobal(flags(0, 0));
  for (const VkBufferMemoryBarrier& barrier : buffers) {
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size,
                        flags(barrier.srcAccessMask, barrier.dstAccessMask));
  }
  for (uint32_t i = 0; i < images.size(); ++i) {
    collector.AddImage(images[i], flags(images[i].srcAccessMask, images[i].dstAccessMask), "pImageMemoryBarriers", i);
  }
  collector.Finish(call.kId, report);
}

// Each barrier is a dependency of its own.
void SyncValidator::PreCallValidate(const vk::CmdPipelineBarrier2& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr || call.pDependencyInfo == nullptr) return;
  const VkDependencyInfo& info = *call.pDependencyInfo;
  if (info.memoryBarrierCount == 1 && info.bufferMemoryBarrierCount + info.imageMemoryBarrierCount == 0 &&
      info.pMemoryBarriers != nullptr) {
    return ApplyGlobal(*recording, FlagsOf(info.pMemoryBarriers[0]), report);
  }
  BarrierCollector collector(*recording);
  for (const VkMemoryBarrier2& barrier : Items(info.pMemoryBarriers, info.memoryBarrierCount)) {
    collector.AddGlobal(FlagsOf(barrier));
  }
  for (const VkBufferMemoryBarrier2& barrier : Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount)) {
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size, FlagsOf(barrier));
  }
  const auto images = Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
  for (uint32_t i = 0; i < images.size(); ++i) {
    collector.AddImage(images[i], FlagsOf(images[i]), "pDependencyInfo.pImageMemoryBarriers", i);
  }
  collector.Finish(call.kId, report);
}

}  // namespace assay::syncval
