// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The ways in which the application can know that work is complete.

#include <algorithm>

#include "object_lifetimes/in_use/submissions.h"
#include "vk/chain.h"

namespace assay::object_lifetimes {

bool Submissions::Succeeded(VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST) StopTracking();
  return result >= 0;
}

void Submissions::StopTracking() {
  absl::MutexLock lock(&mutex_);
  stopped_tracking_ = true;
  CompleteAll();
}

void Submissions::Complete(Point point) {
  Queue& queue = *point.queue;
  if (IsComplete(point)) return;
  queue.completed = point.number;
  while (!queue.batches.empty() && queue.batches.front().number <= point.number) {
    const Batch batch = std::move(queue.batches.front());
    queue.batches.pop_front();
    pending_.fetch_sub(1, std::memory_order_relaxed);
    for (const Point& earlier : batch.after) Complete(earlier);
    for (const SemaphoreValue& wait : batch.waited_for) CompleteTimeline(wait.semaphore, wait.value);
    for (const Executed& executed : batch.executed) visible_.Apply(*executed.recording);
  }
}

template <class F>
void Submissions::CompleteIf(const F& is_complete, bool there_is_one) {
  struct Pending {
    const Batch* batch;
    Point point;
  };
  std::vector<Pending> pending;
  for (auto& [handle, queue] : queues_) {
    for (const Batch& batch : queue.batches) {
      const auto has_changes = [](const Executed& executed) { return executed.recording->HasChanges(); };
      if (std::ranges::any_of(batch.executed, has_changes)) pending.push_back({&batch, {&queue, batch.number}});
    }
  }
  std::ranges::sort(pending, {}, [](const Pending& each) { return each.batch->order; });
  std::vector<Point> complete;
  for (const Pending& each : pending) {
    bool is = false;
    for (const Executed& executed : each.batch->executed) is |= is_complete(*executed.recording);
    if (is) complete.push_back(each.point);
    if (is && there_is_one) break;
  }
  for (const Point& point : complete) Complete(point);
}

void Submissions::CompleteFence(VkFence fence) {
  if (const auto found = uses_.find(messages::Object(fence)); found != uses_.end()) {
    for (const Point& point : found->second) Complete(point);
  }
  if (const auto found = acquired_.find(fence); found != acquired_.end()) {
    for (const Point& point : found->second) Complete(point);
  }
}

void Submissions::DropComplete(Signals* signals, uint64_t* known) {
  const auto is_complete = [&](const Signal& signal) {
    if (!IsComplete(signal.point)) return false;
    *known = std::max(*known, signal.value);
    return true;
  };
  signals->erase(std::remove_if(signals->begin(), signals->end(), is_complete), signals->end());
}

// Values only grow, so of all signals that can have given the semaphore a value as large as this, that of the smallest
// value came first.
void Submissions::CompleteTimeline(VkSemaphore semaphore, uint64_t value) {
  const auto timeline = timelines_.find(semaphore);
  if (timeline == timelines_.end()) return;
  uint64_t& known = timeline->second;
  std::vector<Point> reached;
  if (const auto found = signals_.find(semaphore); found != signals_.end()) {
    Signals& signals = found->second;
    DropComplete(&signals, &known);
    uint64_t last = value;
    if (value > known) {
      const Signal* least = nullptr;
      for (const Signal& signal : signals) {
        if (signal.value >= value && (least == nullptr || signal.value < least->value)) least = &signal;
      }
      if (least != nullptr) last = least->value;
    }
    for (const Signal& signal : signals) {
      if (signal.value <= last) reached.push_back(signal.point);
    }
  }
  known = std::max(known, value);
  // The next call removes the signals.
  for (const Point& point : reached) Complete(point);
}

void Submissions::HostSignal(VkSemaphore semaphore, uint64_t value) {
  absl::MutexLock lock(&mutex_);
  const auto timeline = timelines_.find(semaphore);
  if (timeline != timelines_.end()) timeline->second = std::max(timeline->second, value);
}

void Submissions::BeforeCall(const vk::SignalSemaphore& call) {
  if (call.pSignalInfo != nullptr) HostSignal(call.pSignalInfo->semaphore, call.pSignalInfo->value);
}
// The driver signals the semaphore at a time of its own choice.
void Submissions::BeforeCall(const vk::LatencySleepNV& call) {
  if (call.pSleepInfo != nullptr) HostSignal(call.pSleepInfo->signalSemaphore, call.pSleepInfo->value);
}

void Submissions::CompleteAll() {
  for (auto& [handle, queue] : queues_) Complete({&queue, queue.submitted});
}

// A present does not keep its semaphores in use, since the application need not know when it is done with them. A fence
// of the present, or another acquisition of the image, shows that the batches are complete that it waited for.
void Submissions::BeforeCall(const vk::QueuePresentKHR& call) {
  if (call.pPresentInfo == nullptr) return;
  const VkPresentInfoKHR& present = *call.pPresentInfo;
  absl::MutexLock lock(&mutex_);
  if (stopped_tracking_) return;
  const auto* info = vk::FindInChain<VkSwapchainPresentFenceInfoEXT>(present.pNext);
  if (info == nullptr) {
    QueueOf(call.queue).last = {};
    return;
  }
  Queue& queue = BeginCall(call.queue);
  AddFenceBatch(queue, {call.kId, queue.submissions, 0}, Elements(info->pFences, info->swapchainCount),
                SignalledBy(Elements(present.pWaitSemaphores, present.waitSemaphoreCount)));
}

