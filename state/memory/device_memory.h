// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_DEVICE_MEMORY_H_
#define ASSAY_STATE_MEMORY_DEVICE_MEMORY_H_

#include <algorithm>
#include <cstdint>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/synchronization/mutex.h"
#include "state/image/subresource_encoder.h"
#include "state/memory/address_space.h"
#include "state/objects/object.h"
#include "state/objects/overlap_map.h"
#include "vk/vulkan.h"

namespace assay::state {

class Buffer;
class Image;

// A resource that is bound to memory. It holds no reference to the resource.
struct BoundResource {
  VkObjectType type = VK_OBJECT_TYPE_UNKNOWN;
  uint64_t handle = 0;
  // All bytes that the resource is bound to at that place, in the AddressSpace.
  ByteRange bytes;
};

// Allocated device memory, and the list of resources that are bound to it. Each allocation has a region of the
// AddressSpace.
class DeviceMemory : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_DEVICE_MEMORY;
  DeviceMemory(uint64_t handle, const VkMemoryAllocateInfo& info, VkMemoryPropertyFlags properties_of_type,
               AddressSpace& space);

  // Adds a bound resource, and marks it and the resources with which it shares bytes. A resource removes itself in its
  // destructor. Ranges are of the AddressSpace.
  void Add(Buffer& buffer, const ByteRange& range);
  void Remove(const Buffer& buffer, uint64_t begin);
  // `begin` is the address in memory. The texels of the image have other addresses; see Image::address.
  void Add(Image& image, uint64_t begin, VkDeviceSize bytes);
  void Remove(const Image& image, uint64_t begin);
  // The resources that have some of `bytes`, a range of the AddressSpace. In no order; one may be there twice.
  std::vector<BoundResource> FindBound(const ByteRange& bytes) const;

  // The bytes of a mapping or a VkMappedMemoryRange, relative to the memory. VK_WHOLE_SIZE and a range that is too
  // large end where the memory ends.
  ByteRange Clamp(VkDeviceSize offset, VkDeviceSize bytes) const {
    offset = std::min(offset, size);
    return {offset, offset + std::min(bytes, size - offset)};
  }
  bool is_host_coherent() const { return (properties & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT) != 0; }

  // Bytes.
  const VkDeviceSize size;
  const uint32_t memory_type;
  // Of the memory type.
  const VkMemoryPropertyFlags properties;
  const uint64_t address;
  // Whether others than the device may access the memory, in ways that the layer does not see.
  const bool is_imported;
  const bool is_exportable;
  // The range that the host has mapped, relative to the memory; empty for none. Guarded by the memory's external
  // synchronization.
  ByteRange mapped{};

 private:
  mutable absl::Mutex mutex_;
  OverlapMap<Buffer> buffers_ ABSL_GUARDED_BY(mutex_);
  OverlapMap<Image> images_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_DEVICE_MEMORY_H_
