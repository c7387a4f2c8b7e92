// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is submitted and what is complete; submission_checks.cc has the rules.

#include "object_lifetimes/submissions.h"

#include <algorithm>

#include "vk/chain.h"

namespace assay::object_lifetimes {
namespace {

// None behind a null pointer, whatever the count.
template <class T>
absl::Span<const T> Elements(const T* first, uint32_t count) {
  return {first, first != nullptr ? count : 0};
}

// Adds what a VkSubmitInfo or VkBindSparseInfo waits for and signals.
template <class Info, class Batch>
void AddSemaphores(const Info& info, Batch* batch) {
  const auto* timeline = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext);
  const auto value_at = [](const uint64_t* values, uint32_t count, uint32_t i) {
    return i < count && values != nullptr ? values[i] : 0;
  };
  for (uint32_t i = 0; info.pWaitSemaphores != nullptr && i < info.waitSemaphoreCount; ++i) {
    const uint64_t value =
        timeline != nullptr ? value_at(timeline->pWaitSemaphoreValues, timeline->waitSemaphoreValueCount, i) : 0;
    batch->waits.push_back({info.pWaitSemaphores[i], value});
  }
  for (uint32_t i = 0; info.pSignalSemaphores != nullptr && i < info.signalSemaphoreCount; ++i) {
    const uint64_t value =
        timeline != nullptr ? value_at(timeline->pSignalSemaphoreValues, timeline->signalSemaphoreValueCount, i) : 0;
    batch->signals.push_back({info.pSignalSemaphores[i], value});
  }
}

}  // namespace

bool Submissions::Succeeded(VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST) GiveUp();
  return result >= 0;
}

void Submissions::GiveUp() {
  absl::MutexLock lock(&mutex_);
  gave_up_ = true;
  CompleteAll();
}

void Submissions::Use(messages::ObjectRef object, Point point) {
  if (object.handle == 0) return;
  Points& points = uses_[object];
  const auto complete = [](const Point& old) { return old.number <= old.queue->completed; };
  points.erase(std::remove_if(points.begin(), points.end(), complete), points.end());
  points.push_back(point);
}

void Submissions::Forget(messages::ObjectRef object) {
  absl::MutexLock lock(&mutex_);
  uses_.erase(object);
  if (object.type != VK_OBJECT_TYPE_SEMAPHORE) return;
  signals_.erase(reinterpret_cast<VkSemaphore>(object.handle));
  timelines_.erase(reinterpret_cast<VkSemaphore>(object.handle));
}

void Submissions::Complete(Point point) {
  Queue& queue = *point.queue;
  if (point.number <= queue.completed) return;
  queue.completed = point.number;
  while (!queue.batches.empty() && queue.batches.front().number <= point.number) {
    const Batch batch = std::move(queue.batches.front());
    queue.batches.pop_front();
    for (const Point& earlier : batch.after) Complete(earlier);
    for (const SemaphoreUse& wait : batch.waited_for) CompleteTimeline(wait.semaphore, wait.value);
  }
}

void Submissions::CompleteUses(messages::ObjectRef object) {
  const auto found = uses_.find(object);
  if (found == uses_.end()) return;
  const Points points = found->second;
  for (const Point& point : points) Complete(point);
}

