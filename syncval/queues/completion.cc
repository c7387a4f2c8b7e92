// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Completion of queue work: a wait of the host orders that work before everything that comes later.

#include <algorithm>
#include <utility>

#include "syncval/queues/queue_sync.h"

namespace assay::syncval {

QueuePoint QueueSync::PointOf(const QueueState& queue_state) const {
  QueuePoint point = device_.PointOf(queue_state.index);
  if (queue_state.sparse_queue.has_value()) point.known.Extend(device_.PointOf(*queue_state.sparse_queue).known);
  return point;
}

QueueSync::QueueState& QueueSync::QueueStateOf(const state::Queue& queue) {
  if (queue.index >= queue_states_.size()) queue_states_.resize(queue.index + 1);
  std::optional<QueueState>& queue_state = queue_states_[queue.index];
  if (!queue_state.has_value()) queue_state = QueueState{.index = device_.AddQueue(queue.flags)};
  return *queue_state;
}

void QueueSync::OnRetire(state::Queue& queue, uint64_t serial) {
  QueueState& queue_state = QueueStateOf(queue);
  queue_state.retired = serial;
  if (queue_state.sparse_serial <= serial) queue_state.sparse_snapshot.reset();
  std::erase_if(host_event_waits_,
                [&](const state::QueuePoint& waiting) { return waiting.queue == &queue && waiting.serial <= serial; });
  for (SharedTimelineWaits& waits : shared_timeline_waits_) {
    if (waits.queue == &queue) waits.first = std::max(waits.first, serial + 1);
  }
  std::erase_if(shared_timeline_waits_, [](const SharedTimelineWaits& waits) { return waits.last < waits.first; });
  std::optional<QueuePoint> last;
  while (!queue_state.points.empty() && queue_state.points.front().serial <= serial) {
    last = std::move(queue_state.points.front().point);
    queue_state.points.pop_front();
  }
  if (!last.has_value()) return;
  device_.HostWait(*last);
  sources_.DropCompleted(device_.executions());
  for (auto& [handle, presentable] : presentable_images_) {
    std::erase_if(presentable.presented_after,
                  [this](const std::shared_ptr<const Snapshot>& signal) { return device_.IsComplete(signal->point); });
  }
}

// An idle device does not imply an idle presentation engine. But applications rely on that, and before
// VK_EXT_swapchain_maintenance1 there is no better way.
void QueueSync::OnHostWait(const state::HostWait& wait) {
  if (wait.kind == state::HostWait::Kind::kDeviceIdle && presentation_.has_value()) {
    device_.HostWait(device_.PointOf(*presentation_));
    presentable_images_.clear();
    acquire_fences_.clear();
  }
  if (wait.kind != state::HostWait::Kind::kFence) return;
  std::erase_if(acquire_fences_, [&](const std::pair<uint64_t, QueuePoint>& acquired) {
    if (acquired.first != wait.handle) return false;
    device_.HostWait(acquired.second);
    return true;
  });
  sources_.DropCompleted(device_.executions());
}

void QueueSync::OrderEverything() {
  for (std::optional<QueueState>& queue_state : queue_states_) {
    if (!queue_state.has_value()) continue;
    device_.HostWait(PointOf(*queue_state));
    queue_state->points.clear();
    queue_state->sparse_snapshot.reset();
  }
  if (presentation_.has_value()) device_.HostWait(device_.PointOf(*presentation_));
  presentable_images_.clear();
  sources_.DropCompleted(device_.executions());
}

}  // namespace assay::syncval
