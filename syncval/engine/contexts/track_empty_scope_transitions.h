// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRACK_EMPTY_SCOPE_TRANSITIONS_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRACK_EMPTY_SCOPE_TRANSITIONS_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Bodies of BasicAccessContext. See access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::ForEachLastWritten(
    const Range& range, Tag tag, absl::FunctionRef<void(const Range&, const AccessState&)> visit) {
  states_.ForEachAsIs(range, [&](const Range& part, const AccessState& state) {
    if (state.write_index == vk::kSyncImageLayoutTransition && state.write_tag == tag) visit(part, state);
  });
}

template <Mutation kMutation>
ABSL_ATTRIBUTE_NOINLINE void BasicAccessContext<kMutation>::ApplyToEmptyScopeTransitions(
    const Range& range, absl::Span<const Barrier* const> barriers, uint32_t next_epoch) {
  states_.ForEachAsIs(range, [&](const Range& part, const AccessState& state) {
    if (state.write_index != vk::kSyncImageLayoutTransition) return;
    empty_scope_transitions_.Apply(part, state.write_tag, barriers, next_epoch, states_.log());
  });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::DropReplacedTransitions() {
  if (empty_scope_transitions_.empty()) return;
  empty_scope_transitions_.DropReplaced(
      [this](const Range& range, Tag tag, absl::FunctionRef<void(const Range&)> visit) {
        ForEachLastWritten(range, tag, [&](const Range& part, const AccessState&) { visit(part); });
      });
  empty_scope_transitions_.CatchUp(states_.log());
}

// Adds what may be in the first scope of a signal. A signal with all commands in its first scope has the transitions of
// its own queue there, whatever their second scopes.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::AddEmptyScopeTransitionsTo(const BarrierScope& src, bool everything,
                                                               Snapshot& snapshot, const Range& within) {
  for (const EmptyScopeTransitions::Entry& entry : empty_scope_transitions_.entries()) {
    if (!entry.range.Intersects(within)) continue;
    ForEachLastWritten(entry.range, entry.tag, [&](const Range& part, const AccessState& state) {
      if (everything && state.write_queue == queues_.own()) return;
      const VkPipelineStageFlags2 stages = empty_scope_transitions_.ChainsOf(entry, states_.log()).StagesIn(src);
      if (stages != 0) snapshot.empty_scope_transitions.push_back({part, entry.tag, stages});
    });
  }
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_TRACK_EMPTY_SCOPE_TRANSITIONS_H_
