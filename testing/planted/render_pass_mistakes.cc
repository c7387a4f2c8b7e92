// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mistakes with render pass objects and their dependencies.

#include <functional>

#include "testing/planted/commands.h"
#include "testing/planted/planted.h"
#include "testing/planted/shaders/load_input_frag.h"
#include "testing/planted/shaders/sample_texture_frag.h"

namespace assay::planted {
namespace {

constexpr VkPipelineStageFlags2 kAllStages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
constexpr Access kInputRead = kFragmentSampled.With(VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT);
// As masks of 32 bits can say it.
constexpr Access kTextureRead = kFragmentSampled.With(VK_ACCESS_2_SHADER_READ_BIT);

// Cleared and stored, in layouts of these uses before and after.
VkAttachmentDescription2 Attached(const Texture& texture, const Access& before, const Access& after) {
  return {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
          .format = texture.info.format,
          .samples = VK_SAMPLE_COUNT_1_BIT,
          .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
          .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
          .stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
          .initialLayout = before.layout,
          .finalLayout = after.layout};
}

VkAttachmentReference2 Reference(uint32_t attachment, const Access& use,
                                 VkImageAspectFlags aspect = VK_IMAGE_ASPECT_COLOR_BIT) {
  return {VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, use.layout, aspect};
}

VkSubpassDescription2 Subpass(const VkAttachmentReference2& color, const VkAttachmentReference2* depth = nullptr,
                              const VkAttachmentReference2* input = nullptr) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
          .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
          .inputAttachmentCount = input != nullptr ? 1u : 0u,
          .pInputAttachments = input,
          .colorAttachmentCount = 1,
          .pColorAttachments = &color,
          .pDepthStencilAttachment = depth};
}

VkSubpassDependency2 Dependency(uint32_t from_subpass, uint32_t to_subpass, const Access& from, const Access& to) {
  return {.sType = VK_STRUCTURE_TYPE_SUBPASS_DEPENDENCY_2,
          .srcSubpass = from_subpass,
          .dstSubpass = to_subpass,
          .srcStageMask = static_cast<VkPipelineStageFlags>(from.stages),
          .dstStageMask = static_cast<VkPipelineStageFlags>(to.stages),
          .srcAccessMask = static_cast<VkAccessFlags>(from.access),
          .dstAccessMask = static_cast<VkAccessFlags>(to.access)};
}

VkRenderPass MakePass(Engine& engine, const std::vector<VkAttachmentDescription2>& attachments,
                      const std::vector<VkSubpassDescription2>& subpasses,
                      const std::vector<VkSubpassDependency2>& dependencies) {
  return engine.MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                .attachmentCount = static_cast<uint32_t>(attachments.size()),
                                .pAttachments = attachments.data(),
                                .subpassCount = static_cast<uint32_t>(subpasses.size()),
                                .pSubpasses = subpasses.data(),
                                .dependencyCount = static_cast<uint32_t>(dependencies.size()),
                                .pDependencies = dependencies.data()});
}

VkFramebuffer MakeFramebuffer(Engine& engine, VkRenderPass pass, const std::vector<VkImageView>& views) {
  return engine.MakeFramebuffer(pass, views, kSide, kSide);
}

// draws[i] records subpass i.
void InPass(Engine& engine, Commands& c, VkRenderPass pass, VkFramebuffer framebuffer,
            const std::vector<std::function<void()>>& draws) {
  const VkClearValue clears[2] = {};
  const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = pass,
                                      .framebuffer = framebuffer,
                                      .renderArea = {{0, 0}, {kSide, kSide}},
                                      .clearValueCount = 2,
                                      .pClearValues = clears};
  engine.vk.CmdBeginRenderPass(c, &info, VK_SUBPASS_CONTENTS_INLINE);
  engine.SetViewportAndScissor(c, kSide, kSide);
  for (size_t i = 0; i < draws.size(); ++i) {
    if (i > 0) engine.vk.CmdNextSubpass(c, VK_SUBPASS_CONTENTS_INLINE);
    draws[i]();
  }
  engine.vk.CmdEndRenderPass(c);
}

