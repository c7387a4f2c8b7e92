// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_ACCESS_RULES_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_ACCESS_RULES_H_

#include <algorithm>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/events/event.h"
#include "syncval/engine/ranges/types.h"

// The rules of engine.h for one state: what an access and a barrier conflict with, and what they change.
namespace assay::syncval {

// The access that is compared or recorded, with all properties that the rules need.
struct CurrentAccess {
  vk::SyncAccessIndex index = {};
  StageSet stage;
  StageCode stage_code;
  bool is_write = false;
  // Whether the access is in the current subpass.
  bool is_inside = false;
  OrderingRule ordering = OrderingRule::kNone;
  QueueIndex queue = {};
  // The accesses that its ordering rule orders it with; null when there are none.
  const SyncAccessMask* ordered_with = nullptr;
  Tag tag;
  // The access is compared with accesses before this tag: its own, or in a replay the first of its command buffer.
  Tag before;
  // Where the current subpass began, or the work after the last render pass.
  Tag phase_begin{0};
  // The base of the replay that goes on.
  Tag replay_base{0};
};

// Adds a hazard with the last write of state.
void AddWriteHazard(HazardKind kind, const AccessState& state, bool is_inside, const Range& range, Hazard& hazard);
// Adds a hazard with the reads for which conflicts(read) is true.
template <typename Conflicts>
inline void AddReadHazard(absl::Span<const ReadRecord> reads, bool is_inside, const Range& range, Hazard& hazard,
                          Conflicts&& conflicts);

// A rule orders accesses of one subpass, or accesses outside of any.
inline bool IsOrderedWith(const CurrentAccess& current, vk::SyncAccessIndex prior, bool is_prior_inside) {
  return current.ordered_with != nullptr && current.is_inside == is_prior_inside && current.ordered_with->Has(prior);
}
inline bool IsOrderedWith(const CurrentAccess& current, const ReadRecord& read) {
  return !read.stage.is_none() && IsOrderedWith(current, read.index, read.stage.is_inside());
}

inline bool HappensBefore(const ReadRecord& read, const CurrentAccess& current) {
  return read.ordered_stages.Has(current.stage) || IsOrderedWith(current, read);
}

// Whether a read hands the last write's visibility on to the current access.
inline bool IsCarriedByRead(const AccessState& state, absl::Span<const ReadRecord> reads,
                            const CurrentAccess& current) {
  if (state.after_read_stages.Has(current.stage)) return true;
  if (current.ordered_with == nullptr) return false;
  for (const ReadRecord& read : reads) {
    if (read.tag != state.write_tag && read.tag != current.tag && IsOrderedWith(current, read)) return true;
  }
  return false;
}

ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool IsVisible(const AccessState& state, absl::Span<const ReadRecord> reads,
                                                   const CurrentAccess& current) {
  return !state.HasWrite() || state.visible_to.Has(current.index, current.is_inside) ||
         state.write_tag >= current.before || IsOrderedWith(current, state.source_index, state.is_write_inside) ||
         IsCarriedByRead(state, reads, current) || AreAtomic(state.write_ordering, current.ordering);
}

// Whether a write conflicts with a read.
inline bool ConflictsWithRead(const ReadRecord& read, const CurrentAccess& current) {
  return read.tag < current.before && !HappensBefore(read, current) && !AreAtomic(read.ordering, current.ordering);
}
inline bool ConflictsWithReads(absl::Span<const ReadRecord> reads, const CurrentAccess& current) {
  if (!current.is_write) return false;
  for (const ReadRecord& read : reads) {
    if (ConflictsWithRead(read, current)) return true;
  }
  return false;
}
inline bool IsCertain(const ReadRecord& read) { return read.ordering != OrderingRule::kPossible; }

// Whether the current access conflicts with state.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool Conflicts(const AccessState& state, absl::Span<const ReadRecord> reads,
                                                   const CurrentAccess& current) {
  return ConflictsWithReads(reads, current) || !IsVisible(state, reads, current);
}

// Adds the hazard of an access that conflicts with state.
void AddAccessHazard(const AccessState& state, absl::Span<const ReadRecord> reads, const CurrentAccess& current,
                     const Range& range, Hazard& hazard);

// The same; fills in the hazard if it does. range is where the state applies.
inline bool DetectAccessHazard(const AccessState& state, absl::Span<const ReadRecord> reads,
                               const CurrentAccess& current, const Range& range, Hazard& hazard) {
  if (!Conflicts(state, reads, current)) [[likely]]
    return false;
  AddAccessHazard(state, reads, current, range, hazard);
  return true;
}

