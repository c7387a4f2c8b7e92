// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands that access an image, of a color or a depth format.

#include <utility>

#include "syncval/command_matrix/command_matrix.h"
#include "testing/shaders.h"

namespace assay::syncval::command_matrix {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkExtent3D kExtent = {kSide, kSide, 1};
constexpr VkPipelineStageFlags2 kColorOutput = VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
constexpr VkAccessFlags2 kColorRead = VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT;
constexpr VkAccessFlags2 kColorWrite = VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT;
constexpr VkPipelineStageFlags2 kEarly = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT;
constexpr VkPipelineStageFlags2 kLate = VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
constexpr VkAccessFlags2 kDepthRead = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;
constexpr VkAccessFlags2 kDepthWrite = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
constexpr VkAttachmentLoadOp kLoad = VK_ATTACHMENT_LOAD_OP_LOAD, kNoLoad = VK_ATTACHMENT_LOAD_OP_NONE,
                             kClearLoad = VK_ATTACHMENT_LOAD_OP_CLEAR;
constexpr VkAttachmentStoreOp kStore = VK_ATTACHMENT_STORE_OP_STORE, kNoStore = VK_ATTACHMENT_STORE_OP_NONE;

}  // namespace

Commands CommandMatrix::ImageTransfers() {
  const VkImage image = target.image, other = MakeImage(target.image.info.format, kSide, kSide);
  const VkBuffer buffer = MakeBuffer(VkDeviceSize{kSide} * kSide * 4);
  const VkImageSubresourceLayers layers = target.Layers();
  const VkImageCopy region = {layers, {}, layers, {}, kExtent};
  const VkImageBlit blit = {layers, {{}, {kSide, kSide, 1}}, layers, {{}, {kSide, kSide, 1}}};
  const VkImageResolve resolve = {layers, {}, layers, {}, kExtent};
  const VkBufferImageCopy texels = {.imageSubresource = layers, .imageExtent = kExtent};
  constexpr VkPipelineStageFlags2 kBlit = VK_PIPELINE_STAGE_2_BLIT_BIT, kResolve = VK_PIPELINE_STAGE_2_RESOLVE_BIT;
  const auto copy1 = [=, this](VkImage from, VkImage to) {
    return [=, this](VkCommandBuffer c) { vk.CmdCopyImage(c, from, kGeneral, to, kGeneral, 1, &region); };
  };
  const auto blit1 = [=, this](VkImage from, VkImage to) {
    return
        [=, this](VkCommandBuffer c) { vk.CmdBlitImage(c, from, kGeneral, to, kGeneral, 1, &blit, VK_FILTER_NEAREST); };
  };
  const auto resolve1 = [=, this](VkImage from, VkImage to) {
    return [=, this](VkCommandBuffer c) { vk.CmdResolveImage(c, from, kGeneral, to, kGeneral, 1, &resolve); };
  };
  const auto copy2 = [=, this](VkImage from, VkImage to) {
    return [=, this](VkCommandBuffer c) {
      const VkImageCopy2 region2 = {VK_STRUCTURE_TYPE_IMAGE_COPY_2, nullptr, layers, {}, layers, {}, kExtent};
      const VkCopyImageInfo2 info = {
          VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2, nullptr, from, kGeneral, to, kGeneral, 1, &region2};
      vk.CmdCopyImage2(c, &info);
    };
  };
  const auto blit2 = [=, this](VkImage from, VkImage to) {
    return [=, this](VkCommandBuffer c) {
      const VkImageBlit2 region2 = {.sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
                                    .srcSubresource = layers,
                                    .srcOffsets = {{}, {kSide, kSide, 1}},
                                    .dstSubresource = layers,
                                    .dstOffsets = {{}, {kSide, kSide, 1}}};
      const VkBlitImageInfo2 info = {
          VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2, nullptr, from, kGeneral, to, kGeneral, 1, &region2, VK_FILTER_NEAREST};
      vk.CmdBlitImage2(c, &info);
    };
  };
  const auto resolve2 = [=, this](VkImage from, VkImage to) {
    return [=, this](VkCommandBuffer c) {
      const VkImageResolve2 region2 = {VK_STRUCTURE_TYPE_IMAGE_RESOLVE_2, nullptr, layers, {}, layers, {}, kExtent};
      const VkResolveImageInfo2 info = {
          VK_STRUCTURE_TYPE_RESOLVE_IMAGE_INFO_2, nullptr, from, kGeneral, to, kGeneral, 1, &region2};
      vk.CmdResolveImage2(c, &info);
    };
  };
  const bool is_color = layers.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT;
  const VkImageSubresourceRange range = target.Level(0);
  Commands commands = {
      {"CopyImage from", KindOf(kCopy, kRead), copy1(image, other)},
      {"CopyImage to", KindOf(kCopy, kWrite), copy1(other, image)},
      {"CopyImage2 from", KindOf(kCopy, kRead), copy2(image, other)},
      {"CopyImage2 to", KindOf(kCopy, kWrite), copy2(other, image)},
      {"BlitImage from", KindOf(kBlit, kRead), blit1(image, other)},
      {"BlitImage to", KindOf(kBlit, kWrite), blit1(other, image)},
      {"BlitImage2 from", KindOf(kBlit, kRead), blit2(image, other)},
      {"BlitImage2 to", KindOf(kBlit, kWrite), blit2(other, image)},
      {"CopyImageToBuffer", KindOf(kCopy, kRead),
       [=, this](VkCommandBuffer c) { vk.CmdCopyImageToBuffer(c, image, kGeneral, buffer, 1, &texels); }},
      {"CopyBufferToImage", KindOf(kCopy, kWrite),
       [=, this](VkCommandBuffer c) { vk.CmdCopyBufferToImage(c, buffer, image, kGeneral, 1, &texels); }},
      {is_color ? "ClearColorImage" : "ClearDepthStencilImage", KindOf(kClear, kWrite),
       [=, this](VkCommandBuffer c) {
         if (is_color) return Clear(c, image, range);
         const VkClearDepthStencilValue value = {};
         vk.CmdClearDepthStencilImage(c, image, kGeneral, &value, 1, &range);
       }},
  };
  if (is_color) {
    Append(commands, {{"ResolveImage from", KindOf(kResolve, kRead), resolve1(image, other)},
                      {"ResolveImage to", KindOf(kResolve, kWrite), resolve1(other, image)},
                      {"ResolveImage2 from", KindOf(kResolve, kRead), resolve2(image, other)},
                      {"ResolveImage2 to", KindOf(kResolve, kWrite), resolve2(other, image)}});
  }
  return commands;
}

