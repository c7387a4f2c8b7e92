// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes with acceleration structures.

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"

namespace assay::planted {
namespace {

constexpr Access kBuildRead = {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR,
                               VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR};
constexpr Access kBuildWrite = kBuildRead.With(VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR);

constexpr VkBufferUsageFlags kStorage = VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR;

// A bottom-level acceleration structure of one box.
class Box {
 public:
  // The structure lies in the buffer, from `offset` on. The offset must be a multiple of 256.
  Box(Engine& engine, VkBuffer buffer, VkDeviceSize offset)
      : engine_(engine),
        scratch_(engine.TestDevice::MakeBuffer(
            kBytes, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)),
        corners_(
            engine.TestDevice::MakeBuffer(256, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                                   VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT)) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = buffer,
        .offset = offset,
        .size = kSize,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    engine_.vk.CreateAccelerationStructureKHR(engine_.device, &info, nullptr, &structure_);
    engine_.Defer(structure_, [this_device = &engine_, structure = structure_] {
      this_device->vk.DestroyAccelerationStructureKHR(this_device->device, structure, nullptr);
    });
  }

  // The bytes that are enough for one box.
  static constexpr VkDeviceSize kSize = 4608;

  void Build(Commands& c, VkBuildAccelerationStructureModeKHR mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR) {
    VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                   .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR};
    geometry.geometry.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                               .data = {.deviceAddress = AddressOf(corners_)},
                               .stride = sizeof(VkAabbPositionsKHR)};
    const bool is_update = mode == VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR;
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .flags = VK_BUILD_ACCELERATION_STRUCTURE_ALLOW_UPDATE_BIT_KHR,
        .mode = mode,
        .srcAccelerationStructure = is_update ? structure_ : VK_NULL_HANDLE,
        .dstAccelerationStructure = structure_,
        .geometryCount = 1,
        .pGeometries = &geometry,
        .scratchData = {.deviceAddress = AddressOf(scratch_)}};
    const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = 1};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = &range;
    engine_.vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
  }

 private:
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return engine_.vk.GetBufferDeviceAddress(engine_.device, &info);
  }

  Engine& engine_;
  const Buffer scratch_;
  const Buffer corners_;
  VkAccelerationStructureKHR structure_ = VK_NULL_HANDLE;
};

}  // namespace

std::vector<Mistake> BuildMistakes() {
  return {
      {"refit_without_waiting_for_the_build",
       "An acceleration structure is refitted, with the same scratch, in the frame that built it, with no barrier "
       "between.",
       {kWriteAfterRead, kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer storage = engine.TestDevice::MakeBuffer(kBytes, kStorage);
         Box box(engine, storage, 0);
         engine.Run([&](Commands& c) {
           box.Build(c);
           if (!bug) c.Barrier(kBuildWrite, kBuildRead | kBuildWrite);
           box.Build(c, VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR);
         });
       },
       {.acceleration_structures = true}},
      {"acceleration_structures_overlap",
       "Two acceleration structures are placed by a size that is too small, and the second is built over the first's "
       "end.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Buffer storage = engine.TestDevice::MakeBuffer(kBytes, kStorage);
         Box first(engine, storage, 0), second(engine, storage, bug ? Box::kSize / 2 : Box::kSize);
         engine.Run([&](Commands& c) {
           first.Build(c);
           second.Build(c);
         });
       },
       {.acceleration_structures = true}},
  };
}

}  // namespace assay::planted
