// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of copies and queries of acceleration structures.

#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

constexpr vk::SyncAccessIndex kStructureRead = vk::kSyncAccelerationStructureCopyAccelerationStructureRead;
constexpr vk::SyncAccessIndex kStructureWrite = vk::kSyncAccelerationStructureCopyAccelerationStructureWrite;

// The header of every serialized structure ("Copying Acceleration Structures"): two identifiers, its size, its size
// after deserialization, and the number of handles that follow. Only the device knows the size of the rest.
constexpr VkDeviceSize kHeaderSize = VkDeviceSize{2} * VK_UUID_SIZE + 3 * sizeof(uint64_t);

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdCopyAccelerationStructureKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    AddAccelerationStructure(c, call.pInfo->dst, kStructureWrite, {"pInfo.dst", kNoIndex});
    AddAccelerationStructure(c, call.pInfo->src, kStructureRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyAccelerationStructureToMemoryKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    DeviceAddressRange(state_, call.pInfo->dst.deviceAddress)
        .Add(c, 0, kHeaderSize, vk::kSyncAccelerationStructureCopyTransferWrite, {"pInfo.dst", kNoIndex});
    AddAccelerationStructure(c, call.pInfo->src, kStructureRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyMemoryToAccelerationStructureKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    AddAccelerationStructure(c, call.pInfo->dst, kStructureWrite, {"pInfo.dst", kNoIndex});
    DeviceAddressRange(state_, call.pInfo->src.deviceAddress)
        .Add(c, 0, kHeaderSize, vk::kSyncAccelerationStructureCopyTransferRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto structures = state::Items(call.pAccelerationStructures, call.accelerationStructureCount);
    for (uint32_t i = 0; i < structures.size(); ++i) {
      AddAccelerationStructure(c, structures[i], kStructureRead, {"pAccelerationStructures", i});
    }
  });
}

}  // namespace assay::syncval