inline bool IsInFirstScope(const ReadRecord& read, const BarrierScope& src) {
  return read.stage.IsIn(src.stages) || read.ordered_stages.IsInFirstScope(src.stages);
}

// Whether a read happens before the layout transition of a barrier with this first scope.
inline bool HappensBefore(const ReadRecord& read, const BarrierScope& src) {
  return IsInFirstScope(read, src) || read.ordered_stages.HasEverythingLater();
}

// Whether the barrier makes the last write visible to its second scope: it makes the write available itself, or is
// ordered after a barrier that has.
template <Mutation kMutation>
inline bool IsWriteInFirstScope(const AccessState& state, const BarrierScope& src) {
  if (src.accesses.Has(state.source_index, state.is_write_inside) || state.available_stages.IsInFirstScope(src.stages))
    return true;
  return kMutation == Mutation::kChainIgnoresExecutionScope && !state.available_stages.Empty();
}

// Whether the layout transition of a barrier with this first scope conflicts with accesses before a tag.
inline bool DetectTransition(const AccessState& state, absl::Span<const ReadRecord> reads, const BarrierScope& src,
                             Tag before, const Range& range, Hazard& hazard) {
  const bool is_inside = src.stages.outside == 0 && src.stages.inside != 0;
  const bool carried = (state.read_stages | state.after_read_stages).IsInFirstScope(src.stages) ||
                       state.after_read_stages.HasEverythingLater();
  const auto conflicts = [&](const ReadRecord& read) { return read.tag < before && !HappensBefore(read, src); };
  for (const ReadRecord& read : reads) {
    if (conflicts(read)) [[unlikely]] {
      AddReadHazard(reads, is_inside, range, hazard, conflicts);
      return true;
    }
  }
  // "Layout transitions ... execute in their entirety in submission order, relative to other image layout transitions
  // submitted to the same queue", and what they write is available and visible to them by itself.
  if (!state.HasWrite() || carried || state.source_index == vk::kSyncImageLayoutTransition ||
      state.write_tag >= before || state.available_stages.HasEverythingLater() ||
      IsWriteInFirstScope<Mutation::kNone>(state, src)) {
    return false;
  }
  AddWriteHazard(HazardKind::kWriteAfterWrite, state, is_inside, range, hazard);
  return true;
}

inline ReadRecord MakeRead(const CurrentAccess& current) {
  return {.ordered_stages = {},
          .tag = current.tag,
          .index = current.index,
          .ordering = current.ordering,
          .queue = current.queue,
          .stage = current.stage_code};
}

// Drops reads of one kind outside of the current subpass if all accesses that they conflict with also conflict with a
// later one. A replayed read does not drop reads from before the replay.
inline void DropRepeatedReads(StatePool& pool, AccessState& state, const CurrentAccess& current) {
  const absl::Span<const ReadRecord> reads = pool.Reads(state);
  const auto is_of_kind = [&](const ReadRecord& read) {
    return read.IsOf(current.index, current.ordering, current.queue) && !read.stage.is_inside();
  };
  const auto repeats = [&](const ReadRecord& later, const ReadRecord& read) {
    return is_of_kind(later) && later.tag > read.tag && read.ordered_stages.Contains(later.ordered_stages) &&
           (later.tag < current.replay_base || read.tag >= current.replay_base);
  };
  Tag dropped{0};
  for (const ReadRecord& read : reads) {
    const bool is_repeated =
        is_of_kind(read) && std::ranges::any_of(reads, [&](const ReadRecord& later) { return repeats(later, read); });
    if (is_repeated) dropped = std::max(dropped, Tag{read.tag.value + 1});
  }
  if (dropped == Tag{0}) return;
  pool.RemoveReadsIf(state,
                     [&](const ReadRecord& read) { return is_of_kind(read) && read.tag.value + 1 == dropped.value; });
}

