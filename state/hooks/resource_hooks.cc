// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// DeviceState's hooks for memory, buffers, images, their views, swapchains, fences, semaphores and queues.

#include "state/hooks/registration.h"
#include "state/objects/items.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

template <class H>
uint64_t ToInteger(H handle) {
  return reinterpret_cast<uint64_t>(handle);
}

// Whether an element of vkBind*Memory2 bound its resource. If the call failed, a status says so. Without one, a call
// with several elements leaves their resources in an indeterminate state. These count as bound, so that nobody reports
// that they are not.
template <class C, class Info>
bool MayBeBound(const C& call, const Info& bind, VkResult result) {
  const auto* const status = vk::FindInChain<VkBindMemoryStatus>(bind.pNext);
  if (result == VK_SUCCESS || status == nullptr || status->pResult == nullptr)
    return result == VK_SUCCESS || call.bindInfoCount > 1;
  return *status->pResult == VK_SUCCESS;
}

}  // namespace

void DeviceState::PostCallRecord(const vk::AllocateMemory& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  const VkPhysicalDeviceMemoryProperties& types = device_.physical_device->memory_properties;
  const uint32_t type = call.pAllocateInfo->memoryTypeIndex;
  Add<DeviceMemory>(*call.pMemory, ToInteger(*call.pMemory), *call.pAllocateInfo,
                    type < types.memoryTypeCount ? types.memoryTypes[type].propertyFlags : 0, address_space_);
}
void DeviceState::PreCallRecord(const vk::FreeMemory& call) { Remove<DeviceMemory>(call.memory); }

void DeviceState::PostCallRecord(const vk::CreateBuffer& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  Buffer* buffer = Add<Buffer>(*call.pBuffer, ToInteger(*call.pBuffer), *call.pCreateInfo);
  if (buffer == nullptr) return;
  if (buffer->is_sparse()) buffer->address = address_space_.Allocate(buffer->size);
  buffer_addresses_.Expect(*buffer);
}
void DeviceState::PreCallRecord(const vk::DestroyBuffer& call) {
  auto* buffer = Get<Buffer>(call.buffer);
  if (buffer == nullptr) return;
  buffer_addresses_.Remove(*buffer);
  Remove<Buffer>(call.buffer);
}

void DeviceState::Bind(VkBuffer buffer_handle, VkDeviceMemory memory_handle, VkDeviceSize offset) {
  auto* buffer = Get<Buffer>(buffer_handle);
  auto* memory = Get<DeviceMemory>(memory_handle);
  if (buffer == nullptr || memory == nullptr) return;
  const bool fits = offset <= memory->size && buffer->size <= memory->size - offset;
  // A buffer that exceeds the memory must not share addresses with the next region.
  buffer->BindTo(*memory, fits ? memory->address + offset : address_space_.Allocate(buffer->size));
}
void DeviceState::PostCallRecord(const vk::BindBufferMemory& call, VkResult result) {
  if (result == VK_SUCCESS) Bind(call.buffer, call.memory, call.memoryOffset);
}
void DeviceState::PostCallRecord(const vk::BindBufferMemory2& call, VkResult result) {
  for (const auto& bind : Items(call.pBindInfos, call.bindInfoCount)) {
    if (MayBeBound(call, bind, result)) Bind(bind.buffer, bind.memory, bind.memoryOffset);
  }
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

VkDeviceSize DeviceState::BytesOf(const Image& image, const VkBindImagePlaneMemoryInfo* plane) const {
  const auto handle = reinterpret_cast<VkImage>(dispatch::HandleTable::Get().ToDriver(image.handle()));
  if ((image.create_info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) == 0) {
    const auto get = dispatch::Next<vk::GetImageMemoryRequirements>(device_.next);
    VkMemoryRequirements requirements = {};
    if (get != nullptr) get(device_.handle, handle, &requirements);
    return requirements.size;
  }
  const auto get = dispatch::Next<vk::GetImageMemoryRequirements2>(device_.next);
  if (plane == nullptr || get == nullptr) return 0;
  const VkImagePlaneMemoryRequirementsInfo of_plane = {VK_STRUCTURE_TYPE_IMAGE_PLANE_MEMORY_REQUIREMENTS_INFO, nullptr,
                                                       plane->planeAspect};
  const VkImageMemoryRequirementsInfo2 info = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_REQUIREMENTS_INFO_2, &of_plane, handle};
  VkMemoryRequirements2 requirements = {.sType = VK_STRUCTURE_TYPE_MEMORY_REQUIREMENTS_2};
  get(device_.handle, &info, &requirements);
  return requirements.memoryRequirements.size;
}

