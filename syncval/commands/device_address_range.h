// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_DEVICE_ADDRESS_RANGE_H_
#define ASSAY_SYNCVAL_COMMANDS_DEVICE_ADDRESS_RANGE_H_

#include <cstdint>

#include "state/state.h"
#include "syncval/accesses/copy_footprint.h"
#include "syncval/commands/check.h"

// What commands name by device address. Private to the package.
namespace assay::syncval {

// Bytes of a buffer that the application asked the address of.
class DeviceAddressRange {
 public:
  // Of those that lie at the address, which share its memory, the one that reaches furthest.
  DeviceAddressRange(const state::DeviceState& state, VkDeviceAddress address) {
    for (const state::Ref<state::Buffer>& buffer : state.buffer_addresses().Find(address)) {
      const VkDeviceSize offset = address - buffer->device_address;
      if (buffer_ && buffer_->size - offset_ >= buffer->size - offset) continue;
      buffer_ = buffer;
      offset_ = offset;
    }
  }

  // As AccessCollector's, with offsets from the address on. What is not known to be a buffer is an unknown access.
  void Add(AccessCollector& collector, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
           const Origin& origin) const {
    if (!buffer_) return collector.AddUnknown();
    collector.AddBuffer(buffer_.get(), offset_ + offset, size, access, origin);
  }
  void AddPossibleRead(AccessCollector& collector, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
                       const Origin& origin) const {
    collector.AddPossibleRead(buffer_.get(), offset_ + offset, size, access, origin);
  }
  // `count` elements of `length` bytes. Many that lie apart are bytes some of which are accessed.
  void AddElements(AccessCollector& collector, VkDeviceSize offset, VkDeviceSize length, uint64_t count,
                   VkDeviceSize stride, vk::SyncAccessIndex access, const Origin& origin) const {
    constexpr uint64_t kMaxSeparateRanges = 16;
    if (!buffer_) return collector.AddUnknown();
    if (count == 0) return;
    if (count > kMaxSeparateRanges && stride > length) {
      return AddPossibleRead(collector, offset, (count - 1) * stride + length, access, origin);
    }
    const Footprint footprint = {.offset = offset_ + offset, .length = length, .count = count, .stride = stride};
    footprint.ForEach(buffer_->size, [&](VkDeviceSize begin, VkDeviceSize size) {
      collector.AddBuffer(buffer_.get(), begin, size, access, origin);
    });
  }

 private:
  state::Ref<state::Buffer> buffer_;
  VkDeviceSize offset_ = 0;
};

// An acceleration structure.
inline void AddAccelerationStructure(AccessCollector& collector, VkAccelerationStructureKHR handle,
                                     vk::SyncAccessIndex access, const Origin& origin) {
  if (const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(handle))
    collector.AddBuffer(structure->buffer.get(), structure->offset, structure->size, access, origin);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_COMMANDS_DEVICE_ADDRESS_RANGE_H_
