// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;
constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;

struct PassOptions {
  bool has_dependency = true;
  bool reads = true;
  uint32_t view_mask = 0;
};

class SubpassBarrier : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}}}; }
  void SetUp() override {
    ValidationTest::SetUp();
    image = MakeImage(kFormat, 16, 16, 0, 1, 2);
    other = MakeImage(kFormat, 16, 16);
  }

  // In a render pass whose one attachment is `image`; calls commands(c) in its subpass.
  void Render(const PassOptions& options, const std::function<void(VkCommandBuffer)>& commands) {
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = kFormat,
                                                 .samples = VK_SAMPLE_COUNT_1_BIT,
                                                 .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                 .finalLayout = kGeneral};
    const VkAttachmentReference2 reference = {
        .sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, .layout = kGeneral, .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                           .viewMask = options.view_mask,
                                           .inputAttachmentCount = options.reads,
                                           .pInputAttachments = &reference,
                                           .colorAttachmentCount = 1,
                                           .pColorAttachments = &reference};
    const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                             .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                             .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                             .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                             .dependencyFlags = DependencyFlags(options)};
    const VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                              .attachmentCount = 1,
                                              .pAttachments = &attachment,
                                              .subpassCount = 1,
                                              .pSubpasses = &subpass,
                                              .dependencyCount = options.has_dependency,
                                              .pDependencies = &dependency});
    const VkImageView view = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                       .image = image,
                                       .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                       .format = kFormat,
                                       .subresourceRange = image.Range()});
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = pass,
                                         .framebuffer = MakeFramebuffer(pass, {view}, 16, 16),
                                         .renderArea = {{0, 0}, {16, 16}}};
    Record([&](VkCommandBuffer c) {
      vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
      commands(c);
      vk.CmdEndRenderPass(c);
    });
  }
  static VkDependencyFlags DependencyFlags(const PassOptions& options) {
    return options.view_mask != 0 ? VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT
                                  : VK_DEPENDENCY_BY_REGION_BIT;
  }
  // From color output to input attachments, with vkCmdPipelineBarrier2 or vkCmdPipelineBarrier.
  void Barrier(VkCommandBuffer c, VkImage of, bool second, VkDependencyFlags flags = VK_DEPENDENCY_BY_REGION_BIT) {
    const VkImageSubresourceRange range = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
    if (second) {
      const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                             .srcStageMask = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT,
                                             .srcAccessMask = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT,
                                             .dstStageMask = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT,
                                             .dstAccessMask = VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT,
                                             .oldLayout = kGeneral,
                                             .newLayout = kGeneral,
                                             .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                             .image = of,
                                             .subresourceRange = range};
      const VkDependencyInfo info = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                     .dependencyFlags = flags,
                                     .imageMemoryBarrierCount = 1,
                                     .pImageMemoryBarriers = &barrier};
      return vk.CmdPipelineBarrier2(c, &info);
    }
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                          .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                          .oldLayout = kGeneral,
                                          .newLayout = kGeneral,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = of,
                                          .subresourceRange = range};
    vk.CmdPipelineBarrier(c, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                          flags, 0, nullptr, 0, nullptr, 1, &barrier);
  }

  test::Image image, other;
};

TEST_F(SubpassBarrier, Right) {
  Render({}, [&](VkCommandBuffer c) { Barrier(c, image, false), Barrier(c, image, true); });
  Render({.view_mask = 3}, [&](VkCommandBuffer c) {
    Barrier(c, image, true, VK_DEPENDENCY_BY_REGION_BIT | VK_DEPENDENCY_VIEW_LOCAL_BIT);
  });
}
TEST_F(SubpassBarrier, NoSelfDependency) {
  Render({.has_dependency = false}, [&](VkCommandBuffer c) {
    Barrier(c, image, false);
    ExpectMessage("VUID-vkCmdPipelineBarrier-None-07889");
    Barrier(c, image, true);
    const std::string text = ExpectMessage("VUID-vkCmdPipelineBarrier2-None-07889").text;
    EXPECT_NE(text.find("is in subpass 0 of VkRenderPass"), std::string::npos) << text;
  });
}
TEST_F(SubpassBarrier, SeveralViews) {
  Render({.view_mask = 3}, [&](VkCommandBuffer c) {
    Barrier(c, image, false);
    ExpectMessages({"VUID-vkCmdPipelineBarrier-None-07893", "VUID-vkCmdPipelineBarrier-None-07889"});
    Barrier(c, image, true);
    ExpectMessages({"VUID-vkCmdPipelineBarrier2-None-07893", "VUID-vkCmdPipelineBarrier2-None-07889"});
  });
}
TEST_F(SubpassBarrier, NoAttachment) {
  Render({}, [&](VkCommandBuffer c) {
    Barrier(c, other, false);
    ExpectMessage("VUID-vkCmdPipelineBarrier-image-04073");
    Barrier(c, other, true);
    ExpectMessage("VUID-vkCmdPipelineBarrier2-image-04073");
  });
}
// Any attachment will do, unless strict.
TEST_F(SubpassBarrier, AttachmentThatIsNotRead) {
  Render({.reads = false}, [&](VkCommandBuffer c) { Barrier(c, image, false), Barrier(c, image, true); });
}

