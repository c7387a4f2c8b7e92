// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Builds and copies of acceleration structures, whose storage, input or output is a buffer.

#include <string>
#include <utility>

#include "syncval/command_matrix/command_matrix.h"

namespace assay::syncval::command_matrix {
namespace {

constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkPipelineStageFlags2 kStructureCopy = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR;
constexpr VkAccessFlags2 kStructureRead = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr VkAccessFlags2 kStructureWrite = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;

}  // namespace

VkAccelerationStructureKHR CommandMatrix::MakeAccelerationStructure(VkBuffer buffer, VkDeviceSize offset) {
  const VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                     .buffer = buffer,
                                                     .offset = offset,
                                                     .size = kSize,
                                                     .type = VK_ACCELERATION_STRUCTURE_TYPE_GENERIC_KHR};
  VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
  Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
  return structure;
}

VkAccelerationStructureGeometryKHR CommandMatrix::Triangles() {
  VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                 .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR};
  geometry.geometry.triangles = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_TRIANGLES_DATA_KHR,
                                 .vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                 .vertexData = {.deviceAddress = AddressOf(MakeBuffer(256))},
                                 .vertexStride = 16,
                                 .maxVertex = 2,
                                 .indexType = VK_INDEX_TYPE_NONE_KHR};
  return geometry;
}

Command CommandMatrix::Build(std::string name, VkAccessFlags2 access,
                             const VkAccelerationStructureGeometryKHR& geometry, VkAccelerationStructureKHR structure,
                             VkAccelerationStructureKHR source) {
  if (structure == VK_NULL_HANDLE) structure = MakeAccelerationStructure(MakeBuffer(kSize), 0);
  const VkDeviceAddress scratch = AddressOf(MakeBuffer(16384));
  return {std::move(name), KindOf(kBuild, access), [=, this](VkCommandBuffer c) {
            const VkAccelerationStructureBuildGeometryInfoKHR info = {
                .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
                .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
                .mode = source != VK_NULL_HANDLE ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                                                 : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
                .srcAccelerationStructure = source,
                .dstAccelerationStructure = structure,
                .geometryCount = 1,
                .pGeometries = &geometry,
                .scratchData = {.deviceAddress = scratch}};
            const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1};
            const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
            vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
          }};
}

Commands CommandMatrix::AccelerationStructures() {
  const VkDeviceAddress address = AddressOf(target.buffer) + kOffset;
  VkAccelerationStructureGeometryKHR vertices = Triangles(), indices = Triangles(), transform = Triangles();
  vertices.geometry.triangles.vertexData.deviceAddress = address;
  indices.geometry.triangles.indexType = VK_INDEX_TYPE_UINT32;
  indices.geometry.triangles.indexData.deviceAddress = address;
  transform.geometry.triangles.transformData.deviceAddress = address;
  VkAccelerationStructureGeometryKHR boxes = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                              .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR};
  boxes.geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                          .data = {.deviceAddress = address},
                          .stride = 32};
  VkAccelerationStructureGeometryKHR instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                  .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR};
  instances.geometry.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                  .data = {.deviceAddress = address}};
  const VkAccelerationStructureKHR structure = MakeAccelerationStructure(target.buffer, kOffset);
  const VkAccelerationStructureKHR other = MakeAccelerationStructure(MakeBuffer(kSize), 0);
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, 1);
  const auto copy = [this](VkAccelerationStructureKHR from, VkAccelerationStructureKHR to) {
    return [=, this](VkCommandBuffer c) {
      const VkCopyAccelerationStructureInfoKHR info = {VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_INFO_KHR, nullptr,
                                                       from, to, VK_COPY_ACCELERATION_STRUCTURE_MODE_CLONE_KHR};
      vk.CmdCopyAccelerationStructureKHR(c, &info);
    };
  };
  const auto serialize = [this](VkAccelerationStructureKHR from, VkDeviceAddress to) {
    return [=, this](VkCommandBuffer c) {
      const VkCopyAccelerationStructureToMemoryInfoKHR info = {
          VK_STRUCTURE_TYPE_COPY_ACCELERATION_STRUCTURE_TO_MEMORY_INFO_KHR,
          nullptr,
          from,
          {.deviceAddress = to},
          VK_COPY_ACCELERATION_STRUCTURE_MODE_SERIALIZE_KHR};
      vk.CmdCopyAccelerationStructureToMemoryKHR(c, &info);
    };
  };
  const auto deserialize = [this](VkDeviceAddress from, VkAccelerationStructureKHR to) {
    return [=, this](VkCommandBuffer c) {
      const VkCopyMemoryToAccelerationStructureInfoKHR info = {
          VK_STRUCTURE_TYPE_COPY_MEMORY_TO_ACCELERATION_STRUCTURE_INFO_KHR,
          nullptr,
          {.deviceAddress = from},
          to,
          VK_COPY_ACCELERATION_STRUCTURE_MODE_DESERIALIZE_KHR};
      vk.CmdCopyMemoryToAccelerationStructureKHR(c, &info);
    };
  };
  const VkDeviceAddress memory = AddressOf(MakeBuffer(kSize));
  const matrix::Kind* const copied = KindOf(kStructureCopy, kStructureRead);
  const matrix::Kind* const written = KindOf(kStructureCopy, kStructureWrite);
  return {
      Build("build from vertices", VK_ACCESS_2_SHADER_READ_BIT, vertices),
      Build("build from indices", VK_ACCESS_2_SHADER_READ_BIT, indices),
      Build("build with transform", VK_ACCESS_2_SHADER_READ_BIT, transform),
      Build("build from boxes", VK_ACCESS_2_SHADER_READ_BIT, boxes),
      Build("build from instances", VK_ACCESS_2_SHADER_READ_BIT, instances),
      Build("build", kStructureWrite, Triangles(), structure),
      Build("update, source", kStructureRead, Triangles(), VK_NULL_HANDLE, structure),
      {"CopyAccelerationStructure from", copied, copy(structure, other)},
      {"CopyAccelerationStructure to", written, copy(other, structure)},
      {"CopyAccelerationStructureToMemory from", copied, serialize(structure, memory)},
      {"CopyAccelerationStructureToMemory to", KindOf(kStructureCopy, kWrite), serialize(other, address)},
      {"CopyMemoryToAccelerationStructure from", KindOf(kStructureCopy, kRead), deserialize(address, other)},
      {"CopyMemoryToAccelerationStructure to", written, deserialize(memory, structure)},
      {"WriteAccelerationStructuresProperties", copied,
       [=, this](VkCommandBuffer c) {
         vk.CmdWriteAccelerationStructuresPropertiesKHR(
             c, 1, &structure, VK_QUERY_TYPE_ACCELERATION_STRUCTURE_COMPACTED_SIZE_KHR, pool, 0);
       }},
  };
}

}  // namespace assay::syncval::command_matrix