void Submissions::CompleteTimeline(VkSemaphore semaphore, uint64_t value) {
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

void Submissions::SubmitOne(Queue& queue, const NewBatch& batch) {
  Batch& added = queue.batches.emplace_back();
  added.number = ++queue.submitted;
  const Point point = {&queue, added.number};
  for (const SemaphoreUse& wait : batch.waits) {
    Use(messages::Object(wait.semaphore), point);
    // A binary semaphore is signalled by what was submitted before; a timeline semaphore perhaps by what comes later.
    if (timelines_.contains(wait.semaphore)) {
      added.waited_for.push_back(wait);
    } else if (const auto found = signals_.find(wait.semaphore); found != signals_.end()) {
      for (const Signal& signal : found->second) added.after.push_back(signal.point);
    }
  }
  for (const SemaphoreUse& signal : batch.signals) {
    Use(messages::Object(signal.semaphore), point);
    std::vector<Signal>& signals = signals_[signal.semaphore];
    const bool is_timeline = timelines_.contains(signal.semaphore);
    if (!is_timeline) signals.clear();
    signals.push_back({is_timeline ? signal.value : 0, point});
  }
  for (VkCommandBuffer command_buffer : batch.command_buffers) Use(messages::Object(command_buffer), point);
}

void Submissions::Submit(VkQueue handle, const std::vector<NewBatch>& batches, absl::Span<const VkFence> fences,
                         VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  if (gave_up_) return;
  Queue& queue = queues_[handle];
  queue.handle = handle;
  for (const NewBatch& batch : batches) SubmitOne(queue, batch);
  if (fences.empty()) return;
  // The fence is a batch of its own, which is complete after all the others.
  SubmitOne(queue, {});
  for (VkFence fence : fences) Use(messages::Object(fence), {&queue, queue.submitted});
}

void Submissions::AfterCall(const vk::CreateSemaphore& call, VkResult result) {
  if (result != VK_SUCCESS || call.pCreateInfo == nullptr) return;
  const auto* type = vk::FindInChain<VkSemaphoreTypeCreateInfo>(call.pCreateInfo->pNext);
  if (type == nullptr || type->semaphoreType != VK_SEMAPHORE_TYPE_TIMELINE) return;
  absl::MutexLock lock(&mutex_);
  timelines_.insert(*call.pSemaphore);
}

void Submissions::AfterCall(const vk::QueueSubmit& call, VkResult result) {
  std::vector<NewBatch> batches;
  for (const VkSubmitInfo& info : Elements(call.pSubmits, call.submitCount)) {
    NewBatch& batch = batches.emplace_back();
    AddSemaphores(info, &batch);
    const auto command_buffers = Elements(info.pCommandBuffers, info.commandBufferCount);
    batch.command_buffers.assign(command_buffers.begin(), command_buffers.end());
  }
  Submit(call.queue, batches, absl::MakeSpan(&call.fence, call.fence != VK_NULL_HANDLE ? 1 : 0), result);
}

void Submissions::AfterCall(const vk::QueueSubmit2& call, VkResult result) {
  std::vector<NewBatch> batches;
  for (const VkSubmitInfo2& info : Elements(call.pSubmits, call.submitCount)) {
    NewBatch& batch = batches.emplace_back();
    for (const auto& wait : Elements(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount)) {
      batch.waits.push_back({wait.semaphore, wait.value});
    }
    for (const auto& signal : Elements(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount)) {
      batch.signals.push_back({signal.semaphore, signal.value});
    }
    for (const auto& command_buffer : Elements(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
      batch.command_buffers.push_back(command_buffer.commandBuffer);
    }
  }
  Submit(call.queue, batches, absl::MakeSpan(&call.fence, call.fence != VK_NULL_HANDLE ? 1 : 0), result);
}

void Submissions::AfterCall(const vk::QueueBindSparse& call, VkResult result) {
  std::vector<NewBatch> batches;
  for (const VkBindSparseInfo& info : Elements(call.pBindInfo, call.bindInfoCount))
    AddSemaphores(info, &batches.emplace_back());
  Submit(call.queue, batches, absl::MakeSpan(&call.fence, call.fence != VK_NULL_HANDLE ? 1 : 0), result);
}

// Presenting does not keep its semaphores busy, since nothing need tell the application when it is done with them; but
// a fence for it tells that what it waited for is complete.
void Submissions::AfterCall(const vk::QueuePresentKHR& call, VkResult result) {
  if (!Succeeded(result) || call.pPresentInfo == nullptr) return;
  const auto* info = vk::FindInChain<VkSwapchainPresentFenceInfoEXT>(call.pPresentInfo->pNext);
  if (info == nullptr) return;
  absl::MutexLock lock(&mutex_);
  if (gave_up_) return;
  Queue& queue = queues_[call.queue];
  queue.handle = call.queue;
  SubmitOne(queue, {});
  for (VkSemaphore wait : Elements(call.pPresentInfo->pWaitSemaphores, call.pPresentInfo->waitSemaphoreCount)) {
    const auto found = signals_.find(wait);
    if (found == signals_.end()) continue;
    for (const Signal& signal : found->second) queue.batches.back().after.push_back(signal.point);
  }
  for (VkFence fence : Elements(info->pFences, info->swapchainCount))
    Use(messages::Object(fence), {&queue, queue.submitted});
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
      CompleteUses(messages::Object(fence));
    }
  }
}

void Submissions::AfterCall(const vk::GetFenceStatus& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS) return;
  absl::MutexLock lock(&mutex_);
  CompleteUses(messages::Object(call.fence));
}

void Submissions::AfterCall(const vk::ResetFences& call, VkResult result) {
  if (!Succeeded(result)) return;
  for (VkFence fence : Elements(call.pFences, call.fenceCount)) Forget(messages::Object(fence));
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

// What is shown was rendered, by which batch only the presentation engine knows.
void Submissions::AfterCall(const vk::WaitForPresentKHR&, VkResult result) {
  if (!Succeeded(result)) return;
  absl::MutexLock lock(&mutex_);
  CompleteAll();
}

void Submissions::AfterCall(const vk::GetFenceFdKHR&, VkResult) { GiveUp(); }
void Submissions::AfterCall(const vk::ImportFenceFdKHR&, VkResult) { GiveUp(); }
void Submissions::AfterCall(const vk::GetSemaphoreFdKHR&, VkResult) { GiveUp(); }
void Submissions::AfterCall(const vk::ImportSemaphoreFdKHR&, VkResult) { GiveUp(); }

}  // namespace assay::object_lifetimes
