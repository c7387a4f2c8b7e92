// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/planted/commands.h"

#include "vk/format_info.h"

namespace assay::planted {
namespace {

bool IsDepth(const Texture& texture) { return (texture.Range().aspectMask & VK_IMAGE_ASPECT_DEPTH_BIT) != 0; }

VkRenderingAttachmentInfo AttachmentInfo(const Attachment& attachment) {
  VkImageLayout layout = attachment.layout;
  if (layout == VK_IMAGE_LAYOUT_UNDEFINED) {
    layout = IsDepth(attachment.texture) ? kDepthTarget.layout : kColorTarget.layout;
  }
  VkRenderingAttachmentInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                    .imageView = attachment.texture.view,
                                    .imageLayout = layout,
                                    .loadOp = attachment.load,
                                    .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
  if (IsDepth(attachment.texture)) info.clearValue.depthStencil.depth = 1;
  if (attachment.resolve != nullptr) {
    info.resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
    info.resolveImageView = attachment.resolve->view;
    info.resolveImageLayout = kColorTarget.layout;
  }
  return info;
}

// The extent of a level.
VkOffset3D Corner(const Texture& texture, uint32_t level) {
  return {static_cast<int32_t>(texture.info.extent.width >> level),
          static_cast<int32_t>(texture.info.extent.height >> level), 1};
}

VkBufferImageCopy ImageCopy(VkImageAspectFlags aspect, uint32_t layer) {
  return {.imageSubresource = {aspect, 0, layer, 1}, .imageExtent = {kSide, kSide, 1}};
}

}  // namespace

void Commands::Barrier(const Access& from, const Access& to) {
  const VkMemoryBarrier2 barrier = {
      VK_STRUCTURE_TYPE_MEMORY_BARRIER_2, nullptr, from.stages, from.access, to.stages, to.access};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .memoryBarrierCount = 1, .pMemoryBarriers = &barrier};
  engine_.vk.CmdPipelineBarrier2(handle_, &info);
}

void Commands::Barrier(const Buffer& buffer, const Access& from, const Access& to, VkDeviceSize offset,
                       VkDeviceSize size) {
  const VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                          .srcStageMask = from.stages,
                                          .srcAccessMask = from.access,
                                          .dstStageMask = to.stages,
                                          .dstAccessMask = to.access,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .buffer = buffer,
                                          .offset = offset,
                                          .size = size};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .bufferMemoryBarrierCount = 1, .pBufferMemoryBarriers = &barrier};
  engine_.vk.CmdPipelineBarrier2(handle_, &info);
}

void Commands::Barrier(const Texture& texture, const Access& from, const Access& to) {
  Barrier(texture, texture.Range(), from, to);
}

void Commands::Barrier(const Texture& texture, const VkImageSubresourceRange& range, const Access& from,
                       const Access& to) {
  const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = from.stages,
                                         .srcAccessMask = from.access,
                                         .dstStageMask = to.stages,
                                         .dstAccessMask = to.access,
                                         .oldLayout = from.layout,
                                         .newLayout = to.layout,
                                         .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                         .image = texture,
                                         .subresourceRange = range};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  engine_.vk.CmdPipelineBarrier2(handle_, &info);
}

void Commands::TransferQueueFamilyOwnership(const Buffer& buffer, uint32_t from_family, uint32_t to_family,
                                            const Access& from, const Access& to) {
  const VkBufferMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2,
                                          .srcStageMask = from.stages,
                                          .srcAccessMask = from.access,
                                          .dstStageMask = to.stages,
                                          .dstAccessMask = to.access,
                                          .srcQueueFamilyIndex = from_family,
                                          .dstQueueFamilyIndex = to_family,
                                          .buffer = buffer,
                                          .size = VK_WHOLE_SIZE};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .bufferMemoryBarrierCount = 1, .pBufferMemoryBarriers = &barrier};
  engine_.vk.CmdPipelineBarrier2(handle_, &info);
}

void Commands::TransferQueueFamilyOwnership(const Texture& texture, uint32_t from_family, uint32_t to_family,
                                            const Access& from, const Access& to) {
  const VkImageMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
                                         .srcStageMask = from.stages,
                                         .srcAccessMask = from.access,
                                         .dstStageMask = to.stages,
                                         .dstAccessMask = to.access,
                                         .oldLayout = from.layout,
                                         .newLayout = to.layout,
                                         .srcQueueFamilyIndex = from_family,
                                         .dstQueueFamilyIndex = to_family,
                                         .image = texture,
                                         .subresourceRange = texture.Range()};
  const VkDependencyInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO, .imageMemoryBarrierCount = 1, .pImageMemoryBarriers = &barrier};
  engine_.vk.CmdPipelineBarrier2(handle_, &info);
}

void Commands::Copy(const Buffer& source, const Buffer& target, VkDeviceSize size, VkDeviceSize source_offset,
                    VkDeviceSize target_offset) {
  const VkBufferCopy region = {source_offset, target_offset, size};
  engine_.vk.CmdCopyBuffer(handle_, source, target, 1, &region);
}

void Commands::Upload(const Buffer& source, const Texture& target, VkImageLayout layout) {
  const VkBufferImageCopy region = ImageCopy(target.Range().aspectMask, 0);
  engine_.vk.CmdCopyBufferToImage(handle_, source, target, layout, 1, &region);
}

void Commands::Download(const Texture& source, const Buffer& target, uint32_t layer, VkImageAspectFlags aspect,
                        VkImageLayout layout) {
  const VkBufferImageCopy region = ImageCopy(aspect, layer);
  engine_.vk.CmdCopyImageToBuffer(handle_, source, layout, target, 1, &region);
}

