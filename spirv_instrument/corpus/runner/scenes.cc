// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/scenes.h"

#include <algorithm>
#include <cstring>

#include "absl/status/status.h"

namespace assay::spirv_instrument::corpus {
namespace {

// Of three corners, and of a box.
constexpr uint32_t kTriangleBytes = 3 * 3 * sizeof(float);
constexpr uint32_t kBoxBytes = 2 * 3 * sizeof(float);
static_assert(kBoxBytes == sizeof(VkAabbPositionsKHR));

VkAccelerationStructureGeometryKHR Geometry(VkDeviceAddress address, const SceneDescription& description,
                                            uint32_t primitives) {
  VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                 .flags = VK_GEOMETRY_OPAQUE_BIT_KHR};
  if (description.is_boxes) {
    geometry.geometryType = VK_GEOMETRY_TYPE_AABBS_KHR;
    geometry.geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                               .data = {.deviceAddress = address},
                               .stride = kBoxBytes};
    return geometry;
  }
  geometry.geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR;
  geometry.geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                                 .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                 .vertexData = {.deviceAddress = address},
                                 .vertexStride = 3 * sizeof(float),
                                 .maxVertex = 3 * primitives - 1,
                                 .indexType = VK_INDEX_TYPE_NONE_KHR};
  return geometry;
}

VkAccelerationStructureGeometryKHR InstanceGeometry(VkDeviceAddress address) {
  VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                 .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR};
  geometry.geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                 .data = {.deviceAddress = address}};
  return geometry;
}

// Makes and builds an acceleration structure of `count` primitives.
absl::StatusOr<VkAccelerationStructureKHR> Build(Objects& objects, VkAccelerationStructureTypeKHR type,
                                                 const VkAccelerationStructureGeometryKHR& geometry, uint32_t count) {
  const test::Functions& vk = objects.vk();
  const VkDevice device = objects.device().handle();
  VkAccelerationStructureBuildGeometryInfoKHR build = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .type = type,
      .flags = objects.device().Has(VK_KHR_RAY_TRACING_POSITION_FETCH_EXTENSION_NAME)
                   ? VkBuildAccelerationStructureFlagsKHR{VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_DATA_ACCESS_KHR}
                   : 0,
      .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
      .geometryCount = 1,
      .pGeometries = &geometry,
  };
  // Only those of triangles may have it.
  if (type == VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR) build.flags = 0;
  VkAccelerationStructureBuildSizesInfoKHR sizes = {.sType =
                                                        VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
  vk.GetAccelerationStructureBuildSizesKHR(device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR, &build, &count,
                                           &sizes);
  absl::StatusOr<MappedBuffer> storage = objects.MakeBuffer(sizes.accelerationStructureSize);
  if (!storage.ok()) return storage.status();
  const uint64_t alignment = std::max(objects.device().scratch_alignment(), 1u);
  absl::StatusOr<MappedBuffer> scratch = objects.MakeBuffer(sizes.buildScratchSize + alignment);
  if (!scratch.ok()) return scratch.status();
  VkAccelerationStructureCreateInfoKHR create = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                 .buffer = storage->handle,
                                                 .size = sizes.accelerationStructureSize,
                                                 .type = type};
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  absl::Status status = Check(vk.CreateAccelerationStructureKHR(device, &create, nullptr, &structure),
                              "vkCreateAccelerationStructureKHR");
  if (!status.ok()) return status;
  objects.Defer([&objects, structure] {
    objects.vk().DestroyAccelerationStructureKHR(objects.device().handle(), structure, nullptr);
  });
  build.dstAccelerationStructure = structure;
  build.scratchData.deviceAddress = (scratch->address + alignment - 1) / alignment * alignment;
  status = objects.Execute([&](VkCommandBuffer commands) {
    const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count};
    const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
    vk.CmdBuildAccelerationStructuresKHR(commands, 1, &build, &ranges);
    VkMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_WRITE_BIT_KHR,
        .dstAccessMask = VK_ACCESS_ACCELERATION_STRUCTURE_READ_BIT_KHR,
    };
    vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                          VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, nullptr, 0, nullptr);
  });
  if (!status.ok()) return status;
  return structure;
}

}  // namespace

absl::StatusOr<VkAccelerationStructureKHR> MakeScene(Objects& objects, const SceneDescription& description,
                                                     absl::Span<const uint8_t> bytes) {
  if (!objects.device().Has(VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME)) {
    return absl::UnimplementedError("the device has no acceleration structures");
  }
  absl::StatusOr<MappedBuffer> input = objects.MakeBuffer(bytes.size());
  if (!input.ok()) return input.status();
  std::ranges::copy(bytes, input->memory);
  const uint32_t primitives = static_cast<uint32_t>(bytes.size() / (description.is_boxes ? kBoxBytes : kTriangleBytes));
  absl::StatusOr<VkAccelerationStructureKHR> bottom_level =
      Build(objects, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, Geometry(input->address, description, primitives),
            primitives);
  if (!bottom_level.ok()) return bottom_level.status();
  VkAccelerationStructureDeviceAddressInfoKHR address = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR,
      .accelerationStructure = *bottom_level};
  const VkAccelerationStructureInstanceKHR instance = {
      .transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
      .mask = 0xff,
      .accelerationStructureReference =
          objects.vk().GetAccelerationStructureDeviceAddressKHR(objects.device().handle(), &address),
  };
  absl::StatusOr<MappedBuffer> instances = objects.MakeBuffer(sizeof(instance));
  if (!instances.ok()) return instances.status();
  std::memcpy(instances->memory, &instance, sizeof(instance));
  return Build(objects, VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, InstanceGeometry(instances->address), 1);
}

}  // namespace assay::spirv_instrument::corpus
