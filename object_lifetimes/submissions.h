// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_SUBMISSIONS_H_
#define ASSAY_OBJECT_LIFETIMES_SUBMISSIONS_H_

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/container/inlined_vector.h"
#include "absl/container/node_hash_map.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {

// Which command buffers, fences and semaphores of a device the queues are still busy with, as far as the application
// can know: a batch counts as complete once the application was told so, by a fence, a timeline semaphore's value, or a
// queue that is idle, of this batch, of a later one on the same queue, or of one that waited for it. Where the
// application may be told in ways that a layer does not see (payloads shared with other processes, a lost device),
// nothing is said any more. Thread safe.
class Submissions {
 public:
  explicit Submissions(dispatch::Device& device) : device_(device) {}
  Submissions(const Submissions&) = delete;
  Submissions& operator=(const Submissions&) = delete;

  void Check(const vk::DestroyFence& call, messages::Report& report);
  void Check(const vk::ResetFences& call, messages::Report& report);
  void Check(const vk::DestroySemaphore& call, messages::Report& report);
  void Check(const vk::FreeCommandBuffers& call, messages::Report& report);
  void Check(const vk::ResetCommandBuffer& call, messages::Report& report);
  void Check(const vk::ResetCommandPool& call, messages::Report& report);
  void Check(const vk::DestroyCommandPool& call, messages::Report& report);

  // Before the call down, which ends the object.
  void BeforeCall(const vk::DestroyFence& call) { Forget(messages::Object(call.fence)); }
  void BeforeCall(const vk::DestroySemaphore& call) { Forget(messages::Object(call.semaphore)); }
  void BeforeCall(const vk::FreeCommandBuffers& call);
  void BeforeCall(const vk::DestroyCommandPool& call);

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

 private:
  struct Queue;
  // A batch: its place among those of its queue, which counts from 1.
  struct Point {
    Queue* queue = nullptr;
    uint64_t number = 0;
  };
  struct SemaphoreUse {
    VkSemaphore semaphore;
    // Means nothing for a binary semaphore.
    uint64_t value;
  };
  struct Batch {
    uint64_t number = 0;
    // What is complete when this is.
    std::vector<Point> after;
    std::vector<SemaphoreUse> waited_for;
  };
  struct Queue {
    VkQueue handle = VK_NULL_HANDLE;
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
    std::vector<SemaphoreUse> waits;
    std::vector<SemaphoreUse> signals;
    std::vector<VkCommandBuffer> command_buffers;
  };
  void Submit(VkQueue queue, const std::vector<NewBatch>& batches, absl::Span<const VkFence> fences, VkResult result);
  void SubmitOne(Queue& queue, const NewBatch& batch) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Complete(Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteUses(messages::ObjectRef object) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteTimeline(VkSemaphore semaphore, uint64_t value) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void CompleteAll() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Use(messages::ObjectRef object, Point point) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Forget(messages::ObjectRef object);
  // The queue that is still busy with the object; null when none is.
  VkQueue BusyWith(messages::ObjectRef object) const;
  void CheckObject(messages::ObjectRef object, vk::VuidIndex rule, const messages::Location& where,
                   messages::Report& report);
  void CheckPool(VkCommandPool pool, vk::VuidIndex rule, messages::Report& report);
  // Nothing is known any more about what is complete.
  void GiveUp();
  // False, after having given up where that is called for, when the command did not succeed.
  bool Succeeded(VkResult result);

  dispatch::Device& device_;
  mutable absl::Mutex mutex_;
  bool gave_up_ ABSL_GUARDED_BY(mutex_) = false;
  absl::node_hash_map<VkQueue, Queue> queues_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_set<VkSemaphore> timelines_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<messages::ObjectRef, Points> uses_ ABSL_GUARDED_BY(mutex_);
  // The batch that signalled a binary semaphore last, and those that signal a timeline semaphore.
  absl::flat_hash_map<VkSemaphore, std::vector<Signal>> signals_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_SUBMISSIONS_H_
