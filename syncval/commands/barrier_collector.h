// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_BARRIER_COLLECTOR_H_
#define ASSAY_SYNCVAL_COMMANDS_BARRIER_COLLECTOR_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "syncval/commands/check.h"

// The barriers of a command in the engine's terms: of pipeline barriers and of events. Private to the folder.
namespace assay::syncval {

// The barriers of one command, in the engine's terms.
struct Barriers {
  absl::InlinedVector<const Barrier*, 4> globals;
  absl::InlinedVector<RangeBarrier, 8> ranges;
};

// An image barrier with a layout transition.
struct Transition {
  VkImage image;
  // Its ranges in Barriers::ranges.
  size_t first_range;
  size_t range_count;
  const char* member;
  uint32_t index;
  bool is_queue_family_acquire;
};

class BarrierCollector {
 public:
  explicit BarrierCollector(SyncRecording& recording) : recording_(recording) {}

  void AddGlobal(const BarrierFlags& flags) { barriers_.globals.push_back(&Get(flags)); }

  void AddBuffer(VkBuffer handle, VkDeviceSize offset, VkDeviceSize size, const BarrierFlags& flags) {
    const auto* buffer = state::DeviceState::Get<state::Buffer>(handle);
    const VkDeviceSize length = buffer != nullptr && buffer->address != 0 ? buffer->Clamp(offset, size) : 0;
    // The execution dependency does not depend on the range.
    if (length == 0) return AddGlobal({flags.src_stages, 0, flags.dst_stages, 0});
    const uint64_t begin = buffer->address + offset;
    const Barrier& scopes = Get(flags);
    AddRange({begin, begin + length}, scopes, false, buffer->region());
    if (!buffer->is_sparse_aliased()) [[likely]]
      return;
    for (const state::ByteRange& bytes : recording_.SparseMemoryRangesOf(*buffer, offset, length))
      AddRange({bytes.begin, bytes.end}, scopes, false, 0);
  }

  template <class B>
  void AddImage(const B& barrier, const BarrierFlags& flags, const char* member, uint32_t index) {
    const auto* image = state::DeviceState::Get<state::Image>(barrier.image);
    const bool transition = barrier.oldLayout != barrier.newLayout;
    state::ByteRanges ranges;
    if (image != nullptr) image->encoder.AppendRanges(barrier.subresourceRange, ranges);
    if (ranges.empty()) return AddGlobal({flags.src_stages, 0, flags.dst_stages, 0});
    const Barrier& scopes = Get(flags);
    changes_layouts_ |= transition;
    const size_t first = barriers_.ranges.size();
    for (const state::ByteRange& range : ranges)
      AddRange({image->address + range.begin, image->address + range.end}, scopes, transition, image->address);
    const state::ByteRange shared = image->SharedBytes();
    if (shared.begin != shared.end) [[unlikely]] {
      const bool changes = transition && image->SharedBytes(SizeOf(ranges)) == shared;
      AddRange({shared.begin, shared.end}, scopes, changes, 0);
    }
    if (transition && !IsAcquireFromOutside(barrier)) {
      Transition& added = transitions_.emplace_back();
      added.image = barrier.image;
      added.first_range = first;
      added.range_count = barriers_.ranges.size() - first;
      added.member = member;
      added.index = index;
      added.is_queue_family_acquire = IsQueueFamilyAcquire(barrier);
    }
  }

  const Barriers& barriers() const { return barriers_; }
  bool changes_layouts() const { return changes_layouts_; }
  // Whether a first scope includes the host.
  bool waits_for_host() const { return waits_for_host_; }

  // Appends the transitions to the log, as accesses of the command that was begun last, and reports those that
  // conflict. `ranges` are the ranges of barriers(), with their first scopes: for a wait for events, those are at the
  // sets. detect(RangeBarrier, Hazard&) asks the engine. `events` are those of such a wait.
  template <class F>
  void CheckTransitions(absl::Span<const RangeBarrier> ranges, messages::Report& report, F&& detect,
                        const EventsOfWait& events = {}) {
    for (const Transition& transition : transitions_) {
      LogAndCheck(transition, ranges.subspan(transition.first_range, transition.range_count), events, report, detect);
    }
  }

 private:
  // Whether the barrier acquires the image from another queue family. Then the accesses before its transition are on a
  // queue of that family, and are compared when the command buffer is submitted.
  template <class B>
  bool IsQueueFamilyAcquire(const B& barrier) const {
    return barrier.srcQueueFamilyIndex != barrier.dstQueueFamilyIndex &&
           barrier.dstQueueFamilyIndex == recording_.buffer().pool.queue_family;
  }

  // Whether that is a family outside of the device. What was done there, and what orders it, is unknown.
  template <class B>
  bool IsAcquireFromOutside(const B& barrier) const {
    return IsQueueFamilyAcquire(barrier) && (barrier.srcQueueFamilyIndex == VK_QUEUE_FAMILY_EXTERNAL ||
                                             barrier.srcQueueFamilyIndex == VK_QUEUE_FAMILY_FOREIGN_EXT);
  }

  // Filled in where it stays: a copy would wait for the stores of its members.
  void AddRange(const Range& range, const Barrier& scopes, bool changes_layout, uint64_t region) {
    RangeBarrier& added = barriers_.ranges.emplace_back();
    added.range = range;
    added.barrier = &scopes;
    added.layout_transition = changes_layout;
    added.region = region;
  }

