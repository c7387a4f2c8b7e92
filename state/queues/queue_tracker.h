// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_
#define ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "state/objects/event.h"
#include "state/queues/batch_resolver.h"
#include "state/queues/binary_semaphore_links.h"
#include "state/queues/host_visible_state.h"
#include "state/queues/pending_batches.h"
#include "state/queues/queue_observer.h"
#include "state/queues/submission.h"
#include "vk/commands.h"

namespace assay::state {

// Tracks the batches of a device's queues: their order among the queues, and how many of them the host knows to be
// complete. It is the one place that decides completion. It knows Vulkan objects, but not commands, except for
// vkGetQueryPoolResults: submission_hooks.cc reads those.
//
// Its verbs:
//   *submit*  Adds batches to a queue. This is done before the call goes down, since another thread may see their
//             effects before the call returns.
//   *undo*    Removes them, after the call failed and had no effect.
//   *held*    A batch is held until all signals are known that it and the batches before it on its queue wait for.
//   *ready*   Then it is ready: its place in the order is known.
//   *retire*  A batch retires when the host learns that it is complete, together with all batches before it on its
//             queue and all that those waited for.
//   *pending* A batch is pending (PendingBatches) until it retires, or the host may know otherwise that it is complete:
//             from the results of a query, the status of an event, or a payload that is shared outside of the device.
//             Unlike retirement, that orders no memory accesses.
//
// Memory. After a batch is ready, only the parts that a later wait may need are kept, until the host learns that the
// batch is complete. An application may never wait, so their number is limited too. Beyond the limit, a wait counts as
// ordered after more batches than it is, and batches retire later than they could; they are not pending then.
//
// Thread safe. One mutex also guards the progress of queues, semaphores, fences and swapchains. Under it, no other lock
// is taken but those of observers, and nothing is called down.
class QueueTracker {
 public:
  QueueTracker() = default;
  QueueTracker(const QueueTracker&) = delete;
  QueueTracker& operator=(const QueueTracker&) = delete;
  ~QueueTracker();

  // Call this before there are queues.
  void Attach(QueueObserver& observer) { observers_.push_back(&observer); }
  // Keeps a reference, since batches refer to queues. queue.index must be queue_count().
  void Add(Ref<Queue> queue);
  uint32_t queue_count() const;
  // Somebody inspects the queues. Call this before there are queues.
  void Require() { is_required_ = true; }
  // Otherwise nothing needs to be recorded.
  bool is_required() const { return is_required_ || !observers_.empty(); }

  // Whether a batch is held, on any queue.
  bool HasHeldBatches() const;
  // The batches that Submit() or HostSignal() would make ready. They are copies: they share nothing with the recorded
  // batches, except that their waits refer to batches that are ready already.
  SubmissionPreview Preview(Queue& queue, const Batches& batches) const;
  SubmissionPreview Preview(const Semaphore& semaphore, uint64_t host_signal) const;

  // Adds batches to a queue. The last of them signals `fence`, which may be null.
  void Submit(Queue& queue, const Batches& batches, Fence* fence);
  // Ends the last submission to the queue: it reached the driver, or it failed with no effect, or a callback skipped
  // it. Undo() leaves everything as it was before the submission, and observers are to do the same (OnUndo). If another
  // submission came since, it notifies them that the order is unknown instead.
  void Confirm(Queue& queue);
  enum class Undone { kFailed, kSkipped };
  void Undo(Queue& queue, Undone how);
  // The device is lost. From now on nothing is tracked.
  void SetDeviceLost();

  // A signal of the host, before the call; then its end, as of a submission.
  void HostSignal(Semaphore& semaphore, uint64_t value);
  void ConfirmHostSignal(const Semaphore& semaphore);
  // The signal failed with no effect, or was skipped; as Undo().
  void UndoHostSignal(Semaphore& semaphore, uint64_t value);

  // The host learnt that this happened. `value` is the least value that the semaphore has reached.
  void FenceSignaled(Fence& fence);
  void ValueReached(Semaphore& semaphore, uint64_t value);
  void QueueIdle(Queue& queue);
  void DeviceIdle();
  void Presented(Swapchain& swapchain, uint64_t present_id);

  void ResetFence(Fence& fence);
  // vkSetEvent or vkResetEvent; and that it failed or was skipped.
  void HostEvent(Event& event, bool is_set);
  void UndoHostEvent(Event& event);
  // vkGetEventStatus returned VK_EVENT_SET. Then a batch that sets the event is complete.
  void Observed(Event& event);
  void RemoveEvent(VkEvent event);
  // The queries of a pool, and what the host sees of them. Available queries show that the batches are complete that
  // have written them.
  void AddQueries(VkQueryPool pool, const VkQueryPoolCreateInfo& info);
  void RemoveQueries(VkQueryPool pool);
  void HostReset(const vk::ResetQueryPool& call);
  void Observed(const vk::GetQueryPoolResults& call, VkResult result);
  void SetImages(Swapchain& swapchain, absl::Span<const VkImage> images);
  // Calls f() with the mutex held.
  void WithLock(absl::FunctionRef<void()> f);
  // Calls f(), which only reads, with the mutex held; not after the device was lost, since nothing is tracked then.
  void Inspect(absl::FunctionRef<void()> f) const;
  // Calls f(pending, visible) like Inspect().
  void InspectPending(absl::FunctionRef<void(const PendingBatches&, const HostVisibleState&)> f) const;
  // Whether a batch is pending, without a lock.
  bool HasPendingBatches() const { return !pending_.empty(); }
  // Null if it is not known.
  VkImage ImageOf(const Swapchain& swapchain, uint32_t index) const;
  // semaphore and fence may be null.
  void Acquire(Swapchain& swapchain, uint32_t index, Semaphore* semaphore, Fence* fence);
  // The application released or presented an image.
  void Release(Swapchain& swapchain, uint32_t index);

