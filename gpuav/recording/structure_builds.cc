// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/recording/structure_builds.h"

#include <optional>
#include <utility>
#include <vector>

#include "gpuav/parameters/build_ranges.h"
#include "gpuav/parameters/indirect_command.h"
#include "gpuav/parameters/parameter_rules.h"

namespace assay::gpuav {
namespace {

using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;
using Geometry = VkAccelerationStructureGeometryKHR;

// Nothing if the geometry has no instances of the common structure: those of motion have another one.
std::optional<IndirectCommand> InstancesOf(vk::CommandId command, const BuildInfo& info, const Geometry& geometry) {
  if ((info.flags & VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV) != 0 ||
      geometry.geometryType != VK_GEOMETRY_TYPE_INSTANCES_KHR) {
    return std::nullopt;
  }
  const VkAccelerationStructureGeometryInstancesDataKHR& instances = geometry.geometry.instances;
  const bool has_pointers = instances.arrayOfPointers == VK_TRUE;
  return IndirectCommand{.command = command,
                         .kind = has_pointers ? ParameterKind::kInstancePointers : ParameterKind::kInstances,
                         .address = instances.data.deviceAddress,
                         .stride = static_cast<uint32_t>(has_pointers ? sizeof(VkDeviceAddress)
                                                                      : sizeof(VkAccelerationStructureInstanceKHR))};
}

}  // namespace

void AddBuild(const vk::CmdBuildAccelerationStructuresKHR& call, const state::CommandBuffer& buffer,
              const ReferenceReplacements& replacements, ParameterCopies& copies) {
  for (uint32_t i = 0; i < call.infoCount; ++i) {
    const BuildInfo& info = call.pInfos[i];
    for (uint32_t j = 0; j < info.geometryCount; ++j) {
      const Geometry* const geometry = GeometryAt(info, j);
      if (geometry == nullptr) break;
      std::optional<IndirectCommand> instances = InstancesOf(call.kId, info, *geometry);
      if (!instances) continue;
      const VkAccelerationStructureBuildRangeInfoKHR& range = call.ppBuildRangeInfos[i][j];
      instances->address += range.primitiveOffset;
      instances->most = range.primitiveCount;
      copies.AddBuild({.from = *instances, .is_replaced = replacements.Replaces(i)}, buffer);
    }
  }
}

void AddBuild(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, const state::CommandBuffer& buffer,
              const ReferenceReplacements& replacements, ParameterCopies& copies) {
  for (uint32_t i = 0; i < call.infoCount; ++i) {
    const BuildInfo& info = call.pInfos[i];
    const ParameterCopies::Place ranges =
        copies.Find(call.pIndirectDeviceAddresses[i], sizeof(VkAccelerationStructureBuildRangeInfoKHR));
    if (ranges.buffer == VK_NULL_HANDLE) continue;
    std::vector<BuildGeometry> geometries;
    for (uint32_t j = 0; j < info.geometryCount; ++j) {
      const Geometry* const geometry = GeometryAt(info, j);
      if (geometry == nullptr) break;
      const uint32_t most = call.ppMaxPrimitiveCounts[i][j];
      geometries.push_back(BuildGeometryOf(*geometry, i, j, most));
      std::optional<IndirectCommand> instances = InstancesOf(call.kId, info, *geometry);
      if (!instances) continue;
      instances->most = most;
      instances->count_buffer = ranges.buffer;
      instances->count_offset = ranges.offset + VkDeviceSize{j} * call.pIndirectStrides[i];
      copies.AddBuild({.from = *instances, .is_replaced = replacements.Replaces(i)}, buffer);
    }
    const IndirectCommand from = {.command = call.kId,
                                  .kind = ParameterKind::kBuildRanges,
                                  .buffer = ranges.buffer,
                                  .offset = ranges.offset,
                                  .stride = call.pIndirectStrides[i],
                                  .most = static_cast<uint32_t>(geometries.size())};
    copies.AddBuild({.from = from, .geometries = std::move(geometries)}, buffer);
  }
}

}  // namespace assay::gpuav
