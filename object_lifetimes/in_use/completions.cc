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
  if (point.number <= queue.completed) return;
  queue.completed = point.number;
  while (!queue.batches.empty() && queue.batches.front().number <= point.number) {
    const Batch batch = std::move(queue.batches.front());
    queue.batches.pop_front();
    pending_.fetch_sub(1, std::memory_order_relaxed);
    for (const Point& earlier : batch.after) Complete(earlier);
    for (const SemaphoreValue& wait : batch.waited_for) CompleteTimeline(wait.semaphore, wait.value);
  }
}

void Submissions::CompleteFence(VkFence fence) {
  if (const auto found = uses_.find(messages::Object(fence)); found != uses_.end()) {
    for (const Point& point : found->second) Complete(point);
  }
  if (const auto found = acquired_.find(fence); found != acquired_.end()) {
    for (const Point& point : found->second) Complete(point);
  }
}

void Submissions::CompleteTimeline(VkSemaphore semaphore, uint64_t value) {
  if (const auto timeline = timelines_.find(semaphore); timeline != timelines_.end()) {
    timeline->second = std::max(timeline->second, value);
  }
  const auto found = signals_.find(semaphore);
  if (found == signals_.end()) return;
  std::vector<Point> reached;
  std::erase_if(found->second, [&](const Signal& signal) {
    if (signal.value > value) return false;
    reached.push_back(signal.point);
    return true;
  });
  for (const Point& point : reached) Complete(point);
}

void Submissions::CompleteAll() {
  for (auto& [handle, queue] : queues_) Complete({&queue, queue.submitted});
}

// A present does not keep its semaphores in use, since the application need not know when it is done with them. A fence
// of the present, or another acquisition of the image, shows that the batches are complete that it waited for.
void Submissions::AfterCall(const vk::QueuePresentKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pPresentInfo == nullptr) return;
  const VkPresentInfoKHR& present = *call.pPresentInfo;
  absl::MutexLock lock(&mutex_);
  if (stopped_tracking_) return;
  const std::vector<Point> waited_for = SignalledBy(Elements(present.pWaitSemaphores, present.waitSemaphoreCount));
  for (uint32_t i = 0; i < present.swapchainCount; ++i) {
    presented_[{present.pSwapchains[i], present.pImageIndices[i]}] = waited_for;
  }
  const auto* info = vk::FindInChain<VkSwapchainPresentFenceInfoEXT>(present.pNext);
  if (info == nullptr) return;
  Queue& queue = QueueOf(call.queue);
  AddFenceBatch(queue, {call.kId, ++queue.submissions, 0}, Elements(info->pFences, info->swapchainCount), waited_for);
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
  for (VkFence fence : Elements(call.pFences, call.fenceCount)) RemoveUses(messages::Object(fence));
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

// The image that is shown was rendered, but only the presentation engine knows by which batch.
void Submissions::AfterCall(const vk::WaitForPresentKHR&, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  CompleteAll();
}

void Submissions::AfterCall(const vk::GetFenceFdKHR&, VkResult) { StopTracking(); }
void Submissions::AfterCall(const vk::ImportFenceFdKHR&, VkResult) { StopTracking(); }
void Submissions::AfterCall(const vk::GetSemaphoreFdKHR&, VkResult) { StopTracking(); }
void Submissions::AfterCall(const vk::ImportSemaphoreFdKHR&, VkResult) { StopTracking(); }

}  // namespace assay::object_lifetimes
