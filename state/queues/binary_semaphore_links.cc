// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/queues/binary_semaphore_links.h"

#include <utility>

namespace assay::state {
namespace {

using Kind = SignalSource::Kind;

}  // namespace

SignalSource& BinarySemaphoreLinks::PendingOf(const Ref<Semaphore>& semaphore) {
  for (Change& change : changes_) {
    if (change.semaphore.get() == semaphore.get()) return change.after;
  }
  const SignalSource& now = semaphore->progress.pending;
  changes_.push_back({semaphore, now, now});
  return changes_.back().after;
}

void BinarySemaphoreLinks::Link(const BatchRef& batch) {
  for (BatchWait& wait : batch->waits) {
    if (!wait.semaphore || (!wait.semaphore->is_timeline && wait.semaphore->progress.is_external)) {
      wait.source.kind = Kind::kUnknown;
    } else if (!wait.semaphore->is_timeline) {
      wait.source = std::exchange(PendingOf(wait.semaphore), {.waited = batch->point()});
      // A wait without a signal is an error, or the layer did not see the signal.
      if (wait.source.kind == Kind::kNone) wait.source.kind = Kind::kUnknown;
    }
  }
  for (uint32_t i = 0; i < batch->signals.size(); ++i) {
    const BatchSignal& signal = batch->signals[i];
    if (!signal.semaphore || signal.semaphore->is_timeline) continue;
    SignalSource& pending = PendingOf(signal.semaphore);
    const bool is_signaled_twice = pending.kind != Kind::kNone;
    pending = {.kind = Kind::kBatches};
    // This is an error, or the batch that will wait for the other signal holds this one. It is not known which signal a
    // wait takes.
    if (is_signaled_twice) pending.kind = Kind::kUnknown;
    pending.signals.push_back({batch->point(), signal.stages, i, batch});
  }
}

void BinarySemaphoreLinks::Write() const {
  for (const Change& change : changes_) change.semaphore->progress.pending = change.after;
}

}  // namespace assay::state
