// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/read_submission.h"

#include "state/device_state.h"
#include "state/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

constexpr VkPipelineStageFlags2 kAllCommands = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

template <class T>
Ref<T> RefTo(T* object) {
  return Ref<T>(object);
}

template <class C>
SubmittedBatch& AddBatch(uint32_t index, Batches* batches) {
  SubmittedBatch& batch = *batches->emplace_back(std::make_shared<SubmittedBatch>());
  batch.command = C::kId;
  batch.index = index;
  return batch;
}

// A submission of a fence alone is a batch nevertheless.
template <class C>
Batches Finish(const C& call, Batches batches) {
  if (call.fence == VK_NULL_HANDLE) return batches;
  if (batches.empty()) AddBatch<C>(0, &batches);
  batches.back()->fences.push_back(RefTo(DeviceState::Get<Fence>(call.fence)));
  return batches;
}

template <class T>
T ItemOr(absl::Span<const T> items, size_t i, T otherwise) {
  return i < items.size() ? items[i] : otherwise;
}

void AddWait(VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages, uint32_t device_index,
             SubmittedBatch* batch) {
  batch->waits.push_back({semaphore, RefTo(DeviceState::Get<Semaphore>(semaphore)), value, stages, device_index, {}});
}
void AddSignal(VkSemaphore semaphore, uint64_t value, VkPipelineStageFlags2 stages, uint32_t device_index,
               SubmittedBatch* batch) {
  batch->signals.push_back({semaphore, RefTo(DeviceState::Get<Semaphore>(semaphore)), value, stages, device_index});
}

// What VkSubmitInfo and VkBindSparseInfo have in common. stages are those of the waits; all where there are none.
template <class Info>
void AddSemaphores(const Info& info, absl::Span<const VkPipelineStageFlags> stages,
                   absl::Span<const uint32_t> wait_devices, absl::Span<const uint32_t> signal_devices,
                   SubmittedBatch* batch) {
  absl::Span<const uint64_t> wait_values, signal_values;
  if (const auto* timeline = vk::FindInChain<VkTimelineSemaphoreSubmitInfo>(info.pNext)) {
    wait_values = Items(timeline->pWaitSemaphoreValues, timeline->waitSemaphoreValueCount);
    signal_values = Items(timeline->pSignalSemaphoreValues, timeline->signalSemaphoreValueCount);
  }
  const auto waits = Items(info.pWaitSemaphores, info.waitSemaphoreCount);
  for (size_t i = 0; i < waits.size(); ++i) {
    AddWait(waits[i], ItemOr(wait_values, i, uint64_t{0}), i < stages.size() ? stages[i] : kAllCommands,
            ItemOr(wait_devices, i, 0u), batch);
  }
  const auto signals = Items(info.pSignalSemaphores, info.signalSemaphoreCount);
  for (size_t i = 0; i < signals.size(); ++i) {
    AddSignal(signals[i], ItemOr(signal_values, i, uint64_t{0}), kAllCommands, ItemOr(signal_devices, i, 0u), batch);
  }
}

void AddCommandBuffer(VkCommandBuffer handle, uint32_t device_mask, SubmittedBatch* batch) {
  batch->command_buffers.push_back({handle, RefTo(DeviceState::Get(handle)), device_mask});
}

void ReadInfo(const VkSubmitInfo& info, SubmittedBatch* batch) {
  absl::Span<const uint32_t> wait_devices, signal_devices, masks;
  if (const auto* group = vk::FindInChain<VkDeviceGroupSubmitInfo>(info.pNext)) {
    wait_devices = Items(group->pWaitSemaphoreDeviceIndices, group->waitSemaphoreCount);
    signal_devices = Items(group->pSignalSemaphoreDeviceIndices, group->signalSemaphoreCount);
    masks = Items(group->pCommandBufferDeviceMasks, group->commandBufferCount);
  }
  if (const auto* is_protected = vk::FindInChain<VkProtectedSubmitInfo>(info.pNext)) {
    batch->is_protected = is_protected->protectedSubmit != VK_FALSE;
  }
  AddSemaphores(info, Items(info.pWaitDstStageMask, info.waitSemaphoreCount), wait_devices, signal_devices, batch);
  const auto command_buffers = Items(info.pCommandBuffers, info.commandBufferCount);
  for (size_t i = 0; i < command_buffers.size(); ++i) {
    AddCommandBuffer(command_buffers[i], ItemOr(masks, i, 0u), batch);
  }
}

