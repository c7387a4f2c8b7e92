// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Objects in use by command buffers that queues execute.

#include "core/lifetime/lifetime_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

using test::Buffer;
using test::Image;
using test::Message;
using ::testing::HasSubstr;

class InUse : public LifetimeTest {
 protected:
  VkCommandBuffer RecordCopy(VkBuffer source, VkBuffer destination) {
    return Record([&](VkCommandBuffer commands) { Copy(commands, source, destination); });
  }
  void Copy(VkCommandBuffer commands, VkBuffer source, VkBuffer destination) {
    VkBufferCopy region = {0, 0, 64};
    vk.CmdCopyBuffer(commands, source, destination, 1, &region);
  }
  void TryDestroy(VkBuffer buffer) { vk.DestroyBuffer(device, buffer, nullptr); }

  static VkSemaphoreSubmitInfo At(VkSemaphore semaphore, uint64_t value = 0) {
    return {VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO, nullptr, semaphore, value,
            VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,    0};
  }
};

class NegativeRecordedUse : public InUse {};
class PositiveRecordedUse : public InUse {};

TEST_F(NegativeRecordedUse, NamesTheUserAndWhatToWaitFor) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkFence fence = MakeFence();
  VkCommandBuffer commands = RecordCopy(source, destination);
  SetName(VK_OBJECT_TYPE_BUFFER, source.handle, "staging");
  SetName(VK_OBJECT_TYPE_COMMAND_BUFFER, commands, "upload");
  SetName(VK_OBJECT_TYPE_FENCE, fence, "uploaded");
  Submit(Queue(), {});
  Submit(Queue(), {commands}, {.fence = fence});
  SkipCalls skip(*this);
  TryDestroy(source);
  Message message = ExpectMessage("VUID-vkDestroyBuffer-buffer-00922");
  EXPECT_THAT(message.text, HasSubstr("[staging]) is in use: vkCmdCopyBuffer in VkCommandBuffer 0x"));
  EXPECT_THAT(message.text, HasSubstr("[upload] was given it. Nothing has told the application that submission 2 to "));
  EXPECT_THAT(message.text, HasSubstr(" (vkQueueSubmit2, batch 0) is complete."));
  EXPECT_THAT(message.text, HasSubstr("To fix: Wait for VkFence 0x"));
  EXPECT_THAT(message.text, HasSubstr("[uploaded] before this call."));
  EXPECT_EQ(message.objects.size(), 3u);
}

TEST_F(NegativeRecordedUse, NamesTheSemaphoreToWaitFor) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkSemaphore timeline = MakeTimeline();
  SetName(VK_OBJECT_TYPE_SEMAPHORE, timeline, "frames");
  Submit(Queue(), {RecordCopy(source, destination)}, {.signals = {At(timeline, 7)}});
  SkipCalls skip(*this);
  TryDestroy(source);
  EXPECT_THAT(ExpectMessage("VUID-vkDestroyBuffer-buffer-00922").text, HasSubstr("[frames] to reach 7 before"));
}

TEST_F(NegativeRecordedUse, MemoryOfABuffer) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  Submit(Queue(), {RecordCopy(source, destination)});
  SkipCalls skip(*this);
  vk.FreeMemory(device, source.memory, nullptr);
  EXPECT_THAT(ExpectMessage("VUID-vkFreeMemory-memory-00677").text,
              HasSubstr(", which depends on it. Nothing has told"));
}

TEST_F(NegativeRecordedUse, ViewsOfAFramebuffer) {
  Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 4, 4);
  VkImageView view = MakeView(image);
  VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                         .format = VK_FORMAT_R8G8B8A8_UNORM,
                                         .samples = VK_SAMPLE_COUNT_1_BIT,
                                         .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                         .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
  VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2};
  VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                             .attachmentCount = 1,
                                             .pAttachments = &attachment,
                                             .subpassCount = 1,
                                             .pSubpasses = &subpass});
  VkFramebuffer framebuffer = MakeFramebuffer(render_pass, {view}, 4, 4);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                   .renderPass = render_pass,
                                   .framebuffer = framebuffer,
                                   .renderArea = {{0, 0}, {4, 4}}};
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdEndRenderPass(c);
  });
  Submit(Queue(), {commands});
  SkipCalls skip(*this);
  vk.DestroyFramebuffer(device, framebuffer, nullptr);
  ExpectMessage("VUID-vkDestroyFramebuffer-framebuffer-00892");
  vk.DestroyRenderPass(device, render_pass, nullptr);
  ExpectMessage("VUID-vkDestroyRenderPass-renderPass-00873");
  vk.DestroyImageView(device, view, nullptr);
  ExpectMessage("VUID-vkDestroyImageView-imageView-01026");
  vk.DestroyImage(device, image, nullptr);
  ExpectMessage("VUID-vkDestroyImage-image-01000");
  vk.FreeMemory(device, image.memory, nullptr);
  ExpectMessage("VUID-vkFreeMemory-memory-00677");
}

