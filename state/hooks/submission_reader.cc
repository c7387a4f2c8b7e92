// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/hooks/submission_reader.h"

#include <algorithm>
#include <utility>

#include "state/hooks/device_state.h"
#include "state/objects/items.h"
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

// A submission of a fence alone is a batch too.
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

// Reads the members that VkSubmitInfo and VkBindSparseInfo have in common. `stages` are those of the waits; without
// them, waits have all stages.
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

void AddBufferBinding(const VkSparseBufferMemoryBindInfo& info, uint32_t index, SubmittedBatch* batch) {
  auto* buffer = DeviceState::Get<Buffer>(info.buffer);
  if (buffer == nullptr || !buffer->is_sparse()) return;
  for (const VkSparseMemoryBind& bind : Items(info.pBinds, info.bindCount)) {
    const VkDeviceSize size = buffer->Clamp(bind.resourceOffset, bind.size);
    if (size == 0) continue;
    const ByteRange bytes = {bind.resourceOffset, bind.resourceOffset + size};
    batch->sparse_bindings.push_back({.buffer = RefTo(buffer),
                                      .member = "pBufferBinds",
                                      .index = index,
                                      .bytes = bytes,
                                      .ranges = {{buffer->address + bytes.begin, buffer->address + bytes.end}},
                                      .memory = RefTo(DeviceState::Get<DeviceMemory>(bind.memory)),
                                      .memory_offset = bind.memoryOffset});
  }
}

void AddOpaqueBinding(const VkSparseImageOpaqueMemoryBindInfo& info, uint32_t index, SubmittedBatch* batch) {
  auto* image = DeviceState::Get<Image>(info.image);
  if (image == nullptr || !image->is_sparse()) return;
  for (const VkSparseMemoryBind& bind : Items(info.pBinds, info.bindCount)) {
    const bool is_metadata = (bind.flags & VK_SPARSE_MEMORY_BIND_METADATA_BIT) != 0;
    const VkDeviceSize size = std::min(bind.size, ~VkDeviceSize{0} - bind.resourceOffset);
    batch->sparse_bindings.push_back(
        {.image = RefTo(image),
         .member = "pImageOpaqueBinds",
         .index = index,
         .bytes = is_metadata ? ByteRange{} : ByteRange{bind.resourceOffset, bind.resourceOffset + size},
         .memory = RefTo(DeviceState::Get<DeviceMemory>(bind.memory)),
         .memory_offset = bind.memoryOffset});
  }
}

void AddImageBinding(const VkSparseImageMemoryBindInfo& info, uint32_t index, SubmittedBatch* batch) {
  auto* image = DeviceState::Get<Image>(info.image);
  if (image == nullptr || !image->is_sparse()) return;
  for (const VkSparseImageMemoryBind& bind : Items(info.pBinds, info.bindCount)) {
    const VkImageSubresource& part = bind.subresource;
    SparseBinding binding = {.image = RefTo(image),
                             .member = "pImageBinds",
                             .index = index,
                             .memory = RefTo(DeviceState::Get<DeviceMemory>(bind.memory)),
                             .memory_offset = bind.memoryOffset};
    image->encoder.AppendRegion({part.aspectMask, part.mipLevel, part.arrayLayer, 1}, bind.offset, bind.extent,
                                binding.ranges);
    for (ByteRange& range : binding.ranges) range = {image->address + range.begin, image->address + range.end};
    batch->sparse_bindings.push_back(std::move(binding));
  }
}

// Leaves out bindings of a device group, where each device may have other memory.
void ReadInfo(const VkBindSparseInfo& info, SubmittedBatch* batch) {
  AddSemaphores(info, {}, {}, {}, batch);
  if (vk::FindInChain<VkDeviceGroupBindSparseInfo>(info.pNext) != nullptr) return;
  const auto buffers = Items(info.pBufferBinds, info.bufferBindCount);
  for (uint32_t i = 0; i < buffers.size(); ++i) AddBufferBinding(buffers[i], i, batch);
  const auto opaque = Items(info.pImageOpaqueBinds, info.imageOpaqueBindCount);
  for (uint32_t i = 0; i < opaque.size(); ++i) AddOpaqueBinding(opaque[i], i, batch);
  const auto images = Items(info.pImageBinds, info.imageBindCount);
  for (uint32_t i = 0; i < images.size(); ++i) AddImageBinding(images[i], i, batch);
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
