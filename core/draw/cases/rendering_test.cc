// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the pipeline of a draw is made for the render pass instance: for every draw, through the whole layer.

#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/draw_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kOtherColor = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr VkFormat kOtherDepth = VK_FORMAT_D32_SFLOAT_S8_UINT;

// Dynamic rendering and a pipeline that do not fit, unless rule is null.
struct DynamicCase {
  const char* rule;
  RenderingOptions rendering;
  void (*change)(PipelineOptions&);
};

class Rendering : public DrawTest {
 protected:
  void RunCases(const std::vector<DynamicCase>& cases) {
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics) continue;
      for (const DynamicCase& row : cases) {
        if (!MayBeIn(row.rendering, call)) continue;
        SCOPED_TRACE(std::string(call.name) + " " + (row.rule != nullptr ? row.rule : "correct"));
        PipelineOptions options;
        if (call.draws_meshes) options.stages = StagesOf(call);
        row.change(options);
        const VkCommandBuffer commands = BeginFor(call);
        vk.CmdEndRendering(commands);
        BeginRendering(commands, row.rendering);
        Bind(commands, MakePipeline(options));
        if (row.rule != nullptr) {
          ExpectRule(call, commands, row.rule);
        } else {
          ExpectSilence(call, commands);
        }
        EndFor(call, commands);
      }
    }
  }

  // A render pass with two subpasses of that color attachment, or with one.
  VkRenderPass MakeColorPass(VkFormat format, uint32_t subpass_count,
                             VkSampleCountFlagBits samples = VK_SAMPLE_COUNT_1_BIT,
                             VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE) {
    const VkAttachmentDescription2 attachment = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                                                 .format = format,
                                                 .samples = samples,
                                                 .loadOp = load,
                                                 .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                                                 .initialLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                 .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
    const VkAttachmentReference2 reference = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2,
                                              .attachment = 0,
                                              .layout = VK_IMAGE_LAYOUT_GENERAL,
                                              .aspectMask = VK_IMAGE_ASPECT_COLOR_BIT};
    const VkSubpassDescription2 subpass = {
        .sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .colorAttachmentCount = 1, .pColorAttachments = &reference};
    const VkSubpassDescription2 subpasses[] = {subpass, subpass};
    return MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                           .attachmentCount = 1,
                           .pAttachments = &attachment,
                           .subpassCount = subpass_count,
                           .pSubpasses = subpasses});
  }

  // In the first subpass of `current`, draws with a pipeline for the other render pass. A null rule: correct.
  void RunInRenderPass(VkRenderPass current, VkRenderPass other, uint32_t subpass, const char* rule) {
    const test::Image image = MakeImage(VK_FORMAT_R8G8B8A8_UNORM, 64, 64, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    const VkRenderPassBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                         .renderPass = current,
                                         .framebuffer = MakeFramebuffer(current, {MakeView(image)}, 64, 64),
                                         .renderArea = {{0, 0}, {64, 64}}};
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics) continue;
      SCOPED_TRACE(std::string(call.name) + " " + (rule != nullptr ? rule : "correct"));
      PipelineOptions options;
      if (call.draws_meshes) options.stages = StagesOf(call);
      options.render_pass = other;
      options.subpass = subpass;
      const VkCommandBuffer commands = BeginFor(call);
      vk.CmdEndRendering(commands);
      vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
      Bind(commands, MakePipeline(options));
      if (rule != nullptr) {
        ExpectRule(call, commands, rule);
      } else {
        ExpectSilence(call, commands);
      }
      if (subpass_count_ == 2) vk.CmdNextSubpass(commands, VK_SUBPASS_CONTENTS_INLINE);
      vk.CmdEndRenderPass(commands);
      End(commands);
      ExpectNothing();
    }
  }

  // Of the current render pass.
  uint32_t subpass_count_ = 2;
};

TEST_F(Rendering, Formats) {
  Start();
  RunCases({
      {nullptr, {}, [](PipelineOptions&) {}},
      {nullptr, {.has_depth = false, .has_stencil = false}, [](PipelineOptions& p) { p.depth = p.stencil = {}; }},
      {nullptr, {.has_color = false}, [](PipelineOptions& p) { p.colors = {VK_FORMAT_UNDEFINED}; }},
      {nullptr, {.view_mask = 1}, [](PipelineOptions& p) { p.view_mask = 1; }},
      // Its attachments are ignored.
      {nullptr,
       {.has_depth = false, .has_stencil = false},
       [](PipelineOptions& p) { p.is_discarded = true, p.colors = {kOtherColor, kOtherColor}; }},
      {"viewMask-06178", {.view_mask = 1}, [](PipelineOptions&) {}},
      {"viewMask-06178", {}, [](PipelineOptions& p) { p.view_mask = 1; }},
      {"colorAttachmentCount-06179", {}, [](PipelineOptions& p) { p.colors.clear(); }},
      {"colorAttachmentCount-06179", {.has_color_attachment = false}, [](PipelineOptions&) {}},
      {"dynamicRenderingUnusedAttachments-08910", {}, [](PipelineOptions& p) { p.colors = {kOtherColor}; }},
      {"dynamicRenderingUnusedAttachments-08912", {.has_color = false}, [](PipelineOptions&) {}},
      {"dynamicRenderingUnusedAttachments-08913", {.has_depth = false}, [](PipelineOptions&) {}},
      {"dynamicRenderingUnusedAttachments-08914", {}, [](PipelineOptions& p) { p.depth = VK_FORMAT_UNDEFINED; }},
      {"dynamicRenderingUnusedAttachments-08916", {.has_stencil = false}, [](PipelineOptions&) {}},
      {"dynamicRenderingUnusedAttachments-08917", {}, [](PipelineOptions& p) { p.stencil = VK_FORMAT_UNDEFINED; }},
  });
}

