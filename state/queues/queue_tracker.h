// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_
#define ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_

#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "state/objects/event.h"
#include "state/queues/batch_resolver.h"
#include "state/queues/submission.h"

namespace assay::state {

// What the queues of a device have been given, in which order it runs among them, and how much of it the host knows to
// be complete. Knows Vulkan objects, but not commands: submission_hooks.cc reads those.
//
// Its verbs: *submit* gives batches to a queue, before the call goes down, since another thread may see their effects
// before the call returns; *undo* takes them back when the call failed and had no effect; a batch is *held* until all
// signals that it and those before it wait for are known, and then *ready*; it *retires* when the host learns that it
// is complete, together with all before it on its queue and all that those waited for.
//
// Memory: what is kept of a batch after it is ready is what a later wait may need, and goes when the host learns that
// the batch is complete. An application may never ask, so there is a limit to it too: beyond that, a wait is taken to
// follow upon more than it does, and retirement comes later than it could.
//
// Thread safe: one mutex, which also guards the Progress of queues, semaphores, fences and swapchains. No other lock is
// taken under it but observers' own, and nothing is called down.
class QueueTracker {
 public:
  QueueTracker() = default;
  QueueTracker(const QueueTracker&) = delete;
  QueueTracker& operator=(const QueueTracker&) = delete;
  ~QueueTracker();

  // Before there are queues.
  void Attach(QueueObserver& observer) { observers_.push_back(&observer); }
  // Takes a reference, since batches refer to queues for as long as there are any. queue.index must be queue_count().
  void Add(Ref<Queue> queue);
  uint32_t queue_count() const;
  // While nobody observes, nothing need be recorded.
  bool is_observed() const { return !observers_.empty(); }

  // What Submit() or HostSignal() would make ready. Batches are copies that share nothing with what is recorded, save
  // that their waits lead to batches that are ready already.
  SubmissionPreview Preview(Queue& queue, const Batches& batches) const;
  SubmissionPreview Preview(const Semaphore& semaphore, uint64_t host_signal) const;

  // Gives batches to a queue. fence may be null, and is signalled by the last of them.
  void Submit(Queue& queue, const Batches& batches, Fence* fence);
  // The last submission to the queue reached the driver, or failed with no effect. Validators are told that the order
  // is unknown, for they may have been told that batches are ready that never were.
  void Confirm(Queue& queue);
  void Undo(Queue& queue);
  // The device is lost: nothing is kept up any more.
  void SetDeviceLost();

  void HostSignal(Semaphore& semaphore, uint64_t value);

  // The host learned that this is so. A semaphore's value is the least that it has reached.
  void FenceSignaled(Fence& fence);
  void ValueReached(Semaphore& semaphore, uint64_t value);
  void QueueIdle(Queue& queue);
  void DeviceIdle();
  void Presented(Swapchain& swapchain, uint64_t present_id);

  void ResetFence(Fence& fence);
  // vkSetEvent or vkResetEvent.
  void HostEvent(Event& event, bool is_set);
  // vkGetEventStatus returned VK_EVENT_SET.
  void EventStatusSet(Event& event);
  void SetImages(Swapchain& swapchain, absl::Span<const VkImage> images);
  // Calls f() with the mutex held.
  void WithLock(absl::FunctionRef<void()> f);
  // The same for what only reads, unless the device is lost: then nothing of what it would read is kept up.
  void Inspect(absl::FunctionRef<void()> f) const;
  // Null when it is not known.
  VkImage ImageOf(const Swapchain& swapchain, uint32_t index) const;
  // semaphore and fence may be null.
  void Acquire(Swapchain& swapchain, uint32_t index, Semaphore* semaphore, Fence* fence);
  // The application gave an image back.
  void Release(Swapchain& swapchain, uint32_t index);

  // Payloads that the layer does not see all uses of.
  enum class Permanence { kTemporary, kPermanent };
  void Import(Semaphore& semaphore, Permanence permanence);
  void Import(Fence& fence, Permanence permanence);
  // Exporting by copy takes the payload out, as a wait or a reset does; else it is shared for good.
  enum class Transference { kCopy, kReference };
  void Export(Semaphore& semaphore, Transference transference);
  void Export(Fence& fence, Transference transference);

 private:
  // Given with batches whose readiness nobody could preview.
  static constexpr uint64_t kNoVersion = ~uint64_t{0};

  // What Undo() needs of the last submission to a queue.
  struct LastSubmission {
    uint64_t first_serial = 0;
    std::vector<BinarySemaphoreLinks::Change> links;
    std::vector<Ref<Semaphore>> timelines;
    std::vector<Ref<Fence>> fences;
  };

  // Numbers the batches and links their binary semaphores; the number of the last.
  static uint64_t Prepare(Queue& queue, const Batches& batches, BinarySemaphoreLinks* links);
  void RecordPresents(const SubmittedBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Runs the resolver and makes what it finds ready ready.
  void Advance(BatchResolver& resolver, uint64_t version) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MakeReady(const BatchRef& batch, uint64_t version) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Retire(absl::Span<const QueuePoint> points) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RetireOne(Queue& queue, uint64_t serial, std::vector<QueuePoint>* more) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Who has a handle of a payload may learn from it that all that was submitted is complete, and tell the host.
  void AssumeMaybeComplete() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Share(Semaphore& semaphore) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NotifyUnknownOrder() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NotifyHostWait(const HostWait& wait) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::vector<QueueObserver*> observers_;
  mutable absl::Mutex mutex_;
  // Counts what changes what a preview says.
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_lost_ ABSL_GUARDED_BY(mutex_) = false;
  // By Queue::index.
  std::vector<Queue*> queues_ ABSL_GUARDED_BY(mutex_);
  std::vector<Ref<Queue>> owned_ ABSL_GUARDED_BY(mutex_);
  std::vector<LastSubmission> last_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_
