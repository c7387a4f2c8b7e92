// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for submissions to queues, and for signals and waits of the host.
//
// Effects on the device are recorded before the call goes down, since another thread may see them before the call
// returns: it may wait for a semaphore that the submission signals, and then destroy or read the resources. Results
// that the host learns are recorded after the call.

#include <vector>

#include "state/hooks/registration.h"
#include "state/hooks/submission_reader.h"
#include "state/objects/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

using Transference = QueueTracker::Transference;
using Permanence = QueueTracker::Permanence;

// Whether a failed call had no effect. A present that failed with VK_ERROR_OUT_OF_DATE_KHR and similar results has an
// effect ("vkQueuePresentKHR": "the set of queue operations are still considered to be enqueued").
bool HadNoEffect(VkResult result) {
  switch (result) {
    case VK_ERROR_OUT_OF_DATE_KHR:
    case VK_ERROR_SURFACE_LOST_KHR:
    case VK_ERROR_FULL_SCREEN_EXCLUSIVE_MODE_LOST_EXT:
      return false;
    default:
      return result < 0;
  }
}

}  // namespace

template <class C>
SubmissionPreview DeviceState::Preview(const C& call) const {
  Queue* queue = Get(call.queue);
  return queue != nullptr ? queues_.Preview(*queue, ReadBatches(call)) : SubmissionPreview();
}
SubmissionPreview DeviceState::PreviewSubmission(const vk::QueueSubmit& call) const { return Preview(call); }
SubmissionPreview DeviceState::PreviewSubmission(const vk::QueueSubmit2& call) const { return Preview(call); }
SubmissionPreview DeviceState::PreviewSubmission(const vk::QueueBindSparse& call) const { return Preview(call); }
SubmissionPreview DeviceState::PreviewSubmission(const vk::QueuePresentKHR& call) const { return Preview(call); }
SubmissionPreview DeviceState::PreviewSubmission(const vk::SignalSemaphore& call) const {
  const auto* semaphore = call.pSignalInfo != nullptr ? Get<Semaphore>(call.pSignalInfo->semaphore) : nullptr;
  return semaphore != nullptr ? queues_.Preview(*semaphore, call.pSignalInfo->value) : SubmissionPreview();
}

bool DeviceState::Succeeded(VkResult result) {
  if (result == VK_ERROR_DEVICE_LOST) queues_.SetDeviceLost();
  return result >= 0;
}

template <class C>
void DeviceState::RecordSubmission(const C& call, VkFence fence) {
  Queue* queue = Get(call.queue);
  if (queue != nullptr && queues_.is_required()) queues_.Submit(*queue, ReadBatches(call), Get<Fence>(fence));
}
template <class C>
void DeviceState::ConcludeSubmission(const C& call, VkResult result) {
  Queue* queue = Get(call.queue);
  Succeeded(result);
  if (queue == nullptr || !queues_.is_required()) return;
  if (HadNoEffect(result)) {
    using Undone = QueueTracker::Undone;
    queues_.Undo(*queue, result == VK_ERROR_VALIDATION_FAILED_EXT ? Undone::kSkipped : Undone::kFailed);
  } else {
    queues_.Confirm(*queue);
  }
}

void DeviceState::NotifyCommandBuffers(Queue& queue, absl::Span<const VkCommandBuffer> buffers) {
  for (VkCommandBuffer handle : buffers) {
    if (CommandBuffer* buffer = Get(handle)) {
      buffer->ForEachSub([&](CommandBufferSubState& sub) { sub.OnSubmit(queue); });
    }
  }
}