// A pass with one color target, which is left to be sampled.
void SampleAfterPass(Engine& engine, const std::vector<VkSubpassDependency2>& dependencies) {
  const Texture scene = engine.MakeTexture("scene"), frame = engine.MakeTexture("frame");
  const VkAttachmentReference2 color = Reference(0, kColorTarget);
  const VkRenderPass pass =
      MakePass(engine, {Attached(scene, kUndefined, kFragmentSampled)}, {Subpass(color)}, dependencies);
  const VkFramebuffer framebuffer = MakeFramebuffer(engine, pass, {scene.view});
  const Pipeline mesh = engine.MakeGraphics({.render_pass = pass});
  const Pipeline tonemap = engine.MakeGraphics({.resources = {Sampled(scene)}, .fragment = k_sample_texture_frag});
  engine.Run([&](Commands& c) {
    InPass(engine, c, pass, framebuffer, {[&] { c.Draw(mesh); }});
    c.Barrier(frame, kUndefined, kColorTarget);
    c.Render({Cleared(frame)}, [&] { c.Draw(tonemap); });
  });
}

// A subpass that draws to its target, and then reads that as an input attachment.
void BlendInShader(Engine& engine, bool with_barrier) {
  const Texture frame = engine.MakeTexture("frame");
  const Access general = kColorTarget.In(VK_IMAGE_LAYOUT_GENERAL);
  const VkAttachmentReference2 written = Reference(0, general), read = Reference(0, general);
  VkSubpassDependency2 self = Dependency(0, 0, kColorTarget, kInputRead);
  self.dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT;
  const VkRenderPass pass =
      MakePass(engine, {Attached(frame, kUndefined, general)}, {Subpass(written, nullptr, &read)}, {self});
  const VkFramebuffer framebuffer = MakeFramebuffer(engine, pass, {frame.view});
  const Pipeline mesh = engine.MakeGraphics({.render_pass = pass});
  Resource target = InputAttachment(frame);
  target.image.imageLayout = VK_IMAGE_LAYOUT_GENERAL;
  const Pipeline blend =
      engine.MakeGraphics({.resources = {target}, .fragment = k_load_input_frag, .render_pass = pass});
  const VkMemoryBarrier2 barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
                                    .srcStageMask = kColorTarget.stages,
                                    .srcAccessMask = kColorTarget.access,
                                    .dstStageMask = kInputRead.stages,
                                    .dstAccessMask = kInputRead.access};
  const VkDependencyInfo dependency = {.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
                                       .dependencyFlags = VK_DEPENDENCY_BY_REGION_BIT,
                                       .memoryBarrierCount = 1,
                                       .pMemoryBarriers = &barrier};
  engine.Run([&](Commands& c) {
    InPass(engine, c, pass, framebuffer, {[&] {
             c.Draw(mesh);
             if (with_barrier) engine.vk.CmdPipelineBarrier2(c, &dependency);
             c.Draw(blend);
           }});
  });
}

// Geometry in the first subpass, light in the second, which reads the first's target as an input attachment.
void DeferredShading(Engine& engine, const std::vector<VkSubpassDependency2>& dependencies) {
  const Texture albedo = engine.MakeTexture("albedo"), frame = engine.MakeTexture("frame");
  const VkAttachmentReference2 albedo_written = Reference(0, kColorTarget), albedo_read = Reference(0, kInputRead);
  const VkAttachmentReference2 frame_written = Reference(1, kColorTarget);
  const VkRenderPass pass =
      MakePass(engine, {Attached(albedo, kUndefined, kInputRead), Attached(frame, kUndefined, kColorTarget)},
               {Subpass(albedo_written), Subpass(frame_written, nullptr, &albedo_read)}, dependencies);
  const VkFramebuffer framebuffer = MakeFramebuffer(engine, pass, {albedo.view, frame.view});
  const Pipeline mesh = engine.MakeGraphics({.render_pass = pass});
  const Pipeline light = engine.MakeGraphics(
      {.resources = {InputAttachment(albedo)}, .fragment = k_load_input_frag, .render_pass = pass, .subpass = 1});
  engine.Run(
      [&](Commands& c) { InPass(engine, c, pass, framebuffer, {[&] { c.Draw(mesh); }, [&] { c.Draw(light); }}); });
}

}  // namespace

