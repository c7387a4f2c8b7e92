// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of builds, copies and queries of micromaps ("Micromap Builds", "Copying Micromaps"). The data of a build is
// at offsets that the device reads, so that it is unknown which bytes of it are read.

#include "dispatch/dispatch.h"
#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using BuildInfo = VkMicromapBuildInfoEXT;

constexpr vk::SyncAccessIndex kInputRead = vk::kSyncMicromapBuildShaderRead;
constexpr vk::SyncAccessIndex kMicromapRead = vk::kSyncMicromapBuildMicromapRead;
constexpr vk::SyncAccessIndex kMicromapWrite = vk::kSyncMicromapBuildMicromapWrite;

// Every serialized micromap begins with two identifiers. Only the device knows the size of the rest.
constexpr VkDeviceSize kHeaderSize = VkDeviceSize{2} * VK_UUID_SIZE;

void AddMicromap(AccessCollector& collector, VkMicromapEXT handle, vk::SyncAccessIndex access, const Origin& origin) {
  if (const auto* micromap = state::DeviceState::Get<state::Micromap>(handle))
    collector.AddBuffer(micromap->buffer.get(), micromap->offset, micromap->size, access, origin);
}

uint64_t TriangleCount(const BuildInfo& info) {
  uint64_t count = 0;
  for (uint32_t i = 0; i < info.usageCountsCount; ++i) {
    if (info.pUsageCounts != nullptr) {
      count += info.pUsageCounts[i].count;
    } else if (info.ppUsageCounts != nullptr && info.ppUsageCounts[i] != nullptr) {
      count += info.ppUsageCounts[i]->count;
    }
  }
  return count;
}

// Bytes, from the driver; 0 when the driver cannot be asked. A chained structure may hold handles that are not the
// driver's.
VkDeviceSize ScratchSize(const state::DeviceState& state, const BuildInfo& info) {
  const dispatch::Device& device = state.device();
  const auto get = dispatch::Next<vk::GetMicromapBuildSizesEXT>(device.next);
  if (get == nullptr || info.pNext != nullptr) return 0;
  BuildInfo asked = info;
  asked.dstMicromap = VK_NULL_HANDLE;
  VkMicromapBuildSizesInfoEXT sizes = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_SIZES_INFO_EXT};
  get(device.handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &asked, &sizes);
  return sizes.buildScratchSize;
}

void AddInputs(AccessCollector& collector, const state::DeviceState& state, const BuildInfo& info,
               const Origin& origin) {
  if (const VkDeviceSize scratch = ScratchSize(state, info); scratch != 0) {
    const DeviceAddressRange bytes(state, info.scratchData.deviceAddress);
    bytes.Add(collector, 0, scratch, kMicromapWrite, origin);
    bytes.Add(collector, 0, scratch, kMicromapRead, origin);
  }
  const uint64_t triangles = TriangleCount(info);
  if (triangles == 0) return;
  collector.AddUnknown();
  DeviceAddressRange(state, info.triangleArray.deviceAddress)
      .AddElements(collector, 0, sizeof(VkMicromapTriangleEXT), triangles, info.triangleArrayStride, kInputRead,
                   origin);
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBuildMicromapsEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto infos = state::Items(call.pInfos, call.infoCount);
    // Writes come before reads.
    for (uint32_t i = 0; i < infos.size(); ++i) AddMicromap(c, infos[i].dstMicromap, kMicromapWrite, {"pInfos", i});
    for (uint32_t i = 0; i < infos.size(); ++i) AddInputs(c, state_, infos[i], {"pInfos", i});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyMicromapEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    AddMicromap(c, call.pInfo->dst, kMicromapWrite, {"pInfo.dst", kNoIndex});
    AddMicromap(c, call.pInfo->src, kMicromapRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyMicromapToMemoryEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    DeviceAddressRange(state_, call.pInfo->dst.deviceAddress)
        .Add(c, 0, kHeaderSize, vk::kSyncMicromapBuildTransferWrite, {"pInfo.dst", kNoIndex});
    AddMicromap(c, call.pInfo->src, kMicromapRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdCopyMemoryToMicromapEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pInfo == nullptr) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    AddMicromap(c, call.pInfo->dst, kMicromapWrite, {"pInfo.dst", kNoIndex});
    DeviceAddressRange(state_, call.pInfo->src.deviceAddress)
        .Add(c, 0, kHeaderSize, vk::kSyncMicromapBuildTransferRead, {"pInfo.src", kNoIndex});
  });
}
void SyncValidator::PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto micromaps = state::Items(call.pMicromaps, call.micromapCount);
    for (uint32_t i = 0; i < micromaps.size(); ++i) AddMicromap(c, micromaps[i], kMicromapRead, {"pMicromaps", i});
  });
}

}  // namespace assay::syncval
