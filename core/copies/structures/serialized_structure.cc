// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/structures/serialized_structure.h"

#include <cstring>

#include "absl/strings/str_cat.h"
#include "dispatch/dispatch.h"
#include "vk/commands.h"

namespace assay::core {
namespace {

using messages::Location;

bool IsCompatible(const dispatch::Device& device, VkObjectType type, const uint8_t* version) {
  VkAccelerationStructureCompatibilityKHR found = VK_ACCELERATION_STRUCTURE_COMPATIBILITY_COMPATIBLE_KHR;
  if (type == VK_OBJECT_TYPE_MICROMAP_EXT) {
    const auto get = dispatch::Next<vk::GetDeviceMicromapCompatibilityEXT>(device.next);
    const VkMicromapVersionInfoEXT info = {VK_STRUCTURE_TYPE_MICROMAP_VERSION_INFO_EXT, nullptr, version};
    if (get != nullptr) get(device.handle, &info, &found);
  } else {
    const auto get = dispatch::Next<vk::GetDeviceAccelerationStructureCompatibilityKHR>(device.next);
    const VkAccelerationStructureVersionInfoKHR info = {VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_VERSION_INFO_KHR,
                                                        nullptr, version};
    if (get != nullptr) get(device.handle, &info, &found);
  }
  return found != VK_ACCELERATION_STRUCTURE_COMPATIBILITY_INCOMPATIBLE_KHR;
}

}  // namespace

void CheckSerialized(const StructureCheck& check, const void* data, const StructureOperand& target,
                     const SerializedIds& ids, const Location& where) {
  const VkDeviceSize header_size = SerializedHeader::SizeOf(target.object.type);
  SerializedHeader header = {};
  std::memcpy(&header, data, header_size);
  const bool is_whole = header.serialized_size >= header_size &&
                        header.address_count <= (header.serialized_size - header_size) / sizeof(VkDeviceAddress);
  check.Require(is_whole, ids.serialized, target.object, where, [&] {
    return absl::StrCat("is not serialized data: its size would be ", header.serialized_size, " bytes, which is less ",
                        "than its header has.");
  });
  if (!is_whole) return;
  if (!IsCompatible(check.state().device(), target.object.type, header.version.data())) {
    // The other members may have another meaning.
    return check.Require(false, ids.compatible, target.object, where,
                         [] { return "is serialized data that is not compatible with this device."; });
  }
  check.Require(!target.is_known || target.size >= header.structure_size, ids.fits, target.object, where, [&] {
    return absl::StrCat("is of a structure of ", header.structure_size, " bytes, but dst ",
                        check.reporter().Describe(target.object), " has ", target.size, ".");
  });
}

}  // namespace assay::core
