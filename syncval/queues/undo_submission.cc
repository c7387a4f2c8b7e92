// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Submissions that fail, or that a callback skips: they leave nothing.

#include <utility>

#include "syncval/queues/queue_sync.h"

namespace assay::syncval {

void QueueSync::OnSubmit() {
  for (std::optional<QueueState>& queue_state : queue_states_) {
    if (queue_state.has_value()) LimitPoints(*queue_state, kMaxPoints);
  }
  device_.BeginUndoable();
  before_.queue_states.clear();
  for (const std::optional<QueueState>& queue_state : queue_states_) {
    QueueStateBefore& before = before_.queue_states.emplace_back();
    if (queue_state.has_value())
      before = {queue_state->points.size(), queue_state->sparse_snapshot, queue_state->sparse_serial};
  }
  before_.presentable_images.reset();
  before_.host_event_waits = host_event_waits_;
  before_.shared_timeline_waits = shared_timeline_waits_;
  before_.sources = sources_.size();
  before_.last_unknown_access = last_unknown_access_;
}

// Queues that are new since are left as they are now: without any work.
void QueueSync::OnUndo() {
  if (!device_.Undo()) return OrderEverything();
  before_.queue_states.resize(queue_states_.size());
  for (size_t i = 0; i < queue_states_.size(); ++i) {
    if (!queue_states_[i].has_value()) continue;
    QueueStateBefore& before = before_.queue_states[i];
    while (queue_states_[i]->points.size() > before.points) queue_states_[i]->points.pop_back();
    queue_states_[i]->sparse_snapshot = std::move(before.sparse_snapshot);
    queue_states_[i]->sparse_serial = before.sparse_serial;
  }
  if (before_.presentable_images.has_value()) presentable_images_ = std::move(*before_.presentable_images);
  before_.presentable_images.reset();
  host_event_waits_ = std::move(before_.host_event_waits);
  shared_timeline_waits_ = std::move(before_.shared_timeline_waits);
  sources_.ShrinkTo(before_.sources);
  last_unknown_access_ = before_.last_unknown_access;
}

QueueSync::PresentableImages& QueueSync::ChangePresentableImages() {
  if (!before_.presentable_images.has_value()) before_.presentable_images = presentable_images_;
  return presentable_images_;
}

}  // namespace assay::syncval
