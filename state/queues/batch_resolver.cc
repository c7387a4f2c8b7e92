// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/batch_resolver.h"

#include <algorithm>
#include <utility>

#include "state/queues/queue_points.h"

namespace assay::state {
namespace {

using Kind = SignalSource::Kind;

// Whether `signal` orders everything that `other` orders. The first scope of a signal of vkQueueSubmit has everything
// before it on its queue. That of a signal of vkQueueBindSparse has only the signals before it.
bool Covers(const SignalPoint& signal, const SignalPoint& other) {
  if (signal.point.queue != other.point.queue || signal.point.serial < other.point.serial) return false;
  if (signal.batch == nullptr) return true;
  if (signal.batch->is_sparse()) return false;
  return (signal.stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0 || (other.stages & ~signal.stages) == 0;
}

void AddUnlessCovered(const SignalPoint& signal, SignalPoints* signals) {
  if (IsComplete(signal.point)) return;
  const auto covers = [&](const SignalPoint& other) { return Covers(other, signal); };
  if (std::none_of(signals->begin(), signals->end(), covers)) signals->push_back(signal);
}

}  // namespace

BatchResolver::BatchResolver(absl::Span<Queue* const> queues, HeldBatches held) {
  for (Queue* queue : queues) {
    if (queue->progress.held.empty()) continue;
    QueueState& queue_state = QueueStateOf(*queue);
    for (const BatchRef& batch : queue->progress.held) {
      queue_state.batches.push_back(held == HeldBatches::kShare ? batch : std::make_shared<SubmittedBatch>(*batch));
    }
    queue_state.first_new = queue_state.batches.size();
  }
}

BatchResolver::QueueState& BatchResolver::QueueStateOf(Queue& queue) {
  for (QueueState& queue_state : queue_states_) {
    if (queue_state.queue == &queue) return queue_state;
  }
  return queue_states_.emplace_back(QueueState{.queue = &queue, .ready = queue.progress.ready});
}

const BatchResolver::QueueState* BatchResolver::FindQueueState(const Queue* queue) const {
  for (const QueueState& queue_state : queue_states_) {
    if (queue_state.queue == queue) return &queue_state;
  }
  return nullptr;
}

void BatchResolver::Append(Queue& queue, const Batches& batches) {
  QueueState& queue_state = QueueStateOf(queue);
  queue_state.batches.insert(queue_state.batches.end(), batches.begin(), batches.end());
}

void BatchResolver::Force(QueuePoint point) { QueueStateOf(*point.queue).forced = point.serial; }

void BatchResolver::Run() {
  for (bool progress = true; progress;) {
    progress = false;
    for (QueueState& queue_state : queue_states_) {
      while (queue_state.next < queue_state.batches.size()) {
        const SubmittedBatch& batch = *queue_state.batches[queue_state.next];
        if (batch.serial > queue_state.forced && !IsReady(batch)) break;
        MarkReady(queue_state);
        progress = true;
      }
    }
  }
}

bool BatchResolver::IsReady(QueuePoint point) const {
  const QueueState* queue_state = FindQueueState(point.queue);
  return point.serial <= (queue_state != nullptr ? queue_state->ready : point.queue->progress.ready);
}

bool BatchResolver::IsReady(const SubmittedBatch& batch) const {
  return std::all_of(batch.waits.begin(), batch.waits.end(), [&](const BatchWait& wait) { return IsSatisfied(wait); });
}

bool BatchResolver::IsSatisfied(const BatchWait& wait) const {
  if (wait.source.kind == Kind::kNone) {
    uint64_t reached;
    return wait.semaphore->progress.is_external || FindReached(*wait.semaphore, wait.value, &reached);
  }
  return wait.source.kind != Kind::kBatches ||
         std::all_of(wait.source.signals.begin(), wait.source.signals.end(),
                     [&](const SignalPoint& signal) { return IsReady(signal.point); });
}

uint64_t BatchResolver::KnownValue(const Semaphore& semaphore) const {
  uint64_t value = semaphore.progress.known_value;
  for (const HostSignal& signal : host_signals_) {
    if (signal.semaphore == &semaphore) value = std::max(value, signal.value);
  }
  return value;
}

bool BatchResolver::FindReached(const Semaphore& semaphore, uint64_t value, uint64_t* reached) const {
  *reached = value;
  if (value <= KnownValue(semaphore)) return true;
  bool found = false;
  const auto consider = [&](uint64_t candidate) {
    if (candidate < value || (found && candidate >= *reached)) return;
    *reached = candidate;
    found = true;
  };
  for (const auto& signal : semaphore.progress.signals) consider(signal.value);
  for (const NewSignal& signal : new_signals_) {
    if (signal.semaphore == &semaphore) consider(signal.signal.value);
  }
  return found;
}

void BatchResolver::MarkReady(QueueState& queue_state) {
  if (queue_state.next < queue_state.first_new) {
    const BatchRef& held = queue_state.batches[queue_state.next];
    released_.push_back({held, *held});
  }
  const BatchRef& batch = queue_state.batches[queue_state.next++];
  for (BatchWait& wait : batch->waits) {
    if (wait.source.kind == Kind::kNone) {
      wait.source = ResolveTimeline(wait);
    } else if (wait.source.kind == Kind::kBatches) {
      ResolveBinary(wait.source);
    }
  }
  for (uint32_t i = 0; i < batch->signals.size(); ++i) {
    const BatchSignal& signal = batch->signals[i];
    if (!signal.semaphore || !signal.semaphore->is_timeline) continue;
    new_signals_.push_back({signal.semaphore.get(), {signal.value, {batch->point(), signal.stages, i, batch}}});
  }
  queue_state.ready = batch->serial;
  order_.push_back(batch);
}

void BatchResolver::ResolveBinary(SignalSource& source) const {
  SignalPoint& signal = source.signals.front();
  if (IsComplete(signal.point)) {
    source = {.kind = Kind::kComplete};
    return;
  }
  // The link refers to the held batch, but the resolver may work on a copy of it.
  const QueueState* queue_state = FindQueueState(signal.point.queue);
  if (queue_state == nullptr) return;
  for (const BatchRef& batch : queue_state->batches) {
    if (batch->serial == signal.point.serial) signal.batch = batch;
  }
}

// "The first synchronization scope includes all semaphore signal operations that operate on semaphores waited on in the
// same batch, and that happen-before the wait completes": those up to the value that ends the wait.
SignalSource BatchResolver::ResolveTimeline(const BatchWait& wait) const {
  const SemaphoreProgress& progress = wait.semaphore->progress;
  uint64_t reached;
  if (progress.is_external || !FindReached(*wait.semaphore, wait.value, &reached)) return {.kind = Kind::kUnknown};
  std::vector<const SemaphoreProgress::Signal*> signals;
  signals.reserve(progress.signals.size() + new_signals_.size());
  for (const auto& signal : progress.signals) signals.push_back(&signal);
  for (const NewSignal& signal : new_signals_) {
    if (signal.semaphore == wait.semaphore.get()) signals.push_back(&signal.signal);
  }
  // Starts with the last, since it mostly covers the others.
  std::sort(signals.begin(), signals.end(), [](const auto* a, const auto* b) { return a->value > b->value; });
  SignalSource source = {.kind = Kind::kBatches};
  for (const auto* signal : signals) {
    if (signal->value <= reached) AddUnlessCovered(signal->signal, &source.signals);
  }
  for (const QueuePoint& point : progress.merged_points) AddUnlessCovered({.point = point}, &source.signals);
  if (source.signals.empty()) source.kind = Kind::kComplete;
  return source;
}

}  // namespace assay::state