void DeviceState::PreCallRecord(const vk::QueueSubmit& call) { RecordSubmission(call, call.fence); }
void DeviceState::PreCallRecord(const vk::QueueSubmit2& call) { RecordSubmission(call, call.fence); }
void DeviceState::PreCallRecord(const vk::QueueBindSparse& call) { RecordSubmission(call, call.fence); }
void DeviceState::PreCallRecord(const vk::QueuePresentKHR& call) { RecordSubmission(call, VK_NULL_HANDLE); }
void DeviceState::PostCallRecord(const vk::QueueSubmit& call, VkResult result) {
  ConcludeSubmission(call, result);
  Queue* queue = Get(call.queue);
  if (result != VK_SUCCESS || queue == nullptr) return;
  for (const VkSubmitInfo& submit : Items(call.pSubmits, call.submitCount)) {
    NotifyCommandBuffers(*queue, Items(submit.pCommandBuffers, submit.commandBufferCount));
  }
  ++queue->submit_count;
}
void DeviceState::PostCallRecord(const vk::QueueSubmit2& call, VkResult result) {
  ConcludeSubmission(call, result);
  Queue* queue = Get(call.queue);
  if (result != VK_SUCCESS || queue == nullptr) return;
  for (const VkSubmitInfo2& submit : Items(call.pSubmits, call.submitCount)) {
    for (const auto& info : Items(submit.pCommandBufferInfos, submit.commandBufferInfoCount)) {
      NotifyCommandBuffers(*queue, {&info.commandBuffer, 1});
    }
  }
  ++queue->submit_count;
}
void DeviceState::PostCallRecord(const vk::QueueBindSparse& call, VkResult result) { ConcludeSubmission(call, result); }
void DeviceState::PostCallRecord(const vk::QueuePresentKHR& call, VkResult result) {
  ConcludeSubmission(call, result);
  if (HadNoEffect(result) || call.pPresentInfo == nullptr) return;
  const VkPresentInfoKHR& info = *call.pPresentInfo;
  const auto indices = Items(info.pImageIndices, info.swapchainCount);
  for (size_t i = 0; i < indices.size(); ++i) {
    if (Swapchain* swapchain = Get<Swapchain>(info.pSwapchains[i])) queues_.Release(*swapchain, indices[i]);
  }
}

void DeviceState::PreCallRecord(const vk::SignalSemaphore& call) {
  if (call.pSignalInfo == nullptr) return;
  if (auto* semaphore = Get<Semaphore>(call.pSignalInfo->semaphore)) {
    queues_.HostSignal(*semaphore, call.pSignalInfo->value);
  }
}
void DeviceState::PostCallRecord(const vk::SignalSemaphore& call, VkResult result) {
  const bool is_signalled = Succeeded(result);
  if (call.pSignalInfo == nullptr) return;
  auto* const semaphore = Get<Semaphore>(call.pSignalInfo->semaphore);
  if (semaphore == nullptr) return;
  if (is_signalled) {
    queues_.ConfirmHostSignal(*semaphore);
  } else {
    queues_.UndoHostSignal(*semaphore, call.pSignalInfo->value);
  }
}
// The driver signals the semaphore at a time of its own choice.
void DeviceState::PreCallRecord(const vk::LatencySleepNV& call) {
  if (call.pSleepInfo == nullptr) return;
  if (auto* semaphore = Get<Semaphore>(call.pSleepInfo->signalSemaphore)) {
    queues_.HostSignal(*semaphore, call.pSleepInfo->value);
  }
}

void DeviceState::PostCallRecord(const vk::QueueWaitIdle& call, VkResult result) {
  Queue* queue = Get(call.queue);
  if (Succeeded(result) && queue != nullptr) queues_.QueueIdle(*queue);
}
void DeviceState::PostCallRecord(const vk::DeviceWaitIdle&, VkResult result) {
  if (Succeeded(result)) queues_.DeviceIdle();
}

void DeviceState::PostCallRecord(const vk::WaitForFences& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS || !queues_.is_required()) return;
  const bool all = call.waitAll != VK_FALSE || call.fenceCount == 1;
  const auto get_status = dispatch::Next<vk::GetFenceStatus>(device_.next);
  for (VkFence handle : Items(call.pFences, call.fenceCount)) {
    Fence* fence = Get<Fence>(handle);
    if (fence == nullptr) continue;
    // Only the driver knows which of the fences was signalled.
    const uint64_t of_driver = dispatch::HandleTable::Get().ToDriver(fence->handle());
    if (all || get_status(call.device, reinterpret_cast<VkFence>(of_driver)) == VK_SUCCESS) {
      queues_.FenceSignaled(*fence);
    }
  }
}
void DeviceState::PostCallRecord(const vk::GetFenceStatus& call, VkResult result) {
  Fence* fence = Get<Fence>(call.fence);
  if (Succeeded(result) && result == VK_SUCCESS && fence != nullptr) queues_.FenceSignaled(*fence);
}
void DeviceState::PostCallRecord(const vk::ResetFences& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  for (VkFence handle : Items(call.pFences, call.fenceCount)) {
    if (Fence* fence = Get<Fence>(handle)) queues_.ResetFence(*fence);
  }
}

