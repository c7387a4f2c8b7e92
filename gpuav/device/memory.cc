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
  constexpr VkMemoryPropertyFlags kShared = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
  const VkMemoryPropertyFlags needed = use_ == Use::kInstances ? 0 : kShared;
  const VkMemoryPropertyFlags wanted =
      use_ == Use::kWritten ? VK_MEMORY_PROPERTY_HOST_CACHED_BIT : VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT;
  const VkPhysicalDeviceMemoryProperties& properties = context_.device().physical_device->memory_properties;
  std::optional<uint32_t> second;
  for (uint32_t i = 0; i < properties.memoryTypeCount; ++i) {
    const VkMemoryPropertyFlags flags = properties.memoryTypes[i].propertyFlags;
    const bool is_special = (flags & (VK_MEMORY_PROPERTY_PROTECTED_BIT | VK_MEMORY_PROPERTY_DEVICE_COHERENT_BIT_AMD |
                                      VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT)) != 0;
    if ((allowed >> i & 1) == 0 || (flags & needed) != needed || is_special) continue;
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

VkBufferUsageFlags Memory::Usage() const {
  const VkBufferUsageFlags address = context_.uses_addresses() ? VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT : 0;
  if (use_ == Use::kInstances) {
    return address | VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
           VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT;
  }
  return address | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_BUFFER_BIT |
         VK_BUFFER_USAGE_TRANSFER_DST_BIT;
}

VkResult Memory::Make(VkDeviceSize bytes, Block& block, void*& mapped) const {
  const dispatch::Device& device = context_.device();
  const VkBufferCreateInfo buffer_info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = Usage()};
  VkResult result = CallNext(device, vk::CreateBuffer{device.handle, &buffer_info, nullptr, &block.buffer});
  if (result != VK_SUCCESS) return result;
  VkMemoryRequirements requirements = {};
  CallNext(device, vk::GetBufferMemoryRequirements{device.handle, block.buffer, &requirements});
  const VkMemoryAllocateFlagsInfo flags_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
                                                .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT};
  const VkMemoryAllocateInfo memory_info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                            .pNext = context_.uses_addresses() ? &flags_info : nullptr,
                                            .allocationSize = requirements.size,
                                            .memoryTypeIndex = ChooseType(requirements.memoryTypeBits)};
  if (memory_info.memoryTypeIndex == VK_MAX_MEMORY_TYPES) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
  result = CallNext(device, vk::AllocateMemory{device.handle, &memory_info, nullptr, &block.memory});
  if (result == VK_SUCCESS) {
    result = CallNext(device, vk::BindBufferMemory{device.handle, block.buffer, block.memory, 0});
  }
  if (result == VK_SUCCESS && use_ != Use::kInstances) {
    result = CallNext(device, vk::MapMemory{device.handle, block.memory, 0, VK_WHOLE_SIZE, 0, &mapped});
  }
  return result;
}

bool Memory::AddBlock(uint32_t size_class) {
  const VkDeviceSize size = VkDeviceSize{1} << size_class;
  const VkDeviceSize bytes = std::max(kBlock, size);
  Block block;
  void* mapped = nullptr;
  const VkResult result = Make(bytes, block, mapped);
  if (result != VK_SUCCESS) {
    Destroy(block);
    context_.Fail(vk::CommandId::kAllocateMemory, "memory", result);
    return false;
  }
  blocks_.push_back(block);
  const VkDeviceAddress address = context_.uses_addresses() ? AddressOf(block.buffer) : 0;
  for (VkDeviceSize offset = 0; offset < bytes; offset += size) {
    free_[size_class].push_back(
        {.buffer = block.buffer,
         .offset = offset,
         .size = size,
         .mapped = mapped != nullptr ? reinterpret_cast<uint32_t*>(static_cast<std::byte*>(mapped) + offset) : nullptr,
         .address = address != 0 ? address + offset : 0});
  }
  return true;
}

}  // namespace assay::gpuav
