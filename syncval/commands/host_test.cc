// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Races of the host's own accesses to images with queues.

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

class SyncHost : public SyncTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = SyncTest::Options();
    options.device_extensions = {VK_EXT_HOST_IMAGE_COPY_EXTENSION_NAME};
    return options;
  }
  void SetUp() override {
    SyncTest::SetUp();
    image_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    other_ = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    buffer_ = MakeBuffer(1024);
  }
  // A square of 8 x 8 texels.
  VkCommandBuffer ReadCommands() {
    return Record([&](VkCommandBuffer c) {
      VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {8, 8, 1}};
      vk.CmdCopyImageToBuffer(c, image_, VK_IMAGE_LAYOUT_GENERAL, buffer_, 1, &region);
    });
  }
  VkCommandBuffer WriteCommands() {
    return Record([&](VkCommandBuffer c) {
      VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {8, 8, 1}};
      vk.CmdCopyBufferToImage(c, buffer_, image_, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
    });
  }
  void HostWrite(VkOffset3D offset = {0, 0, 0}) {
    VkMemoryToImageCopy region = {.sType = VK_STRUCTURE_TYPE_MEMORY_TO_IMAGE_COPY,
                                  .pHostPointer = bytes_,
                                  .imageSubresource = image_.Layers(),
                                  .imageOffset = offset,
                                  .imageExtent = {8, 8, 1}};
    VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO,
                                    .dstImage = image_,
                                    .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .regionCount = 1,
                                    .pRegions = &region};
    vk.CopyMemoryToImage(device, &info);
  }
  void HostRead() {
    VkImageToMemoryCopy region = {.sType = VK_STRUCTURE_TYPE_IMAGE_TO_MEMORY_COPY,
                                  .pHostPointer = bytes_,
                                  .imageSubresource = image_.Layers(),
                                  .imageExtent = {8, 8, 1}};
    VkCopyImageToMemoryInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_MEMORY_INFO,
                                    .srcImage = image_,
                                    .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                    .regionCount = 1,
                                    .pRegions = &region};
    vk.CopyImageToMemory(device, &info);
  }
  void HostCopy(VkImage from, VkImage to) {
    VkImageCopy2 region = {.sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
                           .srcSubresource = image_.Layers(),
                           .dstSubresource = image_.Layers(),
                           .extent = {8, 8, 1}};
    VkCopyImageToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_IMAGE_TO_IMAGE_INFO,
                                   .srcImage = from,
                                   .srcImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .dstImage = to,
                                   .dstImageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                   .regionCount = 1,
                                   .pRegions = &region};
    vk.CopyImageToImage(device, &info);
  }
  void HostTransition(VkImageLayout to) {
    VkHostImageLayoutTransitionInfo info = {.sType = VK_STRUCTURE_TYPE_HOST_IMAGE_LAYOUT_TRANSITION_INFO,
                                            .image = image_,
                                            .oldLayout = VK_IMAGE_LAYOUT_GENERAL,
                                            .newLayout = to,
                                            .subresourceRange = image_.Range()};
    vk.TransitionImageLayout(device, 1, &info);
  }
  Image image_, other_;
  Buffer buffer_;
  char bytes_[1024] = {};
};
class NegativeSyncHost : public SyncHost {};
class PositiveSyncHost : public SyncHost {};

TEST_F(NegativeSyncHost, WriteDuringARead) {
  Submit(Queue(), {ReadCommands()});
  HostWrite();
  const test::Message message = ExpectMessage("SYNC-HAZARD-WRITE-RACING-READ");
  EXPECT_NE(message.text.find("pCopyMemoryToImageInfo.pRegions[0]"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("Before this vkCopyMemoryToImage(), wait for batch"), std::string::npos) << message.text;
}
TEST_F(NegativeSyncHost, ReadDuringAWrite) {
  Submit(Queue(2), {Record([&](VkCommandBuffer c) { Clear(c, image_, image_.Range()); }, 2)});
  HostRead();
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
}
TEST_F(NegativeSyncHost, CopyDuringAWrite) {
  Submit(Queue(), {WriteCommands()});
  HostCopy(image_, other_);
  ExpectMessage("SYNC-HAZARD-READ-RACING-WRITE");
  HostCopy(other_, image_);
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-WRITE");
}
TEST_F(NegativeSyncHost, TransitionDuringARead) {
  Submit(Queue(), {ReadCommands()});
  HostTransition(VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  ExpectMessage("SYNC-HAZARD-WRITE-RACING-READ");
}
TEST_F(PositiveSyncHost, OtherTexelsAndReads) {
  Submit(Queue(), {ReadCommands()});
  HostWrite({8, 8, 0});
  HostRead();
  HostCopy(image_, other_);
  HostTransition(VK_IMAGE_LAYOUT_GENERAL);
}
TEST_F(PositiveSyncHost, AfterAWait) {
  VkFence fence = MakeFence();
  Submit(Queue(), {ReadCommands()}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
  HostWrite();
  // And before the next submission.
  Submit(Queue(), {WriteCommands()});
  vk.QueueWaitIdle(Queue());
  HostRead();
}
// The submission begins after the host signals the semaphore.
TEST_F(PositiveSyncHost, BeforeASignalOfTheHost) {
  VkSemaphore timeline = MakeTimeline();
  Submit(Queue(), {ReadCommands()},
         {.waits = {{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, timeline, 1,
                     VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}}});
  HostWrite();
  VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, 1};
  vk.SignalSemaphore(device, &signal);
}
// The submission goes on after the host sets the event.
TEST_F(PositiveSyncHost, BeforeAnEventOfTheHost) {
  VkEvent event = MakeEvent();
  VkFence fence = MakeFence();
  VkCommandBuffer c = Begun();
  vk.CmdWaitEvents(c, 1, &event, VK_PIPELINE_STAGE_HOST_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT, 0, nullptr, 0, nullptr, 0,
                   nullptr);
  VkBufferImageCopy region = {.imageSubresource = image_.Layers(), .imageExtent = {8, 8, 1}};
  vk.CmdCopyImageToBuffer(c, image_, VK_IMAGE_LAYOUT_GENERAL, buffer_, 1, &region);
  End(c);
  Submit(Queue(), {c}, {.fence = fence});
  HostWrite();
  vk.SetEvent(device, event);
  vk.WaitForFences(device, 1, &fence, VK_TRUE, ~0ull);
}
TEST_F(PositiveSyncHost, NullParameters) {
  vk.TransitionImageLayout(device, 1, nullptr);
  VkCopyMemoryToImageInfo info = {.sType = VK_STRUCTURE_TYPE_COPY_MEMORY_TO_IMAGE_INFO, .regionCount = 1};
  vk.CopyMemoryToImage(device, &info);
}

}  // namespace
}  // namespace assay::syncval
