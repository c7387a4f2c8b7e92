// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/recording/event_state.h"

namespace assay::core {

using Kind = EventState::Kind;

bool EventEffect::IsSame(const EventState& a, const EventState& b) {
  if (a.kind != b.kind || a.queue != b.queue) return false;
  switch (a.kind) {
    case Kind::kSetByHost:
      return true;
    case Kind::kSetWithStages:
      return a.stages == b.stages;
    case Kind::kSetWithDependency:
      return a.dependency == b.dependency || DifferenceOf(a.dependency->info(), b.dependency->info()).member.empty();
    default:
      return false;
  }
}

EventState EventEffect::After(const EventState& before, const state::Queue* queue) const {
  if (!sets() && !is_reset_) return before;
  EventState set = set_;
  if (set.is_set()) set.queue = queue;
  if (is_reset_ || before.kind == Kind::kUnset) return set;
  return IsSame(before, set) ? before : EventState();
}

}  // namespace assay::core