TEST_F(Rendering, Flags) {
  Start();
  constexpr VkRenderingFlags kDithering = VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT;
  constexpr VkRenderingFlags kSecondary = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
  const auto dither = [](PipelineOptions& p) { p.flags = VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT; };
  RunCases({
      {nullptr, {.flags = kDithering}, dither},
      {"None-09642", {.flags = kDithering}, [](PipelineOptions&) {}},
      {"None-09643", {}, dither},
      {nullptr, {.flags = kSecondary | VK_RENDERING_CONTENTS_INLINE_BIT_KHR}, [](PipelineOptions&) {}},
      {"flags-10582", {.flags = kSecondary}, [](PipelineOptions&) {}},
      {nullptr,
       {.has_shading_rate = true},
       [](PipelineOptions& p) { p.flags = VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR; }},
      {"imageView-06183", {.has_shading_rate = true}, [](PipelineOptions&) {}},
  });
}

TEST_F(Rendering, DensityMaps) {
  Start({.has_density_maps = true});
  RunCases({
      {nullptr,
       {.has_density_map = true},
       [](PipelineOptions& p) { p.flags = VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT; }},
      {"imageView-06184", {.has_density_map = true}, [](PipelineOptions&) {}},
  });
}

TEST_F(Rendering, FormatsWithUnusedAttachments) {
  Start({.has_unused_attachments = true});
  RunCases({
      {nullptr, {}, [](PipelineOptions& p) { p.colors.clear(); }},
      {nullptr, {}, [](PipelineOptions& p) { p.colors = {VK_FORMAT_UNDEFINED}; }},
      {nullptr, {.has_color = false, .has_depth = false, .has_stencil = false}, [](PipelineOptions&) {}},
      {nullptr, {}, [](PipelineOptions& p) { p.depth = p.stencil = VK_FORMAT_UNDEFINED; }},
      {"dynamicRenderingUnusedAttachments-08911", {}, [](PipelineOptions& p) { p.colors = {kOtherColor}; }},
      {"dynamicRenderingUnusedAttachments-08915",
       {.has_stencil = false},
       [](PipelineOptions& p) { p.depth = kOtherDepth, p.stencil = kOtherDepth; }},
      {"dynamicRenderingUnusedAttachments-08918",
       {.has_depth = false},
       [](PipelineOptions& p) { p.depth = kOtherDepth, p.stencil = kOtherDepth; }},
  });
}

TEST_F(Rendering, RenderPasses) {
  Start();
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkRenderPass current = MakeColorPass(format, 2);
  RunInRenderPass(current, current, 0, nullptr);
  RunInRenderPass(current, MakeColorPass(format, 2, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_LOAD), 0, nullptr);
  RunInRenderPass(current, current, 1, "subpass-02685");
  RunInRenderPass(current, MakeColorPass(kOtherColor, 2), 0, "renderPass-02684");
  RunInRenderPass(current, MakeColorPass(format, 1), 0, "renderPass-02684");
  RunInRenderPass(current, VK_NULL_HANDLE, 0, "renderPass-02684");
}

TEST_F(Rendering, RenderPassPipelineInDynamicRendering) {
  Start();
  const VkRenderPass render_pass = MakeColorPass(VK_FORMAT_R8G8B8A8_UNORM, 1);
  for (const ActionCall& call : ActionCalls()) {
    if (call.point != DrawRecording::kGraphics) continue;
    SCOPED_TRACE(std::string(call.name));
    const VkCommandBuffer commands = BeginFor(call);
    Bind(commands, MakePipeline({.stages = StagesOf(call), .render_pass = render_pass}));
    ExpectRule(call, commands, "renderPass-06198");
    EndFor(call, commands);
  }
}

TEST_F(Rendering, PrimitivesGeneratedQueries) {
  Start({.without = {"primitivesGeneratedQueryWithRasterizerDiscard", "primitivesGeneratedQueryWithNonZeroStreams"},
         .extensions = {"VK_EXT_primitives_generated_query"}});
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1);
  struct Row {
    const char* rule;
    PipelineOptions pipeline;
  };
  for (const Row& row : {Row{"primitivesGeneratedQueryWithRasterizerDiscard-06708", {.is_discarded = true}},
                         Row{"primitivesGeneratedQueryWithNonZeroStreams-06709", {.stream = 1}},
                         Row{"primitivesGeneratedQueryWithNonZeroStreams-07481",
                             {.dynamic = {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}}}}) {
    ForEach(row.rule, [&](const ActionCall& call) {
      PipelineOptions options = row.pipeline;
      options.stages = StagesOf(call);
      const VkCommandBuffer commands = BeginFor(call);
      Bind(commands, MakePipeline(options));
      if (!options.dynamic.empty()) vk.CmdSetRasterizationStreamEXT(commands, 1);
      // It is correct before and after the query: what was found correct is looked at again.
      ExpectSilence(call, commands);
      vk.CmdBeginQuery(commands, pool, 0, 0);
      ExpectRule(call, commands, row.rule);
      vk.CmdEndQuery(commands, pool, 0);
      ExpectSilence(call, commands);
      EndFor(call, commands);
    });
  }
}

}  // namespace
}  // namespace assay::core
