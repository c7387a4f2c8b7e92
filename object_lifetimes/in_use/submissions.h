// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_IN_USE_SUBMISSIONS_H_
#define ASSAY_OBJECT_LIFETIMES_IN_USE_SUBMISSIONS_H_

#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/in_use/host_visible_state.h"
#include "object_lifetimes/recording/recording.h"
#include "object_lifetimes/recording/references.h"
#include "object_lifetimes/rules/in_use_rules.h"
#include "vk/commands.h"

// What the queues of a device have in use, as far as the application can know. A batch counts as complete once the
// application knows it, by a fence, a timeline semaphore's value, a query, an event or an idle queue: of this batch, of
// a later one on the same queue, or of one that waited for it. A batch whose fence or semaphore is shared outside of
// the device counts as complete at once, since the application may know more than a layer sees. When the device is
// lost, nothing more is reported.
//
// Batches are recorded before the call goes down, since another thread may learn that they are complete before it
// returns. If it fails, they are removed again.
//
// A pending batch references the recordings of its command buffers (recording.h), so submitting costs one reference for
// each command buffer. Whether an object is in use is computed when it is to be destroyed, which is rare: a bit is
// tested for each pending recording, for the object and for the objects that use it in turn (references.h).
namespace assay::object_lifetimes {

// Types of objects that a batch itself refers to, and no command in it.
inline bool IsOfBatches(VkObjectType type) {
  return type == VK_OBJECT_TYPE_FENCE || type == VK_OBJECT_TYPE_SEMAPHORE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
}

// Whether no recording has the object, and no queue can have it in use, nor objects that are destroyed with it or made
// of it.
inline bool IsSurelyIdle(const dispatch::Slot& slot) {
  return !IsOfBatches(slot.type) && !slot.is_recorded.load(std::memory_order_relaxed) &&
         !slot.is_referenced.load(std::memory_order_relaxed) && slot.first_child == dispatch::HandleTable::kNone;
}

// The elements of an array; none behind a null pointer, whatever the count.
template <class T>
absl::Span<const T> Elements(const T* first, uint32_t count) {
  return {first, first != nullptr ? count : 0};
}

// The batches of one device and what they have in use. Thread safe.
class Submissions {
 public:
  explicit Submissions(dispatch::Device& device) : device_(device) {}
  Submissions(const Submissions&) = delete;
  Submissions& operator=(const Submissions&) = delete;

  // Checks that no object is in use that the command destroys or resets (in_use_rules.h).
  void CheckInUse(const void* call, messages::Report& report);
  // Check that recorded objects have not been destroyed since.
  void Check(const vk::EndCommandBuffer& call, messages::Report& report);
  void Check(const vk::CmdExecuteCommands& call, messages::Report& report);
  void Check(const vk::QueueSubmit& call, messages::Report& report);
  void Check(const vk::QueueSubmit2& call, messages::Report& report);

  // Call before the call goes down. The command destroys or resets the objects of its in-use rule.
  void BeforeEnd(vk::CommandId command, const void* call);
  void BeforeCall(const vk::DestroySwapchainKHR& call);
  void BeforeCall(const vk::CmdExecuteCommands& call);
  void BeforeCall(const vk::QueueSubmit& call);
  void BeforeCall(const vk::QueueSubmit2& call);
  void BeforeCall(const vk::QueueBindSparse& call);
  void BeforeCall(const vk::QueuePresentKHR& call);
  void BeforeCall(const vk::SignalSemaphore& call);
  void BeforeCall(const vk::LatencySleepNV& call);
  void BeforeCall(const vk::DestroyQueryPool& call);
  void BeforeCall(const vk::ResetQueryPool& call);
  void BeforeCall(const vk::DestroyEvent& call);
  void BeforeCall(const vk::ResetEvent& call);

