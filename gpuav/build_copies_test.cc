// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What indirect builds of acceleration structures read from buffers, over the mock driver.

#include <cstdint>
#include <cstring>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/copies_test.h"
#include "gtest/gtest.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class BuildCopiesTest : public CopiesTest {
 protected:
  using Range = VkAccelerationStructureBuildRangeInfoKHR;
  using Instance = VkAccelerationStructureInstanceKHR;

  test::DeviceOptions Options() override {
    test::DeviceOptions options = CopiesTest::Options();
    options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    CopiesTest::SetUp();
    ranges_ = MakeBuffer(256, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    input_ = MakeBuffer(1024, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_BUILD_INPUT_READ_ONLY_BIT_KHR |
                                  VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT);
    std::memset(BytesOf(ranges_), 0, 256);
    std::memset(BytesOf(input_), 0, 1024);
  }

  VkDeviceAddress AddressOf(VkBuffer buffer) {
    const VkBufferDeviceAddressInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, .buffer = buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  static VkAccelerationStructureGeometryKHR Boxes() {
    return {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR, .geometryType = VK_GEOMETRY_TYPE_AABBS_KHR};
  }
  VkAccelerationStructureGeometryKHR Instances(VkBool32 has_pointers = VK_FALSE) {
    VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                   .geometryType = VK_GEOMETRY_TYPE_INSTANCES_KHR};
    geometry.geometry.instances = {.arrayOfPointers = has_pointers, .data = {.deviceAddress = AddressOf(input_)}};
    return geometry;
  }
  static VkAccelerationStructureGeometryKHR Triangles(VkIndexType indices = VK_INDEX_TYPE_NONE_KHR) {
    VkAccelerationStructureGeometryKHR geometry = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_GEOMETRY_KHR,
                                                   .geometryType = VK_GEOMETRY_TYPE_TRIANGLES_KHR};
    geometry.geometry.triangles = {.vertexFormat = VK_FORMAT_R32G32B32_SFLOAT,
                                   .vertexStride = 12,
                                   .maxVertex = 5,
                                   .indexType = indices,
                                   .transformData = {.deviceAddress = 0x1000}};
    return geometry;
  }
  // Of the geometries, each with at most so many primitives.
  void BuildIndirect(const std::vector<VkAccelerationStructureGeometryKHR>& geometries, uint32_t most,
                     VkBuildAccelerationStructureFlagsKHR flags = 0) {
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .flags = flags,
        .geometryCount = static_cast<uint32_t>(geometries.size()),
        .pGeometries = geometries.data()};
    const VkDeviceAddress address = AddressOf(ranges_) + kOffset;
    const std::vector<uint32_t> counts(geometries.size(), most);
    const uint32_t* const max_counts = counts.data();
    Run([&](VkCommandBuffer commands) {
      vk.CmdBuildAccelerationStructuresIndirectKHR(commands, 1, &info, &address, &kStride, &max_counts);
    });
  }
  void WriteRanges(const std::vector<Range>& ranges) {
    for (size_t i = 0; i < ranges.size(); ++i) Write<Range>(ranges_, kOffset + i * kStride, {ranges[i]});
  }

  static constexpr uint32_t kOffset = 32;
  static constexpr uint32_t kStride = 24;
  test::Buffer ranges_;
  test::Buffer input_;
};

constexpr char kMostPrimitives[] = "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-ppMaxPrimitiveCounts-03653";
constexpr char kReference[] = "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-pInfos-06707";
constexpr char kPointer[] = "VUID-vkCmdBuildAccelerationStructuresIndirectKHR-pInfos-03717";

TEST_F(BuildCopiesTest, RangesAreCopiedBeforeTheBuild) {
  BuildIndirect({Boxes(), Boxes()}, 8);
  EXPECT_THAT(ids_, ElementsAre(kBarrier, kCopy, kBarrier, kBuild));
  ASSERT_EQ(copies_.size(), 1u);
  EXPECT_EQ(copies_[0].from.offset, kOffset);
  EXPECT_EQ(copies_[0].size, kStride + sizeof(Range));
  constexpr VkPipelineStageFlags kReads =
      VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT | VK_PIPELINE_STAGE_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
  EXPECT_THAT(stages_, ElementsAre(kReads | VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                                   VK_PIPELINE_STAGE_TRANSFER_BIT, kReads));
}

