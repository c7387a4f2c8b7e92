// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Calls that submit or signal, and then fail or are skipped.

#include <algorithm>
#include <utility>
#include <vector>

#include "state/queues/queue_points.h"
#include "state/queues/queue_tracker.h"

namespace assay::state {
namespace {

// Forgets the signal operations of a batch.
void DropSignals(const std::vector<BatchSignal>& signals, QueuePoint point) {
  for (const BatchSignal& signal : signals) {
    if (!signal.semaphore) continue;
    std::erase_if(signal.semaphore->progress.signals, [&](const auto& known) { return known.signal.point == point; });
  }
}

void DropDependentsFrom(QueueProgress& progress, uint64_t serial) {
  while (!progress.dependents.empty() && progress.dependents.back().serial >= serial) progress.dependents.pop_back();
}

}  // namespace

uint64_t QueueTracker::BeginSubmission() {
  released_.clear();
  for (QueueObserver* observer : observers_) observer->OnSubmit();
  return ++submissions_;
}

void QueueTracker::Confirm(Queue& queue) {
  absl::MutexLock lock(&mutex_);
  if (last_[queue.index].number == submissions_) released_.clear();
  last_[queue.index] = {};
}

void QueueTracker::Undo(Queue& queue, Undone how) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  const LastSubmission last = std::exchange(last_[queue.index], {});
  const auto is_undone = [&](QueuePoint point) { return point.queue == &queue && point.serial >= last.first_serial; };
  QueueProgress& progress = queue.progress;
  while (!progress.held.empty() && is_undone(progress.held.back()->point())) {
    progress.held.back()->DropReferences();
    progress.held.pop_back();
  }
  if (progress.held.empty()) progress.ready = progress.submitted;
  pending_.Undo(queue, last.first_serial);
  if (last.is_counted) --progress.submissions;
  DropDependentsFrom(progress, last.first_serial);
  for (const BinarySemaphoreLinks::Change& change : last.links) change.semaphore->progress.pending = change.before;
  for (const Ref<Semaphore>& semaphore : last.timelines) {
    std::erase_if(semaphore->progress.signals, [&](const auto& signal) { return is_undone(signal.signal.point); });
  }
  for (auto change = last.presents.rbegin(); change != last.presents.rend(); ++change) {
    SwapchainProgress& presented = change->swapchain->progress;
    if (change->has_id && !presented.presents.empty()) presented.presents.pop_back();
    if (change->index >= presented.images.size()) continue;
    presented.images[change->index].presented = change->presented;
    presented.images[change->index].after = change->after;
  }
  for (const auto& [fence, before] : last.fences) {
    fence->progress = before;
    if (how == Undone::kSkipped) continue;
    fence->progress.points.clear();
    fence->progress.status = FenceProgress::Status::kUnknown;
  }
  EndUndo(last.number, !last.is_sparse);
}

void QueueTracker::EndUndo(uint64_t number, bool is_exact) {
  if (number != submissions_) return NotifyUnknownOrder();
  HoldAgain();
  if (!is_exact) return NotifyUnknownOrder();
  ++version_;
  for (QueueObserver* observer : observers_) observer->OnUndo();
}

// From the last one on: each goes before those that are held already.
void QueueTracker::HoldAgain() {
  std::vector<BatchResolver::Released> released = std::exchange(released_, {});
  for (auto held = released.rbegin(); held != released.rend(); ++held) {
    const BatchRef& batch = held->batch;
    if (IsComplete(batch->point())) continue;
    QueueProgress& progress = batch->queue->progress;
    DropSignals(held->before.signals, batch->point());
    DropDependentsFrom(progress, batch->serial);
    *batch = held->before;
    progress.held.push_front(batch);
    progress.ready = batch->serial - 1;
  }
}

void QueueTracker::HostSignal(Semaphore& semaphore, uint64_t value) {
  absl::MutexLock lock(&mutex_);
  const uint64_t version = version_++;
  host_signal_ = {&semaphore, value, BeginSubmission()};
  semaphore.progress.value_before_host_signal = semaphore.progress.known_value;
  semaphore.progress.known_value = std::max(semaphore.progress.known_value, value);
  for (QueueObserver* observer : observers_) observer->OnHostSignal(semaphore, value);
  BatchResolver resolver(queues_, BatchResolver::HeldBatches::kShare);
  Advance(resolver, version);
}

void QueueTracker::ConfirmHostSignal(const Semaphore& semaphore) {
  absl::MutexLock lock(&mutex_);
  if (host_signal_.semaphore == &semaphore && host_signal_.number == submissions_) released_.clear();
}

void QueueTracker::UndoHostSignal(Semaphore& semaphore, uint64_t value) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  SemaphoreProgress& progress = semaphore.progress;
  if (progress.known_value == value) progress.known_value = progress.value_before_host_signal;
  const bool is_last = host_signal_.semaphore == &semaphore && host_signal_.value == value;
  EndUndo(is_last ? host_signal_.number : 0, true);
}

}  // namespace assay::state
