// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the pipeline of a draw is made for the render pass instance: for every draw, through the whole layer.

#include <string_view>
#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

constexpr VkFormat kOtherColor = VK_FORMAT_R16G16B16A16_SFLOAT;
constexpr VkFormat kOtherDepth = VK_FORMAT_D32_SFLOAT_S8_UINT;

class Rendering : public Attachments {
 protected:
  Rendering() { may_report_begin_ = false; }

  // A render pass with subpasses of that color attachment.
  VkRenderPass MakeColorPass(VkFormat format, uint32_t subpass_count,
                             VkAttachmentLoadOp load = VK_ATTACHMENT_LOAD_OP_DONT_CARE) {
    return MakePass({format}, VK_IMAGE_LAYOUT_UNDEFINED, subpass_count, load);
  }
  // In the first of two subpasses of `current`, draws with a pipeline for the other render pass. An empty rule:
  // correct.
  void RunInRenderPass(VkRenderPass current, VkRenderPass other, uint32_t subpass, std::string_view rule) {
    SCOPED_TRACE(rule.empty() ? "correct" : rule);
    RecordEachIn(current, {MakeAttachment(kColor)}, DrawRecording::kGraphics, [&] {
      BindWith({.render_pass = other, .subpass = subpass});
      ExpectRule(rule);
      vk.CmdNextSubpass(commands_, VK_SUBPASS_CONTENTS_INLINE);
    });
  }
};

TEST_F(Rendering, Formats) {
  Start();
  RunCases({
      {"", {}},
      {"", {.depth = VK_FORMAT_UNDEFINED, .stencil = VK_FORMAT_UNDEFINED}, {.has_depth = false, .has_stencil = false}},
      {"", {.colors = {VK_FORMAT_UNDEFINED}}, {.has_color = false}},
      {"", {.view_mask = 1}, {.view_mask = 1}},
      // Its attachments are ignored.
      {"", {.is_discarded = true, .colors = {kOtherColor, kOtherColor}}, {.has_depth = false, .has_stencil = false}},
      {"viewMask-06178", {}, {.view_mask = 1}},
      {"viewMask-06178", {.view_mask = 1}},
      {"colorAttachmentCount-06179", {.colors = {}}},
      {"colorAttachmentCount-06179", {}, {.has_color_attachment = false}},
      {"dynamicRenderingUnusedAttachments-08910", {.colors = {kOtherColor}}},
      {"dynamicRenderingUnusedAttachments-08912", {}, {.has_color = false}},
      {"dynamicRenderingUnusedAttachments-08913", {}, {.has_depth = false}},
      {"dynamicRenderingUnusedAttachments-08914", {.depth = VK_FORMAT_UNDEFINED}},
      {"dynamicRenderingUnusedAttachments-08916", {}, {.has_stencil = false}},
      {"dynamicRenderingUnusedAttachments-08917", {.stencil = VK_FORMAT_UNDEFINED}},
      {"renderPass-06198", {.render_pass = MakeColorPass(kColor, 1)}},
  });
}

TEST_F(Rendering, Flags) {
  Start();
  constexpr VkRenderingFlags kDithering = VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT;
  constexpr VkRenderingFlags kSecondary = VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT;
  const PipelineOptions dithers = {.flags = VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT};
  const PipelineOptions rated = {.flags = VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR};
  RunCases({
      {"", dithers, {.flags = kDithering}},
      {"None-09642", {}, {.flags = kDithering}},
      {"None-09643", dithers},
      {"", {}, {.flags = kSecondary | VK_RENDERING_CONTENTS_INLINE_BIT_KHR}},
      {"flags-10582", {}, {.flags = kSecondary}},
      {"", rated, {.has_shading_rate = true}},
      {"imageView-06183", {}, {.has_shading_rate = true}},
  });
}

TEST_F(Rendering, DensityMaps) {
  Start({.has_density_maps = true});
  const PipelineOptions with = {.flags = VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT};
  RunCases({{"", with, {.has_density_map = true}}, {"imageView-06184", {}, {.has_density_map = true}}});
}

TEST_F(Rendering, FormatsWithUnusedAttachments) {
  Start({.has_unused_attachments = true});
  const PipelineOptions other_depth = {.depth = kOtherDepth, .stencil = kOtherDepth};
  RunCases({
      {"", {.colors = {}}},
      {"", {.colors = {VK_FORMAT_UNDEFINED}}},
      {"", {}, {.has_color = false, .has_depth = false, .has_stencil = false}},
      {"", {.depth = VK_FORMAT_UNDEFINED, .stencil = VK_FORMAT_UNDEFINED}},
      {"dynamicRenderingUnusedAttachments-08911", {.colors = {kOtherColor}}},
      {"dynamicRenderingUnusedAttachments-08915", other_depth, {.has_stencil = false}},
      {"dynamicRenderingUnusedAttachments-08918", other_depth, {.has_depth = false}},
  });
}

TEST_F(Rendering, RenderPasses) {
  Start();
  const VkRenderPass current = MakeColorPass(kColor, 2);
  RunInRenderPass(current, current, 0, "");
  RunInRenderPass(current, MakeColorPass(kColor, 2, VK_ATTACHMENT_LOAD_OP_LOAD), 0, "");
  RunInRenderPass(current, current, 1, "subpass-02685");
  RunInRenderPass(current, MakeColorPass(kOtherColor, 2), 0, "renderPass-02684");
  RunInRenderPass(current, MakeColorPass(kColor, 1), 0, "renderPass-02684");
  RunInRenderPass(current, VK_NULL_HANDLE, 0, "renderPass-02684");
}

TEST_F(Rendering, PrimitivesGeneratedQueries) {
  Start({.without = {"primitivesGeneratedQueryWithRasterizerDiscard", "primitivesGeneratedQueryWithNonZeroStreams"},
         .extensions = {"VK_EXT_primitives_generated_query"}});
  const VkQueryPool pool = MakeQueryPool(VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT, 1);
  const std::vector<AttachmentCase> cases = {
      {"primitivesGeneratedQueryWithRasterizerDiscard-06708", {.is_discarded = true}},
      {"primitivesGeneratedQueryWithNonZeroStreams-06709", {.stream = 1}},
      {"primitivesGeneratedQueryWithNonZeroStreams-07481", {.dynamic = {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT}}},
  };
  for (const AttachmentCase& row : cases) {
    RecordEach(row.rule, [&] {
      BindWith(row.pipeline);
      if (!row.pipeline.dynamic.empty()) vk.CmdSetRasterizationStreamEXT(commands_, 1);
      // It is correct before and after the query: what was found correct is looked at again.
      ExpectSilence();
      vk.CmdBeginQuery(commands_, pool, 0, 0);
      ExpectRule(row.rule);
      vk.CmdEndQuery(commands_, pool, 0);
      ExpectSilence();
    });
  }
}

}  // namespace
}  // namespace assay::core
