// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of builds of acceleration structures: to the structures, the input geometry, and scratch memory. Accesses to
// what an instance refers to, and through further pointers, are unknown. For an indirect build only the limits of the
// counts are known: it reads its arguments and accesses some of its scratch memory, but it may read no input at all.

#include <algorithm>

#include "absl/container/inlined_vector.h"
#include "dispatch/dispatch.h"
#include "syncval/accesses/draw_arguments.h"
#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/sync_validator.h"
#include "vk/format_info.h"

namespace assay::syncval {
namespace {

using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;
using BuildRange = VkAccelerationStructureBuildRangeInfoKHR;

constexpr vk::SyncAccessIndex kInputRead = vk::kSyncAccelerationStructureBuildShaderRead;
constexpr vk::SyncAccessIndex kStructureRead = vk::kSyncAccelerationStructureBuildAccelerationStructureRead;
constexpr vk::SyncAccessIndex kStructureWrite = vk::kSyncAccelerationStructureBuildAccelerationStructureWrite;

// Bytes; 0 when there is no such format.
VkDeviceSize FormatSize(VkFormat format) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  return info != nullptr ? info->block_size : 0;
}

bool IsUpdate(const BuildInfo& info) { return info.mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR; }

const VkAccelerationStructureGeometryKHR* GeometryAt(const BuildInfo& info, uint32_t i) {
  if (info.pGeometries != nullptr) return &info.pGeometries[i];
  return info.ppGeometries != nullptr ? info.ppGeometries[i] : nullptr;
}

class InputCollector {
 public:
  InputCollector(AccessCollector& collector, const state::DeviceState& state, const Origin& origin)
      : collector_(collector), state_(state), origin_(origin) {}

  void Add(const VkAccelerationStructureGeometryKHR& geometry, const BuildRange& range, bool is_update) {
    switch (geometry.geometryType) {
      case VK_GEOMETRY_TYPE_TRIANGLES_KHR:
        return AddTriangles(geometry.geometry.triangles, range, is_update);
      case VK_GEOMETRY_TYPE_AABBS_KHR: {
        const VkAccelerationStructureGeometryAabbsDataKHR& boxes = geometry.geometry.aabbs;
        return At(boxes.data)
            .AddElements(collector_, range.primitiveOffset, sizeof(VkAabbPositionsKHR), range.primitiveCount,
                         boxes.stride, kInputRead, origin_);
      }
      case VK_GEOMETRY_TYPE_INSTANCES_KHR: {
        const VkAccelerationStructureGeometryInstancesDataKHR& instances = geometry.geometry.instances;
        const VkDeviceSize size =
            instances.arrayOfPointers ? sizeof(VkDeviceAddress) : sizeof(VkAccelerationStructureInstanceKHR);
        collector_.AddUnknown();
        return At(instances.data)
            .AddElements(collector_, range.primitiveOffset, size, range.primitiveCount, size, kInputRead, origin_);
      }
      default:
        return collector_.AddUnknown();
    }
  }

 private:
  DeviceAddressRange At(const VkDeviceOrHostAddressConstKHR& address) const { return {state_, address.deviceAddress}; }

  void AddTriangles(const VkAccelerationStructureGeometryTrianglesDataKHR& triangles, const BuildRange& range,
                    bool is_update) {
    // Opacity and displacement micromaps, motion.
    if (triangles.pNext != nullptr) collector_.AddUnknown();
    const uint64_t corners = uint64_t{3} * range.primitiveCount;
    const VkDeviceSize stride = triangles.vertexStride;
    const VkDeviceSize vertex = FormatSize(triangles.vertexFormat);
    if (triangles.indexType == VK_INDEX_TYPE_NONE_KHR) {
      At(triangles.vertexData)
          .AddElements(collector_, range.primitiveOffset + range.firstVertex * stride, vertex, corners, stride,
                       kInputRead, origin_);
    } else {
      const uint64_t last = std::max(triangles.maxVertex, range.firstVertex);
      At(triangles.vertexData)
          .AddPossibleRead(collector_, range.firstVertex * stride, (last - range.firstVertex) * stride + vertex,
                           kInputRead, origin_);
      AddIndices(triangles, range.primitiveOffset, corners, is_update);
    }
    if (triangles.transformData.deviceAddress == 0) return;
    At(triangles.transformData)
        .Add(collector_, range.transformOffset, sizeof(VkTransformMatrixKHR), kInputRead, origin_);
  }

  // An update has the same indices as the build before, and need not read them again.
  void AddIndices(const VkAccelerationStructureGeometryTrianglesDataKHR& triangles, VkDeviceSize offset,
                  uint64_t corners, bool is_update) {
    if (is_update) return collector_.AddUnknown();
    const VkDeviceSize bytes = corners * IndexSize(triangles.indexType);
    if (bytes != 0) At(triangles.indexData).Add(collector_, offset, bytes, kInputRead, origin_);
  }