Commands CommandMatrix::ImageDescriptors() {
  const bool is_color = target.Layers().aspectMask == VK_IMAGE_ASPECT_COLOR_BIT;
  Commands commands;
  for (const ShaderStage& stage : ShaderStages()) {
    for (const DescriptorAccess& access : ImageDescriptorAccesses()) {
      if ((access.stages & stage.stage) == 0) continue;
      if (!is_color && access.type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE) continue;
      commands.push_back(ThroughDescriptor(stage, access));
    }
  }
  return commands;
}

// Dynamic rendering.
Commands CommandMatrix::ColorAttachments() {
  const VkImageView view = target.view;
  const VkImageView other = MakeLevelView(MakeImage(target.image.info.format, kSide, kSide));
  const VkPipeline drawing =
      MakePipeline({.shaders = {{VK_SHADER_STAGE_FRAGMENT_BIT, test::AssembleSpirv(test::FragmentShader(1))}},
                    .rasterizes = true,
                    .color_writes = 0xf});
  const matrix::Kind* const read = KindOf(kColorOutput, kColorRead);
  const matrix::Kind* const written = KindOf(kColorOutput, kColorWrite);
  const auto nothing = [](VkCommandBuffer) {};
  return {
      {"load", read, [=, this](VkCommandBuffer c) { Render(c, {view, kLoad, kNoStore}, {}, nothing); }},
      {"load that clears", written,
       [=, this](VkCommandBuffer c) { Render(c, {view, kClearLoad, kNoStore}, {}, nothing); }},
      {"store", written, [=, this](VkCommandBuffer c) { Render(c, {view, kNoLoad, kStore}, {}, nothing); }},
      {"resolve to", written,
       [=, this](VkCommandBuffer c) { Render(c, {other, kNoLoad, kNoStore, view}, {}, nothing); }},
      {"Draw to attachment", written,
       [=, this](VkCommandBuffer c) {
         vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, drawing);
         Render(c, {view, kNoLoad, kNoStore}, {}, [&](VkCommandBuffer) { vk.CmdDraw(c, 3, 1, 0, 0); });
       }},
      {"ClearAttachments", written,
       [=, this](VkCommandBuffer c) {
         const VkClearAttachment clear = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
         const VkClearRect rect = {{{}, {kSide, kSide}}, 0, 1};
         Render(c, {view, kNoLoad, kNoStore}, {},
                [&](VkCommandBuffer) { vk.CmdClearAttachments(c, 1, &clear, 1, &rect); });
       }},
  };
}