// The swapchain is externally synchronized, so nobody can learn of the present before it returns.
void Submissions::AfterCall(const vk::QueuePresentKHR& call, VkResult result) {
  Conclude(call.queue, result);
  if (result < 0 || call.pPresentInfo == nullptr) return;
  const VkPresentInfoKHR& present = *call.pPresentInfo;
  absl::MutexLock lock(&mutex_);
  if (stopped_tracking_) return;
  const std::vector<Point> waited_for = SignalledBy(Elements(present.pWaitSemaphores, present.waitSemaphoreCount));
  for (uint32_t i = 0; i < present.swapchainCount; ++i) {
    presented_[{present.pSwapchains[i], present.pImageIndices[i]}] = waited_for;
  }
}

// The presentation engine has read the last presented content. The batches that rendered it are therefore complete when
// the fence or the semaphore is signaled.
void Submissions::Acquire(VkSwapchainKHR swapchain, const uint32_t* image, VkSemaphore semaphore, VkFence fence,
                          VkResult result) {
  if (!Succeeded(result) || (result != VK_SUCCESS && result != VK_SUBOPTIMAL_KHR) || image == nullptr) return;
  absl::MutexLock lock(&mutex_);
  if (stopped_tracking_) return;
  if (semaphore != VK_NULL_HANDLE) signals_.erase(semaphore);
  if (fence != VK_NULL_HANDLE) acquired_.erase(fence);
  const auto found = presented_.find({swapchain, *image});
  if (found == presented_.end()) return;
  for (const Point& point : found->second) {
    if (fence != VK_NULL_HANDLE) acquired_[fence].push_back(point);
    if (semaphore != VK_NULL_HANDLE) signals_[semaphore].push_back({0, point});
  }
}

void Submissions::AfterCall(const vk::AcquireNextImageKHR& call, VkResult result) {
  Acquire(call.swapchain, call.pImageIndex, call.semaphore, call.fence, result);
}
void Submissions::AfterCall(const vk::AcquireNextImage2KHR& call, VkResult result) {
  if (call.pAcquireInfo == nullptr) return;
  const VkAcquireNextImageInfoKHR& info = *call.pAcquireInfo;
  Acquire(info.swapchain, call.pImageIndex, info.semaphore, info.fence, result);
}

void Submissions::BeforeCall(const vk::DestroySwapchainKHR& call) {
  absl::MutexLock lock(&mutex_);
  absl::erase_if(presented_, [&](const auto& entry) { return entry.first.first == call.swapchain; });
}

void Submissions::AfterCall(const vk::QueueWaitIdle& call, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  if (const auto found = queues_.find(call.queue); found != queues_.end())
    Complete({&found->second, found->second.submitted});
}

void Submissions::AfterCall(const vk::DeviceWaitIdle&, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  CompleteAll();
}

void Submissions::AfterCall(const vk::WaitForFences& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS) return;
  const bool all = call.waitAll != VK_FALSE || call.fenceCount == 1;
  const auto get_status = dispatch::Next<vk::GetFenceStatus>(device_.next);
  absl::MutexLock lock(&mutex_);
  for (VkFence fence : Elements(call.pFences, call.fenceCount)) {
    const uint64_t driver_handle = dispatch::HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(fence));
    if (all || get_status(call.device, reinterpret_cast<VkFence>(driver_handle)) == VK_SUCCESS) {
      CompleteFence(fence);
    }
  }
}

void Submissions::AfterCall(const vk::GetFenceStatus& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS) return;
  absl::MutexLock lock(&mutex_);
  CompleteFence(call.fence);
}

void Submissions::AfterCall(const vk::ResetFences& call, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  for (VkFence fence : Elements(call.pFences, call.fenceCount)) {
    const messages::ObjectRef object = messages::Object(fence);
    RemoveUses(object);
    if (const auto found = shared_.find(object); found != shared_.end() && found->second) shared_.erase(found);
  }
}

void Submissions::AfterCall(const vk::WaitSemaphores& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS || call.pWaitInfo == nullptr) return;
  const VkSemaphoreWaitInfo& info = *call.pWaitInfo;
  if (info.pSemaphores == nullptr || info.pValues == nullptr) return;
  const bool all = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0 || info.semaphoreCount == 1;
  const auto get_value = dispatch::Next<vk::GetSemaphoreCounterValue>(device_.next);
  absl::MutexLock lock(&mutex_);
  for (uint32_t i = 0; i < info.semaphoreCount; ++i) {
    uint64_t value = info.pValues[i];
    if (!all) {
      const uint64_t driver_handle =
          dispatch::HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(info.pSemaphores[i]));
      if (get_value(call.device, reinterpret_cast<VkSemaphore>(driver_handle), &value) != VK_SUCCESS) continue;
    }
    CompleteTimeline(info.pSemaphores[i], value);
  }
}

