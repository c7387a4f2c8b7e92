// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Fences, semaphores, events and queues. The value of a fence or event is 1 while it is signalled. The value of a
// semaphore is its counter.

#include <algorithm>
#include <atomic>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"
#include "testing/mock_driver/pending_work.h"
#include "vk/chain.h"

namespace assay::test {
namespace {

template <class Handle>
uint64_t ValueOf(Handle handle) {
  const Object* object = FindObject(handle);
  return object != nullptr ? object->value.load(std::memory_order_relaxed) : 0;
}

template <class Handle>
void SetValue(Handle handle, uint64_t value) {
  if (Object* object = FindObject(handle)) object->value.store(value, std::memory_order_relaxed);
}

template <class Handle>
void Signal(Handle handle, uint64_t value = 1) {
  PendingWork::Get().Signal(ToInteger(handle), value);
}

// A wait with a timeout gives the device time to complete its work.
void Wait(uint64_t timeout) {
  if (timeout != 0) PendingWork::Get().Complete();
}

template <class Info>
VkSubmitInfo SignalsOf(const Info& info) {
  return {.pNext = info.pNext,
          .signalSemaphoreCount = info.signalSemaphoreCount,
          .pSignalSemaphores = info.pSignalSemaphores};
}

void SignalSemaphores(const VkSubmitInfo& info) {
  if (info.signalSemaphoreCount == 0) return;
  const auto* timeline = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext);
  for (uint32_t i = 0; i < info.signalSemaphoreCount; ++i) {
    bool has_value = timeline != nullptr && i < timeline->signalSemaphoreValueCount;
    Signal(info.pSignalSemaphores[i], has_value ? timeline->pSignalSemaphoreValues[i] : 1);
  }
}

}  // namespace

VkResult Execute(const vk::CreateFence& call) {
  Object* object;
  *call.pFence = ToHandle<VkFence>(ObjectTable::Get().Create(VK_OBJECT_TYPE_FENCE, &object));
  object->value = (call.pCreateInfo->flags & VK_FENCE_CREATE_SIGNALED_BIT) != 0;
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetFenceStatus& call) { return ValueOf(call.fence) != 0 ? VK_SUCCESS : VK_NOT_READY; }

VkResult Execute(const vk::ResetFences& call) {
  for (uint32_t i = 0; i < call.fenceCount; ++i) SetValue(call.pFences[i], 0);
  return VK_SUCCESS;
}

VkResult Execute(const vk::WaitForFences& call) {
  Wait(call.timeout);
  auto signalled = [](VkFence fence) { return ValueOf(fence) != 0; };
  const VkFence* end = call.pFences + call.fenceCount;
  bool done = call.waitAll ? std::all_of(call.pFences, end, signalled) : std::any_of(call.pFences, end, signalled);
  return done ? VK_SUCCESS : VK_TIMEOUT;
}

VkResult Execute(const vk::CreateSemaphore& call) {
  Object* object;
  *call.pSemaphore = ToHandle<VkSemaphore>(ObjectTable::Get().Create(VK_OBJECT_TYPE_SEMAPHORE, &object));
  const auto* type = vk::FindInChain<VkSemaphoreTypeCreateInfo>(call.pCreateInfo->pNext);
  object->value = type != nullptr ? type->initialValue : 0;
  return VK_SUCCESS;
}

VkResult Execute(const vk::GetSemaphoreCounterValue& call) {
  *call.pValue = ValueOf(call.semaphore);
  return VK_SUCCESS;
}

VkResult Execute(const vk::SignalSemaphore& call) {
  SetValue(call.pSignalInfo->semaphore, call.pSignalInfo->value);
  return VK_SUCCESS;
}

VkResult Execute(const vk::WaitSemaphores& call) {
  Wait(call.timeout);
  const VkSemaphoreWaitInfo& info = *call.pWaitInfo;
  uint32_t reached = 0;
  for (uint32_t i = 0; i < info.semaphoreCount; ++i) reached += ValueOf(info.pSemaphores[i]) >= info.pValues[i];
  bool done = (info.flags & VK_SEMAPHORE_WAIT_ANY_BIT) != 0 ? reached != 0 : reached == info.semaphoreCount;
  return done ? VK_SUCCESS : VK_TIMEOUT;
}

VkResult Execute(const vk::GetEventStatus& call) { return ValueOf(call.event) != 0 ? VK_EVENT_SET : VK_EVENT_RESET; }

VkResult Execute(const vk::SetEvent& call) {
  SetValue(call.event, 1);
  return VK_SUCCESS;
}

VkResult Execute(const vk::ResetEvent& call) {
  SetValue(call.event, 0);
  return VK_SUCCESS;
}

VkResult Execute(const vk::QueueSubmit& call) {
  for (uint32_t i = 0; i < call.submitCount; ++i) SignalSemaphores(call.pSubmits[i]);
  Signal(call.fence);
  return VK_SUCCESS;
}

VkResult Execute(const vk::QueueSubmit2& call) {
  for (uint32_t i = 0; i < call.submitCount; ++i) {
    const VkSubmitInfo2& submit = call.pSubmits[i];
    for (uint32_t s = 0; s < submit.signalSemaphoreInfoCount; ++s) {
      Signal(submit.pSignalSemaphoreInfos[s].semaphore, submit.pSignalSemaphoreInfos[s].value);
    }
  }
  Signal(call.fence);
  return VK_SUCCESS;
}

VkResult Execute(const vk::QueueBindSparse& call) {
  for (uint32_t i = 0; i < call.bindInfoCount; ++i) SignalSemaphores(SignalsOf(call.pBindInfo[i]));
  Signal(call.fence);
  return VK_SUCCESS;
}

VkResult Execute(const vk::QueueWaitIdle&) {
  PendingWork::Get().Complete();
  return VK_SUCCESS;
}

VkResult Execute(const vk::DeviceWaitIdle&) {
  PendingWork::Get().Complete();
  return VK_SUCCESS;
}

}  // namespace assay::test
