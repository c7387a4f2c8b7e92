// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>

#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/accesses/transition_flags.h"
#include "vk/sync/sync_info.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// One side of a barrier, as the specification's scopes have it ("Execution and Memory Dependencies").
struct BarrierScope {
  // The execution scope: single stages, with those logically earlier (of a source) or later (of a destination).
  StageSet stages;
  // The access scope: the given accesses by the given stages alone, without the logically earlier or later ones.
  AccessSet accesses;

  // The same of the current subpass alone.
  BarrierScope Inside() const { return {{0, stages.outside}, {{}, accesses.outside}}; }

  friend bool operator==(const BarrierScope&, const BarrierScope&) = default;
};

// The members of a VkMemoryBarrier2, as the application writes them.
struct BarrierFlags {
  VkPipelineStageFlags2 src_stages = 0;
  VkAccessFlags2 src_access = 0;
  VkPipelineStageFlags2 dst_stages = 0;
  VkAccessFlags2 dst_access = 0;

  friend bool operator==(const BarrierFlags&, const BarrierFlags&) = default;
};

// A memory dependency between everything before it and everything after it in submission order.
struct Barrier {
  BarrierScope src;
  BarrierScope dst;
  // What it was made from, for suggestions; barriers with the same scopes are equal.
  BarrierFlags flags;
  // Zero, or a number that no other barrier of the process has but copies of this one: a fast path to
  // see that two are equal. Whoever changes a copy sets it to zero.
  uint64_t id = 0;

  bool HasEffect() const { return !src.stages.Empty() && !dst.stages.Empty(); }
  Barrier ExecutionOnly() const { return {{src.stages, {}}, {dst.stages, {}}, flags, Derived(kExecutionOnly)}; }
  // As vkCmdPipelineBarrier2 in a subpass has it: both scopes are limited to that.
  Barrier Inside() const { return {src.Inside(), dst.Inside(), flags, Derived(kInside)}; }

  friend bool operator==(const Barrier& a, const Barrier& b) {
    return (a.id != 0 && a.id == b.id) || (a.src == b.src && a.dst == b.dst);
  }

  // What is made from a barrier has its number with these bits, which are zero in the numbers given out.
  static constexpr uint64_t kExecutionOnly = 1;
  static constexpr uint64_t kInside = 2;
  static constexpr uint64_t kFirstId = 4;

 private:
  uint64_t Derived(uint64_t bit) const { return id == 0 ? 0 : id | bit; }
};

// Whether no work can be ordered after a layout transition with this second scope.
inline bool IsEmptyScope(const BarrierScope& dst) { return (dst.stages.outside | dst.stages.inside) == 0; }

// The flags of a layout transition by this barrier, less kForSubpass.
inline TransitionFlags TransitionFlagsOf(const Barrier& barrier) {
  if (!barrier.dst.stages.Empty()) return TransitionFlags::kNone;
  const VkAccessFlags2 accesses = barrier.flags.dst_access;
  const bool has_reads = (accesses & VK_ACCESS_2_MEMORY_READ_BIT) != 0;
  const bool has_writes = (accesses & VK_ACCESS_2_MEMORY_WRITE_BIT) != 0;
  return (has_reads ? TransitionFlags::kReadsInNoStage : TransitionFlags::kNone) |
         (has_writes ? TransitionFlags::kWritesInNoStage : TransitionFlags::kNone);
}

// The scopes of a barrier recorded for a queue with these capabilities. TOP_OF_PIPE and BOTTOM_OF_PIPE mean what the
// specification says of each side (no stage, or every stage without access); ALL_COMMANDS is every stage of a command,
// so not the host's.
Barrier MakeBarrier(const BarrierFlags& flags, VkQueueFlags queue_flags);

// The second scope of a semaphore wait operation: all accesses of these stages. That of all commands has
// kEverythingLater too. So does that of TOP_OF_PIPE, which "is equivalent to VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT with
// VkAccessFlags2 set to 0 when specified in the second synchronization scope" (VkPipelineStageFlagBits2).
BarrierScope MakeWaitScope(VkPipelineStageFlags2 stages, VkQueueFlags queue_flags);

// MakeBarrier remembered by value: a command buffer repeats few distinct barriers many times. Has each of them once.
class BarrierCache {
 public:
  // The reference stays valid until the cache is destroyed, or LimitSize has been called.
  const Barrier& Get(const BarrierFlags& flags, VkQueueFlags queue_flags) {
    const Slot& slot = slots_[last_slot_];
    const bool is_last = slot.barrier != nullptr && slot.flags == flags && slot.queue_flags == queue_flags;
    return is_last ? *slot.barrier : Find(flags, queue_flags);
  }
  // Forgets all barriers if there are more than a command buffer usually has. Keeps their memory for others.
  void LimitSize() {
    if (size_ > kUsualSize) Clear();
  }
  // The number of barriers held, for tests and statistics.
  size_t size() const { return size_; }

 private:
  static constexpr size_t kUsualSize = 256;

  // The barrier of these flags that was asked for last.
  struct Slot {
    BarrierFlags flags;
    VkQueueFlags queue_flags = 0;
    const Barrier* barrier = nullptr;
  };
  struct Entry {
    Barrier barrier;
    VkQueueFlags queue_flags = 0;
    // The next one with the same slot.
    Entry* next = nullptr;
  };

  const Barrier& Find(const BarrierFlags& flags, VkQueueFlags queue_flags);
  const Barrier& FindOrAdd(size_t slot, const BarrierFlags& flags, VkQueueFlags queue_flags);
  void Clear();

  std::array<Slot, 64> slots_;
  size_t last_slot_ = 0;
  std::array<Entry*, 64> chains_{};
  // Those from size_ on are left from before Clear(), for their memory.
  std::deque<Entry> entries_;
  size_t size_ = 0;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_BARRIER_H_