void Submissions::AfterCall(const vk::GetSemaphoreCounterValue& call, VkResult result) {
  if (!Succeeded(result) || call.pValue == nullptr) return;
  absl::MutexLock lock(&mutex_);
  CompleteTimeline(call.semaphore, *call.pValue);
}

// The image that is shown was rendered. Only the presentation engine knows which image it is.
void Submissions::AfterCall(const vk::WaitForPresentKHR& call, VkResult result) {
  if (!Succeeded(result) || result == VK_TIMEOUT) return;
  absl::MutexLock lock(&mutex_);
  for (const auto& [image, waited_for] : presented_) {
    if (image.first != call.swapchain) continue;
    for (const Point& point : waited_for) Complete(point);
  }
}

void Submissions::Share(messages::ObjectRef object, bool is_temporary) {
  const auto [found, is_new] = shared_.try_emplace(object, is_temporary);
  if (!is_temporary) found->second = false;
}

// Whoever has the new handle can wait for it. A handle with copy transference has taken the payload; others keep on
// sharing it.
void Submissions::AfterCall(const vk::GetFenceFdKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pGetFdInfo == nullptr) return;
  absl::MutexLock lock(&mutex_);
  const messages::ObjectRef fence = messages::Object(call.pGetFdInfo->fence);
  CompleteFence(call.pGetFdInfo->fence);
  if (call.pGetFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT) {
    RemoveUses(fence);
  } else {
    Share(fence, false);
  }
}
void Submissions::AfterCall(const vk::GetSemaphoreFdKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pGetFdInfo == nullptr) return;
  absl::MutexLock lock(&mutex_);
  const VkSemaphore semaphore = call.pGetFdInfo->semaphore;
  if (const auto found = signals_.find(semaphore); found != signals_.end()) {
    const Signals signals = found->second;
    for (const Signal& signal : signals) Complete(signal.point);
  }
  if (call.pGetFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT) {
    signals_.erase(semaphore);
  } else {
    Share(messages::Object(semaphore), false);
  }
}

void Submissions::AfterCall(const vk::ImportFenceFdKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pImportFenceFdInfo == nullptr) return;
  const VkImportFenceFdInfoKHR& info = *call.pImportFenceFdInfo;
  absl::MutexLock lock(&mutex_);
  RemoveUses(messages::Object(info.fence));
  Share(messages::Object(info.fence), (info.flags & VK_FENCE_IMPORT_TEMPORARY_BIT) != 0);
}
// A wait brings the permanent payload back, but nobody can tell when a wait is over.
void Submissions::AfterCall(const vk::ImportSemaphoreFdKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pImportSemaphoreFdInfo == nullptr) return;
  const VkSemaphore semaphore = call.pImportSemaphoreFdInfo->semaphore;
  absl::MutexLock lock(&mutex_);
  signals_.erase(semaphore);
  Share(messages::Object(semaphore), false);
}

void Submissions::AfterCall(const vk::CreateQueryPool& call, VkResult result) {
  if (result != VK_SUCCESS || call.pCreateInfo == nullptr) return;
  absl::MutexLock lock(&mutex_);
  visible_.Add(*call.pQueryPool, *call.pCreateInfo);
}
void Submissions::BeforeCall(const vk::DestroyQueryPool& call) {
  absl::MutexLock lock(&mutex_);
  visible_.Remove(call.queryPool);
}
void Submissions::BeforeCall(const vk::ResetQueryPool& call) {
  absl::MutexLock lock(&mutex_);
  visible_.HostReset(call.queryPool, call.firstQuery, call.queryCount);
}
void Submissions::AfterCall(const vk::GetQueryPoolResults& call, VkResult result) {
  if (!Succeeded(result) || IsIdle()) return;
  absl::MutexLock lock(&mutex_);
  HostVisibleState::Pool* pool = visible_.Find(call.queryPool);
  if (pool == nullptr) return;
  if (FoundAll(call, result)) pool->verified = order_;
  NewlyAvailable queries(call, result, *pool);
  if (queries.is_empty()) return;
  CompleteIf([&](const Recording& recording) { return queries.TakeWrittenBy(recording); }, false);
}

void Submissions::BeforeCall(const vk::DestroyEvent& call) {
  absl::MutexLock lock(&mutex_);
  visible_.HostReset(call.event);
}
void Submissions::BeforeCall(const vk::ResetEvent& call) {
  absl::MutexLock lock(&mutex_);
  visible_.HostReset(call.event);
}
void Submissions::AfterCall(const vk::SetEvent& call, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  visible_.HostSet(call.event);
}
void Submissions::AfterCall(const vk::GetEventStatus& call, VkResult result) {
  if (!Succeeded(result) || result != VK_EVENT_SET || IsIdle()) return;
  absl::MutexLock lock(&mutex_);
  if (visible_.IsSet(call.event)) return;
  CompleteIf([&](const Recording& recording) { return Sets(recording, call.event); }, true);
}

}  // namespace assay::object_lifetimes
