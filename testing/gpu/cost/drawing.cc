// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/gpu/cost/drawing.h"

namespace assay::test {

void ChangeLayout(const MeasuredDevice& device, VkCommandBuffer commands, const Image& image, VkImageLayout before,
                  VkImageLayout after) {
  const VkImageMemoryBarrier2 barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
      .srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT,
      .dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
      .dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT,
      .oldLayout = before,
      .newLayout = after,
      .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
      .image = image,
      .subresourceRange = image.Range(),
  };
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  device.vk().CmdPipelineBarrier2(commands, &info);
}

DrawTarget::DrawTarget(MeasuredDevice& device, uint32_t width) : device_(device), width_(width) {
  const Image image =
      device.device().MakeImage(VK_FORMAT_R8G8B8A8_UNORM, width, width, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
  view_ = device.device().MakeView(image);
  device.Run([&](VkCommandBuffer commands) {
    ChangeLayout(device, commands, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  });
}

void DrawTarget::Begin(VkCommandBuffer commands) const {
  const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                .imageView = view_,
                                                .imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                                                .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {width_, width_}},
                                .layerCount = 1,
                                .colorAttachmentCount = 1,
                                .pColorAttachments = &attachment};
  device_.vk().CmdBeginRendering(commands, &info);
  device_.device().SetViewportAndScissor(commands, width_, width_);
}

}  // namespace assay::test