void Commands::Blit(const Texture& source, uint32_t source_level, const Texture& target, uint32_t target_level,
                    VkImageLayout source_layout, VkImageLayout target_layout) {
  const VkImageBlit region = {.srcSubresource = source.Layers(source_level),
                              .srcOffsets = {{}, Corner(source, source_level)},
                              .dstSubresource = target.Layers(target_level),
                              .dstOffsets = {{}, Corner(target, target_level)}};
  engine_.vk.CmdBlitImage(handle_, source, source_layout, target, target_layout, 1, &region, VK_FILTER_LINEAR);
}

void Commands::Resolve(const Texture& source, const Texture& target) {
  const VkImageResolve region = {
      .srcSubresource = source.Layers(), .dstSubresource = target.Layers(), .extent = source.info.extent};
  engine_.vk.CmdResolveImage(handle_, source, kResolveSource.layout, target, kResolveTarget.layout, 1, &region);
}

void Commands::Fill(const Buffer& target, VkDeviceSize offset, VkDeviceSize size) {
  engine_.vk.CmdFillBuffer(handle_, target, offset, size, 0);
}

void Commands::Update(const Buffer& target, VkDeviceSize size) {
  const std::vector<char> data(size);
  engine_.vk.CmdUpdateBuffer(handle_, target, 0, size, data.data());
}

void Commands::Clear(const Texture& target, VkImageLayout layout) {
  const VkImageSubresourceRange range = target.Range();
  const VkClearColorValue color = {};
  const VkClearDepthStencilValue depth = {1, 0};
  if (IsDepth(target)) {
    engine_.vk.CmdClearDepthStencilImage(handle_, target, layout, &depth, 1, &range);
  } else {
    engine_.vk.CmdClearColorImage(handle_, target, layout, &color, 1, &range);
  }
}

void Commands::Bind(const Pipeline& pipeline, const std::vector<uint32_t>& dynamic_offsets) {
  engine_.vk.CmdBindPipeline(handle_, pipeline.bind_point, pipeline.handle);
  if (pipeline.set == VK_NULL_HANDLE) return;
  engine_.vk.CmdBindDescriptorSets(handle_, pipeline.bind_point, pipeline.layout, 0, 1, &pipeline.set,
                                   static_cast<uint32_t>(dynamic_offsets.size()), dynamic_offsets.data());
}

void Commands::Dispatch(const Pipeline& pipeline, const std::vector<uint32_t>& dynamic_offsets) {
  Bind(pipeline, dynamic_offsets);
  engine_.vk.CmdDispatch(handle_, 1, 1, 1);
}

void Commands::DispatchIndirect(const Pipeline& pipeline, const Buffer& arguments) {
  Bind(pipeline);
  engine_.vk.CmdDispatchIndirect(handle_, arguments, 0);
}

void Commands::Render(const std::vector<Attachment>& attachments, const std::function<void()>& draws, uint32_t side) {
  std::vector<VkRenderingAttachmentInfo> colors;
  VkRenderingAttachmentInfo depth = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
  for (const Attachment& attachment : attachments) {
    if (IsDepth(attachment.texture)) {
      depth = AttachmentInfo(attachment);
    } else {
      colors.push_back(AttachmentInfo(attachment));
    }
  }
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {side, side}},
                                .layerCount = 1,
                                .colorAttachmentCount = static_cast<uint32_t>(colors.size()),
                                .pColorAttachments = colors.data(),
                                .pDepthAttachment = &depth};
  engine_.vk.CmdBeginRendering(handle_, &info);
  engine_.SetViewportAndScissor(handle_, side, side);
  draws();
  engine_.vk.CmdEndRendering(handle_);
}

void Commands::Draw(const Pipeline& pipeline) {
  Bind(pipeline);
  engine_.vk.CmdDraw(handle_, 3, 1, 0, 0);
}

void Commands::Draw(const Pipeline& pipeline, const Buffer& vertices) {
  const VkDeviceSize offset = 0;
  engine_.vk.CmdBindVertexBuffers(handle_, 0, 1, &vertices.handle, &offset);
  Draw(pipeline);
}

void Commands::DrawIndexed(const Pipeline& pipeline, const Buffer& indices) {
  Bind(pipeline);
  engine_.vk.CmdBindIndexBuffer(handle_, indices, 0, VK_INDEX_TYPE_UINT16);
  engine_.vk.CmdDrawIndexed(handle_, 3, 1, 0, 0, 0);
}

void Commands::DrawIndexed(const Pipeline& pipeline, const Buffer& indices, const Buffer& vertices) {
  const VkBuffer buffer = vertices;
  const VkDeviceSize offset = 0;
  engine_.vk.CmdBindVertexBuffers(handle_, 0, 1, &buffer, &offset);
  DrawIndexed(pipeline, indices);
}

void Commands::DrawIndirect(const Pipeline& pipeline, const Buffer& arguments) {
  Bind(pipeline);
  engine_.vk.CmdDrawIndirect(handle_, arguments, 0, 1, sizeof(VkDrawIndirectCommand));
}

void Commands::DrawIndirectCount(const Pipeline& pipeline, const Buffer& arguments, const Buffer& count) {
  Bind(pipeline);
  engine_.vk.CmdDrawIndirectCount(handle_, arguments, 0, count, 0, 1, sizeof(VkDrawIndirectCommand));
}

}  // namespace assay::planted
