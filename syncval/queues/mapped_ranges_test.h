// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_TEST_H_
#define ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_TEST_H_

#include <string>

#include "syncval/fixture/sync_test.h"

// The fixture of tests of mapped memory.
namespace assay::syncval {

inline constexpr char kWriteRacingRead[] = "SYNC-HAZARD-WRITE-RACING-READ";
inline constexpr char kWriteRacingWrite[] = "SYNC-HAZARD-WRITE-RACING-WRITE";
inline constexpr char kReadRacingWrite[] = "SYNC-HAZARD-READ-RACING-WRITE";
// nonCoherentAtomSize of the mock driver, in bytes.
inline constexpr VkDeviceSize kAtom = 64;

class SyncMapped : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.settings.emplace_back("syncval_mapped_ranges", true);
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    VkPhysicalDeviceProperties properties;
    vk.GetPhysicalDeviceProperties(physical_device, &properties);
    ASSERT_EQ(properties.limits.nonCoherentAtomSize, kAtom);
    staging_ = MakeMapped(1024);
    mesh_ = MakeBuffer(1024);
  }
  void* Map(VkDeviceMemory memory, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    void* bytes = nullptr;
    EXPECT_EQ(vk.MapMemory(device, memory, offset, size, 0, &bytes), VK_SUCCESS);
    return bytes;
  }
  test::Buffer MakeMapped(VkDeviceSize size) {
    test::Buffer buffer = MakeBuffer(size);
    Map(buffer.memory);
    return buffer;
  }
  // Bound at an offset of memory that other resources may share.
  test::Buffer MakeBound(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                     .size = size,
                                     .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT};
    const test::Buffer buffer = {MakeUnboundBuffer(info), memory, size};
    EXPECT_EQ(vk.BindBufferMemory(device, buffer, memory, offset), VK_SUCCESS);
    return buffer;
  }
  static VkMappedMemoryRange Bytes(VkDeviceMemory memory, VkDeviceSize offset, VkDeviceSize size) {
    return {VK_STRUCTURE_TYPE_MAPPED_MEMORY_RANGE, nullptr, memory, offset, size};
  }
  void Flush(const test::Buffer& buffer, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMappedMemoryRange range = Bytes(buffer.memory, offset, size);
    EXPECT_EQ(vk.FlushMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  }
  void Invalidate(const test::Buffer& buffer, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE) {
    const VkMappedMemoryRange range = Bytes(buffer.memory, offset, size);
    EXPECT_EQ(vk.InvalidateMappedMemoryRanges(device, 1, &range), VK_SUCCESS);
  }
  VkCommandBuffer Upload(VkDeviceSize offset = 0, VkDeviceSize size = 1024, uint32_t family = 0) {
    return Record([&](VkCommandBuffer c) { Copy(c, staging_, mesh_, {offset, offset, size}); }, family);
  }
  VkCommandBuffer Readback(VkDeviceSize offset = 0, VkDeviceSize size = 1024, uint32_t family = 0) {
    return Record([&](VkCommandBuffer c) { Copy(c, mesh_, staging_, {offset, offset, size}); }, family);
  }
  static void ExpectPart(const test::Message& message, const std::string& part) {
    EXPECT_NE(message.text.find(part), std::string::npos) << message.text;
  }
  test::Buffer staging_, mesh_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_MAPPED_RANGES_TEST_H_
