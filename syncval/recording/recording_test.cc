// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What a recording keeps and for how long; what orders everything; calls that make no sense.

#include <malloc.h>

#include "syncval/fixture/sync_test.h"

namespace assay::syncval {
namespace {

using test::Buffer;
using test::Image;

class SyncRecording : public SyncTest {
 protected:
  void SetUp() override {
    SyncTest::SetUp();
    buffer_ = MakeBuffer(256);
  }
  Buffer buffer_;
};
class NegativeSyncRecording : public SyncRecording {};
class PositiveSyncRecording : public SyncRecording {};

TEST_F(NegativeSyncRecording, SkippedCommandIsNotRecorded) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_, 0, 64);
  messages.set_callback_result(VK_TRUE);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
  messages.set_callback_result(VK_FALSE);
  Fill(c, buffer_, 64);
  ExpectNothing();
  Fill(c, buffer_, 0, 64);
  ExpectMessage(kWriteAfterWrite);
}
// A reported access is recorded as if it were in order.
TEST_F(NegativeSyncRecording, ReportedOnce) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  Copy(c, buffer_, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
  Copy(c, buffer_, MakeBuffer(64));
  ExpectMessage(kReadAfterWrite);
}
TEST_F(PositiveSyncRecording, CommandBuffersAreIndependent) {
  VkCommandBuffer c = Begun(), d = Begun();
  Fill(c, buffer_);
  Fill(d, buffer_);
}
TEST_F(PositiveSyncRecording, ResetClearsTheRecording) {
  VkCommandPool pool = MakeCommandPool();
  VkCommandBufferAllocateInfo info = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO, nullptr, pool,
                                      VK_COMMAND_BUFFER_LEVEL_PRIMARY, 1};
  VkCommandBuffer c = VK_NULL_HANDLE;
  vk.AllocateCommandBuffers(device, &info, &c);
  const auto record = [&] {
    Begin(c);
    Fill(c, buffer_);
    End(c);
  };
  record();
  record();
  vk.ResetCommandBuffer(c, 0);
  record();
  vk.ResetCommandPool(device, pool, 0);
  record();
}

// A command buffer that is recorded again and again, with more barriers than a small cache keeps apart.
TEST_F(PositiveSyncRecording, MemoryDoesNotGrow) {
  VkCommandBuffer c = MakeCommandBuffer();
  const auto record = [&](int rounds) {
    for (int round = 0; round < rounds; ++round) {
      Begin(c);
      for (VkAccessFlags2 access = 0; access < 20; ++access) {
        Fill(c, buffer_);
        Barrier(c, {kClear, kWrite | access, kClear, kWrite | access});
      }
      End(c);
    }
  };
  record(100);
  const size_t before = mallinfo2().uordblks;
  record(2000);
  EXPECT_LT(mallinfo2().uordblks, before + 100'000);
}

TEST_F(NegativeSyncRecording, SecondaryOrdersNothing) {
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(secondary);
  End(secondary);
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  vk.CmdExecuteCommands(c, 1, &secondary);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncRecording, WithinASecondary) {
  VkCommandBuffer c = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Begin(c);
  Fill(c, buffer_);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncRecording, RenderPassesOrderNothing) {
  VkSubpassDescription2 subpasses[] = {{.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2},
                                       {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2}};
  VkRenderPass pass = MakeRenderPass(
      {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 2, .pSubpasses = subpasses});
  VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                 .renderPass = pass,
                                 .framebuffer = MakeFramebuffer(pass, {}, 8, 8),
                                 .renderArea = {{}, {8, 8}}};
  VkSubpassBeginInfo subpass_begin = {.sType = VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO};
  VkSubpassEndInfo subpass_end = {.sType = VK_STRUCTURE_TYPE_SUBPASS_END_INFO};
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
  vk.CmdEndRenderPass(c);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
  vk.CmdBeginRenderPass2(c, &begin, &subpass_begin);
  vk.CmdNextSubpass2(c, &subpass_begin, &subpass_end);
  vk.CmdEndRenderPass2(c, &subpass_end);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}
TEST_F(NegativeSyncRecording, DynamicRenderingOrdersNothing) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{}, {1, 1}}, .layerCount = 1};
  vk.CmdBeginRendering(c, &rendering);
  vk.CmdEndRendering(c);
  Fill(c, buffer_);
  ExpectMessage(kWriteAfterWrite);
}

TEST_F(NegativeSyncRecording, LabelsAndPositions) {
  VkCommandBuffer c = Begun();
  Fill(c, buffer_);
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "clear"};
  vk.CmdBeginDebugUtilsLabelEXT(c, &label);
  Fill(c, buffer_);
  const test::Message message = ExpectMessage(kWriteAfterWrite);
  EXPECT_EQ(message.command_buffer_labels, std::vector<std::string>{"clear"});
  EXPECT_NE(message.text.find("(command 3 in \"clear\")"), std::string::npos) << message.text;
  EXPECT_NE(message.text.find("command 1, vkCmdFillBuffer()"), std::string::npos) << message.text;
}