// Records a read. It replaces those of its kind and scope: whatever conflicts with them conflicts with it too. Returns
// whether a replay must compare it, unless it is after a write.
template <Mutation kMutation>
inline bool RecordRead(StatePool& pool, AccessState& state, const CurrentAccess& current) {
  bool is_found = false;
  bool is_new = true;
  size_t more = 0;
  size_t others = 0;
  for (ReadRecord& read : pool.Reads(state)) {
    const OrderingRule rule = kMutation == Mutation::kAtomicReadReplacesOthers ? read.ordering : current.ordering;
    if (!read.IsOf(current.index, rule, current.queue)) continue;
    if (kMutation != Mutation::kSubpassReadReplacesOthers && read.stage != current.stage_code) {
      ++others;
      continue;
    }
    more += is_found;
    if (is_found) continue;
    is_found = true;
    is_new = read.ordering != current.ordering || read.tag < current.phase_begin;
    read.tag = current.tag;
    if (kMutation != Mutation::kReadKeepsOldBarriers) read.ordered_stages = StageSet();
    read.stage = current.stage_code;
    read.ordering = current.ordering;
  }
  if (more != 0) [[unlikely]] {
    pool.RemoveReadsIf(state, [&](const ReadRecord& read) {
      return read.IsOf(current.index, current.ordering, current.queue) && read.stage == current.stage_code &&
             read.tag != current.tag;
    });
  }
  if (is_found) return is_new;
  if (others > 1) [[unlikely]]
    DropRepeatedReads(pool, state, current);
  pool.AddRead(state, MakeRead(current));
  return true;
}

// Records the read or write. Returns whether it is a first access, which a replay must compare: the context has no
// earlier write that it replaces or meets.
template <Mutation kMutation>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool RecordAccess(StatePool& pool, AccessState& state,
                                                      const CurrentAccess& current) {
  const bool is_first = !state.HasWrite() || state.write_tag == current.tag;
  if (current.is_write) {
    if (state.read_count != 0) pool.KeepReadsOf(state, current.tag);
    const bool is_all_atomic = current.ordering == OrderingRule::kAtomic &&
                               (kMutation == Mutation::kLastWriteIsAtomic || state.write_tag != current.tag ||
                                state.write_ordering == OrderingRule::kAtomic);
    state.write_ordering = is_all_atomic ? OrderingRule::kAtomic : OrderingRule::kNone;
    state.write_index = current.index;
    state.source_index = current.index;
    state.write_queue = current.queue;
    state.write_tag = current.tag;
    state.is_write_inside = current.is_inside;
    state.visible_to = AccessSet();
    state.available_stages = StageSet();
    state.read_stages = StageSet();
    state.after_read_stages = StageSet();
    return is_first;
  }
  if (current.tag != state.write_tag) state.read_stages |= current.stage;
  return RecordRead<kMutation>(pool, state, current) && is_first;
}

// Records a layout transition by a barrier with this second scope. As RecordAccess.
inline bool RecordTransition(StatePool& pool, AccessState& state, const BarrierScope& dst, Tag tag, QueueIndex queue) {
  const bool is_first = !state.HasWrite() || state.write_tag == tag;
  pool.ClearReads(state);
  state.write_index = vk::kSyncImageLayoutTransition;
  state.source_index = vk::kSyncImageLayoutTransition;
  state.write_queue = queue;
  state.write_tag = tag;
  state.write_ordering = OrderingRule::kNone;
  state.is_write_inside = false;
  state.visible_to = dst.accesses;
  state.available_stages = dst.stages;
  state.read_stages = StageSet();
  state.after_read_stages = StageSet();
  return is_first;
}

// Applies one barrier.
template <Mutation kMutation>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void ApplyBarrier(AccessState& state, absl::Span<ReadRecord> reads,
                                                      const Barrier& barrier) {
  if (IsWriteInFirstScope<kMutation>(state, barrier.src)) {
    state.visible_to |= barrier.dst.accesses;
    state.available_stages |= barrier.dst.stages;
  }
  if ((state.read_stages | state.after_read_stages).IsInFirstScope(barrier.src.stages)) {
    state.after_read_stages |= barrier.dst.stages;
  }
  for (ReadRecord& read : reads) {
    if (IsInFirstScope(read, barrier.src)) read.ordered_stages |= barrier.dst.stages;
  }
}

// Applies barriers that stand side by side: each sees the state as it was before all of them.
template <Mutation kMutation>
inline void ApplyBarriers(AccessState& state, absl::Span<ReadRecord> reads, absl::Span<const Barrier* const> barriers) {
  if (barriers.size() == 1 || kMutation == Mutation::kBarriersOfOneCommandChain) {
    for (const Barrier* barrier : barriers) ApplyBarrier<kMutation>(state, reads, *barrier);
    return;
  }
  AccessSet visible_to;
  StageSet available_stages;
  StageSet after_read_stages;
  for (const Barrier* barrier : barriers) {
    if (IsWriteInFirstScope<kMutation>(state, barrier->src)) {
      visible_to |= barrier->dst.accesses;
      available_stages |= barrier->dst.stages;
    }
    if ((state.read_stages | state.after_read_stages).IsInFirstScope(barrier->src.stages))
      after_read_stages |= barrier->dst.stages;
  }
  state.visible_to |= visible_to;
  state.available_stages |= available_stages;
  state.after_read_stages |= after_read_stages;
  for (ReadRecord& read : reads) {
    StageSet ordered_stages;
    for (const Barrier* barrier : barriers) {
      if (IsInFirstScope(read, barrier->src)) ordered_stages |= barrier->dst.stages;
    }
    read.ordered_stages |= ordered_stages;
  }
}

