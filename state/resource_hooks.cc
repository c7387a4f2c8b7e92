// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for memory, buffers, images, their views, swapchains, fences, semaphores and queues.

#include "state/items.h"
#include "state/registration.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

}  // namespace

void DeviceState::PostCallRecord(const vk::AllocateMemory& call, VkResult result) {
  if (result == VK_SUCCESS)
    Add<DeviceMemory>(*call.pMemory, ToInteger(*call.pMemory), *call.pAllocateInfo, address_space_);
}
void DeviceState::PreCallRecord(const vk::FreeMemory& call) { Remove<DeviceMemory>(call.memory); }

void DeviceState::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Buffer* buffer = Add<Buffer>(*call.pBuffer, ToInteger(*call.pBuffer), *call.pCreateInfo);
  if (buffer != nullptr && buffer->is_sparse()) buffer->address = address_space_.Allocate(buffer->size);
}
void DeviceState::PreCallRecord(const vk::DestroyBuffer& call) { Remove<Buffer>(call.buffer); }

void DeviceState::Bind(VkBuffer buffer_handle, VkDeviceMemory memory_handle, VkDeviceSize offset) {
  auto* buffer = Get<Buffer>(buffer_handle);
  auto* memory = Get<DeviceMemory>(memory_handle);
  if (buffer == nullptr || memory == nullptr) return;
  const bool fits = offset <= memory->size && buffer->size <= memory->size - offset;
  // What does not fit must not share addresses with what lies behind.
  buffer->BindTo(*memory, fits ? memory->address + offset : address_space_.Allocate(buffer->size));
}
void DeviceState::PostCallRecord(const vk::BindBufferMemory& call, VkResult result) {
  if (result == VK_SUCCESS) Bind(call.buffer, call.memory, call.memoryOffset);
}
void DeviceState::PostCallRecord(const vk::BindBufferMemory2& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  for (const auto& bind : Items(call.pBindInfos, call.bindInfoCount)) Bind(bind.buffer, bind.memory, bind.memoryOffset);
}

void DeviceState::PostCallRecord(const vk::CreateBufferView& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* buffer = Get<Buffer>(call.pCreateInfo->buffer);
  if (buffer == nullptr) return;
  Add<BufferView>(*call.pView, ToInteger(*call.pView), *call.pCreateInfo, Ref<Buffer>(buffer));
}
void DeviceState::PreCallRecord(const vk::DestroyBufferView& call) { Remove<BufferView>(call.bufferView); }

void DeviceState::PostCallRecord(const vk::CreateImage& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Image>(*call.pImage, ToInteger(*call.pImage), *call.pCreateInfo, address_space_);
}
void DeviceState::PreCallRecord(const vk::DestroyImage& call) { Remove<Image>(call.image); }

void DeviceState::Bind(VkImage image_handle, VkDeviceMemory memory_handle) {
  auto* image = Get<Image>(image_handle);
  auto* memory = Get<DeviceMemory>(memory_handle);
  // Without memory the image is bound to a swapchain (VkBindImageMemorySwapchainInfoKHR).
  if (image != nullptr && memory != nullptr) image->memory = Ref<DeviceMemory>(memory);
}
void DeviceState::PostCallRecord(const vk::BindImageMemory& call, VkResult result) {
  if (result == VK_SUCCESS) Bind(call.image, call.memory);
}
void DeviceState::PostCallRecord(const vk::BindImageMemory2& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  for (const auto& bind : Items(call.pBindInfos, call.bindInfoCount)) Bind(bind.image, bind.memory);
}

void DeviceState::PostCallRecord(const vk::CreateImageView& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* image = Get<Image>(call.pCreateInfo->image);
  if (image == nullptr) return;
  Add<ImageView>(*call.pView, ToInteger(*call.pView), *call.pCreateInfo, Ref<Image>(image));
}
void DeviceState::PreCallRecord(const vk::DestroyImageView& call) { Remove<ImageView>(call.imageView); }

void DeviceState::PostCallRecord(const vk::CreateSwapchainKHR& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Swapchain>(*call.pSwapchain, ToInteger(*call.pSwapchain), *call.pCreateInfo);
}
void DeviceState::PostCallRecord(const vk::CreateSharedSwapchainsKHR& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  for (uint32_t i = 0; i < call.swapchainCount; ++i) {
    Add<Swapchain>(call.pSwapchains[i], ToInteger(call.pSwapchains[i]), call.pCreateInfos[i]);
  }
}
void DeviceState::PostCallRecord(const vk::GetSwapchainImagesKHR& call, VkResult result) {
  auto* swapchain = Get<Swapchain>(call.swapchain);
  if (result < 0 || call.pSwapchainImages == nullptr || swapchain == nullptr) return;
  for (VkImage image : Items(call.pSwapchainImages, *call.pSwapchainImageCount)) {
    if (Get<Image>(image) == nullptr) Add<Image>(image, ToInteger(image), swapchain->image_create_info, address_space_);
  }
  if (result == VK_SUCCESS) queues_.SetImages(*swapchain, Items(call.pSwapchainImages, *call.pSwapchainImageCount));
}
void DeviceState::PreCallRecord(const vk::DestroySwapchainKHR& call) {
  RemoveChildren(VK_OBJECT_TYPE_SWAPCHAIN_KHR, ToInteger(call.swapchain));
  Remove<Swapchain>(call.swapchain);
}

void DeviceState::RemoveChildren(VkObjectType type, uint64_t handle) {
  dispatch::HandleTable& handles = dispatch::HandleTable::Get();
  const dispatch::Slot* parent = handles.Find(type, handle);
  if (parent == nullptr) return;
  for (uint32_t i = parent->first_child; i != dispatch::HandleTable::kNone; i = handles.AtIndex(i)->next_sibling) {
    RemoveState(handles.AtIndex(i));
  }
}

void DeviceState::PostCallRecord(const vk::CreateFence& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Fence>(*call.pFence, ToInteger(*call.pFence), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroyFence& call) { Remove<Fence>(call.fence); }
void DeviceState::PostCallRecord(const vk::CreateSemaphore& call, VkResult result) {
  if (result == VK_SUCCESS) Add<Semaphore>(*call.pSemaphore, ToInteger(*call.pSemaphore), *call.pCreateInfo);
}
void DeviceState::PreCallRecord(const vk::DestroySemaphore& call) { Remove<Semaphore>(call.semaphore); }

// Several threads may ask for the same queue.
void DeviceState::AddQueue(VkQueue queue, uint32_t family) {
  absl::MutexLock lock(&queue_creation_);
  if (queue == VK_NULL_HANDLE || Get(queue) != nullptr) return;
  auto* state = Add<Queue>(queue, queue, family, device_.QueueFamilyFlags(family), queues_.queue_count());
  if (state != nullptr) queues_.Add(Ref<Queue>(state));
}
void DeviceState::PostCallRecord(const vk::GetDeviceQueue& call) { AddQueue(*call.pQueue, call.queueFamilyIndex); }
void DeviceState::PostCallRecord(const vk::GetDeviceQueue2& call) {
  AddQueue(*call.pQueue, call.pQueueInfo->queueFamilyIndex);
}

DeviceState::~DeviceState() {
  for (dispatch::Slot* slot : dispatch::HandleTable::Get().AllOf(&device_.instance, &device_)) RemoveState(slot);
}

}  // namespace assay::state