std::vector<Mistake> RenderPassMistakes() {
  return {
      {"pass_without_a_dependency_on_what_follows",
       "A render pass leaves its target to be sampled, and has no dependency to what is outside.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) {
         std::vector<VkSubpassDependency2> dependencies;
         if (!bug) dependencies = {Dependency(0, VK_SUBPASS_EXTERNAL, kColorTarget, kTextureRead)};
         SampleAfterPass(engine, dependencies);
       }},
      {"subpasses_without_a_dependency",
       "The second subpass reads what the first writes, which the numbering alone does not order.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         std::vector<VkSubpassDependency2> dependencies;
         if (!bug) dependencies = {Dependency(0, 1, kColorTarget, kInputRead)};
         DeferredShading(engine, dependencies);
       }},
      {"input_attachment_without_a_barrier_in_the_subpass",
       "A draw reads what an earlier draw of its subpass has written, as if rasterization order were enough.",
       {kReadAfterWrite},
       [](Engine& engine, Bug bug) { BlendInShader(engine, !bug); }},
      {"external_dependency_from_the_top_of_the_pipe",
       "The pass's first dependency begins at the top of the pipe, and so does not wait for the acquired image.",
       {kWriteAfterRead},
       [](Engine& engine, Bug bug) {
         const Window window = engine.MakeWindow();
         const VkSemaphore acquired = engine.MakeSemaphore(), drawn = engine.MakeSemaphore();
         const uint32_t index = engine.Acquire(window, acquired);
         const Texture& image = window.images[index];
         const Access before = bug ? Access{VK_PIPELINE_STAGE_2_TOP_OF_PIPE_BIT} : kColorTarget.With(VK_ACCESS_2_NONE);
         const VkAttachmentReference2 color = Reference(0, kColorTarget);
         const VkRenderPass pass = MakePass(engine, {Attached(image, kUndefined, kPresented)}, {Subpass(color)},
                                            {Dependency(VK_SUBPASS_EXTERNAL, 0, before, kColorTarget)});
         const VkFramebuffer framebuffer = MakeFramebuffer(engine, pass, {image.view});
         engine.Submit(
             [&](Commands& c) { InPass(engine, c, pass, framebuffer, {[] {}}); },
             {.waits = {Engine::At(acquired, kColorTarget.stages)}, .signals = {Engine::At(drawn, kAllStages)}});
         engine.Present(window, index, {drawn});
       },
       {.presentation = true}},
      {"external_dependency_without_depth",
       "Every frame's pass uses one depth image, and its only dependency on the frame before is one of color.",
       {kWriteAfterWrite},
       [](Engine& engine, Bug bug) {
         const Texture depth = engine.MakeDepth("depth");
         const Texture colors[] = {engine.MakeTexture("color 0"), engine.MakeTexture("color 1")};
         const Access both = kColorTarget | kDepthTarget;
         const VkAttachmentReference2 color_written = Reference(0, kColorTarget);
         const VkAttachmentReference2 depth_written = Reference(1, kDepthTarget, VK_IMAGE_ASPECT_DEPTH_BIT);
         const VkRenderPass pass = MakePass(
             engine, {Attached(colors[0], kUndefined, kColorTarget), Attached(depth, kUndefined, kDepthTarget)},
             {Subpass(color_written, &depth_written)},
             {Dependency(VK_SUBPASS_EXTERNAL, 0, bug ? kColorTarget : both, both)});
         const Pipeline mesh = engine.MakeGraphics({.depth_format = kDepthFormat, .render_pass = pass});
         for (const Texture& color : colors) {
           const VkFramebuffer framebuffer = MakeFramebuffer(engine, pass, {color.view, depth.view});
           engine.Submit([&](Commands& c) { InPass(engine, c, pass, framebuffer, {[&] { c.Draw(mesh); }}); });
         }
       }},
  };
}

}  // namespace assay::planted
