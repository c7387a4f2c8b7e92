// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// QueueTracker: retirement, as the host learns that batches are complete.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "state/queues/queue_points.h"
#include "state/queues/queue_tracker.h"

namespace assay::state {
namespace {

// The value that a timeline semaphore has reached at least when a wait for `value` ends. Values only grow, so of all
// pending signals that can have ended the wait, that of the smallest value came first.
uint64_t ReachedBy(uint64_t value, const SemaphoreProgress& progress) {
  if (value <= progress.known_value) return value;
  const auto& signals = progress.signals;
  const auto first = std::ranges::lower_bound(signals, value, {}, &SemaphoreProgress::Signal::value);
  // A merged point may stand for a signal between the value and all others.
  const bool is_merged = first == signals.begin() && !progress.merged_points.empty();
  return first == signals.end() || is_merged ? value : first->value;
}

}  // namespace

void QueueTracker::RetireOne(Queue& queue, uint64_t serial, std::vector<QueuePoint>* more) {
  QueueProgress& progress = queue.progress;
  progress.completed = serial;
  while (!progress.dependents.empty() && progress.dependents.front().serial <= serial) {
    const QueuePoints& after = progress.dependents.front().after;
    more->insert(more->end(), after.begin(), after.end());
    progress.dependents.pop_front();
  }
  // Points of batches up to the serial may be merged into those of a later one.
  if (progress.dependents.empty() || progress.dependents.front().first > serial) return;
  for (QueuePoint waited_for : progress.dependents.front().after) AssumeMaybeComplete(waited_for);
}

void QueueTracker::Retire(absl::Span<const QueuePoint> points) {
  // Complete batches cannot be held: something that the layer did not see signalled their waits.
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kShare);
  for (const QueuePoint& point : points) {
    if (point.serial > point.queue->progress.ready) resolver.Force(point);
  }
  Advance(resolver, kNoVersion);
  std::vector<QueuePoint> left(points.begin(), points.end());
  std::vector<Queue*> retired;
  while (!left.empty()) {
    const QueuePoint point = left.back();
    left.pop_back();
    if (IsComplete(point)) continue;
    RetireOne(*point.queue, point.serial, &left);
    if (std::find(retired.begin(), retired.end(), point.queue) == retired.end()) retired.push_back(point.queue);
  }
  DropCompletePending();
  if (!retired.empty()) ++version_;
  for (Queue* queue : retired) {
    for (QueueObserver* observer : observers_) observer->OnRetire(*queue, queue->progress.completed);
  }
}

void QueueTracker::FenceSignaled(Fence& fence) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  NotifyHostWait({HostWait::Kind::kFence, fence.handle()});
  fence.progress.status = FenceProgress::Status::kSignaled;
  fence.progress.signaled_by = {};
  if (fence.progress.is_unknown || fence.progress.is_external) return NotifyUnknownOrder();
  Retire(fence.progress.points);
}

void QueueTracker::ValueReached(Semaphore& semaphore, uint64_t value) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  SemaphoreProgress& progress = semaphore.progress;
  NotifyHostWait({HostWait::Kind::kSemaphore, semaphore.handle(), value});
  if (progress.is_external) {
    const bool is_news = value > progress.known_value;
    progress.known_value = std::max(progress.known_value, value);
    if (is_news) NotifyUnknownOrder();
    return;
  }
  DropComplete(&progress);
  value = ReachedBy(value, progress);
  progress.known_value = std::max(progress.known_value, value);
  QueuePoints reached;
  for (const SemaphoreProgress::Signal& signal : progress.signals) {
    if (signal.value <= value) Merge(signal.signal.point, &reached);
  }
  // The merged points have smaller values than these signals, so they are complete too.
  if (!progress.signals.empty() && progress.signals.front().value <= value) {
    Merge(progress.merged_points, &reached);
  } else {
    for (QueuePoint point : progress.merged_points) AssumeMaybeComplete(point);
  }
  Retire(reached);
  DropComplete(&progress);
}

void QueueTracker::QueueIdle(Queue& queue) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  NotifyHostWait({HostWait::Kind::kQueueIdle, queue.handle()});
  Retire({{&queue, queue.progress.submitted}});
}

void QueueTracker::DeviceIdle() {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  NotifyHostWait({HostWait::Kind::kDeviceIdle});
  std::vector<QueuePoint> all;
  all.reserve(queues_.size());
  for (Queue* queue : queues_) all.push_back({queue, queue->progress.submitted});
  Retire(all);
}

void QueueTracker::Presented(Swapchain& swapchain, uint64_t present_id) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  NotifyHostWait({HostWait::Kind::kPresent, swapchain.handle(), present_id});
  auto& presents = swapchain.progress.presents;
  QueuePoints reached;
  for (; !presents.empty() && presents.front().id <= present_id; presents.pop_front()) {
    Merge(presents.front().after, &reached);
  }
  if (!presents.empty() && presents.front().first_id <= present_id) {
    for (QueuePoint point : presents.front().after) AssumeMaybeComplete(point);
  }
  // Images were rendered too that were presented before, without an id. The layer does not know which.
  for (const SwapchainProgress::Image& image : swapchain.progress.images) {
    for (QueuePoint point : image.after) AssumeMaybeComplete(point);
  }
  Retire(reached);
}

bool QueueTracker::HasHeldBatches() const {
  absl::MutexLock lock(&mutex_);
  return std::ranges::any_of(queues_, [](const Queue* queue) { return !queue->progress.held.empty(); });
}

void QueueTracker::AssumeMaybeComplete() {
  for (Queue* queue : queues_) queue->progress.maybe_completed = queue->progress.submitted;
}

void QueueTracker::AssumeMaybeComplete(QueuePoint point) {
  QueueProgress& progress = point.queue->progress;
  const uint64_t before = progress.maybe_completed;
  if (point.serial <= before || IsComplete(point)) return;
  // It is not known what held batches wait for.
  if (IsHeld(point)) return AssumeMaybeComplete();
  progress.maybe_completed = point.serial;
  for (const QueueProgress::Dependent& dependent : progress.dependents) {
    if (dependent.first > point.serial) break;
    if (dependent.serial <= before) continue;
    for (QueuePoint waited_for : dependent.after) AssumeMaybeComplete(waited_for);
  }
}

void QueueTracker::AssumeMaybeReached(const Semaphore& semaphore) {
  const SemaphoreProgress& progress = semaphore.progress;
  for (const SignalPoint& signal : progress.pending.signals) AssumeMaybeComplete(signal.point);
  for (const SemaphoreProgress::Signal& signal : progress.signals) AssumeMaybeComplete(signal.signal.point);
  for (QueuePoint point : progress.merged_points) AssumeMaybeComplete(point);
}

void QueueTracker::ResetFence(Fence& fence) {
  absl::MutexLock lock(&mutex_);
  fence.progress.points.clear();
  fence.progress.signaled_by = {};
  fence.progress.status = FenceProgress::Status::kUnsignaled;
  fence.progress.is_unknown = false;
}

}  // namespace assay::state