// The bytes that an image's texels fill, relative to its binding; empty if they are not known.
ByteRange DeviceState::TexelBytes(const Image& image, VkDeviceSize bound) const {
  const VkImageCreateInfo& info = image.create_info;
  if ((info.flags & VK_IMAGE_CREATE_DISJOINT_BIT) != 0) return {};
  if (info.tiling == VK_IMAGE_TILING_OPTIMAL) return {0, bound};
  const bool is_simple = info.mipLevels == 1 && info.arrayLayers == 1;
  const auto get = dispatch::Next<vk::GetImageSubresourceLayout>(device_.next);
  if (!image.is_linear() || !is_simple || image.encoder.aspects() != VK_IMAGE_ASPECT_COLOR_BIT || get == nullptr)
    return {};
  const VkImageSubresource subresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0};
  VkSubresourceLayout layout = {};
  get(device_.handle, reinterpret_cast<VkImage>(dispatch::HandleTable::Get().ToDriver(image.handle())), &subresource,
      &layout);
  // Bytes between the rows of a linear image do not belong to it.
  if (layout.size != image.encoder.size() || layout.offset > bound || layout.size > bound - layout.offset) return {};
  return {layout.offset, layout.offset + layout.size};
}

void DeviceState::Bind(VkImage image_handle, VkDeviceMemory memory_handle, VkDeviceSize offset, const void* chain) {
  auto* image = Get<Image>(image_handle);
  auto* memory = Get<DeviceMemory>(memory_handle);
  if (image == nullptr) return;
  // Without memory the image is bound to a swapchain (VkBindImageMemorySwapchainInfoKHR).
  if (memory_handle == VK_NULL_HANDLE) image->is_presentable = true;
  if (memory != nullptr) {
    image->memory = Ref<DeviceMemory>(memory);
    const ByteRange bytes = memory->Clamp(offset, BytesOf(*image, vk::FindInChain<VkBindImagePlaneMemoryInfo>(chain)));
    const uint64_t begin = memory->address + bytes.begin;
    // In a device group, each device may have other memory.
    const bool is_one = vk::FindInChain<VkBindImageMemoryDeviceGroupInfo>(chain) == nullptr;
    const ByteRange texel_bytes = is_one ? TexelBytes(*image, bytes.end - bytes.begin) : ByteRange{};
    image->BindTo(*memory, begin, bytes.end - bytes.begin, {begin + texel_bytes.begin, begin + texel_bytes.end});
  } else if (const auto* info = vk::FindInChain<VkBindImageMemorySwapchainInfoKHR>(chain)) {
    // The image has the memory of one of the swapchain's images.
    const auto* swapchain = Get<Swapchain>(info->swapchain);
    auto* other = swapchain != nullptr ? Get<Image>(queues_.ImageOf(*swapchain, info->imageIndex)) : nullptr;
    image->aliases.store(true, std::memory_order_relaxed);
    if (other == nullptr) return;
    other->aliases.store(true, std::memory_order_relaxed);
    if (other->encoder.size() == image->encoder.size()) image->address = other->address;
  }
}
void DeviceState::PostCallRecord(const vk::BindImageMemory& call, VkResult result) {
  if (result == VK_SUCCESS) Bind(call.image, call.memory, call.memoryOffset, nullptr);
}
void DeviceState::PostCallRecord(const vk::BindImageMemory2& call, VkResult result) {
  for (const auto& bind : Items(call.pBindInfos, call.bindInfoCount)) {
    if (MayBeBound(call, bind, result)) Bind(bind.image, bind.memory, bind.memoryOffset, bind.pNext);
  }
}

void DeviceState::PostCallRecord(const vk::CreateImageView& call, VkResult result) {
  if (result != VK_SUCCESS) return;
  auto* image = Get<Image>(call.pCreateInfo->image);
  if (image == nullptr) return;
  Add<ImageView>(*call.pView, ToInteger(*call.pView), *call.pCreateInfo, Ref<Image>(image));
}
void DeviceState::PreCallRecord(const vk::DestroyImageView& call) { Remove<ImageView>(call.imageView); }

void DeviceState::PostCallRecord(const vk::CreateSwapchainKHR& call, VkResult result) {
  // "Even if creation of the new swapchain fails."
  if (Swapchain* old = Get<Swapchain>(call.pCreateInfo->oldSwapchain)) old->is_retired = true;
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
    if (Get<Image>(image) != nullptr) continue;
    Image* added = Add<Image>(image, ToInteger(image), swapchain->image_create_info, address_space_);
    if (added != nullptr) added->is_presentable = true;
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

// Several threads may get the same queue.
void DeviceState::AddQueue(VkQueue queue, uint32_t family, VkDeviceQueueCreateFlags create_flags) {
  absl::MutexLock lock(&queue_creation_);
  if (queue == VK_NULL_HANDLE || Get(queue) != nullptr) return;
  auto* state = Add<Queue>(queue, queue, family, device_.QueueFamilyFlags(family), queues_.queue_count(), create_flags);
  if (state != nullptr) queues_.Add(Ref<Queue>(state));
}
// vkGetDeviceQueue returns only queues that were created without flags.
void DeviceState::PostCallRecord(const vk::GetDeviceQueue& call) { AddQueue(*call.pQueue, call.queueFamilyIndex, 0); }
void DeviceState::PostCallRecord(const vk::GetDeviceQueue2& call) {
  AddQueue(*call.pQueue, call.pQueueInfo->queueFamilyIndex, call.pQueueInfo->flags);
}

DeviceState::~DeviceState() {
  for (dispatch::Slot* slot : dispatch::HandleTable::Get().SlotsOf(&device_.instance, &device_)) RemoveState(slot);
}

}  // namespace assay::state
