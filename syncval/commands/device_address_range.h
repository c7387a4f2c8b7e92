// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_COMMANDS_DEVICE_ADDRESS_RANGE_H_
#define ASSAY_SYNCVAL_COMMANDS_DEVICE_ADDRESS_RANGE_H_

#include <cstdint>

#include "state/state.h"
#include "syncval/accesses/copy_footprint.h"
#include "syncval/commands/check.h"

// Ranges that commands name by device address. Private to the folder.
namespace assay::syncval {

// A range of a buffer that a command names by device address.
class DeviceAddressRange {
 public:
  // If several buffers at the address share its memory, takes the one that ends last.
  DeviceAddressRange(const state::DeviceState& state, VkDeviceAddress address) {
    for (const state::Ref<state::Buffer>& buffer : state.buffer_addresses().Find(address)) {
      const VkDeviceSize offset = address - buffer->device_address;
      if (buffer_ && buffer_->size - offset_ >= buffer->size - offset) continue;
      buffer_ = buffer;
      offset_ = offset;
    }
  }

  // As the methods of AccessCollector, with offsets from the address. An address in no known buffer is an unknown
  // access.
  void Add(AccessCollector& collector, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
           const Origin& origin) const {
    if (!buffer_) return collector.AddUnknown();
    collector.AddBuffer(buffer_.get(), offset_ + offset, size, access, origin);
  }
  void AddPossibleRead(AccessCollector& collector, VkDeviceSize offset, VkDeviceSize size, vk::SyncAccessIndex access,
                       const Origin& origin) const {
    collector.AddPossibleRead(buffer_.get(), offset_ + offset, size, access, origin);
  }
  void AddAtUnknownStage(AccessCollector& collector, VkDeviceSize size, vk::SyncAccessIndex access,
                         const Origin& origin) const {
    collector.AddAtUnknownStage(buffer_.get(), offset_, size, access, origin);
  }
  // `count` elements of `length` bytes, `stride` bytes apart. Many elements with gaps between them are a possible read.
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
