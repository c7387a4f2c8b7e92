// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether the pipeline of a draw is made for the render pass instance.

#include <algorithm>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/render_passes/render_pass_compatibility.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

std::string_view FormatName(VkFormat format) { return vk::EnumName(vk::EnumId::kFormat, format); }

// The rules of one attachment of dynamic rendering.
struct FormatRules {
  // Without dynamicRenderingUnusedAttachments: no attachment and a format; other formats.
  ActionRule none;
  ActionRule same;
  // With it: other formats, where the pipeline has one.
  ActionRule same_or_none;
};

// Whether a pipeline with the format may be used with the attachment.
bool Fits(const state::RenderingAttachment& attachment, VkFormat format, bool may_be_unused) {
  if (!attachment.view) return may_be_unused || format == VK_FORMAT_UNDEFINED;
  return attachment.format == format || (may_be_unused && format == VK_FORMAT_UNDEFINED);
}

void ReportFormat(Action& action, const FormatRules& rules, bool may_be_unused,
                  const state::RenderingAttachment& attachment, VkFormat format, std::string_view name) {
  const bool has_view = static_cast<bool>(attachment.view);
  const ActionRule rule = !has_view ? rules.none : may_be_unused ? rules.same_or_none : rules.same;
  Report(action, rule,
         absl::StrCat(PipelineText(action), " is created for a ", name, " of ", FormatName(format),
                      has_view ? absl::StrCat(", but its format is ", FormatName(attachment.format), ".")
                               : ", but vkCmdBeginRendering has none."));
}

constexpr FormatRules kColorRules = {ActionRule("dynamicRenderingUnusedAttachments-08912"),
                                     ActionRule("dynamicRenderingUnusedAttachments-08910"),
                                     ActionRule("dynamicRenderingUnusedAttachments-08911")};
constexpr FormatRules kDepthRules = {ActionRule("dynamicRenderingUnusedAttachments-08913"),
                                     ActionRule("dynamicRenderingUnusedAttachments-08914"),
                                     ActionRule("dynamicRenderingUnusedAttachments-08915")};
constexpr FormatRules kStencilRules = {ActionRule("dynamicRenderingUnusedAttachments-08916"),
                                       ActionRule("dynamicRenderingUnusedAttachments-08917"),
                                       ActionRule("dynamicRenderingUnusedAttachments-08918")};

// Rasterization is off for good. Then the specification ignores the attachments of the pipeline.
bool IsDiscarded(const state::GraphicsState& pipeline) {
  return pipeline.functions.rasterizer_discard &&
         (pipeline.dynamic_functions & BitOf(state::FixedFunction::kRasterizerDiscard)) == 0;
}

}  // namespace