void DeviceState::PostCallRecord(const vk::WaitSemaphores& call, VkResult result) {
  if (!Succeeded(result) || result != VK_SUCCESS || call.pWaitInfo == nullptr || !queues_.is_required()) return;
  const VkSemaphoreWaitInfo& info = *call.pWaitInfo;
  const bool all = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) == 0 || info.semaphoreCount == 1;
  const auto get_value = dispatch::Next<vk::GetSemaphoreCounterValue>(device_.next);
  const auto values = Items(info.pValues, info.semaphoreCount);
  const auto semaphores = Items(info.pSemaphores, values.size());
  for (size_t i = 0; i < semaphores.size(); ++i) {
    Semaphore* semaphore = Get<Semaphore>(semaphores[i]);
    uint64_t value = values[i];
    if (semaphore == nullptr) continue;
    if (!all) {
      const uint64_t of_driver = dispatch::HandleTable::Get().ToDriver(semaphore->handle());
      if (get_value(call.device, reinterpret_cast<VkSemaphore>(of_driver), &value) != VK_SUCCESS) continue;
    }
    queues_.ValueReached(*semaphore, value);
  }
}
void DeviceState::PostCallRecord(const vk::GetSemaphoreCounterValue& call, VkResult result) {
  Semaphore* semaphore = Get<Semaphore>(call.semaphore);
  if (Succeeded(result) && semaphore != nullptr && call.pValue != nullptr) {
    queues_.ValueReached(*semaphore, *call.pValue);
  }
}

void DeviceState::PostCallRecord(const vk::AcquireNextImageKHR& call, VkResult result) {
  Swapchain* swapchain = Get<Swapchain>(call.swapchain);
  if (!Succeeded(result) || result == VK_TIMEOUT || result == VK_NOT_READY || swapchain == nullptr) return;
  queues_.Acquire(*swapchain, *call.pImageIndex, Get<Semaphore>(call.semaphore), Get<Fence>(call.fence));
}
void DeviceState::PostCallRecord(const vk::AcquireNextImage2KHR& call, VkResult result) {
  if (!Succeeded(result) || result == VK_TIMEOUT || result == VK_NOT_READY || call.pAcquireInfo == nullptr) return;
  const VkAcquireNextImageInfoKHR& info = *call.pAcquireInfo;
  Swapchain* swapchain = Get<Swapchain>(info.swapchain);
  if (swapchain == nullptr) return;
  queues_.Acquire(*swapchain, *call.pImageIndex, Get<Semaphore>(info.semaphore), Get<Fence>(info.fence));
}
void DeviceState::PostCallRecord(const vk::ReleaseSwapchainImagesEXT& call, VkResult result) {
  if (result != VK_SUCCESS || call.pReleaseInfo == nullptr) return;
  Swapchain* swapchain = Get<Swapchain>(call.pReleaseInfo->swapchain);
  if (swapchain == nullptr) return;
  for (uint32_t index : Items(call.pReleaseInfo->pImageIndices, call.pReleaseInfo->imageIndexCount)) {
    queues_.Release(*swapchain, index);
  }
}
void DeviceState::PostCallRecord(const vk::WaitForPresentKHR& call, VkResult result) {
  Swapchain* swapchain = Get<Swapchain>(call.swapchain);
  if (Succeeded(result) && result != VK_TIMEOUT && swapchain != nullptr) queues_.Presented(*swapchain, call.presentId);
}

void DeviceState::PostCallRecord(const vk::ImportSemaphoreFdKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkImportSemaphoreFdInfoKHR& info = *call.pImportSemaphoreFdInfo;
  const bool temporary = (info.flags & VK_SEMAPHORE_IMPORT_TEMPORARY_BIT) != 0;
  if (auto* semaphore = Get<Semaphore>(info.semaphore)) {
    queues_.Import(*semaphore, temporary ? Permanence::kTemporary : Permanence::kPermanent);
  }
}
void DeviceState::PostCallRecord(const vk::GetSemaphoreFdKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const bool copy = call.pGetFdInfo->handleType == VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_SYNC_FD_BIT;
  if (auto* semaphore = Get<Semaphore>(call.pGetFdInfo->semaphore)) {
    queues_.Export(*semaphore, copy ? Transference::kCopy : Transference::kReference);
  }
}
void DeviceState::PostCallRecord(const vk::ImportFenceFdKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkImportFenceFdInfoKHR& info = *call.pImportFenceFdInfo;
  const bool temporary = (info.flags & VK_FENCE_IMPORT_TEMPORARY_BIT) != 0;
  if (auto* fence = Get<Fence>(info.fence)) {
    queues_.Import(*fence, temporary ? Permanence::kTemporary : Permanence::kPermanent);
  }
}
void DeviceState::PostCallRecord(const vk::GetFenceFdKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const bool copy = call.pGetFdInfo->handleType == VK_EXTERNAL_FENCE_HANDLE_TYPE_SYNC_FD_BIT;
  if (auto* fence = Get<Fence>(call.pGetFdInfo->fence)) {
    queues_.Export(*fence, copy ? Transference::kCopy : Transference::kReference);
  }
}

}  // namespace assay::state
