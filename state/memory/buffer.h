// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_BUFFER_H_
#define ASSAY_STATE_MEMORY_BUFFER_H_

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <utility>

#include "state/memory/address_space.h"
#include "state/memory/device_memory.h"
#include "state/memory/sparse_memory.h"
#include "state/objects/object.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::state {

class Buffer : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER;
  Buffer(uint64_t handle, const VkBufferCreateInfo& info)
      : Object(kType, handle),
        size(std::min(info.size, AddressSpace::kMaxRegion)),
        usage(UsageOf(info)),
        flags(info.flags),
        sharing_mode(info.sharingMode),
        sparse(!is_sparse()          ? nullptr
               : is_sparse_aliased() ? std::make_unique<SparseMemory>(*this)
                                     : std::make_unique<SparseMemory>()) {}

  ~Buffer() override {
    if (memory) memory->Remove(*this, address);
  }

  // `begin` is in the AddressSpace.
  void BindTo(DeviceMemory& target, uint64_t begin);

  bool is_sparse() const { return (flags & VK_BUFFER_CREATE_SPARSE_BINDING_BIT) != 0; }
  // Whether the buffer is sparse and need not have memory everywhere.
  bool is_partially_resident() const { return (flags & VK_BUFFER_CREATE_SPARSE_RESIDENCY_BIT) != 0; }
  // Whether the buffer is sparse and other resources may have the same memory.
  bool is_sparse_aliased() const { return (flags & VK_BUFFER_CREATE_SPARSE_ALIASED_BIT) != 0; }
  bool has_device_address() const { return (usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0; }
  // The size in bytes of a range from `offset` on. VK_WHOLE_SIZE and a range that is too large end where the buffer
  // ends.
  VkDeviceSize Clamp(VkDeviceSize offset, VkDeviceSize range) const {
    if (offset >= size) return 0;
    return range > size - offset ? size - offset : range;
  }

  // Bytes.
  const VkDeviceSize size;
  // Where the buffer begins in the AddressSpace; 0 until memory is bound. A sparse buffer has a region of its own.
  uint64_t address = 0;
  // Without usages that only VkBufferUsageFlags2CreateInfo can have.
  const VkBufferUsageFlags usage;
  const VkBufferCreateFlags flags;
  const VkSharingMode sharing_mode;

 private:
  static VkBufferUsageFlags UsageOf(const VkBufferCreateInfo& info) {
    const auto* usage = vk::FindInChain<VkBufferUsageFlags2CreateInfo>(info.pNext);
    return usage != nullptr ? static_cast<VkBufferUsageFlags>(usage->usage) : info.usage;
  }

  // Stands here since every access reads it together with the members above.
  std::atomic<uint8_t> sharing_ = is_sparse_aliased() ? kSparseAliased : 0;

 public:
  // The memory of a sparse buffer; null for other buffers.
  const std::unique_ptr<SparseMemory> sparse;
  Ref<DeviceMemory> memory;
  // 0 until the application gets the address; guarded by DeviceAddresses.
  VkDeviceAddress device_address = 0;
  // The address if no other resource has the same bytes, else 0. Sparse memory is not in the buffer's own region.
  uint64_t region() const { return (sharing() & (kWithBuffers | kWithImages)) != 0 ? 0 : address; }

  // The kinds of resources that are or were bound to some of the same bytes. For most buffers there are none, which a
  // single comparison with 0 shows.
  enum Sharing : uint8_t {
    kWithBuffers = 1,
    // Accesses to those images are at these addresses only as far as Image::SharedBytes gives bytes for them.
    kWithImages = 2,
    // Through its sparse memory, see is_sparse_aliased().
    kSparseAliased = 4,
  };
  uint8_t sharing() const { return sharing_.load(std::memory_order_relaxed); }
  bool shares_memory() const { return (sharing() & kWithBuffers) != 0; }
  bool aliases_image() const { return (sharing() & kWithImages) != 0; }
  void AddSharing(Sharing with) { sharing_.fetch_or(with, std::memory_order_relaxed); }
};

class BufferView : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_BUFFER_VIEW;
  BufferView(uint64_t handle, const VkBufferViewCreateInfo& info, Ref<Buffer> of)
      : Object(kType, handle),
        buffer(std::move(of)),
        format(info.format),
        offset(info.offset),
        range(buffer->Clamp(info.offset, info.range)) {}

  const Ref<Buffer> buffer;
  const VkFormat format;
  // Bytes.
  const VkDeviceSize offset;
  const VkDeviceSize range;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_BUFFER_H_