Commands CommandMatrix::DepthAttachments() {
  const VkImageView view = target.view;
  const auto nothing = [](VkCommandBuffer) {};
  Commands commands = {
      {"load", KindOf(kEarly, kDepthRead),
       [=, this](VkCommandBuffer c) { Render(c, {}, {view, kLoad, kNoStore}, nothing); }},
      {"load that clears", KindOf(kEarly, kDepthWrite),
       [=, this](VkCommandBuffer c) { Render(c, {}, {view, kClearLoad, kNoStore}, nothing); }},
      {"store", KindOf(kLate, kDepthWrite),
       [=, this](VkCommandBuffer c) { Render(c, {}, {view, kNoLoad, kStore}, nothing); }},
  };
  for (const bool is_early : {false, true}) {
    for (const bool writes : {false, true}) {
      PipelineOptions options = {.rasterizes = true};
      options.depth.depthTestEnable = VK_TRUE;
      options.depth.depthWriteEnable = writes;
      options.depth.depthCompareOp = writes ? VK_COMPARE_OP_ALWAYS : VK_COMPARE_OP_LESS;
      if (is_early) options.shaders.emplace_back(VK_SHADER_STAGE_FRAGMENT_BIT, EarlyTestsShader());
      const VkPipeline pipeline = MakePipeline(options);
      commands.push_back(
          {std::string("Draw that ") + (writes ? "writes" : "tests") + (is_early ? " early" : " late"),
           KindOf(is_early ? kEarly : kLate, writes ? kDepthWrite : kDepthRead), [=, this](VkCommandBuffer c) {
             vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
             Render(c, {}, {view, kNoLoad, kNoStore}, [&](VkCommandBuffer) { vk.CmdDraw(c, 3, 1, 0, 0); });
           }});
    }
  }
  return commands;
}

// A render pass object with one subpass. The target is its only attachment, and keeps its layout.
Command CommandMatrix::RenderPass(std::string name, VkAccessFlags2 access, VkAttachmentLoadOp load,
                                  VkAttachmentStoreOp store, bool draws, bool is_sync2) {
  const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                               .format = target.image.info.format,
                                               .samples = VK_SAMPLE_COUNT_1_BIT,
                                               .loadOp = load,
                                               .storeOp = store,
                                               .stencilLoadOp = kNoLoad,
                                               .stencilStoreOp = kNoStore,
                                               .initialLayout = kGeneral,
                                               .finalLayout = kGeneral};
  const VkAttachmentReference2 reference = {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, 0, kGeneral,
                                            VK_IMAGE_ASPECT_COLOR_BIT};
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &reference};
  const VkRenderPass render_pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                                   .attachmentCount = 1,
                                                   .pAttachments = &attachment,
                                                   .subpassCount = 1,
                                                   .pSubpasses = &subpass});
  const VkFramebuffer framebuffer = MakeFramebuffer(render_pass, {target.view}, kSide, kSide);
  VkPipeline pipeline = VK_NULL_HANDLE;
  if (draws) {
    pipeline = MakePipeline({.shaders = {{VK_SHADER_STAGE_FRAGMENT_BIT, test::AssembleSpirv(test::FragmentShader(1))}},
                             .rasterizes = true,
                             .color_writes = 0xf,
                             .render_pass = render_pass});
  }
  return {std::move(name), KindOf(kColorOutput, access), [=, this](VkCommandBuffer c) {
            const VkClearValue clear = {};
            const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                                .renderPass = render_pass,
                                                .framebuffer = framebuffer,
                                                .renderArea = {{0, 0}, {kSide, kSide}},
                                                .clearValueCount = 1,
                                                .pClearValues = &clear};
            const VkSubpassBeginInfo begin = {VK_STRUCTURE_TYPE_SUBPASS_BEGIN_INFO, nullptr,
                                              VK_SUBPASS_CONTENTS_INLINE};
            const VkSubpassEndInfo end = {VK_STRUCTURE_TYPE_SUBPASS_END_INFO, nullptr};
            if (is_sync2) {
              vk.CmdBeginRenderPass2(c, &info, &begin);
            } else {
              vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
            }
            if (draws) {
              vk.CmdBindPipeline(c, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
              vk.CmdDraw(c, 3, 1, 0, 0);
            }
            if (is_sync2) {
              vk.CmdEndRenderPass2(c, &end);
            } else {
              vk.CmdEndRenderPass(c);
            }
          }};
}

Commands CommandMatrix::RenderPasses() {
  return {
      RenderPass("BeginRenderPass that loads", kColorRead, kLoad, kNoStore, false, false),
      RenderPass("BeginRenderPass2 that loads", kColorRead, kLoad, kNoStore, false, true),
      RenderPass("BeginRenderPass that clears", kColorWrite, kClearLoad, kNoStore, false, false),
      RenderPass("EndRenderPass that stores", kColorWrite, kNoLoad, kStore, false, false),
      RenderPass("EndRenderPass2 that stores", kColorWrite, kNoLoad, kStore, false, true),
      RenderPass("Draw in a render pass", kColorWrite, kNoLoad, kNoStore, true, false),
  };
}

// The barrier of the case makes the transition.
Commands CommandMatrix::Transitions() {
  return {{"layout transition", KindOf(0, 0), [](VkCommandBuffer) {}}};
}

Commands CommandMatrix::AllImageCommands() {
  const bool is_color = target.Layers().aspectMask == VK_IMAGE_ASPECT_COLOR_BIT;
  Commands commands = ImageTransfers();
  Append(commands, ImageDescriptors());
  if (is_color) {
    Append(commands, ColorAttachments());
    Append(commands, RenderPasses());
  } else {
    Append(commands, DepthAttachments());
  }
  Append(commands, Transitions());
  return commands;
}

}  // namespace assay::syncval::command_matrix
