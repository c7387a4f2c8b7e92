// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses of builds, copies and queries of micromaps.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;

constexpr VkPipelineStageFlags2 kBuild = VK_PIPELINE_STAGE_2_MICROMAP_BUILD_BIT_EXT;
constexpr VkAccessFlags2 kMicromapRead = VK_ACCESS_2_MICROMAP_READ_BIT_EXT;
constexpr VkAccessFlags2 kMicromapWrite = VK_ACCESS_2_MICROMAP_WRITE_BIT_EXT;

class SyncMicromap : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                                 VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME,
                                 VK_EXT_OPACITY_MICROMAP_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(2048);
    memory_ = MakeBuffer(4096);
    first_ = MakeMicromap(0);
    second_ = MakeMicromap(256);
    third_ = MakeMicromap(512);
  }
  VkMicromapEXT MakeMicromap(VkDeviceSize offset) {
    VkMicromapCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_CREATE_INFO_EXT,
                                    .buffer = buffer_,
                                    .offset = offset,
                                    .size = 256,
                                    .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT};
    VkMicromapEXT micromap = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateMicromapEXT(device, &info, nullptr, &micromap), VK_SUCCESS);
    Defer(micromap, [=, this] { vk.DestroyMicromapEXT(device, micromap, nullptr); });
    return micromap;
  }
  VkDeviceAddress AddressOf(VkBuffer buffer) {
    VkBufferDeviceAddressInfo info = {VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO, nullptr, buffer};
    return vk.GetBufferDeviceAddress(device, &info);
  }
  // From 16 triangles at the begin of memory_.
  void Build(VkCommandBuffer c, VkMicromapEXT micromap) {
    const VkMicromapUsageEXT usage = {16, 1, VK_OPACITY_MICROMAP_FORMAT_2_STATE_EXT};
    VkMicromapBuildInfoEXT info = {.sType = VK_STRUCTURE_TYPE_MICROMAP_BUILD_INFO_EXT,
                                   .type = VK_MICROMAP_TYPE_OPACITY_MICROMAP_EXT,
                                   .mode = VK_BUILD_MICROMAP_MODE_BUILD_EXT,
                                   .dstMicromap = micromap,
                                   .usageCountsCount = 1,
                                   .pUsageCounts = &usage,
                                   .data = {.deviceAddress = AddressOf(memory_) + 2048},
                                   .scratchData = {.deviceAddress = AddressOf(memory_) + 3072},
                                   .triangleArray = {.deviceAddress = AddressOf(memory_)},
                                   .triangleArrayStride = sizeof(VkMicromapTriangleEXT)};
    vk.CmdBuildMicromapsEXT(c, 1, &info);
  }
  void CopyMicromap(VkCommandBuffer c, VkMicromapEXT from, VkMicromapEXT to) {
    VkCopyMicromapInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_INFO_EXT, .src = from, .dst = to};
    vk.CmdCopyMicromapEXT(c, &info);
  }
  void CopyToMemory(VkCommandBuffer c, VkMicromapEXT from) {
    VkCopyMicromapToMemoryInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MICROMAP_TO_MEMORY_INFO_EXT,
                                          .src = from,
                                          .dst = {.deviceAddress = AddressOf(memory_)}};
    vk.CmdCopyMicromapToMemoryEXT(c, &info);
  }
  void CopyFromMemory(VkCommandBuffer c, VkMicromapEXT to) {
    VkCopyMemoryToMicromapInfoEXT info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_MICROMAP_INFO_EXT,
                                          .src = {.deviceAddress = AddressOf(memory_)},
                                          .dst = to};
    vk.CmdCopyMemoryToMicromapEXT(c, &info);
  }
  Buffer buffer_, memory_;
  VkMicromapEXT first_ = VK_NULL_HANDLE, second_ = VK_NULL_HANDLE, third_ = VK_NULL_HANDLE;
};
class NegativeSyncMicromap : public SyncMicromap {};
class PositiveSyncMicromap : public SyncMicromap {};

TEST_F(NegativeSyncMicromap, CopyOfACopy) {
  VkCommandBuffer c = Begun();
  CopyMicromap(c, first_, second_);
  CopyMicromap(c, second_, third_);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.src_stages, kBuild);
  EXPECT_EQ(fix.src_access, kMicromapWrite);
  EXPECT_EQ(fix.dst_stages, kBuild);
  EXPECT_EQ(fix.dst_access, kMicromapRead);
}
TEST_F(NegativeSyncMicromap, BuiltTwice) {
  VkCommandBuffer c = Begun();
  Build(c, first_);
  Build(c, first_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncMicromap, TrianglesAreWritten) {
  VkCommandBuffer c = Begun();
  Fill(c, memory_, 0, 128);
  Build(c, first_);
  const Masks fix = ParseFix(ExpectMessage(kReadAfterWrite).text);
  EXPECT_EQ(fix.dst_stages, kBuild);
  EXPECT_EQ(fix.dst_access, VK_ACCESS_2_SHADER_READ_BIT);
}
TEST_F(NegativeSyncMicromap, Properties) {
  VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, 1);
  VkCommandBuffer c = Begun();
  Build(c, first_);
  vk.CmdWriteMicromapsPropertiesEXT(c, 1, &first_, VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, pool, 0);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(NegativeSyncMicromap, Memory) {
  VkCommandBuffer c = Begun();
  CopyToMemory(c, first_);
  CopyFromMemory(c, second_);
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncMicromap, InOrderOrApart) {
  VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, 1);
  VkCommandBuffer c = Begun();
  Fill(c, memory_, 0, 128);
  Barrier(c, {kClear, kWrite, kBuild, VK_ACCESS_2_SHADER_READ_BIT});
  Build(c, first_);
  Build(c, second_);
  Barrier(c, {kBuild, kMicromapWrite, kBuild, kMicromapRead | kMicromapWrite});
  CopyMicromap(c, first_, third_);
  vk.CmdWriteMicromapsPropertiesEXT(c, 1, &second_, VK_QUERY_TYPE_MICROMAP_SERIALIZATION_SIZE_EXT, pool, 0);
  Barrier(c, {kBuild, kMicromapWrite, kBuild, kMicromapRead | kWrite});
  CopyToMemory(c, first_);
  Barrier(c, {kBuild, kWrite, kBuild, kRead | kMicromapWrite});
  CopyFromMemory(c, second_);
}

}  // namespace
}  // namespace assay::syncval
