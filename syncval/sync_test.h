// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_SYNC_TEST_H_
#define ASSAY_SYNCVAL_SYNC_TEST_H_

#include <cstdint>
#include <functional>
#include <source_location>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testing/fixture.h"

// What the tests of synchronization validation have in common.
namespace assay::syncval {

inline constexpr char kReadAfterWrite[] = "SYNC-HAZARD-READ-AFTER-WRITE";
inline constexpr char kWriteAfterRead[] = "SYNC-HAZARD-WRITE-AFTER-READ";
inline constexpr char kWriteAfterWrite[] = "SYNC-HAZARD-WRITE-AFTER-WRITE";

inline constexpr VkPipelineStageFlags2 kCopy = VK_PIPELINE_STAGE_2_COPY_BIT;
inline constexpr VkPipelineStageFlags2 kClear = VK_PIPELINE_STAGE_2_CLEAR_BIT;
inline constexpr VkPipelineStageFlags2 kCompute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
inline constexpr VkAccessFlags2 kRead = VK_ACCESS_2_TRANSFER_READ_BIT;
inline constexpr VkAccessFlags2 kWrite = VK_ACCESS_2_TRANSFER_WRITE_BIT;
inline constexpr VkAccessFlags2 kStorageRead = VK_ACCESS_2_SHADER_STORAGE_READ_BIT;
inline constexpr VkAccessFlags2 kStorageWrite = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT;

// The four masks of a barrier.
struct Masks {
  VkPipelineStageFlags2 src_stages = 0;
  VkAccessFlags2 src_access = 0;
  VkPipelineStageFlags2 dst_stages = 0;
  VkAccessFlags2 dst_access = 0;
};
// Those that a report's fix names; all zero when it names none.
Masks ParseFix(std::string_view text);
// The same with one bit taken out, for each bit.
std::vector<Masks> WithoutEachBit(const Masks& masks);
std::string ToString(const Masks& masks);

// A way to access the target of a test.
struct TargetUse {
  std::string name;
  bool reads;
  bool writes;
  std::function<void(VkCommandBuffer)> record;
};

// A compute pipeline, and a descriptor set for it with storage buffers or what else the test writes.
struct Compute {
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkPipelineLayout layout = VK_NULL_HANDLE;
  VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

class SyncTest : public test::ValidationTest {
 protected:
  // No other validator: these tests make calls that others would report.
  test::DeviceOptions Options() override {
    return {.settings = {{"validate_sync", true},
                         {"validate_core", false},
                         {"stateless_param", false},
                         {"thread_safety", false},
                         {"object_lifetime", false}}};
  }
  void SetUp() override;

  // A command buffer that is being recorded into.
  VkCommandBuffer Begun(uint32_t family = 0);

  void Copy(VkCommandBuffer commands, VkBuffer source, VkBuffer target, VkBufferCopy region = {0, 0, 64});
  void Fill(VkCommandBuffer commands, VkBuffer target, VkDeviceSize offset = 0, VkDeviceSize size = VK_WHOLE_SIZE);
  void Clear(VkCommandBuffer commands, VkImage image, VkImageSubresourceRange range);
  void Barrier(VkCommandBuffer commands, const Masks& masks);
  void Barrier1(VkCommandBuffer commands, VkPipelineStageFlags src_stages, VkAccessFlags src_access,
                VkPipelineStageFlags dst_stages, VkAccessFlags dst_access);
  void BufferBarrier(VkCommandBuffer commands, const Masks& masks, VkBuffer buffer, VkDeviceSize offset = 0,
                     VkDeviceSize size = VK_WHOLE_SIZE);
  static VkImageMemoryBarrier2 ImageBarrier(const Masks& masks, VkImage image, VkImageSubresourceRange range,
                                            VkImageLayout from = VK_IMAGE_LAYOUT_GENERAL,
                                            VkImageLayout to = VK_IMAGE_LAYOUT_GENERAL);
  void Barriers(VkCommandBuffer commands, std::vector<VkMemoryBarrier2> globals,
                std::vector<VkBufferMemoryBarrier2> buffers, std::vector<VkImageMemoryBarrier2> images);
  static VkMemoryBarrier2 MemoryBarrier(const Masks& masks);

  // A shader over storage buffers of set 0: those that it reads and those that it writes.
  Compute MakeStorageCompute(std::vector<uint32_t> reads, std::vector<uint32_t> writes);
  // Any other, with what its set has.
  Compute MakeCompute(std::span<const uint32_t> shader, const std::vector<test::Binding>& bindings);
  void WriteStorage(const Compute& compute, uint32_t binding, VkBuffer buffer, VkDeviceSize offset = 0,
                    VkDeviceSize range = VK_WHOLE_SIZE);
  void Dispatch(VkCommandBuffer commands, const Compute& compute, std::vector<uint32_t> dynamic_offsets = {});

  // For each pair of uses of one target, one after the other: whether a hazard is reported, which, that it goes away
  // with the barrier that the report suggests, and comes back without any one bit of that.
  void CheckAllPairs(const std::vector<TargetUse>& uses);
  // No pair is a hazard.
  void CheckIndependent(const std::vector<TargetUse>& first, const std::vector<TargetUse>& second);

 private:
  void CheckPair(const TargetUse& first, const TargetUse& second);
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_SYNC_TEST_H_
