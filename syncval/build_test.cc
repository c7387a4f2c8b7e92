// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What builds of acceleration structures are taken to access.

#include "syncval/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
constexpr VkAccessFlags2 kBuildRead = VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
constexpr VkAccessFlags2 kBuildWrite = VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR;

class SyncBuild : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(2048);
  }
  VkAccelerationStructureKHR MakeStructure(VkDeviceSize offset) {
    VkAccelerationStructureCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_CREATE_INFO_KHR,
                                                 .buffer = buffer_,
                                                 .offset = offset,
                                                 .size = 256,
                                                 .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR};
    VkAccelerationStructureKHR structure = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateAccelerationStructureKHR(device, &info, nullptr, &structure), VK_SUCCESS);
    Defer(structure, [=, this] { vk.DestroyAccelerationStructureKHR(device, structure, nullptr); });
    return structure;
  }
  // An update of `source` if there is one.
  void Build(VkCommandBuffer c, VkAccelerationStructureKHR target, VkAccelerationStructureKHR source = VK_NULL_HANDLE) {
    VkAccelerationStructureBuildGeometryInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_ACCELERATION_STRUCTURE_BUILD_GEOMETRY_INFO_KHR,
        .type = VK_ACCELERATION_STRUCTURE_TYPE_BOTTOM_LEVEL_KHR,
        .mode = source != VK_NULL_HANDLE ? VK_BUILD_ACCELERATION_STRUCTURE_MODE_UPDATE_KHR
                                         : VK_BUILD_ACCELERATION_STRUCTURE_MODE_BUILD_KHR,
        .srcAccelerationStructure = source,
        .dstAccelerationStructure = target};
    const VkAccelerationStructureBuildRangeInfoKHR* ranges = nullptr;
    vk.CmdBuildAccelerationStructuresKHR(c, 1, &info, &ranges);
  }
  Buffer buffer_;
};
class NegativeSyncBuild : public SyncBuild {};
class PositiveSyncBuild : public SyncBuild {};

TEST_F(NegativeSyncBuild, Twice) {
  VkAccelerationStructureKHR structure = MakeStructure(256);
  VkCommandBuffer c = Begun();
  Build(c, structure);
  Build(c, structure);
  const Masks fix = ParseFix(ExpectMessage(kWriteAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kBuild);
  EXPECT_EQ(fix.dst_access, kBuildWrite);
}
TEST_F(NegativeSyncBuild, UpdateReadsItsSource) {
  VkAccelerationStructureKHR source = MakeStructure(256), target = MakeStructure(512);
  VkCommandBuffer c = Begun();
  Build(c, source);
  Build(c, target, source);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_access, kBuildRead);
}
TEST_F(PositiveSyncBuild, InOrderOrApart) {
  VkAccelerationStructureKHR first = MakeStructure(256), second = MakeStructure(512);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 256);
  Build(c, first);
  Build(c, second);
  Barrier(c, {kBuild, kBuildWrite, kBuild, kBuildRead | kBuildWrite});
  Build(c, first, second);
}

}  // namespace
}  // namespace assay::syncval
