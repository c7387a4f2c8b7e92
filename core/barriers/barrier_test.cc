// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Synchronization rules through the whole layer: the words of messages, and calls about which nothing must be reported.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

using test::Of;

constexpr auto kIgnored = VK_QUEUE_FAMILY_IGNORED;

class NegativeBarrier : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_core", true}, {"validate_sync", false}}}; }

  static VkImageMemoryBarrier2 Barrier(VkImage image, VkImageAspectFlags aspects = VK_IMAGE_ASPECT_COLOR_BIT) {
    return Of<VkImageMemoryBarrier2>(VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT,
                                     VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT,
                                     VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, kIgnored, kIgnored, image,
                                     VkImageSubresourceRange{aspects, 0, 1, 0, 1});
  }
  // Of a new image. Usage 0 means every common usage.
  VkImageMemoryBarrier2 NewBarrier(VkImageUsageFlags usage = 0) {
    return Barrier(MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16, usage));
  }
  void RecordBarrier(const VkImageMemoryBarrier2& barrier, uint32_t family = 0) {
    Record([&](VkCommandBuffer commands) { PipelineBarrier(commands, barrier); }, family);
  }
  static void ExpectWords(const test::Message& message, std::initializer_list<std::string_view> words) {
    for (std::string_view word : words) EXPECT_NE(message.text.find(word), std::string::npos) << word << message.text;
  }
};
class PositiveBarrier : public NegativeBarrier {};

TEST_F(NegativeBarrier, AccessThatTheStageDoesNotDo) {
  VkImageMemoryBarrier2 barrier = NewBarrier();
  barrier.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_INDEX_READ_BIT;
  RecordBarrier(barrier);
  ExpectWords(
      ExpectMessage("VUID-VkImageMemoryBarrier2-dstAccessMask-03901"),
      {"pDependencyInfo.pImageMemoryBarriers[0].dstAccessMask has VK_ACCESS_2_INDEX_READ_BIT, which none of the "
       "stages in dstStageMask (VK_PIPELINE_STAGE_2_COPY_BIT) does. Stages that do: "
       "VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT.",
       "Add the stage that does the access to dstStageMask"});
}

TEST_F(NegativeBarrier, StageOfAnotherQueueFamily) {
  RecordBarrier(NewBarrier(), 2);
  ExpectWords(ExpectMessage("VUID-vkCmdPipelineBarrier2-dstStageMask-09676"),
              {"has VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, which queue family 2 (VK_QUEUE_TRANSFER_BIT) does not "
               "support"});
}

