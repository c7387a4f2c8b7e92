// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_QUEUE_STATE_H_
#define ASSAY_STATE_HOOKS_QUEUE_STATE_H_

#include <type_traits>

#include "dispatch/dispatch.h"
#include "state/hooks/device_state.h"
#include "state/recording/visible_changes.h"
#include "vk/commands.h"

namespace assay::state {

template <class C, class... Commands>
concept OneOf = (std::is_same_v<C, Commands> || ...);

// Commands on which it depends which batches are pending, and what they execute.
template <class C>
concept ConcernsQueues =
    ChangesVisibly<C> ||
    OneOf<C, vk::CreateCommandPool, vk::ResetCommandPool, vk::DestroyCommandPool, vk::AllocateCommandBuffers,
          vk::FreeCommandBuffers, vk::BeginCommandBuffer, vk::EndCommandBuffer, vk::ResetCommandBuffer,
          vk::CmdExecuteCommands> ||
    OneOf<C, vk::GetDeviceQueue, vk::GetDeviceQueue2, vk::QueueSubmit, vk::QueueSubmit2, vk::QueueBindSparse,
          vk::QueuePresentKHR, vk::QueueWaitIdle, vk::DeviceWaitIdle> ||
    OneOf<C, vk::CreateFence, vk::DestroyFence, vk::WaitForFences, vk::GetFenceStatus, vk::ResetFences,
          vk::ImportFenceFdKHR, vk::GetFenceFdKHR> ||
    OneOf<C, vk::CreateSemaphore, vk::DestroySemaphore, vk::SignalSemaphore, vk::LatencySleepNV, vk::WaitSemaphores,
          vk::GetSemaphoreCounterValue, vk::ImportSemaphoreFdKHR, vk::GetSemaphoreFdKHR> ||
    OneOf<C, vk::CreateSwapchainKHR, vk::CreateSharedSwapchainsKHR, vk::DestroySwapchainKHR, vk::AcquireNextImageKHR,
          vk::AcquireNextImage2KHR, vk::ReleaseSwapchainImagesEXT, vk::WaitForPresentKHR> ||
    OneOf<C, vk::CreateEvent, vk::DestroyEvent, vk::SetEvent, vk::ResetEvent, vk::GetEventStatus, vk::CreateQueryPool,
          vk::DestroyQueryPool, vk::ResetQueryPool, vk::GetQueryPoolResults>;

// The hooks of DeviceState without those that queues do not need: for devices of which validators look at queues alone
// (DeviceState::InspectPendingBatches). Then resources, descriptors and pipelines cost nothing, nor does recording.
class QueueState {
 public:
  // state must outlive it.
  explicit QueueState(DeviceState& state) : state_(state) {}

  template <ConcernsQueues C>
    requires dispatch::HasPreCallRecord<DeviceState, C>
  void PreCallRecord(const C& call, dispatch::Slot& slot) {
    dispatch::CallPreCallRecord(state_, call, &slot);
  }
  template <ConcernsQueues C>
    requires(std::is_void_v<typename C::Result> && dispatch::HasPostCallRecord<DeviceState, C>)
  void PostCallRecord(const C& call, dispatch::Slot& slot) {
    dispatch::CallPostCallRecord(state_, call, &slot);
  }
  template <ConcernsQueues C>
    requires(!std::is_void_v<typename C::Result> && dispatch::HasPostCallRecordWithResult<DeviceState, C>)
  void PostCallRecord(const C& call, dispatch::Slot& slot, typename C::Result result) {
    dispatch::CallPostCallRecord(state_, call, &slot, result);
  }

 private:
  DeviceState& state_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_QUEUE_STATE_H_