class StrictSubpassBarrier : public SubpassBarrier {
 protected:
  test::DeviceOptions Options() override { return {.settings = {{"validate_sync", false}, {"strict", true}}}; }
};
TEST_F(StrictSubpassBarrier, Right) {
  Render({}, [&](VkCommandBuffer c) { Barrier(c, image, true); });
}
TEST_F(StrictSubpassBarrier, AttachmentThatIsNotRead) {
  Render({.reads = false}, [&](VkCommandBuffer c) {
    Barrier(c, image, false);
    ExpectMessage("VUID-vkCmdPipelineBarrier-image-04073");
    Barrier(c, image, true);
    const std::string text = ExpectMessage("VUID-vkCmdPipelineBarrier2-image-04073").text;
    EXPECT_NE(text.find("is no input attachment"), std::string::npos) << text;
  });
}
TEST_F(SubpassBarrier, ResolveAttachment) {
  const test::Image samples = MakeImage({.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                         .imageType = VK_IMAGE_TYPE_2D,
                                         .format = kFormat,
                                         .extent = {16, 16, 1},
                                         .mipLevels = 1,
                                         .arrayLayers = 1,
                                         .samples = VK_SAMPLE_COUNT_4_BIT,
                                         .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT});
  VkAttachmentDescription2 attachments[2] = {};
  VkAttachmentReference2 references[2] = {};
  for (uint32_t i : {0, 1}) {
    attachments[i] = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                      .format = kFormat,
                      .samples = i == 0 ? VK_SAMPLE_COUNT_4_BIT : VK_SAMPLE_COUNT_1_BIT,
                      .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                      .finalLayout = kGeneral};
    references[i] = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                     .attachment = i,
                     .layout = kGeneral,
                     .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
  }
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .inputAttachmentCount = 1,
                                         .pInputAttachments = &references[1],
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &references[0],
                                         .pResolveAttachments = &references[1]};
  const VkSubpassDependency2 dependency = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
                                           .srcStageMask = VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                                           .dstStageMask = VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
                                           .srcAccessMask = VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                                           .dstAccessMask = VK_ACCESS_INPUT_ATTACHMENT_READ_BIT,
                                           .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT};
  const VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                            .attachmentCount = 2,
                                            .pAttachments = attachments,
                                            .subpassCount = 1,
                                            .pSubpasses = &subpass,
                                            .dependencyCount = 1,
                                            .pDependencies = &dependency});
  const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass,
      .framebuffer = MakeFramebuffer(pass, {MakeView(samples), MakeView(other)}, 16, 16),
      .renderArea = {{0, 0}, {16, 16}}};
  Record([&](VkCommandBuffer c) {
    vk.CmdBeginRenderPass(c, &begin, VK_SUBPASS_CONTENTS_INLINE);
    Barrier(c, other, false);
    ExpectMessage("VUID-vkCmdPipelineBarrier-image-09373");
    Barrier(c, other, true);
    ExpectMessage("VUID-vkCmdPipelineBarrier2-image-09373");
    vk.CmdEndRenderPass(c);
  });
}
TEST_F(SubpassBarrier, DynamicRendering) {
  const VkImageView view = MakeView({.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                     .image = image,
                                     .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
                                     .format = kFormat,
                                     .subresourceRange = image.Range()});
  for (VkImageLayout layout : {VK_IMAGE_LAYOUT_RENDERING_LOCAL_READ, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL}) {
    const VkRenderingAttachmentInfo color = {
        .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO, .imageView = view, .imageLayout = layout};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = {{0, 0}, {16, 16}},
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &color};
    Record([&](VkCommandBuffer c) {
      vk.CmdBeginRendering(c, &info);
      Barrier(c, image, false);
      if (layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) ExpectMessage("VUID-vkCmdPipelineBarrier-image-09555");
      Barrier(c, image, true);
      if (layout == VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL) ExpectMessage("VUID-vkCmdPipelineBarrier2-image-09555");
      vk.CmdEndRendering(c);
    });
  }
}

}  // namespace
}  // namespace assay::core