  const Barrier& Get(const BarrierFlags& flags) {
    waits_for_host_ |= (flags.src_stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0;
    return recording_.barriers.Get(flags, recording_.queue_flags());
  }

  template <class F>
  void LogAndCheck(const Transition& transition, absl::Span<const RangeBarrier> covered, const EventsOfWait& events,
                   messages::Report& report, F&& detect) {
    // Hazards with accesses to the image itself, and with other resources in its memory.
    Hazard own;
    std::optional<Hazard> of_shared_memory;
    for (const RangeBarrier& part : covered) {
      if (!part.layout_transition) continue;
      const RecordedAccess access = {.range = part.range,
                                     .resource = reinterpret_cast<uint64_t>(transition.image),
                                     .resource_type = state::Image::kType,
                                     .index = transition.index,
                                     .member = transition.member,
                                     .access = vk::kSyncImageLayoutTransition,
                                     .is_queue_family_acquire = transition.is_queue_family_acquire,
                                     .region = part.region};
      recording_.Add(access);
      if (transition.is_queue_family_acquire) continue;
      const bool is_shared = access.is_of_shared_memory();
      if (is_shared && !of_shared_memory) of_shared_memory.emplace();
      Hazard& hazard = is_shared ? *of_shared_memory : own;
      detect(part, hazard);
      // A transition is not compared with what may be outdated.
      if (own && recording_.IsDeferred(access, own)) own = Hazard();
      if (of_shared_memory && *of_shared_memory &&
          (recording_.IsOfSameResource(access, of_shared_memory->prior_tag, *of_shared_memory) ||
           recording_.IsDeferred(access, *of_shared_memory))) {
        *of_shared_memory = Hazard();
      }
    }
    const Hazard& hazard = own || !of_shared_memory ? own : *of_shared_memory;
    if (!hazard) [[likely]]
      return;
    std::vector<Range> ranges;
    for (const RangeBarrier& part : covered) {
      if ((part.region != 0) == static_cast<bool>(own)) ranges.push_back(part.range);
    }
    ReportTransitionHazard(recording_, hazard, transition.image, transition.member, transition.index, ranges,
                           *covered.front().barrier, events, report);
  }

  SyncRecording& recording_;
  Barriers barriers_;
  absl::InlinedVector<Transition, 4> transitions_;
  bool changes_layouts_ = false;
  bool waits_for_host_ = false;
};

template <class B>
inline BarrierFlags FlagsOf(const B& barrier) {
  return {barrier.srcStageMask, barrier.srcAccessMask, barrier.dstStageMask, barrier.dstAccessMask};
}

// The barriers of vkCmdPipelineBarrier or vkCmdWaitEvents. They are one dependency: the stages are the call's, and the
// accesses of the global barriers are in the scopes of the other barriers too.
template <class C>
void CollectSync1(const C& call, BarrierCollector& collector) {
  VkAccessFlags src_of_globals = 0;
  VkAccessFlags dst_of_globals = 0;
  const auto globals = state::Items(call.pMemoryBarriers, call.memoryBarrierCount);
  for (const VkMemoryBarrier& barrier : globals) {
    src_of_globals |= barrier.srcAccessMask;
    dst_of_globals |= barrier.dstAccessMask;
  }
  const auto flags = [&](VkAccessFlags src, VkAccessFlags dst) {
    return BarrierFlags{call.srcStageMask, src | src_of_globals, call.dstStageMask, dst | dst_of_globals};
  };
  const auto buffers = state::Items(call.pBufferMemoryBarriers, call.bufferMemoryBarrierCount);
  const auto images = state::Items(call.pImageMemoryBarriers, call.imageMemoryBarrierCount);
  if (!globals.empty() || (buffers.empty() && images.empty())) collector.AddGlobal(flags(0, 0));
  for (const VkBufferMemoryBarrier& barrier : buffers) {
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size,
                        flags(barrier.srcAccessMask, barrier.dstAccessMask));
  }
  for (uint32_t i = 0; i < images.size(); ++i) {
    collector.AddImage(images[i], flags(images[i].srcAccessMask, images[i].dstAccessMask), "pImageMemoryBarriers", i);
  }
}

// The barriers of synchronization2, each a dependency of its own. name_image(i) gives the member and index that name
// image barrier i in a report.
template <class F>
void CollectSync2(const VkDependencyInfo& info, BarrierCollector& collector, F&& name_image) {
  for (const VkMemoryBarrier2& barrier : state::Items(info.pMemoryBarriers, info.memoryBarrierCount)) {
    collector.AddGlobal(FlagsOf(barrier));
  }
  for (const VkBufferMemoryBarrier2& barrier :
       state::Items(info.pBufferMemoryBarriers, info.bufferMemoryBarrierCount)) {
    collector.AddBuffer(barrier.buffer, barrier.offset, barrier.size, FlagsOf(barrier));
  }
  const auto images = state::Items(info.pImageMemoryBarriers, info.imageMemoryBarrierCount);
  for (uint32_t i = 0; i < images.size(); ++i) {
    const auto [member, index] = name_image(i);
    collector.AddImage(images[i], FlagsOf(images[i]), member, index);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_BARRIER_COLLECTOR_H_
