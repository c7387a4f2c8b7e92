// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// QueueTracker: pending batches, and what the host sees of queries and events that batches change.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "state/queues/queue_tracker.h"

namespace assay::state {
namespace {

VkEvent HandleOf(const Event& event) { return reinterpret_cast<VkEvent>(event.handle()); }

}  // namespace

// A present does not keep its semaphores in use, since the application need not know when it is done with them.
void QueueTracker::AddPending(const SubmittedBatch& batch) {
  if (batch.is_present() && batch.fences.empty()) return;
  const uint64_t first_serial = last_[batch.queue->index].first_serial;
  PendingBatch pending = {.serial = batch.serial,
                          .command = batch.command,
                          .submission = batch.queue->progress.submissions,
                          .index = batch.index};
  for (const Ref<Fence>& fence : batch.fences) {
    if (!fence) continue;
    fence->progress.signaled_by = batch.point();
    if (pending.fence == VK_NULL_HANDLE) pending.fence = reinterpret_cast<VkFence>(fence->handle());
  }
  for (const BatchWait& wait : batch.waits) {
    if (wait.semaphore && !batch.is_present()) {
      pending_.AddUse(batch.point(), first_serial, &wait.semaphore->progress.uses);
    }
  }
  for (const BatchSignal& signal : batch.signals) {
    if (!signal.semaphore) continue;
    pending_.AddUse(batch.point(), first_serial, &signal.semaphore->progress.uses);
    if (!signal.semaphore->is_timeline) continue;
    pending.timeline = signal.handle;
    pending.value = signal.value;
  }
  for (const SubmittedCommandBuffer& submitted : batch.command_buffers) {
    if (!submitted.state) continue;
    pending_.AddUse(batch.point(), first_serial, &submitted.state->uses);
    if (submitted.state->handles != nullptr) {
      pending.executed.push_back({submitted.handle, submitted.state->handles->recording()});
    }
  }
  pending_.Add(*batch.queue, std::move(pending));
}

void QueueTracker::DropCompletePending() {
  if (pending_.empty()) return;
  std::vector<PendingBatch> complete;
  for (const Queue* queue : queues_) pending_.TakeUpTo(*queue, MaybeCompleted(queue->progress), &complete);
  std::ranges::sort(complete, {}, &PendingBatch::order);
  for (const PendingBatch& batch : complete) {
    for (const PendingBatch::Executed& executed : batch.executed) visible_.Apply(*executed.recording);
  }
}

std::vector<QueuePoint> QueueTracker::FindComplete(absl::FunctionRef<bool(const dispatch::Recording&)> is_complete,
                                                   bool there_is_one) const {
  struct Candidate {
    const PendingBatch* batch;
    QueuePoint point;
    uint64_t order() const { return batch->order; }
  };
  std::vector<Candidate> candidates;
  const auto has_changes = [](const PendingBatch::Executed& executed) { return executed.recording->HasChanges(); };
  for (Queue* queue : queues_) {
    for (const PendingBatch& batch : pending_.Of(*queue)) {
      if (std::ranges::any_of(batch.executed, has_changes)) candidates.push_back({&batch, {queue, batch.serial}});
    }
  }
  std::ranges::sort(candidates, {}, &Candidate::order);
  std::vector<QueuePoint> complete;
  for (const Candidate& candidate : candidates) {
    bool is = false;
    for (const PendingBatch::Executed& executed : candidate.batch->executed) is |= is_complete(*executed.recording);
    if (is) complete.push_back(candidate.point);
    if (is && there_is_one) break;
  }
  return complete;
}

void QueueTracker::InspectPending(absl::FunctionRef<void(const PendingBatches&, const HostVisibleState&)> f) const {
  absl::MutexLock lock(&mutex_);
  if (!is_lost_) f(pending_, visible_);
}

void QueueTracker::HostEvent(Event& event, bool is_set) {
  absl::MutexLock lock(&mutex_);
  ++version_;
  event.was_set = visible_.IsSet(HandleOf(event));
  visible_.HostChange(HandleOf(event), is_set);
  for (QueueObserver* observer : observers_) observer->OnHostEvent(event, is_set);
}

void QueueTracker::UndoHostEvent(Event& event) {
  absl::MutexLock lock(&mutex_);
  if (is_lost_) return;
  ++version_;
  visible_.HostChange(HandleOf(event), event.was_set);
  for (QueueObserver* observer : observers_) observer->OnHostEventFailed(event);
}

void QueueTracker::Observed(Event& event) {
  absl::MutexLock lock(&mutex_);
  for (QueueObserver* observer : observers_) observer->OnEventStatusSet(event);
  const VkEvent handle = HandleOf(event);
  if (is_lost_ || visible_.IsSet(handle)) return;
  const auto sets = [&](const dispatch::Recording& recording) { return Sets(recording, handle); };
  for (QueuePoint point : FindComplete(sets, true)) AssumeMaybeComplete(point);
  DropCompletePending();
}

void QueueTracker::RemoveEvent(VkEvent event) {
  absl::MutexLock lock(&mutex_);
  visible_.HostChange(event, false);
}

void QueueTracker::AddQueries(VkQueryPool pool, const VkQueryPoolCreateInfo& info) {
  absl::MutexLock lock(&mutex_);
  visible_.Add(pool, info);
}

void QueueTracker::RemoveQueries(VkQueryPool pool) {
  absl::MutexLock lock(&mutex_);
  visible_.Remove(pool);
}

void QueueTracker::HostReset(const vk::ResetQueryPool& call) {
  absl::MutexLock lock(&mutex_);
  visible_.HostReset(call.queryPool, call.firstQuery, call.queryCount);
}

void QueueTracker::Observed(const vk::GetQueryPoolResults& call, VkResult result) {
  absl::MutexLock lock(&mutex_);
  HostVisibleState::Pool* pool = visible_.Find(call.queryPool);
  if (is_lost_ || pool == nullptr) return;
  if (FoundAll(call, result)) pool->verified = pending_.order();
  NewlyAvailable queries(call, result, *pool);
  if (queries.is_empty()) return;
  const auto has_written = [&](const dispatch::Recording& recording) { return queries.TakeWrittenBy(recording); };
  for (QueuePoint point : FindComplete(has_written, false)) AssumeMaybeComplete(point);
  DropCompletePending();
}

}  // namespace assay::state
