// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESS_RULES_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESS_RULES_H_

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "syncval/engine/access_mask.h"
#include "syncval/engine/access_state.h"
#include "syncval/engine/barrier.h"
#include "syncval/engine/event.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/types.h"

// The rules of engine.h for one state: what an access and a barrier conflict with, and what they change.
namespace assay::syncval {

// An access, with what the rules ask of it looked up.
struct Use {
  vk::SyncAccessIndex index = {};
  VkPipelineStageFlags2 stage = 0;
  bool is_write = false;
  OrderingRule ordering = OrderingRule::kNone;
  QueueIndex queue = {};
  // The accesses that its ordering rule orders it with; null when there are none.
  const SyncAccessMask* ordered_with = nullptr;
  Tag tag;
  // It is compared with accesses before this tag: its own, or the first of its command buffer where that is replayed.
  Tag before;
};

// Of the last write of state.
void AddWriteHazard(HazardKind kind, const AccessState& state, const Range& range, Hazard& hazard);
// Of the reads that still conflict(read).
template <typename Conflicts>
inline void AddReadHazard(absl::Span<const ReadRecord> reads, const Range& range, Hazard& hazard,
                          Conflicts&& conflicts);

inline bool IsOrderedWith(const Use& use, vk::SyncAccessIndex prior) {
  return use.ordered_with != nullptr && use.ordered_with->Has(prior);
}

inline bool HappensBefore(const ReadRecord& read, const Use& use) {
  return (read.ordered_stages & use.stage) != 0 || (read.stage != 0 && IsOrderedWith(use, read.index));
}

// Whether a read hands the last write's visibility on to use.
inline bool IsCarriedByRead(const AccessState& state, absl::Span<const ReadRecord> reads, const Use& use) {
  if ((state.after_read_stages & use.stage) != 0) return true;
  if (use.ordered_with == nullptr) return false;
  for (const ReadRecord& read : reads) {
    if (read.tag != state.write_tag && read.tag != use.tag && read.stage != 0 && use.ordered_with->Has(read.index)) {
      return true;
    }
  }
  return false;
}

inline bool IsVisible(const AccessState& state, absl::Span<const ReadRecord> reads, const Use& use) {
  return !state.HasWrite() || state.visible_to.Has(use.index) || state.write_tag >= use.before ||
         IsOrderedWith(use, state.source_index) || IsCarriedByRead(state, reads, use);
}

// Whether use conflicts with state. range is where the state applies.
inline bool DetectUse(const AccessState& state, absl::Span<const ReadRecord> reads, const Use& use, const Range& range,
                      Hazard& hazard) {
  if (use.is_write) {
    const auto conflicts = [&use](const ReadRecord& read) {
      return read.tag < use.before && !HappensBefore(read, use);
    };
    for (const ReadRecord& read : reads) {
      if (conflicts(read)) [[unlikely]] {
        AddReadHazard(reads, range, hazard, conflicts);
        return true;
      }
    }
  }
  if (IsVisible(state, reads, use)) [[likely]]
    return false;
  AddWriteHazard(use.is_write ? HazardKind::kWriteAfterWrite : HazardKind::kReadAfterWrite, state, range, hazard);
  return true;
}

inline bool IsInSource(const ReadRecord& read, const BarrierScope& src) {
  return ((read.stage | read.ordered_stages) & src.stages) != 0;
}

// Whether the barrier makes the last write visible to its second scope: it makes it available itself, or follows upon
// what has.
template <Fault kFault>
inline bool IsWriteInSource(const AccessState& state, const BarrierScope& src) {
  if (src.accesses.Has(state.source_index) || (state.available_stages & src.stages) != 0) return true;
  return kFault == Fault::kChainIgnoresExecutionScope && state.available_stages != 0;
}

// Whether the layout transition of a barrier with this first scope conflicts with accesses before a tag.
inline bool DetectTransition(const AccessState& state, absl::Span<const ReadRecord> reads, const BarrierScope& src,
                             Tag before, const Range& range, Hazard& hazard) {
  const bool carried = ((state.read_stages | state.after_read_stages) & src.stages) != 0;
  const auto conflicts = [&](const ReadRecord& read) { return read.tag < before && !IsInSource(read, src); };
  for (const ReadRecord& read : reads) {
    if (conflicts(read)) [[unlikely]] {
      AddReadHazard(reads, range, hazard, conflicts);
      return true;
    }
  }
  // "Layout transitions ... execute in their entirety in submission order, relative to other image layout transitions
  // submitted to the same queue", and what they write is available and visible to them by itself.
  if (!state.HasWrite() || carried || state.source_index == vk::kSyncImageLayoutTransition ||
      state.write_tag >= before || IsWriteInSource<Fault::kNone>(state, src)) {
    return false;
  }
  AddWriteHazard(HazardKind::kWriteAfterWrite, state, range, hazard);
  return true;
}

inline ReadRecord MakeRead(const Use& use) {
  return {.ordered_stages = 0,
          .stage = use.stage,
          .tag = use.tag,
          .index = use.index,
          .ordering = use.ordering,
          .queue = use.queue};
}

// Records the read or write. Returns whether it is a first access: one that nothing earlier stands before in what the
// context has seen, so that a replay has to compare it.
template <Fault kFault>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool RecordUse(StatePool& pool, AccessState& state, const Use& use) {
  const bool is_first = !state.HasWrite() || state.write_tag == use.tag;
  if (use.is_write) {
    if (state.read_count != 0) pool.KeepReadsOf(state, use.tag);
    state.write_index = use.index;
    state.source_index = use.index;
    state.write_queue = use.queue;
    state.write_tag = use.tag;
    state.visible_to = SyncAccessMask();
    state.available_stages = 0;
    state.read_stages = 0;
    state.after_read_stages = 0;
    return is_first;
  }
  if (use.tag != state.write_tag) state.read_stages |= use.stage;
  for (ReadRecord& read : pool.Reads(state)) {
    if (!read.IsOf(use.index, use.queue)) continue;
    read.tag = use.tag;
    if (kFault != Fault::kReadKeepsOldBarriers) read.ordered_stages = 0;
    if (read.ordering == use.ordering) [[likely]]
      return false;
    read.ordering = use.ordering;
    return is_first;
  }
  pool.AddRead(state, MakeRead(use));
  return is_first;
}

// Records a layout transition by a barrier with this second scope. As RecordUse.
inline bool RecordTransition(StatePool& pool, AccessState& state, const BarrierScope& dst, Tag tag, QueueIndex queue) {
  const bool is_first = !state.HasWrite() || state.write_tag == tag;
  pool.ClearReads(state);
  state.write_index = vk::kSyncImageLayoutTransition;
  state.source_index = vk::kSyncImageLayoutTransition;
  state.write_queue = queue;
  state.write_tag = tag;
  state.visible_to = dst.accesses;
  state.available_stages = dst.stages;
  state.read_stages = 0;
  state.after_read_stages = 0;
  return is_first;
}

// Applies one barrier.
template <Fault kFault>
inline void ApplyBarrier(AccessState& state, absl::Span<ReadRecord> reads, const Barrier& barrier) {
  if (IsWriteInSource<kFault>(state, barrier.src)) {
    state.visible_to |= barrier.dst.accesses;
    state.available_stages |= barrier.dst.stages;
  }
  if (((state.read_stages | state.after_read_stages) & barrier.src.stages) != 0) {
    state.after_read_stages |= barrier.dst.stages;
  }
  for (ReadRecord& read : reads) {
    if (IsInSource(read, barrier.src)) read.ordered_stages |= barrier.dst.stages;
  }
}

// Applies barriers that stand side by side: each sees the state as it was before all of them.
template <Fault kFault>
inline void ApplyBarriers(AccessState& state, absl::Span<ReadRecord> reads, absl::Span<const Barrier* const> barriers) {
  if (barriers.size() == 1 || kFault == Fault::kBarriersOfOneCommandChain) {
    for (const Barrier* barrier : barriers) ApplyBarrier<kFault>(state, reads, *barrier);
    return;
  }
  SyncAccessMask visible_to;
  VkPipelineStageFlags2 available_stages = 0;
  VkPipelineStageFlags2 after_read_stages = 0;
  for (const Barrier* barrier : barriers) {
    if (IsWriteInSource<kFault>(state, barrier->src)) {
      visible_to |= barrier->dst.accesses;
      available_stages |= barrier->dst.stages;
    }
    if (((state.read_stages | state.after_read_stages) & barrier->src.stages) != 0)
      after_read_stages |= barrier->dst.stages;
  }
  state.visible_to |= visible_to;
  state.available_stages |= available_stages;
  state.after_read_stages |= after_read_stages;
  for (ReadRecord& read : reads) {
    VkPipelineStageFlags2 ordered_stages = 0;
    for (const Barrier* barrier : barriers) {
      if (IsInSource(read, barrier->src)) ordered_stages |= barrier->dst.stages;
    }
    read.ordered_stages |= ordered_stages;
  }
}

// Whether applying the barrier, alone or beside others, changes anything.
template <Fault kFault>
inline bool WouldChange(const AccessState& state, absl::Span<const ReadRecord> reads, const Barrier& barrier) {
  const VkPipelineStageFlags2 stages = barrier.dst.stages;
  if (IsWriteInSource<kFault>(state, barrier.src) &&
      ((stages & ~state.available_stages) != 0 || !state.visible_to.Contains(barrier.dst.accesses))) {
    return true;
  }
  if (((state.read_stages | state.after_read_stages) & barrier.src.stages) != 0 &&
      (stages & ~state.after_read_stages) != 0) {
    return true;
  }
  for (const ReadRecord& read : reads) {
    if (IsInSource(read, barrier.src) && (stages & ~read.ordered_stages) != 0) return true;
  }
  return false;
}

template <typename Conflicts>
inline void AddReadHazard(absl::Span<const ReadRecord> reads, const Range& range, Hazard& hazard,
                          Conflicts&& conflicts) {
  const bool first = !hazard;
  for (const ReadRecord& read : reads) {
    if (!conflicts(read)) continue;
    hazard.all_prior_accesses.Set(read.index);
    hazard.all_prior_stages |= vk::SyncStageAccesses()[read.index].stage;
    const bool later = hazard.kind == HazardKind::kNone || read.tag > hazard.prior_tag ||
                       (read.tag == hazard.prior_tag && read.index < hazard.prior_access);
    if (!first || !later) continue;
    hazard.kind = HazardKind::kWriteAfterRead;
    hazard.prior_access = read.index;
    hazard.prior_tag = read.tag;
    hazard.prior_queue = read.queue;
    hazard.range = range;
    hazard.ordered_stages = read.ordered_stages & ~kAllEventStages;
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESS_RULES_H_