  void AfterCall(const vk::AllocateCommandBuffers& call, VkResult result);
  void AfterCall(const vk::BeginCommandBuffer& call, VkResult result);
  void AfterCall(const vk::EndCommandBuffer& call, VkResult result);
  void AfterCall(const vk::ResetCommandBuffer& call, VkResult result);
  void AfterCall(const vk::ResetCommandPool& call, VkResult result);
  void AfterCall(const vk::AcquireNextImageKHR& call, VkResult result);
  void AfterCall(const vk::AcquireNextImage2KHR& call, VkResult result);
  void AfterCall(const vk::CreateSemaphore& call, VkResult result);
  void AfterCall(const vk::QueueSubmit& call, VkResult result);
  void AfterCall(const vk::QueueSubmit2& call, VkResult result);
  void AfterCall(const vk::QueueBindSparse& call, VkResult result);
  void AfterCall(const vk::QueuePresentKHR& call, VkResult result);
  void AfterCall(const vk::QueueWaitIdle& call, VkResult result);
  void AfterCall(const vk::DeviceWaitIdle& call, VkResult result);
  void AfterCall(const vk::WaitForFences& call, VkResult result);
  void AfterCall(const vk::GetFenceStatus& call, VkResult result);
  void AfterCall(const vk::ResetFences& call, VkResult result);
  void AfterCall(const vk::WaitSemaphores& call, VkResult result);
  void AfterCall(const vk::GetSemaphoreCounterValue& call, VkResult result);
  void AfterCall(const vk::WaitForPresentKHR& call, VkResult result);
  void AfterCall(const vk::GetFenceFdKHR& call, VkResult result);
  void AfterCall(const vk::ImportFenceFdKHR& call, VkResult result);
  void AfterCall(const vk::GetSemaphoreFdKHR& call, VkResult result);
  void AfterCall(const vk::ImportSemaphoreFdKHR& call, VkResult result);
  void AfterCall(const vk::CreateQueryPool& call, VkResult result);
  void AfterCall(const vk::GetQueryPoolResults& call, VkResult result);
  void AfterCall(const vk::SetEvent& call, VkResult result);
  void AfterCall(const vk::GetEventStatus& call, VkResult result);

  References& references() { return references_; }

  // For tests. The default is all rules; rules must outlive this.
  void SetRules(const InUseRules& rules) { in_use_rules_ = &rules; }
  // The number of entries in all tables.
  size_t EntryCount() const;

 private:
  struct Queue;
  // A batch: its number among the batches of its queue, from 1.
  struct Point {
    Queue* queue = nullptr;
    uint64_t number = 0;
  };
  struct SemaphoreValue {
    VkSemaphore semaphore;
    // Ignored for a binary semaphore.
    uint64_t value;
  };
  struct Executed {
    VkCommandBuffer command_buffer;
    RecordingRef recording;
  };
  // The origin of a batch, for messages.
  struct BatchOrigin {
    vk::CommandId command{};
    // The number of the command among those that submit to the queue, from 1, and the index of the batch in the
    // command.
    uint64_t submission = 0;
    uint32_t index = 0;
  };
  struct Batch {
    uint64_t number = 0;
    // The number among the batches of all queues, from 1.
    uint64_t order = 0;
    BatchOrigin origin;
    std::vector<Executed> executed;
    // What signals that the batch is complete: a fence, or a timeline semaphore; null if there is none.
    VkFence fence = VK_NULL_HANDLE;
    SemaphoreValue timeline = {};
    // Batches and values that are complete when this batch is.
    std::vector<Point> after;
    std::vector<SemaphoreValue> waited_for;
  };
  struct Signal {
    uint64_t value;
    Point point;
  };
  using Signals = absl::InlinedVector<Signal, 1>;
  // What the last call on a queue changed, in case it fails.
  struct LastCall {
    // Of its first batch.
    uint64_t first_number = ~uint64_t{0};
    // The earlier signals of the binary semaphores that it signals.
    std::vector<std::pair<VkSemaphore, Signals>> replaced;
  };
  struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
    uint64_t submissions = 0;
    uint64_t submitted = 0;
    uint64_t completed = 0;
    std::deque<Batch> batches;
    LastCall last;
  };
  using Points = absl::InlinedVector<Point, 1>;

  struct NewBatch {
    std::vector<SemaphoreValue> waits;
    std::vector<SemaphoreValue> signals;
    std::vector<VkCommandBuffer> command_buffers;
  };
  // Something that keeps an object in use.
  struct Use {
    VkQueue queue = VK_NULL_HANDLE;
    BatchOrigin origin;
    // The object that the batch uses: the requested one, or one that uses that.
    ObjectId via;
    // The command that refers to the object, and its command buffer; null if the batch itself does.
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    vk::CommandId command{};
    // What would signal that the batch is complete, if anything does.
    VkFence fence = VK_NULL_HANDLE;
    SemaphoreValue timeline = {};
  };