TEST_F(NegativeBarrier, LayoutWithoutUsage) {
  VkImageMemoryBarrier2 barrier = NewBarrier(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  barrier.newLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  RecordBarrier(barrier);
  ExpectWords(ExpectMessage("VUID-VkImageMemoryBarrier2-oldLayout-01211"),
              {"newLayout (VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL) needs an image with ",
               "VK_IMAGE_USAGE_SAMPLED_BIT", "has VK_IMAGE_USAGE_TRANSFER_DST_BIT."});
}

TEST_F(NegativeBarrier, OldLayoutWithoutUsage) {
  VkImageMemoryBarrier2 barrier = NewBarrier(VK_IMAGE_USAGE_TRANSFER_DST_BIT);
  barrier.oldLayout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
  barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
  RecordBarrier(barrier);
  ExpectWords(ExpectMessage("VUID-VkImageMemoryBarrier2-oldLayout-01211"),
              {"oldLayout (VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL) needs an image with "});
}

TEST_F(NegativeBarrier, EventOfTheDeviceAlone) {
  VkEvent event = MakeEvent(VK_EVENT_CREATE_DEVICE_ONLY_BIT);
  vk.SetEvent(device, event);
  ExpectWords(ExpectMessage("VUID-vkSetEvent-event-03941"), {"was created with VK_EVENT_CREATE_DEVICE_ONLY_BIT."});
}

TEST_F(PositiveBarrier, ImagesOfSwapchainsHaveNoMemory) {
  for (VkImage image : SwapchainImages(MakeSwapchain(MakeSurface()))) {
    VkImageMemoryBarrier2 barrier = Barrier(image);
    barrier.newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
    RecordBarrier(barrier);
  }
}

// All accesses of the host, in barriers of each kind and in a subpass dependency.
class HostAccesses : public NegativeBarrier {
 protected:
  static constexpr VkAccessFlags kHost = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT;

  void RecordBarriers(VkPipelineStageFlags stages) {
    const test::Buffer buffer = MakeBuffer(64);
    const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 16, 16);
    const auto memory = Of<VkMemoryBarrier>(kHost, kHost);
    const auto of_buffer = Of<VkBufferMemoryBarrier>(kHost, kHost, kIgnored, kIgnored, buffer.handle, 0, VK_WHOLE_SIZE);
    const auto of_image = Of<VkImageMemoryBarrier>(kHost, kHost, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL,
                                                   kIgnored, kIgnored, image.handle, image.Range());
    const auto memory2 = Of<VkMemoryBarrier2>(stages, VK_ACCESS_2_HOST_WRITE_BIT, stages, VK_ACCESS_2_HOST_READ_BIT);
    const auto dependency = Of<VkDependencyInfo>(0, 1, &memory2);
    Record([&](VkCommandBuffer commands) {
      vk.CmdPipelineBarrier(commands, stages, stages, 0, 1, &memory, 1, &of_buffer, 1, &of_image);
      vk.CmdPipelineBarrier2(commands, &dependency);
    });
  }
  void MakeSubpassDependency(VkPipelineStageFlags stages) {
    const VkSubpassDependency2 dependency = {.srcSubpass = VK_SUBPASS_EXTERNAL,
                                             .srcStageMask = stages,
                                             .dstStageMask = VK_PIPELINE_STAGE_ALL_GRAPHICS_BIT,
                                             .srcAccessMask = kHost};
    MakeRenderPass({}, {VkSubpassDescription2{}}, {dependency});
  }
  void ExpectReports() {
    ExpectMessages({"VUID-vkCmdPipelineBarrier-srcAccessMask-02815", "VUID-vkCmdPipelineBarrier-dstAccessMask-02816",
                    "VUID-vkCmdPipelineBarrier-pBufferMemoryBarriers-02817",
                    "VUID-vkCmdPipelineBarrier-pBufferMemoryBarriers-02818",
                    "VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-02819",
                    "VUID-vkCmdPipelineBarrier-pImageMemoryBarriers-02820", "VUID-VkMemoryBarrier2-srcAccessMask-03917",
                    "VUID-VkMemoryBarrier2-dstAccessMask-03916"});
  }
};
class StrictHostAccesses : public HostAccesses {
 protected:
  test::DeviceOptions Options() override {
    return {.settings = {{"validate_core", true}, {"validate_sync", false}, {"strict", true}}};
  }
};

TEST_F(HostAccesses, OfAllCommands) {
  RecordBarriers(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  MakeSubpassDependency(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
}
TEST_F(HostAccesses, OfAStageThatIsNotTheHosts) {
  RecordBarriers(VK_PIPELINE_STAGE_TRANSFER_BIT);
  ExpectReports();
  MakeSubpassDependency(VK_PIPELINE_STAGE_TRANSFER_BIT);
  ExpectMessage("VUID-VkSubpassDependency2-srcAccessMask-03088");
}
TEST_F(StrictHostAccesses, OfAllCommands) {
  RecordBarriers(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  ExpectReports();
  MakeSubpassDependency(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
  ExpectMessage("VUID-VkSubpassDependency2-srcAccessMask-03088");
}
TEST_F(StrictHostAccesses, OfAllCommandsAndTheHost) {
  RecordBarriers(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT);
  MakeSubpassDependency(VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT);
}

// The transfer family releases and the graphics family acquires; each names stages of its own.
TEST_F(PositiveBarrier, OwnershipTransfer) {
  VkImageMemoryBarrier2 barrier = NewBarrier();
  barrier.srcQueueFamilyIndex = 2;
  barrier.dstQueueFamilyIndex = 0;
  RecordBarrier(barrier, 2);
  RecordBarrier(barrier, 0);
}

TEST_F(PositiveBarrier, UsageOfTheStencilAspectAlone) {
  const auto stencil =
      Of<VkImageStencilUsageCreateInfo>(VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
  VkImageCreateInfo info =
      test::ImageInfo(VK_FORMAT_D24_UNORM_S8_UINT, 16, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  info.pNext = &stencil;
  VkImageMemoryBarrier2 barrier = Barrier(MakeImage(info), VK_IMAGE_ASPECT_STENCIL_BIT);
  barrier.newLayout = VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL;
  RecordBarrier(barrier);
}

}  // namespace
}  // namespace assay::core
