// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Releases and acquires of buffers and images between queue families 0 and 1.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Buffer, test::Image, test::Of;

constexpr char kRule[] = "VUID-vkQueueSubmit2-commandBuffer-03879";
constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;

class OwnershipTransferTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    buffer_ = MakeBuffer(1024);
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, 0, 2);
  }

  static VkBufferMemoryBarrier2 Transfer(VkBuffer buffer, uint32_t from, uint32_t to, VkDeviceSize offset = 0,
                                         VkDeviceSize size = VK_WHOLE_SIZE) {
    return Of<VkBufferMemoryBarrier2>(kAll, VK_ACCESS_2_NONE, kAll, VK_ACCESS_2_NONE, from, to, buffer, offset, size);
  }
  static VkImageMemoryBarrier2 Transfer(const Image& image, uint32_t from, uint32_t to, VkImageLayout layout,
                                        uint32_t level = 0) {
    return Of<VkImageMemoryBarrier2>(kAll, VK_ACCESS_2_NONE, kAll, VK_ACCESS_2_NONE, VK_IMAGE_LAYOUT_UNDEFINED, layout,
                                     from, to, image.handle,
                                     VkImageSubresourceRange{VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1});
  }
  void Barrier(VkCommandBuffer commands, const VkBufferMemoryBarrier2& barrier) {
    const auto info = Of<VkDependencyInfo>(0, 0, nullptr, 1, &barrier);
    vk.CmdPipelineBarrier2(commands, &info);
  }
  void Barrier(VkCommandBuffer commands, const VkImageMemoryBarrier2& barrier) { PipelineBarrier(commands, barrier); }
  // Submits the barrier alone, to a queue of the family.
  template <class B>
  void Run(const B& barrier, uint32_t family) {
    Submit(Queue(family), {Record([&](VkCommandBuffer c) { Barrier(c, barrier); }, family)});
    vk.DeviceWaitIdle(device);
  }

  Buffer buffer_;
  Image image_;
};
class NegativeOwnershipTransfer : public OwnershipTransferTest {};
class PositiveOwnershipTransfer : public OwnershipTransferTest {};

TEST_F(NegativeOwnershipTransfer, NothingReleased) {
  SetName(VK_OBJECT_TYPE_BUFFER, buffer_.handle, "particles");
  Run(Transfer(buffer_, 1, 0), 0);
  const std::string text = ExpectMessage(kRule).text;
  EXPECT_NE(text.find("[particles] for queue family 0, and nothing that was submitted to queue family 1 before"),
            std::string::npos)
      << text;
}
// A submission that fails has released nothing.
TEST_F(NegativeOwnershipTransfer, ReleaseFailed) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Run(Transfer(buffer_, 1, 0), 1);
  Run(Transfer(buffer_, 1, 0), 0);
  ExpectMessage(kRule);
}
TEST_F(PositiveOwnershipTransfer, SecondReleaseFailed) {
  Run(Transfer(buffer_, 1, 0), 1);
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  Run(Transfer(buffer_, 1, 0), 1);
  Run(Transfer(buffer_, 1, 0), 0);
}
TEST_F(NegativeOwnershipTransfer, Sync1) {
  const auto barrier = Of<VkBufferMemoryBarrier>(0, 0, 1, 0, buffer_.handle, 0, VK_WHOLE_SIZE);
  const VkCommandBuffer commands =
      Record([&](VkCommandBuffer c) { vk.CmdPipelineBarrier(c, kAll, kAll, 0, 0, nullptr, 1, &barrier, 0, nullptr); });
  const auto submit = test::Typed(VkSubmitInfo{.commandBufferCount = 1, .pCommandBuffers = &commands});
  vk.QueueSubmit(Queue(), 1, &submit, VK_NULL_HANDLE);
  ExpectMessage("VUID-vkQueueSubmit-pSubmits-02207");
}
TEST_F(NegativeOwnershipTransfer, OtherLayout) {
  Run(Transfer(image_, 1, 0, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL), 1);
  Run(Transfer(image_, 1, 0, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL), 0);
  ExpectMessage(kRule);
}
TEST_F(NegativeOwnershipTransfer, OtherPart) {
  Run(Transfer(buffer_, 1, 0, 0, 512), 1);
  Run(Transfer(buffer_, 1, 0, 512, 512), 0);
  ExpectMessage(kRule);
  Run(Transfer(image_, 1, 0, VK_IMAGE_LAYOUT_GENERAL, 0), 1);
  Run(Transfer(image_, 1, 0, VK_IMAGE_LAYOUT_GENERAL, 1), 0);
  ExpectMessage(kRule);
}
TEST_F(NegativeOwnershipTransfer, ReleasedToAnotherFamily) {
  Run(Transfer(buffer_, 1, 2), 1);
  Run(Transfer(buffer_, 1, 0), 0);
  ExpectMessage(kRule);
}
TEST_F(NegativeOwnershipTransfer, ReleaseIsRecordedAndNotSubmitted) {
  Record([&](VkCommandBuffer c) { Barrier(c, Transfer(buffer_, 1, 0)); }, 1);
  Run(Transfer(buffer_, 1, 0), 0);
  ExpectMessage(kRule);
}
TEST_F(NegativeOwnershipTransfer, AcquiredInASecondary) {
  const VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary);
  Barrier(secondary, Transfer(buffer_, 1, 0));
  End(secondary);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); })});
  ExpectMessage(kRule);
}

TEST_F(PositiveOwnershipTransfer, ReleasedAndAcquired) {
  for (auto [from, to] : {std::pair(0u, 1u), {1u, 0u}}) {
    for (uint32_t family : {from, to}) {
      Run(Transfer(buffer_, from, to), family);
      Run(Transfer(image_, from, to, VK_IMAGE_LAYOUT_GENERAL), family);
    }
  }
}
TEST_F(PositiveOwnershipTransfer, ReleasedAtOnceAndAcquiredInParts) {
  Run(Transfer(buffer_, 1, 0), 1);
  Run(Transfer(buffer_, 1, 0, 0, 512), 0);
  Run(Transfer(buffer_, 1, 0, 512), 0);
}
TEST_F(PositiveOwnershipTransfer, RerecordedWithoutTheTransfer) {
  const VkCommandBuffer commands = Record([&](VkCommandBuffer c) { Barrier(c, Transfer(buffer_, 1, 0)); });
  Begin(commands);
  End(commands);
  Submit(Queue(), {commands});
}
TEST_F(PositiveOwnershipTransfer, ComesFromOutside) {
  Run(Transfer(buffer_, VK_QUEUE_FAMILY_EXTERNAL, 0), 0);
  Run(Transfer(buffer_, VK_QUEUE_FAMILY_IGNORED, VK_QUEUE_FAMILY_IGNORED), 0);
}
TEST_F(PositiveOwnershipTransfer, OwnedByNobody) {
  const uint32_t families[] = {0, 1};
  const Buffer buffer = MakeBuffer({.size = 1024,
                                    .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
                                    .sharingMode = VK_SHARING_MODE_CONCURRENT,
                                    .queueFamilyIndexCount = 2,
                                    .pQueueFamilyIndices = families});
  Run(Transfer(buffer, VK_QUEUE_FAMILY_EXTERNAL, VK_QUEUE_FAMILY_IGNORED), 0);
  Run(Transfer(buffer, 1, 0), 0);
}

}  // namespace
}  // namespace assay::core