TEST_F(BuildCopiesTest, MorePrimitivesThanThereMayBe) {
  WriteRanges({{.primitiveCount = 8}, {.primitiveCount = 9}});
  BuildIndirect({Boxes(), Boxes()}, 8);
  EXPECT_THAT(ExpectMessage(kMostPrimitives).text,
              HasSubstr("vkCmdBuildAccelerationStructuresIndirectKHR(): primitiveCount is 9, which is more than the 8 "
                        "of ppMaxPrimitiveCounts[0][1]. The command has read this at byte 56 of VkBuffer "));
  BuildIndirect({Boxes(), Boxes()}, 9);
}

TEST_F(BuildCopiesTest, OffsetThatIsNotAligned) {
  WriteRanges({{.primitiveCount = 1, .primitiveOffset = 12}});
  BuildIndirect({Boxes()}, 8);
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03659");
}

TEST_F(BuildCopiesTest, EachMemberHasItsRules) {
  const auto build = [this](const VkAccelerationStructureGeometryKHR& geometry, const Range& range) {
    WriteRanges({range});
    BuildIndirect({geometry}, 8);
  };
  build(Triangles(), {.primitiveCount = 2, .primitiveOffset = 4, .transformOffset = 16});
  build(Triangles(VK_INDEX_TYPE_UINT16), {.primitiveCount = 3, .primitiveOffset = 2});
  ExpectNothing();
  build(Triangles(), {.primitiveCount = 3});
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-vertexData-10418");
  build(Triangles(), {.primitiveCount = 1, .primitiveOffset = 2});
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03657");
  build(Triangles(VK_INDEX_TYPE_UINT16), {.primitiveCount = 1, .primitiveOffset = 1});
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03656");
  build(Triangles(), {.primitiveCount = 1, .transformOffset = 8});
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-transformOffset-03658");
  build(Instances(), {.primitiveCount = 1, .primitiveOffset = 8});
  ExpectMessage("VUID-VkAccelerationStructureBuildRangeInfoKHR-primitiveOffset-03660");
}

// What the ranges say counts, not what there may be.
TEST_F(BuildCopiesTest, InstancesAreThoseOfTheRange) {
  Write<Instance>(input_, 0, {{.accelerationStructureReference = 0x10}, {}, {.accelerationStructureReference = 0x30}});
  WriteRanges({{.primitiveCount = 1, .primitiveOffset = 64}});
  BuildIndirect({Instances()}, 8);
  ExpectNothing();
  WriteRanges({{.primitiveCount = 2, .primitiveOffset = 64}});
  BuildIndirect({Instances()}, 8);
  EXPECT_THAT(
      ExpectMessage(kReference).text,
      HasSubstr("accelerationStructureReference is 0x30, which is the address of no acceleration structure. The "
                "command has read this at byte 128 of VkBuffer "));
  WriteRanges({{.primitiveCount = 1}});
  BuildIndirect({Instances()}, 8);
  ExpectMessage(kReference);
  WriteRanges({{.primitiveCount = 0}});
  BuildIndirect({Instances()}, 8);
}

TEST_F(BuildCopiesTest, AddressesOfInstances) {
  Write<uint64_t>(input_, 0, {0x1000, 0x1008});
  WriteRanges({{.primitiveCount = 1}});
  BuildIndirect({Instances(VK_TRUE)}, 4);
  ExpectNothing();
  WriteRanges({{.primitiveCount = 2}});
  BuildIndirect({Instances(VK_TRUE)}, 4);
  EXPECT_THAT(ExpectMessage(kPointer).text,
              HasSubstr("The address of an instance is 0x1008, which is not a multiple of "
                        "16. The command has read this at byte 8 of VkBuffer "));
}

TEST_F(BuildCopiesTest, InstancesOfMotionAreLeftOut) {
  BuildIndirect({Instances()}, 8, VK_BUILD_ACCELERATION_STRUCTURE_MOTION_BIT_NV);
  ASSERT_EQ(copies_.size(), 1u);
  EXPECT_EQ(copies_[0].size, sizeof(Range));
}