  void Submit(vk::CommandId command, VkQueue queue, const std::vector<NewBatch>& batches, VkFence fence);
  // Removes the batches of the last call on the queue, if it failed.
  void Conclude(VkQueue queue, VkResult result);
  Queue& QueueOf(VkQueue handle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Begins a call that submits to the queue.
  Queue& BeginCall(VkQueue handle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddBatch(Queue& queue, const BatchOrigin& origin, const NewBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Adds an empty batch, which is complete after all earlier ones.
  void AddFenceBatch(Queue& queue, const BatchOrigin& origin, absl::Span<const VkFence> fences,
                     std::vector<Point> after) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Acquire(VkSwapchainKHR swapchain, const uint32_t* image, VkSemaphore semaphore, VkFence fence, VkResult result);
  // The batches that signal the semaphores that a queue operation waits for.
  std::vector<Point> SignalledBy(absl::Span<const VkSemaphore> semaphores) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  static bool IsComplete(const Point& point) { return point.number <= point.queue->completed; }
  void Complete(Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Completes the pending batches, on all queues and in the order of submission, for which is_complete(recording) is
  // true for one of their recordings; only the first of them if there_is_one.
  template <class F>
  void CompleteIf(const F& is_complete, bool there_is_one) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Marks the object as shared outside of the device.
  void Share(messages::ObjectRef object, bool is_temporary) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Removes complete signals of a timeline semaphore; its known value is then at least theirs.
  static void DropComplete(Signals* signals, uint64_t* known);
  void CompleteFence(VkFence fence) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The timeline semaphore has reached the value.
  void CompleteTimeline(VkSemaphore semaphore, uint64_t value) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddUse(messages::ObjectRef object, Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RemoveUses(messages::ObjectRef object) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The object is destroyed.
  void Remove(messages::ObjectRef object);
  // The host signals the semaphore.
  void HostSignal(VkSemaphore semaphore, uint64_t value);

  // Whether all submitted batches are known to be complete. Readable without the lock.
  bool IsIdle() const { return pending_.load(std::memory_order_relaxed) == 0; }
  // Finds a use of one of the objects; false if no queue has any in use.
  bool FindUse(const std::vector<ObjectId>& objects, Use* use) const;
  bool FindBatchUse(const ObjectId& object, Use* use) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool FindRecordedUse(const Queue& queue, const std::vector<ObjectId>& objects, Use* use) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Fills in the members about the batch.
  static void DescribeBatch(const Queue& queue, std::deque<Batch>::const_iterator batch, Use* use);

  void CheckObject(messages::ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                   messages::Report& report);
  void CheckValid(VkCommandBuffer command_buffer, vk::VuidIndex rule, vk::VuidIndex secondary_rule,
                  const messages::Location& where, messages::Report& report);
  // Stops tracking, when completion can no longer be known.
  void StopTracking();
  // Whether the command succeeded. Stops tracking if the failure makes completion unknown.
  bool Succeeded(VkResult result);

  dispatch::Device& device_;
  const InUseRules* in_use_rules_ = &InUseRules::All();
  mutable absl::Mutex mutex_;
  bool stopped_tracking_ ABSL_GUARDED_BY(mutex_) = false;
  absl::node_hash_map<VkQueue, Queue> queues_ ABSL_GUARDED_BY(mutex_);
  // Timeline semaphores, with the greatest value that the application knows to be reached.
  absl::flat_hash_map<VkSemaphore, uint64_t> timelines_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<messages::ObjectRef, Points> uses_ ABSL_GUARDED_BY(mutex_);
  // The batch that signalled a binary semaphore last, and those that signal a timeline semaphore.
  absl::flat_hash_map<VkSemaphore, Signals> signals_ ABSL_GUARDED_BY(mutex_);
  // For each image of a swapchain, the batches that its last present waited for.
  absl::flat_hash_map<std::pair<VkSwapchainKHR, uint32_t>, std::vector<Point>> presented_ ABSL_GUARDED_BY(mutex_);
  // For the fence of each image acquisition, those batches.
  absl::flat_hash_map<VkFence, std::vector<Point>> acquired_ ABSL_GUARDED_BY(mutex_);
  // The fences and semaphores that are shared outside of the device, and whether a reset ends that.
  absl::flat_hash_map<messages::ObjectRef, bool> shared_ ABSL_GUARDED_BY(mutex_);
  HostVisibleState visible_ ABSL_GUARDED_BY(mutex_);
  // The number of batches that were submitted to all queues.
  uint64_t order_ ABSL_GUARDED_BY(mutex_) = 0;
  std::atomic<size_t> pending_{0};
  References references_;
  // The number of objects that were destroyed or rerecorded and that recordings may refer to; see
  // Recording::FindInvalidObject.
  std::atomic<uint64_t> changes_{1};
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_IN_USE_SUBMISSIONS_H_
