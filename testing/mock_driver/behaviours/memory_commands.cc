// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Memory, and the resources bound to it: buffers, images and acceleration structures.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <new>

#include "testing/mock_driver/behaviours/implemented_commands.h"
#include "testing/mock_driver/behaviours/memory.h"
#include "testing/mock_driver/behaviours/write_array.h"
#include "testing/mock_driver/generic.h"
#include "testing/mock_driver/mock_driver.h"
#include "testing/mock_driver/objects.h"
#include "vk/format_info.h"

namespace assay::test {
namespace {

constexpr VkDeviceSize kAlignment = 16;

VkDeviceSize AlignUp(VkDeviceSize size, VkDeviceSize alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

// An address is never given twice. No object owns the address right after the end of another.
VkDeviceAddress NextAddress(VkDeviceSize size) {
  static std::atomic<VkDeviceAddress> next = 1ull << 32;
  return next.fetch_add(AlignUp(size, 256) + 256, std::memory_order_relaxed);
}

uint32_t MemoryTypeBits(bool lazy, bool is_protected) {
  const VkPhysicalDeviceMemoryProperties& memory = MockDriver::Get().config().memory;
  uint32_t bits = 0;
  for (uint32_t i = 0; i < memory.memoryTypeCount; ++i) {
    VkMemoryPropertyFlags flags = memory.memoryTypes[i].propertyFlags;
    bool fits = ((flags & VK_MEMORY_PROPERTY_PROTECTED_BIT) != 0) == is_protected &&
                (lazy || (flags & VK_MEMORY_PROPERTY_LAZILY_ALLOCATED_BIT) == 0);
    if (fits) bits |= 1u << i;
  }
  return bits;
}

VkMemoryRequirements BufferRequirements(VkDeviceSize size, VkBufferCreateFlags flags) {
  bool is_protected = (flags & VK_BUFFER_CREATE_PROTECTED_BIT) != 0;
  return {AlignUp(size, kAlignment), kAlignment, MemoryTypeBits(false, is_protected)};
}

VkMemoryRequirements ImageRequirements(const VkImageCreateInfo& info) {
  bool lazy = (info.usage & VK_IMAGE_USAGE_TRANSIENT_ATTACHMENT_BIT) != 0;
  bool is_protected = (info.flags & VK_IMAGE_CREATE_PROTECTED_BIT) != 0;
  return {AlignUp(ImageSize(info), kAlignment), kAlignment, MemoryTypeBits(lazy, is_protected)};
}

VkMemoryRequirements RequirementsOf(VkBuffer buffer) {
  const Object* object = FindObject(buffer);
  return object != nullptr ? BufferRequirements(object->size, object->image.flags) : VkMemoryRequirements{};
}

VkMemoryRequirements RequirementsOf(VkImage image) {
  const Object* object = FindObject(image);
  return object != nullptr ? ImageRequirements(object->image) : VkMemoryRequirements{};
}

void Write(const VkMemoryRequirements& requirements, VkMemoryRequirements2* output) {
  ClearOutputChain(output);
  output->memoryRequirements = requirements;
  if (const auto& adjust = MockDriver::Get().config().adjust_requirements) adjust(*output);
}

VkResult Map(VkDeviceMemory memory, VkDeviceSize offset, void** data) {
  Object* object = FindObject(memory);
  if (object == nullptr) return VK_ERROR_MEMORY_MAP_FAILED;
  if (object->bytes == nullptr) object->bytes.reset(new (std::nothrow) std::byte[object->size]());
  if (object->bytes == nullptr) return VK_ERROR_MEMORY_MAP_FAILED;
  *data = object->bytes.get() + offset;
  return VK_SUCCESS;
}

VkExtent3D MipExtent(const VkExtent3D& extent, uint32_t level) {
  auto mip = [&](uint32_t size) { return std::max(size >> level, 1u); };
  return {mip(extent.width), mip(extent.height), mip(extent.depth)};
}

VkDeviceSize LevelSize(const VkImageCreateInfo& info, uint32_t level) {
  VkExtent3D extent = MipExtent(info.extent, level);
  const vk::FormatInfo* format = vk::GetFormatInfo(info.format);
  if (format == nullptr) return VkDeviceSize{extent.width} * extent.height * extent.depth * 16;
  auto blocks = [](uint32_t size, uint32_t block) { return VkDeviceSize{(size + block - 1) / block}; };
  return blocks(extent.width, format->block_extent[0]) * blocks(extent.height, format->block_extent[1]) *
         blocks(extent.depth, format->block_extent[2]) * format->block_size;
}

// The layers of a level lie one after another, and so do the levels.
VkSubresourceLayout LayoutOf(VkImage image, const VkImageSubresource& subresource) {
  const Object* object = FindObject(image);
  if (object == nullptr) return {};
  const VkImageCreateInfo& info = object->image;
  VkSubresourceLayout layout = {};
  for (uint32_t level = 0; level < subresource.mipLevel; ++level)
    layout.offset += LevelSize(info, level) * info.arrayLayers;
  layout.size = LevelSize(info, subresource.mipLevel);
  layout.offset += layout.size * subresource.arrayLayer;
  VkExtent3D extent = MipExtent(info.extent, subresource.mipLevel);
  layout.arrayPitch = layout.size;
  layout.depthPitch = layout.size / extent.depth;
  layout.rowPitch = layout.depthPitch / extent.height;
  return layout;
}

}  // namespace

VkDeviceSize ImageSize(const VkImageCreateInfo& info) {
  VkDeviceSize size = 0;
  for (uint32_t level = 0; level < info.mipLevels; ++level) size += LevelSize(info, level);
  return size * info.arrayLayers * info.samples;
}

VkResult Execute(const vk::AllocateMemory& call) {
  Object* object;
  *call.pMemory = ToHandle<VkDeviceMemory>(ObjectTable::Get().Create(VK_OBJECT_TYPE_DEVICE_MEMORY, &object));
  object->size = call.pAllocateInfo->allocationSize;
  return VK_SUCCESS;
}

VkResult Execute(const vk::MapMemory& call) { return Map(call.memory, call.offset, call.ppData); }

VkResult Execute(const vk::MapMemory2& call) {
  return Map(call.pMemoryMapInfo->memory, call.pMemoryMapInfo->offset, call.ppData);
}

VkResult Execute(const vk::CreateBuffer& call) {
  Object* object;
  *call.pBuffer = ToHandle<VkBuffer>(ObjectTable::Get().Create(VK_OBJECT_TYPE_BUFFER, &object));
  object->size = call.pCreateInfo->size;
  object->image.flags = call.pCreateInfo->flags;
  object->address = NextAddress(object->size);
  return VK_SUCCESS;
}

void Execute(const vk::GetBufferMemoryRequirements& call) { *call.pMemoryRequirements = RequirementsOf(call.buffer); }

void Execute(const vk::GetBufferMemoryRequirements2& call) {
  Write(RequirementsOf(call.pInfo->buffer), call.pMemoryRequirements);
}

VkResult Execute(const vk::GetExecutionGraphPipelineScratchSizeAMDX& call) {
  call.pSizeInfo->minSize = call.pSizeInfo->maxSize = call.pSizeInfo->sizeGranularity = 32;
  return VK_SUCCESS;
}

// Nothing needs to be preprocessed.
void Execute(const vk::GetGeneratedCommandsMemoryRequirementsEXT& call) { Write({}, call.pMemoryRequirements); }
void Execute(const vk::GetGeneratedCommandsMemoryRequirementsNV& call) { Write({}, call.pMemoryRequirements); }

void Execute(const vk::GetDeviceBufferMemoryRequirements& call) {
  const VkBufferCreateInfo& info = *call.pInfo->pCreateInfo;
  Write(BufferRequirements(info.size, info.flags), call.pMemoryRequirements);
}

VkDeviceAddress Execute(const vk::GetBufferDeviceAddress& call) {
  const Object* object = FindObject(call.pInfo->buffer);
  return object != nullptr ? object->address : 0;
}

VkResult Execute(const vk::CreateImage& call) {
  Object* object;
  *call.pImage = ToHandle<VkImage>(ObjectTable::Get().Create(VK_OBJECT_TYPE_IMAGE, &object));
  object->image = *call.pCreateInfo;
  object->image.pNext = nullptr;
  object->image.pQueueFamilyIndices = nullptr;
  return VK_SUCCESS;
}

void Execute(const vk::GetImageMemoryRequirements& call) { *call.pMemoryRequirements = RequirementsOf(call.image); }

void Execute(const vk::GetImageMemoryRequirements2& call) {
  Write(RequirementsOf(call.pInfo->image), call.pMemoryRequirements);
}

void Execute(const vk::GetDeviceImageMemoryRequirements& call) {
  Write(ImageRequirements(*call.pInfo->pCreateInfo), call.pMemoryRequirements);
}

void Execute(const vk::GetImageSubresourceLayout& call) { *call.pLayout = LayoutOf(call.image, *call.pSubresource); }

void Execute(const vk::GetImageSubresourceLayout2& call) {
  ClearOutputChain(call.pLayout);
  call.pLayout->subresourceLayout = LayoutOf(call.image, call.pSubresource->imageSubresource);
}

void Execute(const vk::GetDescriptorSetLayoutSizeEXT& call) { *call.pLayoutSizeInBytes = 4096; }
// Every descriptor counts as 64 bytes, and every earlier binding as one descriptor.
void Execute(const vk::GetDescriptorSetLayoutBindingOffsetEXT& call) {
  *call.pOffset = VkDeviceSize{64} * call.binding;
}

VkResult Execute(const vk::CreateAccelerationStructureKHR& call) {
  Object* object;
  uint64_t handle = ObjectTable::Get().Create(VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR, &object);
  object->size = call.pCreateInfo->size;
  object->address = NextAddress(object->size);
  *call.pAccelerationStructure = ToHandle<VkAccelerationStructureKHR>(handle);
  return VK_SUCCESS;
}

void Execute(const vk::GetAccelerationStructureBuildSizesKHR& call) {
  VkDeviceSize primitives = 0;
  for (uint32_t i = 0; call.pMaxPrimitiveCounts != nullptr && i < call.pBuildInfo->geometryCount; ++i) {
    primitives += call.pMaxPrimitiveCounts[i];
  }
  VkDeviceSize size = 4096 + 64 * primitives;
  call.pSizeInfo->accelerationStructureSize = size;
  call.pSizeInfo->updateScratchSize = size;
  call.pSizeInfo->buildScratchSize = size;
}

void Execute(const vk::GetAccelerationStructureMemoryRequirementsNV& call) {
  Write(BufferRequirements(4096, 0), call.pMemoryRequirements);
}

VkResult Execute(const vk::GetVideoSessionMemoryRequirementsKHR& call) {
  return WriteArray(call.pMemoryRequirementsCount, call.pMemoryRequirements, 2, [](auto& element, uint32_t i) {
    element.memoryBindIndex = i;
    element.memoryRequirements = BufferRequirements(4096, 0);
  });
}

VkDeviceAddress Execute(const vk::GetAccelerationStructureDeviceAddressKHR& call) {
  const Object* object = FindObject(call.pInfo->accelerationStructure);
  return object != nullptr ? object->address : 0;
}

VkDeviceSize Execute(const vk::GetRayTracingShaderGroupStackSizeKHR&) { return 256; }

}  // namespace assay::test