TEST_F(NegativeRecordedUse, StateThatDrawsUse) {
  VkDescriptorSetLayout set_layout = MakeSetLayout({{0}});
  VkPipelineLayout layout = MakePipelineLayout({set_layout});
  VkDescriptorPoolSize size = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4};
  VkDescriptorPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                          .flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
                                          .maxSets = 4,
                                          .poolSizeCount = 1,
                                          .pPoolSizes = &size};
  VkDescriptorPool pool;
  ASSERT_EQ(vk.CreateDescriptorPool(device, &pool_info, nullptr, &pool), VK_SUCCESS);
  Defer(pool, [=, this] { vk.DestroyDescriptorPool(device, pool, nullptr); });
  VkDescriptorSetAllocateInfo info = {VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO, nullptr, pool, 1, &set_layout};
  VkDescriptorSet set;
  ASSERT_EQ(vk.AllocateDescriptorSets(device, &info, &set), VK_SUCCESS);
  VkQueryPool queries = MakeQueryPool(VK_QUERY_TYPE_TIMESTAMP, 4);
  VkEvent event = MakeEvent();
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    vk.CmdBindDescriptorSets(c, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
    vk.CmdResetQueryPool(c, queries, 0, 4);
    vk.CmdSetEvent(c, event, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  });
  Submit(Queue(), {commands});
  SkipCalls skip(*this);
  vk.FreeDescriptorSets(device, pool, 1, &set);
  ExpectMessage("VUID-vkFreeDescriptorSets-pDescriptorSets-00309");
  vk.ResetDescriptorPool(device, pool, 0);
  ExpectMessage("VUID-vkResetDescriptorPool-descriptorPool-00313");
  vk.DestroyDescriptorPool(device, pool, nullptr);
  ExpectMessage("VUID-vkDestroyDescriptorPool-descriptorPool-00303");
  vk.DestroyQueryPool(device, queries, nullptr);
  ExpectMessage("VUID-vkDestroyQueryPool-queryPool-00793");
  vk.DestroyEvent(device, event, nullptr);
  ExpectMessage("VUID-vkDestroyEvent-event-01145");
  // The object is needed for recording alone.
  skip.End();
  DestroyNow(layout);
}

TEST_F(NegativeRecordedUse, InASecondaryCommandBuffer) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkCommandBuffer secondary = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO};
  VkCommandBufferBeginInfo begin = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, nullptr, 0, &inheritance};
  vk.BeginCommandBuffer(secondary, &begin);
  Copy(secondary, source, destination);
  End(secondary);
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdExecuteCommands(c, 1, &secondary); })});
  SkipCalls skip(*this);
  TryDestroy(source);
  ExpectMessage("VUID-vkDestroyBuffer-buffer-00922");
  vk.ResetCommandBuffer(secondary, 0);
  ExpectMessage("VUID-vkResetCommandBuffer-commandBuffer-00045");
}

TEST_F(NegativeRecordedUse, ByOneOfTwoQueues) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  Submit(Queue(0, 0), {RecordCopy(source, destination)});
  Submit(Queue(0, 1), {RecordCopy(source, destination)});
  vk.QueueWaitIdle(Queue(0, 0));
  {
    SkipCalls skip(*this);
    TryDestroy(source);
    ExpectMessage("VUID-vkDestroyBuffer-buffer-00922");
  }
  vk.QueueWaitIdle(Queue(0, 1));
  DestroyNow(source);
}

TEST_F(NegativeRecordedUse, ATimedOutWaitCompletesNothing) {
  driver().config().hold_work = true;
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkFence fence = MakeFence();
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, 0), VK_TIMEOUT);
  EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_NOT_READY);
  {
    SkipCalls skip(*this);
    TryDestroy(source);
    ExpectMessage("VUID-vkDestroyBuffer-buffer-00922");
  }
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
  VkImage image = SwapchainImages(swapchain)[0];
  const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = image,
                                         .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
  const VkDependencyInfo dependency = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  Submit(Queue(), {Record([&](VkCommandBuffer c) { vk.CmdPipelineBarrier2(c, &dependency); })});
  {
    SkipCalls skip(*this);
    vk.DestroySwapchainKHR(device, swapchain, nullptr);
    ExpectMessage("VUID-vkDestroySwapchainKHR-swapchain-01282");
  }
  vk.DeviceWaitIdle(device);
  DestroyNow(swapchain);
}

TEST_F(PositiveRecordedUse, OnceComplete) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkFence fence = MakeFence();
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX);
  DestroyNow(source);
  DestroyNow(source.memory);
}

