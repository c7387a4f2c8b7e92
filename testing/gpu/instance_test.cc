// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The instances that acceleration structures are built of.

#include "testing/gpu/instance_test.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

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
  EXPECT_THAT(message.text, HasSubstr("which is the address of no acceleration structure. It was replaced by 0. The "
                                      "command has read this at byte 64 of VkBuffer "));
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
  const Buffer storage = storage_;
  device_.DestroyNow(gone);
  MakeStructureIn(storage, 0, VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR, storage.size);
  BuildOf({box, address});
}

}  // namespace
}  // namespace assay::test