  // Payloads of which the layer does not see all operations.
  enum class Permanence { kTemporary, kPermanent };
  void Import(Semaphore& semaphore, Permanence permanence);
  void Import(Fence& fence, Permanence permanence);
  // Exporting by copy consumes the payload, like a wait or a reset. Exporting by reference shares it for good.
  enum class Transference { kCopy, kReference };
  void Export(Semaphore& semaphore, Transference transference);
  void Export(Fence& fence, Transference transference);

 private:
  // The version of batches that become ready without a preview.
  static constexpr uint64_t kNoVersion = ~uint64_t{0};

  // What a present changed in its swapchain.
  struct PresentChange {
    Ref<Swapchain> swapchain;
    uint32_t index;
    // Of the image, before.
    QueuePoint presented;
    QueuePoints after;
    bool has_id;
  };

  // The last submission to a queue, for Undo().
  struct LastSubmission {
    // Of the tracker's submissions.
    uint64_t number = 0;
    uint64_t first_serial = 0;
    // Binds sparse memory, which is not undone.
    bool is_sparse = false;
    std::vector<BinarySemaphoreLinks::Change> links;
    std::vector<Ref<Semaphore>> timelines;
    // Their progress before.
    std::vector<std::pair<Ref<Fence>, FenceProgress>> fences;
    std::vector<PresentChange> presents;
    // Whether QueueProgress::submissions counts it.
    bool is_counted = false;
  };

  struct LastHostSignal {
    const Semaphore* semaphore = nullptr;
    uint64_t value = 0;
    uint64_t number = 0;
  };

  // Numbers the batches and links their binary semaphores. Returns the serial of the last.
  static uint64_t Prepare(Queue& queue, const Batches& batches, BinarySemaphoreLinks* links);
  void AddPending(const SubmittedBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Removes the pending batches that the host may know to be complete, with their effects on queries and events.
  void DropCompletePending() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The pending batches, on all queues and in the order of submission, for which is_complete(recording) is true for one
  // of their recordings; the first of them alone if there_is_one.
  std::vector<QueuePoint> FindComplete(absl::FunctionRef<bool(const dispatch::Recording&)> is_complete,
                                       bool there_is_one) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RecordPresents(const SubmittedBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A submission or a signal of the host begins. Returns its number.
  uint64_t BeginSubmission() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Ends an undo of the submission with this number.
  void EndUndo(uint64_t number, bool is_exact) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Holds the batches again that the last submission released.
  void HoldAgain() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Runs the resolver and makes the batches that it finds ready.
  void Advance(BatchResolver& resolver, uint64_t version) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void MakeReady(const BatchRef& batch, uint64_t version) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Retire(absl::Span<const QueuePoint> points) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RetireOne(Queue& queue, uint64_t serial, std::vector<QueuePoint>* more) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The host may have learnt that all submissions are complete.
  void AssumeMaybeComplete() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same of the point and what it waited for: others with a handle of a payload may learn it, and inform the host.
  void AssumeMaybeComplete(QueuePoint point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The same of all signals of the semaphore.
  void AssumeMaybeReached(const Semaphore& semaphore) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Share(Semaphore& semaphore) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NotifyUnknownOrder() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void NotifyHostWait(const HostWait& wait) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  std::vector<QueueObserver*> observers_;
  bool is_required_ = false;
  mutable absl::Mutex mutex_;
  // Counts the changes that can change a preview.
  uint64_t version_ ABSL_GUARDED_BY(mutex_) = 0;
  bool is_lost_ ABSL_GUARDED_BY(mutex_) = false;
  // Submissions and signals of the host so far, the last of these signals, and the held batches that the last of all
  // released.
  uint64_t submissions_ ABSL_GUARDED_BY(mutex_) = 0;
  LastHostSignal host_signal_ ABSL_GUARDED_BY(mutex_);
  std::vector<BatchResolver::Released> released_ ABSL_GUARDED_BY(mutex_);
  // By Queue::index.
  std::vector<Queue*> queues_ ABSL_GUARDED_BY(mutex_);
  std::vector<Ref<Queue>> owned_ ABSL_GUARDED_BY(mutex_);
  std::vector<LastSubmission> last_ ABSL_GUARDED_BY(mutex_);
  // The mutex guards it, but for HasPendingBatches().
  PendingBatches pending_;
  HostVisibleState visible_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_QUEUES_QUEUE_TRACKER_H_
