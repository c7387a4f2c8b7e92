// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What builds of acceleration structures access: the structures. What is built from, and scratch memory, are given by
// device address and unknown.

#include "syncval/check.h"
#include "syncval/sync_validator.h"

namespace assay::syncval {
namespace {

void AddStructure(AccessCollector& collector, VkAccelerationStructureKHR handle, vk::SyncAccessIndex access,
                  const Origin& origin) {
  if (const auto* structure = state::DeviceState::Get<state::AccelerationStructure>(handle))
    collector.AddBuffer(structure->buffer.get(), structure->offset, structure->size, access, origin);
}

template <class C>
void CheckBuild(const C& call, messages::Report& report) {
  CheckCommand(call, report, [&](AccessCollector& c) {
    c.AddUnknown();
    const auto infos = state::Items(call.pInfos, call.infoCount);
    for (uint32_t i = 0; i < infos.size(); ++i) {
      const auto& info = infos[i];
      const Origin origin{"pInfos", i};
      AddStructure(c, info.dstAccelerationStructure, vk::kSyncAccelerationStructureBuildAccelerationStructureWrite,
                   origin);
      if (info.mode != VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR) continue;
      AddStructure(c, info.srcAccelerationStructure, vk::kSyncAccelerationStructureBuildAccelerationStructureRead,
                   origin);
    }
  });
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBuildAccelerationStructuresKHR& call, messages::Report& report) {
  CheckBuild(call, report);
}
void SyncValidator::PreCallValidate(const vk::CmdBuildAccelerationStructuresIndirectKHR& call,
                                    messages::Report& report) {
  CheckBuild(call, report);
}

}  // namespace assay::syncval
