// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Objects in use by command buffers that queues execute.

#include "core/lifetime/lifetime_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

using ::testing::HasSubstr;

class NegativeRecordedUse : public LifetimeTest {};
class PositiveRecordedUse : public LifetimeTest {};

TEST_F(NegativeRecordedUse, NamesTheUserAndWhatToWaitFor) {
  VkCommandBuffer commands = RecordCopy(source, destination);
  SetName(VK_OBJECT_TYPE_BUFFER, source.handle, "staging");
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "upload");
  SetName(VK_OBJECT_TYPE_FENCE, fence, "uploaded");
  Submit(Queue(), {});
  Submit(Queue(), {commands}, {.fence = fence});
  const auto message = ExpectInUse(source);
  EXPECT_THAT(message.text, HasSubstr("[staging]) is in use: vkCmdCopyBuffer in VkCommandBuffer 0x"));
  EXPECT_THAT(message.text, HasSubstr("[upload] was given it. Nothing has told the application that submission 2 to "));
  EXPECT_THAT(message.text, HasSubstr(" (vkQueueSubmit2, batch 0) is complete."));
  EXPECT_THAT(message.text, HasSubstr("To fix: Wait for VkFence 0x"));
  EXPECT_THAT(message.text, HasSubstr("[uploaded] before this call."));
  EXPECT_EQ(message.objects.size(), 3u);
}

TEST_F(NegativeRecordedUse, NamesTheSemaphoreToWaitFor) {
  SetName(VK_OBJECT_TYPE_SEMAPHORE, timeline, "frames");
  Submit(Queue(), {RecordCopy(source, destination)}, {.signals = {At(timeline, 7)}});
  EXPECT_THAT(ExpectInUse(source).text, HasSubstr("[frames] to reach 7 before"));
}

TEST_F(NegativeRecordedUse, MemoryOfABuffer) {
  Submit(Queue(), {RecordCopy(source, destination)});
  EXPECT_THAT(Try("VUID-vkFreeMemory-memory-00677", vk.FreeMemory, device, source.memory, nullptr).text,
              HasSubstr(", which depends on it. Nothing has told"));
}

TEST_F(NegativeRecordedUse, ViewsOfAFramebuffer) {
  const auto image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  VkImageView view = MakeView(image);
  const VkAttachmentDescription2 attachment = {.format = VK_FORMAT_R8G8B8A8_UNORM,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                               .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
  VkRenderPass render_pass = MakeRenderPass({attachment}, {VkSubpassDescription2{}});
  VkFramebuffer framebuffer = MakeFramebuffer(render_pass, {view}, 4, 4);
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           const VkRenderPassBeginInfo begin = BeginInfo(render_pass, framebuffer, 4);
           vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
           vk.CmdEndRenderPass(c);
         })});
  Try("VUID-vkDestroyFramebuffer-framebuffer-00892", vk.DestroyFramebuffer, device, framebuffer, nullptr);
  Try("VUID-vkDestroyRenderPass-renderPass-00873", vk.DestroyRenderPass, device, render_pass, nullptr);
  Try("VUID-vkDestroyImageView-imageView-01026", vk.DestroyImageView, device, view, nullptr);
  Try("VUID-vkDestroyImage-image-01000", vk.DestroyImage, device, image, nullptr);
  Try("VUID-vkFreeMemory-memory-00677", vk.FreeMemory, device, image.memory, nullptr);
}

TEST_F(NegativeRecordedUse, StateThatDrawsUse) {
  const auto [layout, pool, set] = MakeDescriptors(VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT);
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 4);
  VkEvent event = MakeEvent();
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
           vk.CmdResetQueryPool(c, queries, 0, 4);
           vk.CmdSetEvent(c, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
         })});
  Try("VUID-vkFreeDescriptorSets-pDescriptorSets-00309", vk.FreeDescriptorSets, device, pool, 1, &set);
  Try("VUID-vkResetDescriptorPool-descriptorPool-00313", vk.ResetDescriptorPool, device, pool, 0);
  Try("VUID-vkDestroyDescriptorPool-descriptorPool-00303", vk.DestroyDescriptorPool, device, pool, nullptr);
  Try("VUID-vkDestroyQueryPool-queryPool-00793", vk.DestroyQueryPool, device, queries, nullptr);
  Try("VUID-vkDestroyEvent-event-01145", vk.DestroyEvent, device, event, nullptr);
  // The object is needed for recording alone.
  DestroyNow(layout);
}