void ReadInfo(const VkSubmitInfo2& info, SubmittedBatch* batch) {
  batch->is_protected = (info.flags & VK_SUBMIT_PROTECTED_BIT) != 0;
  for (const auto& wait : Items(info.pWaitSemaphoreInfos, info.waitSemaphoreInfoCount)) {
    AddWait(wait.semaphore, wait.value, wait.stageMask, wait.deviceIndex, batch);
  }
  for (const auto& buffer : Items(info.pCommandBufferInfos, info.commandBufferInfoCount)) {
    AddCommandBuffer(buffer.commandBuffer, buffer.deviceMask, batch);
  }
  for (const auto& signal : Items(info.pSignalSemaphoreInfos, info.signalSemaphoreInfoCount)) {
    AddSignal(signal.semaphore, signal.value, signal.stageMask, signal.deviceIndex, batch);
  }
}

void AddImageBinding(VkImage handle, VkDeviceMemory memory, VkDeviceSize memory_offset, SubmittedBatch* batch) {
  const auto* image = DeviceState::Get<Image>(handle);
  if (image == nullptr) return;
  batch->sparse_bindings.push_back({reinterpret_cast<uint64_t>(handle),
                                    Image::kType,
                                    {image->address, image->address + image->layout.size()},
                                    memory,
                                    memory_offset});
}

void AddBufferBinding(VkBuffer handle, const VkSparseMemoryBind& bind, SubmittedBatch* batch) {
  const auto* buffer = DeviceState::Get<Buffer>(handle);
  if (buffer == nullptr) return;
  const uint64_t begin = buffer->address + bind.resourceOffset;
  const VkDeviceSize size = buffer->Clamp(bind.resourceOffset, bind.size);
  if (size == 0) return;
  batch->sparse_bindings.push_back(
      {reinterpret_cast<uint64_t>(handle), Buffer::kType, {begin, begin + size}, bind.memory, bind.memoryOffset});
}

void ReadInfo(const VkBindSparseInfo& info, SubmittedBatch* batch) {
  AddSemaphores(info, {}, {}, {}, batch);
  for (const auto& buffer : Items(info.pBufferBinds, info.bufferBindCount)) {
    for (const auto& bind : Items(buffer.pBinds, buffer.bindCount)) AddBufferBinding(buffer.buffer, bind, batch);
  }
  for (const auto& image : Items(info.pImageOpaqueBinds, info.imageOpaqueBindCount)) {
    for (const auto& bind : Items(image.pBinds, image.bindCount)) {
      AddImageBinding(image.image, bind.memory, bind.memoryOffset, batch);
    }
  }
  for (const auto& image : Items(info.pImageBinds, info.imageBindCount)) {
    for (const auto& bind : Items(image.pBinds, image.bindCount)) {
      AddImageBinding(image.image, bind.memory, bind.memoryOffset, batch);
    }
  }
}

template <class C, class Info>
Batches ReadInfos(const C& call, absl::Span<const Info> infos) {
  Batches batches;
  for (uint32_t i = 0; i < infos.size(); ++i) ReadInfo(infos[i], &AddBatch<C>(i, &batches));
  return Finish(call, std::move(batches));
}

}  // namespace

Batches ReadBatches(const vk::QueueSubmit& call) { return ReadInfos(call, Items(call.pSubmits, call.submitCount)); }
Batches ReadBatches(const vk::QueueSubmit2& call) { return ReadInfos(call, Items(call.pSubmits, call.submitCount)); }
Batches ReadBatches(const vk::QueueBindSparse& call) {
  return ReadInfos(call, Items(call.pBindInfo, call.bindInfoCount));
}

Batches ReadBatches(const vk::QueuePresentKHR& call) {
  Batches batches;
  if (call.pPresentInfo == nullptr) return batches;
  const VkPresentInfoKHR& info = *call.pPresentInfo;
  SubmittedBatch& batch = AddBatch<vk::QueuePresentKHR>(0, &batches);
  for (VkSemaphore semaphore : Items(info.pWaitSemaphores, info.waitSemaphoreCount)) {
    AddWait(semaphore, 0, kAllCommands, 0, &batch);
  }
  absl::Span<const uint64_t> ids;
  if (const auto* id = vk::FindInChain<VkPresentIdKHR>(info.pNext)) ids = Items(id->pPresentIds, id->swapchainCount);
  absl::Span<const VkFence> fences;
  if (const auto* fence = vk::FindInChain<VkSwapchainPresentFenceInfoEXT>(info.pNext)) {
    fences = Items(fence->pFences, fence->swapchainCount);
  }
  const auto swapchains = Items(info.pSwapchains, info.swapchainCount);
  const auto indices = Items(info.pImageIndices, info.swapchainCount);
  for (size_t i = 0; i < swapchains.size() && i < indices.size(); ++i) {
    batch.presents.push_back({swapchains[i], RefTo(DeviceState::Get<Swapchain>(swapchains[i])), indices[i],
                              VK_NULL_HANDLE, ItemOr(ids, i, uint64_t{0})});
    if (!fences.empty()) {
      batch.fences.push_back(RefTo(i < fences.size() ? DeviceState::Get<Fence>(fences[i]) : nullptr));
    }
  }
  return batches;
}

}  // namespace assay::state