// The host knows the range.
TEST_F(BuildCopiesTest, DirectBuild) {
  Write<Instance>(input_, 64, {{.accelerationStructureReference = 0x10}, {.accelerationStructureReference = 0x20}});
  const auto build = [this](const VkAccelerationStructureGeometryKHR& geometry, uint32_t count) {
    const VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .geometryCount = 1,
        .pGeometries = &geometry};
    const Range range = {.primitiveCount = count, .primitiveOffset = 64};
    const Range* const ranges = &range;
    Run([&](VkCommandBuffer commands) { vk.CmdBuildAccelerationStructuresKHR(commands, 1, &info, &ranges); });
  };
  build(Instances(), 0);
  EXPECT_THAT(copies_, IsEmpty());
  build(Instances(), 2);
  EXPECT_EQ(copies_.at(0).size, 128u);
  EXPECT_THAT(ExpectMessage("VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-06707").text,
              HasSubstr("The command has read this at byte 64 of VkBuffer "));
  Write<uint64_t>(input_, 64, {0x1000, 0x1001});
  build(Instances(VK_TRUE), 2);
  EXPECT_EQ(copies_.at(0).size, 16u);
  EXPECT_THAT(ExpectMessage("VUID-vkCmdBuildAccelerationStructuresKHR-pInfos-03717").text,
              HasSubstr("The command has read this at byte 72 of VkBuffer "));
}

// Other rules are about such an address.
TEST_F(BuildCopiesTest, RangesThatAreNowhere) {
  const VkAccelerationStructureGeometryKHR geometry = Instances();
  const VkAccelerationStructureBuildGeometryInfoKHR info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
      .geometryCount = 1,
      .pGeometries = &geometry};
  const VkDeviceAddress address = AddressOf(ranges_) + 248;
  const uint32_t most = 1;
  const uint32_t* const max_counts = &most;
  Run([&](VkCommandBuffer commands) {
    vk.CmdBuildAccelerationStructuresIndirectKHR(commands, 1, &info, &address, &kStride, &max_counts);
  });
  EXPECT_THAT(copies_, IsEmpty());
  EXPECT_THAT(ids_, ElementsAre(kBuild));
}

class StructureTest : public BuildCopiesTest {
 protected:
  test::DeviceOptions Options() override {
    features_.accelerationStructure = VK_TRUE;
    test::DeviceOptions options = BuildCopiesTest::Options();
    options.features = &features_;
    return options;
  }
  VkAccelerationStructureKHR MakeStructure(VkBuffer buffer) {
    const VkAccelerationStructureCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
        .buffer = buffer,
        .size = 256,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    Defer(structure, [this, structure] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
    return structure;
  }
  void BuildOf(VkDeviceAddress reference) {
    Write<Instance>(input_, 0, {{.accelerationStructureReference = reference}});
    WriteRanges({{.primitiveCount = 1}});
    BuildIndirect({Instances()}, 1);
  }

  static constexpr VkBufferUsageFlags kStorage =
      VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR | VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT;
  VkPhysicalDeviceAccelerationStructureFeaturesKHR features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ACCELERATION_STRUCTURE_FEATURES_KHR};
};

// The application may know the address of each structure that there is.
TEST_F(StructureTest, AddressThatTheApplicationDoesNotAskFor) {
  MakeStructure(MakeBuffer(256, kStorage));
  BuildOf(0x30);
  EXPECT_THAT(ExpectMessage(kReference).text,
              HasSubstr("accelerationStructureReference is 0x30, which is the address of no acceleration structure. It "
                        "was replaced by 0. The command has read this at byte 0 of VkBuffer "));
}

TEST_F(StructureTest, AddressThatCannotBeAskedFor) {
  const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = 256, .usage = kStorage};
  const VkBuffer buffer = MakeUnboundBuffer(info);
  MakeStructure(buffer);
  BuildOf(0x30);
  ExpectNothing();
  VkMemoryRequirements requirements = {};
  vk.GetBufferMemoryRequirements(device, buffer, &requirements);
  EXPECT_EQ(vk.BindBufferMemory(device, buffer, MakeMemory(requirements), 0), VK_SUCCESS);
  BuildOf(0x30);
  ExpectMessage(kReference);
  const VkAccelerationStructureKHR other =
      MakeStructure(MakeBuffer(256, VK_BUFFER_USAGE_ACCELERATION_STRUCTURE_STORAGE_BIT_KHR));
  BuildOf(0x30);
  ExpectNothing();
  const VkAccelerationStructureDeviceAddressInfoKHR address_info = {
      .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_DEVICE_ADDRESS_INFO_KHR, .accelerationStructure = other};
  const VkDeviceAddress address = vk.GetAccelerationStructureDeviceAddressKHR(device, &address_info);
  BuildOf(address);
  ExpectNothing();
  BuildOf(address + 1);
  ExpectMessage(kReference);
  DestroyNow(other);
  BuildOf(address);
  ExpectMessage(kReference);
}

}  // namespace
}  // namespace assay::gpuav
