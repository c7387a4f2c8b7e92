// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The instances that acceleration structures are built of.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

constexpr char kReference[] = "VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-06707";
constexpr char kPointer[] = "VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-03717";
constexpr VkBufferUsageFlags kInput =
    VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;

class InstanceTest : public GpuavTest {
 protected:
  void SetUp() override {
    structures_.accelerationStructure = VK_TRUE;
    features12_.pNext = &structures_;
    Create({.device_extensions = {"VK_KHR_acceleration_structure", "VK_KHR_deferred_host_operations"}});
    box_ = MakeInput(sizeof(VkAabbPositionsKHR));
    const VkAabbPositionsKHR box = {0, 0, 0, 1, 1, 1};
    std::memcpy(Map(box_), &box, sizeof(box));
    instances_ = MakeInput(3 * sizeof(VkAccelerationStructureInstanceKHR));
    device_.SetName(VK_OBJECT_TYPE_BUFFER, instances_.handle, "instances");
    pointers_ = MakeInput(3 * sizeof(VkDeviceAddress));
    device_.SetName(VK_OBJECT_TYPE_BUFFER, pointers_.handle, "pointers");
  }

  // Its memory has an address.
  Buffer MakeInput(VkDeviceSize size) { return device_.MakeBuffer(size, kInput); }
  VkDeviceAddress AddressOf(const Buffer& buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return device_.vk.GetBufferDeviceAddress(device_.device, &info);
  }

  // Builds an acceleration structure of one geometry, and waits.
  VkAccelerationStructureKHR Build(VkAccelerationStructureTypeKHR type,
                                   const VkAccelerationStructureGeometryKHR& geometry, uint32_t count) {
    VkAccelerationStructureBuildGeometryInfoKHR build = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = type,
        .mode = VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .geometryCount = 1,
        .pGeometries = &geometry};
    VkAccelerationStructureBuildSizesInfoKHR sizes = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_SIZES_INFO_KHR};
    device_.vk.GetAccelerationStructureBuildSizesKHR(device_.device, VK_ACCELERATION_STRUCTURE_BUILD_TYPE_DEVICE_KHR,
                                                     &build, &count, &sizes);
    const Buffer storage =
        device_.MakeBuffer(sizes.accelerationStructureSize, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR |
                                                                VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    // Room for any alignment.
    const Buffer scratch = device_.MakeBuffer(
        sizes.buildScratchSize + 256, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = storage,
        .size = sizes.accelerationStructureSize,
        .type = type};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(device_.vk.CreateAccelerationStructureKHR(device_.device, &info, nullptr, &structure), VK_SUCCESS);
    device_.Defer(structure, [this, structure] {
      device_.vk.DestroyAccelerationStructureKHR(device_.device, structure, nullptr);
    });
    build.dstAccelerationStructure = structure;
    build.scratchData.deviceAddress = (AddressOf(scratch) + 255) / 256 * 256;
    SubmitAndWait(device_.Record([&](VkCommandBuffer commands) {
      const VkAccelerationStructureBuildRangeInfoKHR range = {.primitiveCount = count};
      const VkAccelerationStructureBuildRangeInfoKHR* const ranges = &range;
      device_.vk.CmdBuildAccelerationStructuresKHR(commands, 1, &build, &ranges);
    }));
    return structure;
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
  void BuildOf(const std::vector<VkDeviceAddress>& references) {
    auto* const instances = static_cast<VkAccelerationStructureInstanceKHR*>(Map(instances_));
    for (size_t i = 0; i < references.size(); ++i) {
      instances[i] = {.transform = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}},
                      .mask = 0xff,
                      .accelerationStructureReference = references[i]};
    }
    Build(VK_ACCELERATION_STRUCTURE_TYPE_TOP_LEVEL_KHR,
          {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
           .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR,
           .geometry = {.instances = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_INSTANCES_DATA_KHR,
                                      .data = {.deviceAddress = AddressOf(instances_)}}}},
          static_cast<uint32_t>(references.size()));
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
  Buffer box_;
  Buffer instances_;
  Buffer pointers_;
};

TEST_F(InstanceTest, InstancesOfLiveStructures) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  BuildOf({box, 0, box});
}

// Its memory lives on, so that the driver survives.
TEST_F(InstanceTest, InstanceOfADestroyedStructure) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  const VkAccelerationStructureKHR gone = BuildBox();
  const VkDeviceAddress address = AddressOf(gone);
  device_.DestroyNow(gone);
  BuildOf({box, address, address});
  const Message message = log_.Expect(kReference);
  EXPECT_THAT(message.text, HasSubstr("vkCmdBuildAccelerationStructuresKHR(): accelerationStructureReference is 0x"));
  EXPECT_THAT(message.text, HasSubstr("which is the address of no acceleration structure. The command has read this "
                                      "at byte 64 of VkBuffer "));
  EXPECT_THAT(message.text,
              HasSubstr("[instances], in structure 1; it is the first of 2 structures that violate the rule."));
}

TEST_F(InstanceTest, InstancesGivenByTheirAddresses) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  SetInstance(0, box);
  SetInstance(72, box);
  const VkDeviceAddress instances = AddressOf(instances_);
  BuildAt({instances, instances});
  log_.ExpectNothing();
  VkPhysicalDeviceProperties properties;
  device_.vk.GetPhysicalDeviceProperties(device_.physical_device, &properties);
  if (properties.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU) GTEST_SKIP() << "the device might hang";
  BuildAt({instances, instances + 72});
  const Message message = log_.Expect(kPointer);
  EXPECT_THAT(message.text, HasSubstr("vkCmdBuildAccelerationStructuresKHR(): The address of an instance is 0x"));
  EXPECT_THAT(message.text, HasSubstr("8, which is not a multiple of 16. The command has read this at byte 8 of "));
  EXPECT_THAT(message.text, HasSubstr("[pointers], in structure 1."));
}

// The program may know its address from the one that was there before.
TEST_F(InstanceTest, StructureThatNobodyHasAskedForItsAddress) {
  const VkDeviceAddress box = AddressOf(BuildBox());
  const VkAccelerationStructureKHR gone = BuildBox();
  const VkDeviceAddress address = AddressOf(gone);
  device_.DestroyNow(gone);
  BuildBox();
  BuildOf({box, address});
}

}  // namespace
}  // namespace assay::test