// Null arrays, null handles, numbers out of range: no crash and no report.
TEST_F(PositiveSyncRecording, NullArrays) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  VkCommandBuffer c = Begun();
  for (uint32_t count : {0u, 1u}) {
    vk.CmdCopyBuffer(c, buffer_, buffer_, count, nullptr);
    vk.CmdCopyImage(c, image, kGeneral, image, kGeneral, count, nullptr);
    vk.CmdBlitImage(c, image, kGeneral, image, kGeneral, count, nullptr, VK_FILTER_NEAREST);
    vk.CmdResolveImage(c, image, kGeneral, image, kGeneral, count, nullptr);
    vk.CmdCopyBufferToImage(c, buffer_, image, kGeneral, count, nullptr);
    vk.CmdCopyImageToBuffer(c, image, kGeneral, buffer_, count, nullptr);
    vk.CmdClearColorImage(c, image, kGeneral, nullptr, count, nullptr);
    vk.CmdClearDepthStencilImage(c, image, kGeneral, nullptr, count, nullptr);
  }
  vk.CmdUpdateBuffer(c, buffer_, 0, 0, nullptr);
  vk.CmdPipelineBarrier(c, 0, 0, 0, 0, nullptr, 0, nullptr, 0, nullptr);
}
TEST_F(PositiveSyncRecording, NullHandles) {
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  VkCommandBuffer c = Begun();
  VkBufferCopy copy = {0, 0, 4};
  vk.CmdCopyBuffer(c, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &copy);
  VkImageCopy image_copy = {};
  vk.CmdCopyImage(c, VK_NULL_HANDLE, kGeneral, VK_NULL_HANDLE, kGeneral, 1, &image_copy);
  VkBufferImageCopy buffer_image_copy = {};
  vk.CmdCopyBufferToImage(c, VK_NULL_HANDLE, VK_NULL_HANDLE, kGeneral, 1, &buffer_image_copy);
  vk.CmdCopyImageToBuffer(c, VK_NULL_HANDLE, kGeneral, VK_NULL_HANDLE, 1, &buffer_image_copy);
  VkImageBlit blit = {};
  vk.CmdBlitImage(c, VK_NULL_HANDLE, kGeneral, VK_NULL_HANDLE, kGeneral, 1, &blit, VK_FILTER_NEAREST);
  Fill(c, VK_NULL_HANDLE);
  vk.CmdDispatchIndirect(c, VK_NULL_HANDLE, 0);
  BufferBarrier(c, {kCopy, kWrite, kCopy, kRead}, VK_NULL_HANDLE);
  Barriers(c, {}, {},
           {ImageBarrier({kCopy, kWrite, kCopy, kRead}, VK_NULL_HANDLE, {}, kGeneral, VK_IMAGE_LAYOUT_UNDEFINED)});
}
TEST_F(PositiveSyncRecording, StaleHandles) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  Buffer buffer = MakeBuffer(64);
  VkCommandBuffer c = Begun();
  Fill(c, buffer);
  Clear(c, image, image.Range());
  DestroyNow(image);
  DestroyNow(buffer);
  Fill(c, buffer);
  Clear(c, image, image.Range());
  BufferBarrier(c, {kCopy, kWrite, kCopy, kRead}, buffer);
}
TEST_F(PositiveSyncRecording, ExtremeRegions) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 8, 8);
  VkCommandBuffer c = Begun();
  constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
  constexpr int32_t kMin = INT32_MIN, kMax = INT32_MAX;
  VkImageSubresourceLayers layers = {VK_IMAGE_ASPECT_COLOR_BIT, 77, ~0u, ~0u};
  VkImageBlit blit = {
      layers, {{kMin, kMin, kMin}, {kMax, kMax, kMax}}, layers, {{kMax, kMax, kMax}, {kMin, kMin, kMin}}};
  vk.CmdBlitImage(c, image, kGeneral, image, kGeneral, 1, &blit, VK_FILTER_NEAREST);
  VkImageCopy copy = {layers, {kMax, kMin, kMax}, layers, {kMin, kMax, kMin}, {~0u, ~0u, ~0u}};
  vk.CmdCopyImage(c, image, kGeneral, image, kGeneral, 1, &copy);
  Buffer huge = MakeBuffer(VkDeviceSize{1} << 62);
  VkBufferImageCopy region = {~VkDeviceSize{0} - 3, ~0u, ~0u, layers, {kMin, kMin, kMin}, {~0u, ~0u, ~0u}};
  vk.CmdCopyImageToBuffer(c, image, kGeneral, huge, 1, &region);
  region.bufferOffset = 0;
  region.imageSubresource.mipLevel = 0;
  vk.CmdCopyImageToBuffer(c, image, kGeneral, huge, 1, &region);
  vk.CmdCopyQueryPoolResults(c, VK_NULL_HANDLE, 0, ~0u, MakeBuffer(VkDeviceSize{1} << 62), 0, 8, 0);
}

}  // namespace
}  // namespace assay::syncval
