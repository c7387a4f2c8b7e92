// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMPLETE_ACCESSES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMPLETE_ACCESSES_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Bodies of BasicAccessContext. See access_context_bodies.h.
namespace assay::syncval {

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Forget(const VectorClock& complete) {
  FlushAll();
  ++version_;
  events_.Forget([&](Tag set) { return complete.Has(queues_.own(), set); });
  states_.RemoveIf([&](AccessState& state) {
    states_.CatchUp(state);
    if (state.HasWrite() && complete.Has(state.write_queue, state.write_tag)) state.ForgetWrite();
    states_.pool().RemoveReadsIf(state, [&](const ReadRecord& read) { return complete.Has(read.queue, read.tag); });
    return !state.HasWrite() && state.read_count == 0;
  });
  unordered_.Forget(complete);
  if (states_.size() == 0 && unordered_.empty()) return Reset();
  StartLogOver();
  regions_.DropUnneeded([this](const Region& region) { return IsInMap(region); });
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Forget(const Range& range) {
  FlushAll();
  ++version_;
  states_.RemoveIf(range, [](const AccessState& /*state*/) { return true; });
  unordered_.Forget(range);
  DropReplacedTransitions();
  regions_.DropUnneeded([this](const Region& region) { return IsInMap(region); });
}

// Clears the log once all states have seen it.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::StartLogOver() {
  FlushAll();
  DropReplacedTransitions();
  empty_scope_transitions_.StartLogOver();
  ordered_pairs_.Clear();
  states_.StartLogOver();
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::MoveTagsDown(uint32_t by) {
  FlushAll();
  const auto move = [by](Tag& tag) { tag.value -= std::min(tag.value, by); };
  events_.MoveTagsDown(by);
  unordered_.MoveTagsDown(by);
  DropReplacedTransitions();
  empty_scope_transitions_.MoveTagsDown(by);
  states_.ForEachAsIs([&](const Range&, AccessState& state) {
    if (state.HasWrite()) move(state.write_tag);
    for (ReadRecord& read : states_.Reads(state)) move(read.tag);
  });
}

template <Mutation kMutation>
Tag BasicAccessContext<kMutation>::OldestTag() {
  FlushAll();
  Tag oldest;
  states_.ForEachAsIs([&](const Range&, AccessState& state) {
    if (state.HasWrite()) oldest = std::min(oldest, state.write_tag);
    for (const ReadRecord& read : states_.Reads(state)) oldest = std::min(oldest, read.tag);
  });
  return oldest;
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_COMPLETE_ACCESSES_H_
