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
#include "object_lifetimes/recording/recording.h"
#include "object_lifetimes/recording/references.h"
#include "object_lifetimes/rules/in_use_rules.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {

// What a batch itself is given, and not a command in it.
inline bool IsOfBatches(VkObjectType type) {
  return type == VK_OBJECT_TYPE_FENCE || type == VK_OBJECT_TYPE_SEMAPHORE || type == VK_OBJECT_TYPE_COMMAND_BUFFER;
}

// Whether no recording names the object, and no queue can be busy with it, with what goes with it or with what is made
// of it.
inline bool IsSurelyIdle(const dispatch::Slot& slot) {
  return !IsOfBatches(slot.type) && !slot.is_recorded.load(std::memory_order_relaxed) &&
         !slot.is_referenced.load(std::memory_order_relaxed) && slot.first_child == dispatch::HandleTable::kNone;
}

// None behind a null pointer, whatever the count.
template <class T>
absl::Span<const T> Elements(const T* first, uint32_t count) {
  return {first, first != nullptr ? count : 0};
}

// What the queues of a device are still busy with, as far as the application can know: a batch counts as complete once
// the application was told so, by a fence, a timeline semaphore's value, or a queue that is idle, of this batch, of a
// later one on the same queue, or of one that waited for it. Where the application may be told in ways that a layer
// does not see (payloads shared with other processes, a lost device), nothing is said any more.
//
// A pending batch holds the recordings of its command buffers (recording.h), so submitting costs a reference a command
// buffer. Whether an object is in use is asked when it is to be destroyed, which is rare: a bit is tested for each
// recording that is pending, for the object and for what uses it in turn (references.h). Thread safe.
class Submissions {
 public:
  explicit Submissions(dispatch::Device& device) : device_(device) {}
  Submissions(const Submissions&) = delete;
  Submissions& operator=(const Submissions&) = delete;

  // That what the command ends or resets is not in use (in_use_rules.h).
  void CheckInUse(const void* call, messages::Report& report);
  // That what was recorded has not been destroyed since.
  void Check(const vk::EndCommandBuffer& call, messages::Report& report);
  void Check(const vk::CmdExecuteCommands& call, messages::Report& report);
  void Check(const vk::QueueSubmit& call, messages::Report& report);
  void Check(const vk::QueueSubmit2& call, messages::Report& report);

  // Before the call down, which ends or resets what the command's in-use rule is about.
  void BeforeEnd(vk::CommandId command, const void* call);
  void BeforeCall(const vk::DestroySwapchainKHR& call);
  void BeforeCall(const vk::CmdExecuteCommands& call);

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

  References& references() { return references_; }

  // For tests; at first all. They must outlive this.
  void SetRules(const InUseRules& rules) { in_use_rules_ = &rules; }

 private:
  struct Queue;
  // A batch: its place among those of its queue, which counts from 1.
  struct Point {
    Queue* queue = nullptr;
    uint64_t number = 0;
  };
  struct SemaphoreValue {
    VkSemaphore semaphore;
    // Means nothing for a binary semaphore.
    uint64_t value;
  };
  struct Executed {
    VkCommandBuffer command_buffer;
    RecordingRef recording;
  };
  // Where a batch comes from, for messages.
  struct BatchOrigin {
    vk::CommandId command{};
    // The how-manieth command that submits to the queue, from 1, and which of its batches.
    uint64_t submission = 0;
    uint32_t index = 0;
  };
  struct Batch {
    uint64_t number = 0;
    BatchOrigin origin;
    std::vector<Executed> executed;
    // What tells that it is complete: a fence, or a timeline semaphore; null when there is none.
    VkFence fence = VK_NULL_HANDLE;
    SemaphoreValue timeline = {};
    // What is complete when this is.
    std::vector<Point> after;
    std::vector<SemaphoreValue> waited_for;
  };
  struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
    uint64_t submissions = 0;
    uint64_t submitted = 0;
    uint64_t completed = 0;
    std::deque<Batch> batches;
  };
  using Points = absl::InlinedVector<Point, 1>;
  struct Signal {
    uint64_t value;
    Point point;
  };

  struct NewBatch {
    std::vector<SemaphoreValue> waits;
    std::vector<SemaphoreValue> signals;
    std::vector<VkCommandBuffer> command_buffers;
  };
  // Something that keeps an object in use.
  struct Use {
    VkQueue queue = VK_NULL_HANDLE;
    BatchOrigin origin;
    // What the batch uses: the object that was asked for, or what uses that.
    ObjectId via;
    // Which command of which command buffer was given it, if it is not the batch that was.
    VkCommandBuffer command_buffer = VK_NULL_HANDLE;
    vk::CommandId command{};
    // What would tell that it is complete, when something was asked to.
    VkFence fence = VK_NULL_HANDLE;
    SemaphoreValue timeline = {};
  };

  void Submit(vk::CommandId command, VkQueue queue, const std::vector<NewBatch>& batches,
              absl::Span<const VkFence> fences, VkResult result);
  Queue& QueueOf(VkQueue handle) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddBatch(Queue& queue, const BatchOrigin& origin, const NewBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // A batch of its own, which is complete after all the others.
  void AddFenceBatch(Queue& queue, const BatchOrigin& origin, absl::Span<const VkFence> fences,
                     std::vector<Point> after) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Acquire(VkSwapchainKHR swapchain, const uint32_t* image, VkSemaphore semaphore, VkFence fence, VkResult result);
  // The batches that signal what a queue operation waits for.
  std::vector<Point> SignalledBy(absl::Span<const VkSemaphore> semaphores) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Complete(Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteFence(VkFence fence) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteTimeline(VkSemaphore semaphore, uint64_t value) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void AddUse(messages::ObjectRef object, Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void RemoveUses(messages::ObjectRef object);

  // What has been submitted and is not known to be complete; readable without the lock.
  bool IsIdle() const { return pending_.load(std::memory_order_relaxed) == 0; }
  // False when no queue is busy with any of the objects.
  bool FindUse(const std::vector<ObjectId>& objects, Use* use) const;
  bool FindBatchUse(const ObjectId& object, Use* use) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  bool FindRecordedUse(const Queue& queue, const std::vector<ObjectId>& objects, Use* use) const
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Fills in all about the batch.
  static void DescribeBatch(const Queue& queue, std::deque<Batch>::const_iterator batch, Use* use);

  void CheckObject(messages::ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                   messages::Report& report);
  void CheckValid(VkCommandBuffer command_buffer, vk::VuidIndex rule, vk::VuidIndex secondary_rule,
                  const messages::Location& where, messages::Report& report);
  // Nothing is known any more about what is complete.
  void StopTracking();
  // False, after having given up where that is called for, when the command did not succeed.
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
  absl::flat_hash_map<VkSemaphore, std::vector<Signal>> signals_ ABSL_GUARDED_BY(mutex_);
  // For each image of a swapchain the batches that its last presentation waited for.
  absl::flat_hash_map<std::pair<VkSwapchainKHR, uint32_t>, std::vector<Point>> presented_ ABSL_GUARDED_BY(mutex_);
  // For the fences of image acquisitions those batches.
  absl::flat_hash_map<VkFence, std::vector<Point>> acquired_ ABSL_GUARDED_BY(mutex_);
  std::atomic<size_t> pending_{0};
  References references_;
  // How often something was destroyed or recorded anew that other recordings may refer to; see
  // Recording::FindInvalidObject.
  std::atomic<uint64_t> changes_{1};
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_IN_USE_SUBMISSIONS_H_