TEST_F(PositiveRecordedUse, RerecordedOrResetBefore) {
  Buffer first = MakeBuffer(64), second = MakeBuffer(64), destination = MakeBuffer(64);
  VkCommandBuffer commands = RecordCopy(first, destination);
  Begin(commands);
  Copy(commands, second, destination);
  End(commands);
  VkCommandBuffer reset = RecordCopy(first, destination);
  vk.ResetCommandBuffer(reset, 0);
  Begin(reset);
  End(reset);
  Submit(Queue(), {commands, reset});
  DestroyNow(first);
}

TEST_F(PositiveRecordedUse, NeverSubmitted) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  RecordCopy(source, destination);
  Submit(Queue(), {Record([](VkCommandBuffer) {})});
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, ACommandThatWasSkipped) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64), gone = MakeBuffer(64);
  DestroyNow(gone);
  VkCommandBuffer commands = Record([&](VkCommandBuffer c) {
    SkipCalls skip(*this);
    Copy(c, source, gone);
    ExpectMessage("VUID-vkCmdCopyBuffer-dstBuffer-parameter");
    skip.End();
    Copy(c, destination, MakeBuffer(64));
  });
  Submit(Queue(), {commands});
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, SubmissionFailed) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  driver().FailNext<vk::QueueSubmit2>(VK_ERROR_OUT_OF_HOST_MEMORY);
  VkCommandBuffer commands = RecordCopy(source, destination);
  VkCommandBufferSubmitInfo executed = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
                                        .commandBuffer = commands};
  VkSubmitInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2, .commandBufferInfoCount = 1, .pCommandBufferInfos = &executed};
  EXPECT_EQ(vk.QueueSubmit2(Queue(), 1, &info, VK_NULL_HANDLE), VK_ERROR_OUT_OF_HOST_MEMORY);
  DestroyNow(source);
}

TEST_F(PositiveRecordedUse, DeviceLost) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkFence fence = MakeFence();
  Submit(Queue(), {RecordCopy(source, destination)}, {.fence = fence});
  driver().FailNext<vk::WaitForFences>(VK_ERROR_DEVICE_LOST);
  EXPECT_EQ(vk.WaitForFences(device, 1, &fence, VK_TRUE, UINT64_MAX), VK_ERROR_DEVICE_LOST);
  DestroyNow(source);
}

// The image was presented after the copy, so it can be acquired again only when the copy is complete.
TEST_F(PositiveRecordedUse, ItsImageWasAcquiredAgain) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  VkSemaphore rendered = MakeSemaphore();
  VkFence acquired = MakeFence();
  uint32_t image = 0;
  ASSERT_EQ(vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, acquired, &image), VK_SUCCESS);
  vk.WaitForFences(device, 1, &acquired, VK_TRUE, UINT64_MAX);
  vk.ResetFences(device, 1, &acquired);
  Submit(Queue(), {RecordCopy(source, destination)}, {.signals = {At(rendered)}});
  VkPresentInfoKHR present = {
      VK_STRUCTURE_TYPE_PRESENT_INFO_KHR, nullptr, 1, &rendered, 1, &swapchain, &image, nullptr};
  vk.QueuePresentKHR(Queue(), &present);
  uint32_t again = ~0u;
  while (again != image) {
    ASSERT_EQ(vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, VK_NULL_HANDLE, acquired, &again), VK_SUCCESS);
    vk.WaitForFences(device, 1, &acquired, VK_TRUE, UINT64_MAX);
    vk.ResetFences(device, 1, &acquired);
  }
  DestroyNow(source);
  DestroyNow(acquired);
}

// Another thread waits for the batch that is being submitted. Here the host signals in the queue's place, which core
// would report.
class PositiveEarlyCompletion : public InUse {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = LifetimeTest::Options();
    options.settings.emplace_back("validate_core", false);
    return options;
  }
};
TEST_F(PositiveEarlyCompletion, BeforeTheSubmissionReturns) {
  Buffer source = MakeBuffer(64), destination = MakeBuffer(64);
  VkSemaphore timeline = MakeTimeline();
  VkCommandBuffer commands = RecordCopy(source, destination);
  driver().Observe<vk::QueueSubmit2>([&](const vk::QueueSubmit2&) {
    uint64_t value = 3;
    VkSemaphoreSignalInfo signal = {VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, nullptr, timeline, value};
    vk.SignalSemaphore(device, &signal);
    VkSemaphoreWaitInfo wait = {VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO, nullptr, 0, 1, &timeline, &value};
    EXPECT_EQ(vk.WaitSemaphores(device, &wait, UINT64_MAX), VK_SUCCESS);
  });
  Submit(Queue(), {commands}, {.signals = {At(timeline, 3)}});
  driver().SetObserver({});
  DestroyNow(source);
}

}  // namespace
}  // namespace assay::core