void DrawRules::CheckRendering(Action& action) const {
  const state::RenderPassInstance& rendering = action.buffer.rendering;
  const auto* const pipeline =
      state::DeviceState::Get<state::Pipeline>(action.buffer.At(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline);
  if (pipeline == nullptr || pipeline->graphics == nullptr || !rendering.is_active()) return;
  const bool has_render_pass = action.draw().pipeline(action.form.point)->has_render_pass;
  const state::GraphicsState& graphics = *pipeline->graphics;
  if (rendering.kind() == state::RenderPassInstance::Kind::kDynamic) {
    if (!has_render_pass) {
      CheckDynamicRendering(action, graphics);
      return CheckPipelineFlags(action, pipeline->flags);
    }
    Report(action, "renderPass-06198",
           absl::StrCat(PipelineText(action),
                        " is created for a render pass, but the instance was begun with vkCmdBeginRendering."));
    return;
  }
  if (!has_render_pass) {
    Report(action, "renderPass-02684",
           absl::StrCat(PipelineText(action),
                        " is created for vkCmdBeginRendering, but the instance is one of a render pass."));
    return;
  }
  if (rendering.render_pass() == nullptr || !graphics.render_pass) return;
  if (const auto difference = DifferenceOf(*rendering.render_pass(), *graphics.render_pass)) {
    Report(action, "renderPass-02684",
           absl::StrCat(PipelineText(action),
                        " is created for a render pass that is not compatible with the current one. "
                        "They differ in ",
                        difference->Text(), "."));
  } else if (rendering.subpass_index() != graphics.subpass) {
    Report(action, "subpass-02685",
           absl::StrCat(PipelineText(action), " is created for subpass ", graphics.subpass, ", but the current one is ",
                        rendering.subpass_index(), "."));
  }
}

void DrawRules::CheckPipelineFlags(Action& action, VkPipelineCreateFlags2 flags) const {
  const state::RenderPassInstance& rendering = action.buffer.rendering;
  // The flags of the primary are not known.
  if (rendering.is_inherited()) return;
  const state::DynamicRendering& dynamic = rendering.dynamic();
  if (rendering.contents() == VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS) {
    Report(action, "flags-10582",
           "VkRenderingInfo::flags has VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT and not "
           "VK_RENDERING_CONTENTS_INLINE_BIT_KHR.");
  }
  // Which flags count of a pipeline and its libraries is not certain.
  if (action.draw().pipeline(action.form.point)->is_linked) return;
  const auto check = [&](bool is_wrong, ActionRule rule, std::string_view text) {
    if (is_wrong) Report(action, rule, absl::StrCat(PipelineText(action), text));
  };
  const bool has_dithering = (dynamic.flags & VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT) != 0;
  const bool dithers = (flags & VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT) != 0;
  check(has_dithering && !dithers, ActionRule("None-09642"),
        " is created without VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT, but VkRenderingInfo::flags has "
        "VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT.");
  check(
      dithers && !has_dithering, ActionRule("None-09643"),
      " is created with VK_PIPELINE_CREATE_2_ENABLE_LEGACY_DITHERING_BIT_EXT, but VkRenderingInfo::flags does not have "
      "VK_RENDERING_ENABLE_LEGACY_DITHERING_BIT_EXT.");
  check(static_cast<bool>(dynamic.fragment_shading_rate) &&
            (flags & VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR) == 0,
        ActionRule("imageView-06183"),
        " is created without VK_PIPELINE_CREATE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, but the instance "
        "has a "
        "fragment shading rate attachment.");
  check(static_cast<bool>(dynamic.fragment_density_map) &&
            (flags & VK_PIPELINE_CREATE_2_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT) == 0,
        ActionRule("imageView-06184"),
        " is created without VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT, but the instance "
        "has a "
        "fragment density map.");
}

void DrawRules::CheckDynamicRendering(Action& action, const state::GraphicsState& pipeline) const {
  const state::RenderPassInstance& rendering = action.buffer.rendering;
  if (pipeline.view_mask != rendering.view_mask()) {
    Report(action, "viewMask-06178",
           absl::StrCat(PipelineText(action), " is created with viewMask ", pipeline.view_mask,
                        ", but VkRenderingInfo::viewMask is ", rendering.view_mask(), "."));
  }
  // What the primary has is not known.
  if (rendering.is_inherited() || IsDiscarded(pipeline)) return;
  const state::DynamicRendering& dynamic = rendering.dynamic();
  const bool may_be_unused = device_.HasFeature(vk::FeatureId::kDynamicRenderingUnusedAttachments);
  const size_t count = pipeline.color_formats.size();
  if (!may_be_unused && count != dynamic.colors.size()) {
    Report(action, "colorAttachmentCount-06179",
           absl::StrCat(PipelineText(action), " is created with colorAttachmentCount ", count,
                        ", but VkRenderingInfo::colorAttachmentCount is ", dynamic.colors.size(), "."));
  } else {
    for (size_t i = 0; i < std::min(count, dynamic.colors.size()); ++i) {
      if (Fits(dynamic.colors[i], pipeline.color_formats[i], may_be_unused)) [[likely]]
        continue;
      ReportFormat(action, kColorRules, may_be_unused, dynamic.colors[i], pipeline.color_formats[i],
                   absl::StrCat("color attachment ", i));
    }
  }
  if (!Fits(dynamic.depth, pipeline.depth_format, may_be_unused))
    ReportFormat(action, kDepthRules, may_be_unused, dynamic.depth, pipeline.depth_format, "depth attachment");
  if (!Fits(dynamic.stencil, pipeline.stencil_format, may_be_unused))
    ReportFormat(action, kStencilRules, may_be_unused, dynamic.stencil, pipeline.stencil_format, "stencil attachment");
}

}  // namespace assay::core
