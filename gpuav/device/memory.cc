// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/device/memory.h"

#include <algorithm>
#include <bit>
#include <optional>

namespace assay::gpuav {

using dispatch::CallNext;

MemoryRange Memory::Allocate(VkDeviceSize bytes) {
  const auto size_class =
      std::max(kSmallest, static_cast<uint32_t>(std::bit_width(std::max<VkDeviceSize>(bytes, 1) - 1)));
  absl::MutexLock lock(&mutex_);
  std::vector<MemoryRange>& free = free_[size_class];
  if (free.empty() && !AddBlock(size_class)) return {};
  const MemoryRange range = free.back();
  free.pop_back();
  return range;
}

void Memory::Free(const MemoryRange& range) {
  if (!range) return;
  absl::MutexLock lock(&mutex_);
  free_[std::bit_width(range.size) - 1].push_back(range);
}

void Memory::Clear() {
  absl::MutexLock lock(&mutex_);
  for (const Block& block : blocks_) Destroy(block);
  blocks_.clear();
  for (std::vector<MemoryRange>& ranges : free_) ranges.clear();
}

void Memory::Destroy(const Block& block) const {
  const dispatch::Device& device = context_.device();
  CallNext(device, vk::DestroyBuffer{device.handle, block.buffer, nullptr});
  CallNext(device, vk::FreeMemory{device.handle, block.memory, nullptr});
}

uint32_t Memory::ChooseType(uint32_t allowed) const {
  constexpr VkMemoryPropertyFlags kNeeded = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags wanted =
      use_ == Use::kRead ? VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT : VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
  const VkPhysicalDeviceMemoryProperties& properties = context_.device().physical_device->memory_properties;
  std::optional<uint32_t> second;
  for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = properties.memoryTypes[i].propertyFlags;
    const bool is_special = (flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                      VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)) != 0;
    if ((allowed >> i & 1) == 0 || (flags & kNeeded) != kNeeded || is_special) continue;
    if ((flags & wanted) != 0) return i;
    if (!second) second = i;
  }
  return second.value_or(VK_MAX_MEMORY_TYPES);
}

VkDeviceAddress Memory::AddressOf(VkBuffer buffer) const {
  const dispatch::Device& device = context_.device();
  const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
  return CallNext(device, vk::GetBufferDeviceAddress{device.handle, &info});
}

bool Memory::AddBlock(uint32_t size_class) {
  const dispatch::Device& device = context_.device();
  const VkDeviceSize size = VkDeviceSize{1} << size_class;
  const VkDeviceSize bytes = std::max(kBlock, size);
  const bool has_address = context_.pushes_addresses();
  const VkBufferUsageFlags more_usage = has_address ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
  const VkBufferCreateInfo buffer_info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                          .size = bytes,
                                          .usage = VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
                                                   VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
                                                   VK_BUFFER_USAGE_TRANSFER_DST_BIT | more_usage};
  Block block;
  VkResult result = CallNext(device, vk::CreateBuffer{device.handle, &buffer_info, nullptr, &block.buffer});
  void* mapped = nullptr;
  if (result == VK_SUCCESS) {
    VkMemoryRequirements requirements = {};
    CallNext(device, vk::GetBufferMemoryRequirements{device.handle, block.buffer, &requirements});
    const VkMemoryAllocateFlagsInfo flags_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                  .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
    const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                              .pNext = has_address ? &flags_info : nullptr,
                                              .allocationSize = requirements.size,
                                              .memoryTypeIndex = ChooseType(requirements.memoryTypeBits)};
    result = memory_info.memoryTypeIndex == VK_MAX_MEMORY_TYPES
                 ? VK_ERROR_OUT_OF_DEVICE_MEMORY
                 : CallNext(device, vk::AllocateMemory{device.handle, &memory_info, nullptr, &block.memory});
  }
  if (result == VK_SUCCESS) {
    result = CallNext(device, vk::BindBufferMemory{device.handle, block.buffer, block.memory, 0});
  }
  if (result == VK_SUCCESS) {
    result = CallNext(device, vk::MapMemory{device.handle, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped});
  }
  if (result != VK_SUCCESS) {
    Destroy(block);
    context_.Fail(vk::CommandId::kAllocateMemory, "memory", result);
    return false;
  }
  blocks_.push_back(block);
  const VkDeviceAddress address = has_address ? AddressOf(block.buffer) : 0;
  for (VkDeviceSize offset = 0; offset < bytes; offset += size) {
    free_[size_class].push_back({.buffer = block.buffer,
                                 .offset = offset,
                                 .size = size,
                                 .mapped = reinterpret_cast<uint32_t*>(static_cast<std::byte*>(mapped) + offset),
                                 .address = has_address ? address + offset : 0});
  }
  return true;
}

}  // namespace assay::gpuav