TEST_F(NegativeRecordedUse, InASecondaryCommandBuffer) {
  VkCommandBuffer secondary =
      Record([&](VkCommandBuffer c) { Copy(c, source, destination); }, 0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); })});
  ExpectInUse(source);
  Try("VUID-vkResetCommandBuffer-commandBuffer-00045", vk.ResetCommandBuffer, secondary, 0);
}

TEST_F(NegativeRecordedUse, ByOneOfTwoQueues) {
  Submit(Queue(0, 0), {RecordCopy(source, destination)});
  Submit(Queue(0, 1), {RecordCopy(source, destination)});
  vk.QueueWaitIdle(Queue(0, 0));
  ExpectInUse(source);
  vk.QueueWaitIdle(Queue(0, 1));
  DestroyNow(source);
}

TEST_F(NegativeRecordedUse, ATimedOutWaitCompletesNothing) {
  driver().config().hold_work = true;
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_NOT_READY);
  ExpectInUse(source);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, 1), VK_SUCCESS);
  DestroyNow(source);
}

TEST_F(NegativeRecordedUse, BeginWhilePending) {
  VkCommandBuffer commands = Record([](VkCommandBuffer) {});
  Submit(Queue(), {commands});
  SkipCalls skip(*this);
  VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &begin), VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessage("VUID-vkBeginCommandBuffer-commandBuffer-00049");
}

TEST_F(NegativeRecordedUse, SwapchainOfAnImage) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  Submit(Queue(), {RecordTransition(swapchain)});
  Try("VUID-vkDestroySwapchainKHR-swapchain-01282", vk.DestroySwapchainKHR, device, swapchain, nullptr);
  vk.DeviceWaitIdle(device);
  DestroyNow(swapchain);
}

TEST_F(PositiveRecordedUse, OnceComplete) {
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  Wait(fence);
  DestroyNow(source);
  DestroyNow(source.memory);
}

TEST_F(PositiveRecordedUse, RerecordedOrResetBefore) {
  VkCommandBuffer commands = RecordCopy(source, destination);
  Begin(commands);
  Copy(commands, MakeBuffer(64), destination);
  End(commands);
  VkCommandBuffer reset = RecordCopy(source, destination);
  vk.ResetCommandBuffer(reset, 0);
  Begin(reset);
  End(reset);
  Submit(Queue(), {commands, reset});
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, NeverSubmitted) {
  RecordCopy(source, destination);
  Submit(Queue(), {Record([](VkCommandBuffer) {})});
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, ACommandThatWasSkipped) {
  const auto gone = MakeBuffer(64);
  DestroyNow(gone);
  Submit(Queue(), {Record([&](VkCommandBuffer c) {
           SkipCalls skip(*this);
           Copy(c, source, gone);
           ExpectMessage("VUID-vkCmdCopyBuffer-dstBuffer-parameter");
           skip.End();
           Copy(c, destination, MakeBuffer(64));
         })});
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, SubmissionFailed) {
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_EQ(Submit(Queue(), {RecordCopy(source, destination)}), VK_ERROR_OUT_OF_HOST_MEMORY);
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, DeviceLost) {
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  driver().FailNext<vk::WaitForFences>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
  DestroyNow(source);
}

// The image was presented after the copy, so it can be acquired again only when the copy is complete.
TEST_F(PositiveRecordedUse, ItsImageWasAcquiredAgain) {
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  VkSemaphore rendered = MakeSemaphore();
  const auto acquire = [&] {
    uint32_t image = 0;
    EXPECT_EQ(vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &image), VK_SUCCESS);
    Wait(fence);
    vk.ResetFences(device, 1, &fence);
    return image;
  };
  const uint32_t image = acquire();
  Submit(Queue(), {RecordCopy(source, destination)}, {.signals = {At(rendered)}});
  Present(swapchain, image, rendered);
  while (acquire() != image) ASSERT_FALSE(HasFailure());
  DestroyNow(source);
  DestroyNow(fence);
}

}  // namespace
}  // namespace assay::core
