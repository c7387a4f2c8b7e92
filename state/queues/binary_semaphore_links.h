// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_BINARY_SEMAPHORE_LINKS_H_
#define ASSAY_STATE_QUEUES_BINARY_SEMAPHORE_LINKS_H_

#include <vector>

#include "state/objects/object.h"
#include "state/objects/semaphore.h"
#include "state/queues/submission.h"

namespace assay::state {

// Links the waits of binary semaphores in the batches of a call to signals: a wait takes the signal that was submitted
// last before it. Semaphores do not change until Write(). Private to QueueTracker.
class BinarySemaphoreLinks {
 public:
  struct Change {
    Ref<Semaphore> semaphore;
    SignalSource before;
    SignalSource after;
  };

  // Call this for the batches in submission order. They have their serials.
  void Link(const BatchRef& batch);
  // Brings the semaphores to their state after the batches.
  void Write() const;
  std::vector<Change>& changes() { return changes_; }

 private:
  SignalSource& PendingOf(const Ref<Semaphore>& semaphore);
  std::vector<Change> changes_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_BINARY_SEMAPHORE_LINKS_H_
