// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_STRUCTURES_SERIALIZED_STRUCTURE_H_
#define ASSAY_CORE_COPIES_STRUCTURES_SERIALIZED_STRUCTURE_H_

#include <array>
#include <cstdint>

#include "core/copies/structures/structure_check.h"
#include "messages/messages.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// Private to the package: serialized acceleration structures and micromaps in memory of the host.
namespace assay::core {

// What serialized data begins with, as vkCmdCopyAccelerationStructureToMemoryKHR describes it.
struct SerializedHeader {
  // What the driver compares: VkPhysicalDeviceIDProperties::driverUUID, and the driver's own.
  std::array<uint8_t, 2 * VK_UUID_SIZE> version;
  // Bytes of all data.
  uint64_t serialized_size;
  // Bytes of the structure that it can be copied to.
  uint64_t structure_size;
  // Of the addresses that follow. Micromaps do not have this.
  uint64_t address_count;

  // Bytes of the header.
  static constexpr VkDeviceSize SizeOf(VkObjectType type) {
    return type == VK_OBJECT_TYPE_MICROMAP_EXT ? 48 : sizeof(SerializedHeader);
  }
};
static_assert(sizeof(SerializedHeader) == 56);

struct SerializedIds {
  // It is serialized data.
  vk::VuidIndex serialized;
  // The device supports its format.
  vk::VuidIndex compatible;
  // The target is large enough.
  vk::VuidIndex fits;
};

// Data that is copied to `target`. It has a header. Asks the driver whether it is compatible.
void CheckSerialized(const StructureCheck& check, const void* data, const StructureOperand& target,
                     const SerializedIds& ids, const messages::Location& where);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_STRUCTURES_SERIALIZED_STRUCTURE_H_
