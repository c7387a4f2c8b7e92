// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_
#define ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_

#include <utility>

#include "state/memory/buffer.h"
#include "state/memory/device_memory.h"
#include "state/objects/object.h"
#include "vk/vulkan.h"

// Acceleration structures and micromaps.
namespace assay::state {

// A range of a buffer.
class BufferRange {
 public:
  BufferRange(Ref<Buffer> of, VkDeviceSize begin, VkDeviceSize bytes)
      : buffer(std::move(of)), offset(begin), size(buffer ? buffer->Clamp(begin, bytes) : 0) {}

  // In the AddressSpace; empty until the buffer is bound to memory.
  ByteRange range() const {
    if (!buffer || buffer->address == 0) return {};
    return {buffer->address + offset, buffer->address + offset + size};
  }

  // Null if the handle is invalid.
  const Ref<Buffer> buffer;
  // Bytes.
  const VkDeviceSize offset;
  const VkDeviceSize size;
};

class AccelerationStructure : public Object, public BufferRange {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR;
  AccelerationStructure(uint64_t handle, const VkAccelerationStructureCreateInfoKHR& info, Ref<Buffer> in)
      : Object(kType, handle),
        BufferRange(std::move(in), info.offset, info.size),
        structure_type(info.type),
        create_flags(info.createFlags) {}

  const VkAccelerationStructureTypeKHR structure_type;
  const VkAccelerationStructureCreateFlagsKHR create_flags;
  // 0 until the application gets the address; guarded by DeviceAddresses.
  VkDeviceAddress device_address = 0;
};

// Of VK_NV_ray_tracing.
class AccelerationStructureNV : public Object {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV;
  AccelerationStructureNV(uint64_t handle, const VkAccelerationStructureCreateInfoNV& info)
      : Object(kType, handle), structure_type(info.info.type), flags(info.info.flags) {}

  const VkAccelerationStructureTypeNV structure_type;
  const VkBuildAccelerationStructureFlagsNV flags;
  Ref<DeviceMemory> memory;
  // In the AddressSpace; 0 until memory is bound. The size is not known.
  uint64_t address = 0;
};

class Micromap : public Object, public BufferRange {
 public:
  static constexpr VkObjectType kType = VK_OBJECT_TYPE_MICROMAP_EXT;
  Micromap(uint64_t handle, const VkMicromapCreateInfoEXT& info, Ref<Buffer> in)
      : Object(kType, handle), BufferRange(std::move(in), info.offset, info.size), micromap_type(info.type) {}

  const VkMicromapTypeEXT micromap_type;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_
