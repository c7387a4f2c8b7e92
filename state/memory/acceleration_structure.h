// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_
#define ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_

#include <atomic>
#include <cstdint>
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

// What a build makes.
struct BuildProperties {
  bool allows_compaction = false;
  // Of acceleration structures.
  bool is_top_level = false;
  bool has_motion = false;
  bool allows_data_access = false;
};

// What was ever recorded, or done by the host, to give an acceleration structure or micromap its contents. It only
// grows: an application may record first and execute later, so this tells what cannot have happened. Those of a copy
// may be of any build. Thread-safe.
class Construction {
 public:
  void AddBuild(const BuildProperties& build) {
    Add(static_cast<uint8_t>(kBuilt | (build.allows_compaction ? kCompactable : 0) |
                             (build.is_top_level ? kTopLevel : 0) | (build.has_motion ? kMotion : kNoMotion) |
                             (build.is_top_level && build.has_motion ? kTopLevelMotion : 0) |
                             (build.allows_data_access ? kDataAccess : 0)));
  }
  // By a copy, or from serialized data.
  void AddCopy() { Add(kCopied); }

  bool any() const { return flags_.load(std::memory_order_relaxed) != 0; }
  // Whether the contents may be of a build that allows compaction, and so on.
  bool may_be_compactable() const { return MayBe(kCompactable); }
  bool may_be_top_level() const { return MayBe(kTopLevel); }
  bool may_be_without_motion() const { return MayBe(kNoMotion); }
  bool may_be_top_level_with_motion() const { return MayBe(kTopLevelMotion); }
  bool may_allow_data_access() const { return MayBe(kDataAccess); }

 private:
  enum Flag : uint8_t {
    kBuilt = 1,
    kCopied = 2,
    kCompactable = 4,
    kTopLevel = 8,
    kMotion = 16,
    kNoMotion = 32,
    kTopLevelMotion = 64,
    kDataAccess = 128,
  };
  bool MayBe(uint8_t flag) const { return (flags_.load(std::memory_order_relaxed) & (kCopied | flag)) != 0; }
  void Add(uint8_t flags) {
    if ((flags_.load(std::memory_order_relaxed) & flags) != flags) flags_.fetch_or(flags);
  }

  std::atomic<uint8_t> flags_ = 0;
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
  Construction construction;
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
  Construction construction;
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
  Construction construction;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_ACCELERATION_STRUCTURE_H_