// The change of the subpass that a step of the barrier log does, after its barriers.
enum class SubpassChange : uint8_t {
  kNone,
  // A subpass begins: accesses ordered before later work are ordered before that of the subpass.
  kEnter,
  // The subpass ends. The order inside it ends, and its accesses become outside ones.
  kLeave,
  // The last subpass ends, and with it the dependencies.
  kEnd,
};

// Does the change. `ended_dependencies`, where a subpass begins: stages of dependencies of which none leads on from
// there.
template <Mutation kMutation>
inline void ChangeSubpass(AccessState& state, absl::Span<ReadRecord> reads, SubpassChange change,
                          VkPipelineStageFlags2 ended_dependencies) {
  const auto change_stages = [=](StageSet& stages) {
    if (change == SubpassChange::kEnter) {
      stages.inside |= stages.outside & ~(kAllEventStages | kEverythingLater);
      if (kMutation != Mutation::kDependencyDoesNotEnd) stages.inside &= ~ended_dependencies;
      return;
    }
    stages.ended |= stages.inside & ~kDependencyStages;
    if (kMutation == Mutation::kSubpassKeepsOrder && change == SubpassChange::kLeave) return;
    stages.inside &= change == SubpassChange::kLeave ? kDependencyStages : 0;
  };
  change_stages(state.available_stages);
  change_stages(state.after_read_stages);
  for (ReadRecord& read : reads) change_stages(read.ordered_stages);
  if (change == SubpassChange::kEnter) {
    state.visible_to.inside |= state.visible_to.outside;
    return;
  }
  state.visible_to.inside = SyncAccessMask();
  state.is_write_inside = false;
  state.read_stages = state.read_stages.outside | state.read_stages.inside;
  for (ReadRecord& read : reads) read.stage.MoveOutside();
}

// Whether applying the barrier, alone or beside others, changes anything.
template <Mutation kMutation>
inline bool WouldChange(const AccessState& state, absl::Span<const ReadRecord> reads, const Barrier& barrier) {
  const StageSet& stages = barrier.dst.stages;
  if (IsWriteInFirstScope<kMutation>(state, barrier.src) &&
      (!state.available_stages.Contains(stages) || !state.visible_to.Contains(barrier.dst.accesses))) {
    return true;
  }
  if ((state.read_stages | state.after_read_stages).IsInFirstScope(barrier.src.stages) &&
      !state.after_read_stages.Contains(stages)) {
    return true;
  }
  for (const ReadRecord& read : reads) {
    if (IsInFirstScope(read, barrier.src) && !read.ordered_stages.Contains(stages)) return true;
  }
  return false;
}

template <typename Conflicts>
inline void AddReadHazard(absl::Span<const ReadRecord> reads, bool is_inside, const Range& range, Hazard& hazard,
                          Conflicts&& conflicts) {
  // A certain read replaces possible ones.
  const bool has_certain =
      std::ranges::any_of(reads, [&](const ReadRecord& read) { return IsCertain(read) && conflicts(read); });
  if (hazard && !has_certain && !hazard.is_prior_possible) return;
  if (has_certain && hazard.is_prior_possible) hazard.kind = HazardKind::kNone;
  const bool first = !hazard;
  for (const ReadRecord& read : reads) {
    if (!conflicts(read) || IsCertain(read) != has_certain) continue;
    hazard.all_prior_accesses.Set(read.index);
    hazard.all_prior_stages |= vk::SyncStageAccesses()[read.index].stage;
    const bool later = hazard.kind == HazardKind::kNone || read.tag > hazard.prior_tag ||
                       (read.tag == hazard.prior_tag && read.index < hazard.prior_access);
    if (!first || !later) continue;
    hazard.kind = HazardKind::kWriteAfterRead;
    hazard.is_prior_possible = !has_certain;
    hazard.prior_access = read.index;
    hazard.prior_tag = read.tag;
    hazard.prior_queue = read.queue;
    hazard.range = range;
    hazard.ordered_stages = CommandStages(read.ordered_stages, is_inside);
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_ACCESS_RULES_H_
