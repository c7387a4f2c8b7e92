// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/memory/device_memory.h"

#include <algorithm>
#include <atomic>

#include "state/memory/buffer.h"
#include "state/memory/image.h"
#include "vk/chain.h"

namespace assay::state {
namespace {

void Set(std::atomic<bool>& flag) { flag.store(true, std::memory_order_relaxed); }

// A sparse buffer has a region of its own, whatever memory it has, so it needs no mark.
void AddSharing(Buffer& buffer, Buffer::Sharing with) {
  if (!buffer.is_sparse()) buffer.AddSharing(with);
}

}  // namespace

DeviceMemory::DeviceMemory(uint64_t handle, const VkMemoryAllocateInfo& info, VkMemoryPropertyFlags properties_of_type,
                           AddressSpace& space)
    : Object(kType, handle),
      size(std::min(info.allocationSize, AddressSpace::kMaxRegion)),
      memory_type(info.memoryTypeIndex),
      properties(properties_of_type),
      address(space.Allocate(size)),
      is_imported(vk::FindInChain<VkImportMemoryFdInfoKHR>(info.pNext) != nullptr ||
                  vk::FindInChain<VkImportMemoryHostPointerInfoEXT>(info.pNext) != nullptr),
      is_exportable(vk::FindInChain<VkExportMemoryAllocateInfo>(info.pNext) != nullptr) {}

void DeviceMemory::Add(Buffer& buffer, const ByteRange& range) {
  absl::MutexLock lock(&mutex_);
  buffers_.ForEachOverlap(range.begin, range.end, [&](Buffer& other) {
    AddSharing(other, Buffer::kWithBuffers);
    AddSharing(buffer, Buffer::kWithBuffers);
  });
  images_.ForEachOverlap(range.begin, range.end, [&](Image& image) {
    Set(image.aliases);
    Set(image.shares_memory_);
    AddSharing(buffer, Buffer::kWithImages);
  });
  buffers_.Add(range.begin, range.end - range.begin, &buffer);
}

void DeviceMemory::Remove(const Buffer& buffer, uint64_t begin) {
  absl::MutexLock lock(&mutex_);
  buffers_.Remove(begin, &buffer);
}

void DeviceMemory::Add(Image& image, uint64_t begin, VkDeviceSize bytes) {
  absl::MutexLock lock(&mutex_);
  images_.ForEachOverlap(begin, begin + bytes, [&](Image& other) {
    Set(other.aliases);
    Set(image.aliases);
    if (image.HasContentsOf(other)) {
      image.address = other.address;
    } else {
      Set(other.shares_memory_);
      Set(image.shares_memory_);
    }
  });
  buffers_.ForEachOverlap(begin, begin + bytes, [&](Buffer& buffer) {
    AddSharing(buffer, Buffer::kWithImages);
    Set(image.aliases);
    Set(image.shares_memory_);
  });
  images_.Add(begin, bytes, &image);
}

void DeviceMemory::Remove(const Image& image, uint64_t begin) {
  absl::MutexLock lock(&mutex_);
  images_.Remove(begin, &image);
}

std::vector<BoundResource> DeviceMemory::FindBound(const ByteRange& bytes) const {
  std::vector<BoundResource> found;
  absl::MutexLock lock(&mutex_);
  buffers_.ForEachOverlap(bytes.begin, bytes.end, [&](const Buffer& buffer) {
    // Any of these bytes may belong to a sparse buffer.
    const ByteRange own = {buffer.address, buffer.address + buffer.size};
    found.push_back({Buffer::kType, buffer.handle(), buffer.is_sparse() ? bytes : own});
  });
  images_.ForEachOverlap(bytes.begin, bytes.end, [&](const Image& image) {
    for (const Image::Binding& binding : image.bindings_) {
      const bool is_there = binding.bytes.begin < bytes.end && bytes.begin < binding.bytes.end;
      if (binding.memory.get() == this && is_there) found.push_back({Image::kType, image.handle(), binding.bytes});
    }
  });
  return found;
}

}  // namespace assay::state
