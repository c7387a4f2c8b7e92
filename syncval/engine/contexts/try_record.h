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
inline void BasicAccessContext<kMutation>::AddPending(Region& region, const Access& access, bool is_write, Tag tag) {
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
  region.Extend(access.range, is_write);
  const auto number = static_cast<uint32_t>(accesses.size());
  accesses.push_back({access, tag, epoch, Region::kNone, tag, subpass_.phase()});
  ++pending_count_;
  (last != Region::kNone ? accesses[last].next : region.first_pending) = number;
  region.last_pending = number;
}

template <Mutation kMutation>
template <typename L>
bool BasicAccessContext<kMutation>::TryRecord(absl::Span<const L> accesses, Tag tag) {
  if (accesses.size() > kMaxFastPathAccesses) return false;
  struct Place {
    Region* region;
    // Null where the access becomes pending.
    AccessState* state;
  };
  std::array<Place, kMaxFastPathAccesses> places;
  regions_.Reserve(accesses.size());
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    if (access.region == 0) return false;
    Region& region = regions_.Get(access.region);
    places[i] = {&region, nullptr};
    if (!region.MayConflict(access.range, pairs_[access.index].is_write)) continue;
    // Not clear without a search, unless the same range was found a moment ago.
    AccessState* const state = region.first_pending == Region::kNone ? states_.FindRecent(access.range) : nullptr;
    if (state == nullptr || IsHazard(*state, access, tag)) return false;
    places[i].state = state;
  }
  for (size_t i = 0; i < accesses.size(); ++i) {
    const Access& access = accesses[i];
    const bool is_write = pairs_[access.index].is_write;
    version_ += is_write;
    if (places[i].state != nullptr) {
      places[i].region->ExtendInMap(access.range, is_write);
      RecordInState(*places[i].state, MakeCurrentAccess(access, tag), access, access.range);
    } else {
      AddPending(*places[i].region, access, is_write, tag);
    }
  }
  return true;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRY_RECORD_H_