  AccessCollector& collector_;
  const state::DeviceState& state_;
  const Origin origin_;
};

// Bytes, from the driver; 0 when the driver cannot be asked. count_of(i) is the number of primitives of a geometry.
template <class F>
VkDeviceSize ScratchSize(const state::DeviceState& state, const BuildInfo& info, F&& count_of) {
  const dispatch::Device& device = state.device();
  const auto get = dispatch::Next<vk::GetAccelerationStructureBuildSizesKHR>(device.next);
  if (get == nullptr || info.pNext != nullptr) return 0;
  absl::InlinedVector<uint32_t, 8> counts;
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const VkAccelerationStructureGeometryKHR* const geometry = GeometryAt(info, i);
    // Chained structures may hold handles that are not the driver's.
    if (geometry == nullptr || geometry->pNext != nullptr) return 0;
    if (geometry->geometryType == VK_GEOMETRY_TYPE_TRIANGLES_KHR && geometry->geometry.triangles.pNext != nullptr)
      return 0;
    counts.push_back(count_of(i));
  }
  BuildInfo asked = info;
  asked.srcAccelerationStructure = VK_NULL_HANDLE;
  asked.dstAccelerationStructure = VK_NULL_HANDLE;
  VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType =
                                                        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  get(device.handle, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &asked, counts.data(), &sizes);
  return IsUpdate(info) ? sizes.updateScratchSize : sizes.buildScratchSize;
}

void AddAccelerationStructures(AccessCollector& collector, const BuildInfo& info, const Origin& origin) {
  AddAccelerationStructure(collector, info.dstAccelerationStructure, kStructureWrite, origin);
  if (IsUpdate(info)) AddAccelerationStructure(collector, info.srcAccelerationStructure, kStructureRead, origin);
}

void AddInputs(AccessCollector& collector, const state::DeviceState& state, const BuildInfo& info,
               const BuildRange* ranges, const Origin& origin) {
  if (ranges == nullptr || (info.pGeometries == nullptr && info.ppGeometries == nullptr)) return collector.AddUnknown();
  const VkDeviceSize scratch = ScratchSize(state, info, [&](uint32_t i) { return ranges[i].primitiveCount; });
  if (scratch != 0) {
    const DeviceAddressRange bytes(state, info.scratchData.deviceAddress);
    bytes.Add(collector, 0, scratch, kStructureWrite, origin);
    bytes.Add(collector, 0, scratch, kStructureRead, origin);
  }
  InputCollector inputs(collector, state, origin);
  for (uint32_t i = 0; i < info.geometryCount; ++i) {
    const VkAccelerationStructureGeometryKHR* const geometry = GeometryAt(info, i);
    if (geometry != nullptr && ranges[i].primitiveCount != 0) inputs.Add(*geometry, ranges[i], IsUpdate(info));
  }
}

// An indirect build. max_counts are by geometry.
void AddIndirect(AccessCollector& collector, const state::DeviceState& state, const BuildInfo& info,
                 const uint32_t* max_counts, VkDeviceAddress arguments, uint32_t stride, const Origin& origin) {
  if (info.geometryCount == 0) return;
  DeviceAddressRange(state, arguments)
      .AddElements(collector, 0, sizeof(BuildRange), info.geometryCount, stride,
                   vk::kSyncAccelerationStructureBuildIndirectCommandRead, {"pIndirectDeviceAddresses", origin.index});
  if (max_counts == nullptr || (info.pGeometries == nullptr && info.ppGeometries == nullptr)) return;
  const VkDeviceSize scratch = ScratchSize(state, info, [&](uint32_t i) { return max_counts[i]; });
  if (scratch == 0) return;
  const DeviceAddressRange bytes(state, info.scratchData.deviceAddress);
  bytes.AddPossibleRead(collector, 0, scratch, kStructureWrite, origin);
  bytes.AddPossibleRead(collector, 0, scratch, kStructureRead, origin);
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdBuildAccelerationStructuresKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    const auto infos = state::Items(call.pInfos, call.infoCount);
    // Writes come before reads.
    for (uint32_t i = 0; i < infos.size(); ++i) AddAccelerationStructures(c, infos[i], {"pInfos", i});
    for (uint32_t i = 0; i < infos.size(); ++i) {
      const BuildRange* const ranges = call.ppBuildRangeInfos != nullptr ? call.ppBuildRangeInfos[i] : nullptr;
      AddInputs(c, state_, infos[i], ranges, {"pInfos", i});
    }
  });
}
void SyncValidator::PreCallValidate(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddUnknown();
    const auto infos = state::Items(call.pInfos, call.infoCount);
    for (uint32_t i = 0; i < infos.size(); ++i) AddAccelerationStructures(c, infos[i], {"pInfos", i});
    if (call.pIndirectDeviceAddresses == nullptr || call.pIndirectStrides == nullptr) return;
    for (uint32_t i = 0; i < infos.size(); ++i) {
      AddIndirect(c, state_, infos[i], call.ppMaxPrimitiveCounts != nullptr ? call.ppMaxPrimitiveCounts[i] : nullptr,
                  call.pIndirectDeviceAddresses[i], call.pIndirectStrides[i], {"pInfos", i});
    }
  });
}

}  // namespace assay::syncval
