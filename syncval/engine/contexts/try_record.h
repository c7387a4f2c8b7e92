// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRY_RECORD_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRY_RECORD_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/ordering.h"
#include "syncval/engine/contexts/access_context.h"

// The fast path: bodies of BasicAccessContext that callers inline. Include access_context.h, which includes this.
namespace assay::syncval {

template <Mutation kMutation>
ABSL_ATTRIBUTE_ALWAYS_INLINE inline CurrentAccess BasicAccessContext<kMutation>::MakeCurrentAccess(
    const Access& access, Tag tag, SubpassPhase phase) const {
  const vk::SyncStageAccessInfo& pair = pairs_[access.index];
  const bool is_inside = phase.is_inside();
  CurrentAccess current{.index = access.index,
                        .stage = is_inside ? StageSet(0, pair.stage) : StageSet(pair.stage),
                        .stage_code = StageCode(pair.stage, is_inside),
                        .is_write = pair.is_write,
                        .is_inside = is_inside,
                        .ordering = access.ordering,
                        .queue = queues_.own(),
                        .ordered_with = nullptr,
                        .tag = tag,
                        .before = tag,
                        .phase_begin = subpass_.begin(),
                        .replay_base = replay_base_};
  if (access.ordering != OrderingRule::kNone) {
    // A rule orders no accesses but those that it names.
    const SyncAccessMask& ordered = OrderedAccesses(access.ordering);
    if (ordered.Has(access.index)) current.ordered_with = &ordered;
  }
  return current;
}

template <Mutation kMutation>
inline void BasicAccessContext<kMutation>::AddPending(Region& region, const Access& access, bool is_write, Tag tag,
                                                      bool is_first) {
  states_.log().MarkAccessRecorded();
  const uint32_t epoch = states_.log().epoch();
  const uint32_t last = region.last_pending;
  GrowingArray<PendingAccess>& accesses = journal_.accesses();
  if (last != Region::kNone && !is_write) {
    // A repeated read replaces the one before, as it would in the map.
    PendingAccess& previous = accesses[last];
    if (previous.epoch == epoch && previous.access.range == access.range && previous.access.index == access.index &&
        previous.access.ordering == access.ordering && !IsBeforeUndoable(previous)) {
      previous.tag = tag;
      return;
    }
  }
  // Accesses of its own command are not before it.
  const bool is_after_others = is_write && (last == Region::kNone || accesses[last].tag != tag);
  if (is_after_others && !is_first && last != Region::kNone) {
    // So does a write of the same bytes, unless a replay needs the one before as a first access.
    PendingAccess& previous = accesses[last];
    if (previous.is_after_others && !previous.is_first && previous.access.range == access.range &&
        !IsBeforeUndoable(previous)) {
      previous = {access, tag, epoch, Region::kNone, tag, subpass_.phase(), is_first, is_after_others};
      return;
    }
  }
  region.Extend(access.range, is_write);
  const auto number = static_cast<uint32_t>(accesses.size());
  accesses.push_back({access, tag, epoch, Region::kNone, tag, subpass_.phase(), is_first, is_after_others});
  ++pending_count_;
  (last != Region::kNone ? accesses[last].next : region.first_pending) = number;
  region.last_pending = number;
}

template <Mutation kMutation>
inline bool BasicAccessContext<kMutation>::IsAfterPending(const Region& region, const Access& access, Tag tag,
                                                          bool& is_first) {
  if (region.is_in_map || region.last_pending == Region::kNone || !ordered_pairs_.IsWorthAsking()) return false;
  const GrowingArray<PendingAccess>& accesses = journal_.accesses();
  const PendingAccess& last = accesses[region.last_pending];
  if (last.is_after_others && last.access.range.Contains(access.range)) {
    is_first = last.tag == tag;
    return IsOrdered(last, access, tag);
  }
  uint32_t compared = 0;
  for (uint32_t i = region.first_pending; i != Region::kNone; i = accesses[i].next) {
    const PendingAccess& prior = accesses[i];
    if (++compared > kFewPending) return false;
    if (!prior.access.range.Intersects(access.range)) continue;
    if (!IsOrdered(prior, access, tag)) return false;
    const bool is_earlier_write = pairs_[prior.access.index].is_write && prior.tag != tag;
    if (is_earlier_write && prior.access.range.Contains(access.range)) is_first = false;
  }
  return true;
}

template <Mutation kMutation>
inline bool BasicAccessContext<kMutation>::IsOrdered(const PendingAccess& prior, const Access& access, Tag tag) {
  // No answer for others: accesses of one command never conflict.
  if (prior.tag == tag) return true;
  const OrderedPairs::Pair pair = OrderedPairs::Make(prior, access, states_.log().epoch(), subpass_.phase());
  if (const bool* const answer = ordered_pairs_.Find(pair)) return *answer;
  return ordered_pairs_.Keep(pair, !ConflictsAlone(prior, access, tag));
}

template <Mutation kMutation>
template <typename L>
bool BasicAccessContext<kMutation>::TryRecord(absl::Span<const L> accesses, Tag tag) {
  if (accesses.size() > kMaxFastPathAccesses) return false;
  struct Place {
    Region* region;
    // kNoState where the access becomes pending.
    uint32_t state;
    // Whether it meets earlier accesses; whether it is ordered after these, which are pending. Whether some of its
    // bytes may have no earlier write: then a replay must compare it.
    bool meets_others;
    bool is_after_pending;
    bool is_first;
  };
  std::array<Place, kMaxFastPathAccesses> places;
  bool needs_map = false;
  regions_.Reserve(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    if (access.region == 0) return false;
    Region& region = regions_.Get(access.region);
    places[i] = {&region, StateMap<kMutation>::kNoState, false, false, true};
    if (!region.MayConflict(access.range, pairs_[access.index].is_write)) continue;
    places[i].meets_others = true;
    places[i].is_after_pending = IsAfterPending(region, access, tag, places[i].is_first);
    if (places[i].is_after_pending) continue;
    FlushRegion(region);
    needs_map = true;
  }
  // Comes after all of that: a flush may join the states of regions that touch.
  for (size_t i = 0; needs_map && i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    // A later access to the region may have put into the map what this one is after. Then this one goes there too: if
    // it became pending, it would be recorded after that later one.
    const bool is_still_after_pending = places[i].is_after_pending && !places[i].region->is_in_map;
    if (!places[i].meets_others || is_still_after_pending) continue;
    // Clear if all bytes have been accessed alike.
    places[i].state = states_.FindExact(access.range, places[i].region->found);
    if (places[i].state == StateMap<kMutation>::kNoState || IsHazard(states_.pool()[places[i].state], access, tag)) {
      return false;
    }
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    const bool is_write = pairs_[access.index].is_write;
    version_ += is_write;
    if (places[i].state != StateMap<kMutation>::kNoState) {
      places[i].region->ExtendInMap(access.range, is_write);
      RecordInState(states_.pool()[places[i].state], MakeCurrentAccess(access, tag), access, access.range);
    } else {
      AddPending(*places[i].region, access, is_write, tag, places[i].is_first);
    }
  }
  return true;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRY_RECORD_H_
