// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_INSTANCE_TEST_H_
#define ASSAY_TESTING_GPU_INSTANCE_TEST_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <vector>

#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {

inline constexpr char kReference[] = "VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-06707";
inline constexpr char kPointer[] = "VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-03717";

// Acceleration structures of a box, and of instances.
class InstanceTest : public GpuavTest {
 protected:
  void SetUp() override {
    structures_.accelerationStructure = VK_TRUE;
    features12_.pNext = &structures_;
    Create(Options());
    box_ = MakeInput(sizeof(VkAabbPositionsKHR));
    const VkAabbPositionsKHR box = {0, 0, 0, 1, 1, 1};
    std::memcpy(Map(box_), &box, sizeof(box));
    instances_ = MakeInput(3 * sizeof(VkAccelerationStructureInstanceKHR));
    device_.SetName(VK_OBJECT_TYPE_BUFFER, instances_.handle, "instances");
    pointers_ = MakeInput(3 * sizeof(VkDeviceAddress));
    device_.SetName(VK_OBJECT_TYPE_BUFFER, pointers_.handle, "pointers");
  }

  virtual DeviceOptions Options() {
    return {.device_extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}};
  }

  static constexpr VkBufferUsageFlags kInput =
      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  // Its memory has an address.
  Buffer MakeInput(VkDeviceSize size) { return device_.MakeBuffer(size, kInput); }
  VkDeviceAddress AddressOf(const Buffer& buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  }

  // An acceleration structure for the build, whose storage is in `storage_`.
  VkAccelerationStructureKHR MakeStructure(VkAccelerationStructureTypeKHR type, VkDeviceSize size) {
    storage_ = device_.MakeBuffer(
        size, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    return MakeStructureIn(storage_, 0, type, size);
  }
  VkAccelerationStructureKHR MakeStructureIn(const Buffer& storage, VkDeviceSize offset,
                                             VkAccelerationStructureTypeKHR type, VkDeviceSize size) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = storage,
        .offset = offset,
        .size = size,
        .type = type};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateAccelerationStructureKHR(device_.device, &info, nullptr, &structure), VK_SUCCESS);
    device_.Defer(structure, [this, structure] {
      device_.vk.DestroyAccelerationStructureKHR(device_.device, structure, nullptr);
    });
    return structure;
  }

  using BuildInfo = VkAccelerationStructureBuildGeometryInfoKHR;
  // Makes an acceleration structure of one geometry. `record` records its build.
  VkAccelerationStructureKHR BuildWith(VkAccelerationStructureTypeKHR type,
                                       const VkAccelerationStructureGeometryKHR& geometry, uint32_t count,
                                       const std::function<void(const BuildInfo&)>& record) {
    BuildInfo build = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
                       .type = type,
                       .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
                       .geometryCount = 1,
                       .pGeometries = &geometry};
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    device_.vk.GetAccelerationStructureBuildSizesKHR(device_.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                                     &build, &count, &sizes);
    // Room for any alignment.
    const Buffer scratch = device_.MakeBuffer(
        sizes.buildScratchSize + 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    build.dstAccelerationStructure = MakeStructure(type, sizes.accelerationStructureSize);
    build.scratchData.deviceAddress = (AddressOf(scratch) + 255) / 256 * 256;
    record(build);
    return build.dstAccelerationStructure;
  }
  // The same, and waits for it.
  VkAccelerationStructureKHR Build(VkAccelerationStructureTypeKHR type,
                                   const VkAccelerationStructureGeometryKHR& geometry, uint32_t count) {
    return BuildWith(type, geometry, count, [&](const BuildInfo& build) {
      SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
        const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count};
        const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
        device_.vk.CmdBuildAccelerationStructuresKHR(commands, 1, &build, &ranges);
      }));
    });
  }

  VkAccelerationStructureKHR BuildBox() {
    return Build(VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
                 {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                  .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR,
                  .geometry = {.aabbs = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_AABBS_DATA_KHR,
                                         .data = {.deviceAddress = AddressOf(box_)},
                                         .stride = sizeof(VkAabbPositionsKHR)}}},
                 1);
  }
  VkDeviceAddress AddressOf(VkAccelerationStructureKHR structure) {
    const VkAccelerationStructureDeviceAddressInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, .accelerationStructure = structure};
    return device_.vk.GetAccelerationStructureDeviceAddressKHR(device_.device, &info);
  }
  // Instances that stand side by side, two units apart.
  void SetInstances(const std::vector<VkDeviceAddress>& references) {
    auto* const instances = static_cast<VkAccelerationStructureInstanceKHR*>(Map(instances_));
    for (size_t i = 0; i < references.size(); ++i) {
      instances[i] = {.transform = {{{1, 0, 0, 2 * static_cast<float>(i)}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                      .mask = 0xff,
                      .accelerationStructureReference = references[i]};
    }
  }
  VkAccelerationStructureGeometryKHR Instances() {
    return {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
            .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
            .geometry = {.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                       .data = {.deviceAddress = AddressOf(instances_)}}}};
  }
  VkAccelerationStructureKHR BuildOf(const std::vector<VkDeviceAddress>& references) {
    SetInstances(references);
    return Build(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR, Instances(), static_cast<uint32_t>(references.size()));
  }
  // Of instances that are given by their addresses.
  void BuildAt(const std::vector<VkDeviceAddress>& addresses) {
    std::memcpy(Map(pointers_), addresses.data(), addresses.size() * sizeof(VkDeviceAddress));
    Build(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
          {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
           .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
           .geometry = {.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                      .arrayOfPointers = VK_TRUE,
                                      .data = {.deviceAddress = AddressOf(pointers_)}}}},
          static_cast<uint32_t>(addresses.size()));
  }
  // At a byte of the buffer.
  void SetInstance(size_t byte, VkDeviceAddress reference) {
    const VkAccelerationStructureInstanceKHR instance = {.transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                                                         .mask = 0xff,
                                                         .accelerationStructureReference = reference};
    std::memcpy(static_cast<std::byte*>(Map(instances_)) + byte, &instance, sizeof(instance));
  }

  VkPhysicalDeviceAccelerationStructureFeaturesKHR structures_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
  // Of the structure that was made last.
  Buffer storage_;
  Buffer box_;
  Buffer instances_;
  Buffer pointers_;
};

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_INSTANCE_TEST_H_
