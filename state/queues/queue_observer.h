// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_QUEUE_OBSERVER_H_
#define ASSAY_STATE_QUEUES_QUEUE_OBSERVER_H_

#include <cstdint>

#include "state/objects/acquired_image.h"
#include "state/objects/event.h"
#include "state/objects/fence.h"
#include "state/objects/queue.h"
#include "state/objects/semaphore.h"
#include "state/queues/submission.h"

namespace assay::state {

// The way in which the host learnt that work is complete.
struct HostWait {
  enum class Kind : uint8_t { kFence, kSemaphore, kQueueIdle, kDeviceIdle, kPresent };
  Kind kind;
  // The fence, semaphore, queue or swapchain; 0 for a device.
  uint64_t handle = 0;
  // The semaphore's value or the present's id.
  uint64_t value = 0;
};

// Receives the events of a device's queues, in one order that is correct for all queues.
//
// Calls come with QueueTracker's mutex held, one at a time, from any thread. So an observer must not call QueueTracker
// or the application. It stores what it finds; the validator's own hook for the same call, which runs later, reports
// it.
class QueueObserver {
 public:
  // A call submits batches, or signals a semaphore from the host. Those that it makes ready come next.
  virtual void OnSubmit() {}
  // The call of the last OnSubmit failed, or was skipped, with no effect, and no other came since: the batches that
  // OnBatch was called for since were never submitted, or are held again. OnBatch is called for the latter once more,
  // when they become ready.
  virtual void OnUndo() { OnUnknownOrder(); }
  // A batch became ready. OnBatch was called for every batch that it waits for. `version` equals
  // SubmissionPreview::version of a preview with exactly this resolution.
  virtual void OnBatch(SubmittedBatch& batch, uint64_t version) = 0;
  // Comes before the calls of OnRetire that follow from it.
  virtual void OnHostWait(const HostWait&) {}
  // The host knows that everything up to the serial on the queue is complete, except for presents. Serials only grow.
  virtual void OnRetire(Queue&, uint64_t) {}
  // Comes before the calls of OnBatch for the batches that it releases.
  virtual void OnHostSignal(Semaphore&, uint64_t) {}
  // vkSetEvent or vkResetEvent; and that the last one of the event failed, or was skipped. Whether a call that failed
  // had an effect is not always known.
  virtual void OnHostEvent(Event&, bool) {}
  virtual void OnHostEventFailed(Event&) {}
  // vkGetEventStatus returned VK_EVENT_SET.
  virtual void OnEventStatusSet(Event&) {}
  virtual void OnAcquire(const AcquiredImage&, Semaphore*, Fence*) {}
  // All events so far may be ordered before all that follow, in ways that the layer does not see: through a payload
  // that is shared outside of the device, after a call that failed, or after the device was lost.
  virtual void OnUnknownOrder() {}

 protected:
  ~QueueObserver() = default;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_QUEUE_OBSERVER_H_
