// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Fixed functions and the attachments that they read and write, whether a pipeline has them or commands have set them.

#include <algorithm>
#include <bit>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/format_info.h"

namespace assay::core {
namespace {

using state::FixedFunction;
using state::FixedFunctions;
using state::ImageView;
using Kind = state::RenderPassInstance::Kind;

std::string SamplesText(VkSampleCountFlagBits samples) {
  return std::string(vk::EnumName(vk::EnumId::kSampleCountFlagBits, samples));
}

bool IsReadOnlyDepth(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL || layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
}
bool IsReadOnlyStencil(VkImageLayout layout) {
  return layout == VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL ||
         layout == VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL || layout == VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL;
}

// The rules for writing an attachment in a layout. Dynamic rendering has one for each layout; a render pass has one.
ActionRule DepthRuleOf(Kind kind, VkImageLayout layout) {
  if (kind == Kind::kRenderPass) return ActionRule("None-06886");
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      return ActionRule("imageView-06172");
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL:
      return ActionRule("imageView-06174");
    case VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL:
      return ActionRule("imageView-06176");
    default:
      return ActionRule("None-06886");
  }
}
ActionRule StencilRuleOf(Kind kind, VkImageLayout layout) {
  if (kind == Kind::kRenderPass) return ActionRule("None-06887");
  switch (layout) {
    case VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL:
      return ActionRule("imageView-06173");
    case VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL:
      return ActionRule("imageView-06175");
    case VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL:
      return ActionRule("imageView-06177");
    default:
      return ActionRule("None-06887");
  }
}

// A state that has a number for each color attachment, and the rules that all of them must be set.
struct ElementRule {
  VkDynamicState state;
  ActionRule of_pipelines;
  // None for a state that shader objects have no such rule of.
  std::optional<ActionRule> of_shaders;
  // Whether it matters only where the attachment blends.
  bool is_for_blending = false;
};
constexpr ElementRule kElementRules[] = {
    {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, ActionRule("firstAttachment-07476"),
     ActionRule("rasterizerDiscardEnable-09417")},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, ActionRule("firstAttachment-07477"),
     ActionRule("rasterizerDiscardEnable-09418"), true},
    {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, ActionRule("firstAttachment-07478"),
     ActionRule("rasterizerDiscardEnable-09419")},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT, ActionRule("firstAttachment-07479"), std::nullopt, true},
};

class AttachmentCheck {
 public:
  AttachmentCheck(const dispatch::Device& device, const FormatFeatures& features, Action& action,
                  const state::Pipeline* pipeline)
      : device_(device),
        features_(features),
        action_(action),
        pipeline_(pipeline),
        graphics_(pipeline != nullptr ? pipeline->graphics.get() : nullptr),
        rendering_(action.buffer.rendering),
        resolved_(graphics_, action.buffer.draw),
        functions_(resolved_.functions) {}

  void Run() {
    CheckQueries();
    if (functions_.rasterizer_discard) return;
    CheckSampleMask();
    // The attachments of the primary are not known.
    if (!rendering_.is_active() || rendering_.is_inherited()) return;
    CheckElements();
    CheckReadOnly();
    CheckSamples();
    CheckBlending();
    CheckUnused();
  }

 private:
  bool IsDynamic(FixedFunction function) const {
    return graphics_ == nullptr || (graphics_->dynamic_functions & BitOf(function)) != 0;
  }
  // False for a function that should have been set and was not.
  bool IsKnown(FixedFunction function) const {
    return !IsDynamic(function) || (action_.buffer.draw.set_functions() & BitOf(function)) != 0;
  }
  // As messages call what has the function.
  std::string WhoText(FixedFunction function) const {
    return pipeline_ != nullptr && !IsDynamic(function) ? PipelineText(action_) : "the dynamic state";
  }
  std::string ViewText(const ImageView& view) const {
    return action_.report.reporter().Describe({VK_OBJECT_TYPE_IMAGE_VIEW, view.handle()});
  }
  uint32_t ColorCount() const {
    const uint32_t count = std::min<uint32_t>(rendering_.color_count(), state::kMaxColorAttachments);
    return graphics_ != nullptr ? std::min<uint32_t>(count, graphics_->color_formats.size()) : count;
  }

  void CheckQueries();
  void CheckSampleMask();
  void CheckElements();
  void CheckReadOnly();
  void CheckSamples();
  void CheckSamplesOf(const ImageView* view, ActionRule dynamic, ActionRule mixed, VkSampleCountFlags mixed_samples);
  void CheckBlending();
  void CheckUnused();

  const dispatch::Device& device_;
  const FormatFeatures& features_;
  Action& action_;
  // Null for shader objects.
  const state::Pipeline* const pipeline_;
  const state::GraphicsState* const graphics_;
  const state::RenderPassInstance& rendering_;
  const state::ResolvedDrawState resolved_;
  const FixedFunctions& functions_;
};

void AttachmentCheck::CheckQueries() {
  const bool is_active = std::ranges::any_of(action_.scope.active_queries, [](const ActiveQuery& active) {
    const auto* const pool = state::DeviceState::Get<state::QueryPool>(active.pool);
    return pool != nullptr && pool->query_type == VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT;
  });
  if (!is_active) return;
  constexpr std::string_view kActive = ", while a query of VK_QUERY_TYPE_PRIMITIVES_GENERATED_EXT is active.";
  if (functions_.rasterizer_discard &&
      !device_.HasFeature(vk::FeatureId::kPrimitivesGeneratedQueryWithRasterizerDiscard)) {
    Report(action_, "primitivesGeneratedQueryWithRasterizerDiscard-06708",
           absl::StrCat("Rasterization is discarded", kActive));
  }
  const uint8_t stream = IndexOf(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT);
  const DrawRecording& draw = action_.draw();
  if (draw.ValueOf(stream).value_or(0) == 0 ||
      device_.HasFeature(vk::FeatureId::kPrimitivesGeneratedQueryWithNonZeroStreams)) {
    return;
  }
  const PipelineStates* const states = draw.pipeline(action_.form.point);
  const bool is_dynamic = states == nullptr || states->dynamic.Has(stream);
  Report(action_,
         is_dynamic ? ActionRule("primitivesGeneratedQueryWithNonZeroStreams-07481")
                    : ActionRule("primitivesGeneratedQueryWithNonZeroStreams-06709"),
         absl::StrCat("rasterizationStream is ", *draw.ValueOf(stream), kActive));
}

void AttachmentCheck::CheckSampleMask() {
  const uint8_t mask = IndexOf(VK_DYNAMIC_STATE_SAMPLE_MASK_EXT);
  const DrawRecording& draw = action_.draw();
  const PipelineStates* const states = draw.pipeline(action_.form.point);
  if (states == nullptr || !states->dynamic.Has(mask) || !draw.set().Has(mask)) return;
  if (!IsKnown(FixedFunction::kSamples) || draw.last_value(mask) >= uint32_t{functions_.samples}) return;
  Report(action_, IsDynamic(FixedFunction::kSamples) ? ActionRule("samples-07473") : ActionRule("samples-07472"),
         absl::StrCat("vkCmdSetSampleMaskEXT has set a mask for ",
                      SamplesText(static_cast<VkSampleCountFlagBits>(draw.last_value(mask))),
                      ", but rasterizationSamples is ", SamplesText(functions_.samples), "."));
}

void AttachmentCheck::CheckElements() {
  const DrawRecording& draw = action_.draw();
  const PipelineStates* const states = draw.pipeline(action_.form.point);
  if (pipeline_ == nullptr && action_.buffer.draw.shader(VK_SHADER_STAGE_FRAGMENT_BIT) == VK_NULL_HANDLE) return;
  uint32_t attachments = 0;
  for (uint32_t i = 0; i < ColorCount(); ++i) attachments |= (rendering_.ColorAttachment(i) != nullptr ? 1u : 0u) << i;
  for (const ElementRule& rule : kElementRules) {
    const uint8_t state = IndexOf(rule.state);
    if (!draw.set().Has(state) || (states != nullptr && !states->dynamic.Has(state))) continue;
    if (pipeline_ == nullptr && !rule.of_shaders) continue;
    const uint32_t needed = rule.is_for_blending ? attachments & functions_.blend_enables : attachments;
    const uint32_t missing = needed & ~draw.elements(state);
    if (missing == 0) continue;
    Report(action_, pipeline_ != nullptr ? rule.of_pipelines : *rule.of_shaders,
           absl::StrCat(vk::EnumName(vk::EnumId::kDynamicState, rule.state), " is not set for color attachment ",
                        std::countr_zero(missing), "."));
  }
  const uint8_t enables = IndexOf(VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT);
  if (!draw.set().Has(enables) || (states != nullptr && !states->dynamic.Has(enables))) return;
  const uint32_t needed = graphics_ != nullptr ? graphics_->color_attachment_count : rendering_.color_count();
  if (draw.last_value(enables) >= needed) return;
  Report(action_, pipeline_ != nullptr ? ActionRule("attachmentCount-07750") : ActionRule("None-08647"),
         absl::StrCat("vkCmdSetColorWriteEnableEXT has set attachmentCount ", draw.last_value(enables),
                      ", but there are ", needed, " color attachments."));
}

void AttachmentCheck::CheckReadOnly() {
  VkImageLayout depth = VK_IMAGE_LAYOUT_UNDEFINED;
  VkImageLayout stencil = VK_IMAGE_LAYOUT_UNDEFINED;
  if (rendering_.kind() == Kind::kDynamic) {
    if (rendering_.dynamic().depth.view) depth = rendering_.dynamic().depth.layout;
    if (rendering_.dynamic().stencil.view) stencil = rendering_.dynamic().stencil.layout;
    // A pipeline without the format does not use it.
    if (graphics_ != nullptr && graphics_->depth_format == VK_FORMAT_UNDEFINED) depth = VK_IMAGE_LAYOUT_UNDEFINED;
    if (graphics_ != nullptr && graphics_->stencil_format == VK_FORMAT_UNDEFINED) stencil = VK_IMAGE_LAYOUT_UNDEFINED;
  } else if (const state::Subpass* const subpass = rendering_.subpass();
             subpass != nullptr && subpass->depth_stencil.is_used()) {
    if (rendering_.DepthAttachment() != nullptr) depth = subpass->depth_stencil.layouts.layout;
    if (rendering_.StencilAttachment() != nullptr) stencil = subpass->depth_stencil.layouts.stencil;
  }
  const auto name = [](VkImageLayout layout) { return vk::EnumName(vk::EnumId::kImageLayout, layout); };
  // Where no depth passes the test, none is written.
  const bool writes_depth =
      functions_.depth_test && functions_.depth_write && functions_.depth_compare_op != VK_COMPARE_OP_NEVER;
  if (IsReadOnlyDepth(depth) && writes_depth) {
    Report(action_, DepthRuleOf(rendering_.kind(), depth),
           absl::StrCat("Depth test and depth writes are enabled by ", WhoText(FixedFunction::kDepthWrite),
                        ", but the layout of the depth attachment is ", name(depth), "."));
  }
  if (IsReadOnlyStencil(stencil) && functions_.stencil_test && functions_.WritesStencil()) {
    Report(action_, StencilRuleOf(rendering_.kind(), stencil),
           absl::StrCat("The stencil test is enabled and has operations that write, by ",
                        WhoText(FixedFunction::kStencilFaces), ", but the layout of the stencil attachment is ",
                        name(stencil), "."));
  }
}

// `mixed_samples`: of VkAttachmentSampleCountInfoAMD; 0 without.
void AttachmentCheck::CheckSamplesOf(const ImageView* view, ActionRule dynamic, ActionRule mixed,
                                     VkSampleCountFlags mixed_samples) {
  if (view == nullptr || !view->image) return;
  const VkSampleCountFlagBits has = view->image->create_info.samples;
  const bool is_mixed = mixed_samples != 0;
  const auto needs = is_mixed ? static_cast<VkSampleCountFlagBits>(mixed_samples) : functions_.samples;
  if (has == needs) return;
  const bool may_mix = device_.IsEnabled(vk::ExtensionId::kAmdMixedAttachmentSamples) ||
                       device_.IsEnabled(vk::ExtensionId::kNvFramebufferMixedSamples);
  ActionRule rule = is_mixed ? mixed : dynamic;
  if (pipeline_ == nullptr || rendering_.kind() == Kind::kRenderPass) {
    // When the pipeline was made, its own number was compared with that of its render pass.
    if (may_mix || !IsDynamic(FixedFunction::kSamples)) return;
    rule = pipeline_ == nullptr ? ActionRule("None-08644") : ActionRule("multisampledRenderToSingleSampled-07284");
  }
  Report(action_, rule,
         absl::StrCat(ViewText(*view), " has ", SamplesText(has), ", but ",
                      is_mixed ? "VkAttachmentSampleCountInfoAMD has "
                               : absl::StrCat("rasterizationSamples of ", WhoText(FixedFunction::kSamples), " is "),
                      SamplesText(needs), "."));
}

void AttachmentCheck::CheckSamples() {
  if (device_.HasFeature(vk::FeatureId::kMultisampledRenderToSingleSampled) || !IsKnown(FixedFunction::kSamples))
    return;
  const PipelineStates* const states = action_.draw().pipeline(action_.form.point);
  const AttachmentSamples* const mixed =
      states != nullptr && states->attachment_samples ? &*states->attachment_samples : nullptr;
  for (uint32_t i = 0; i < ColorCount(); ++i) {
    if (mixed != nullptr && i >= mixed->colors.size()) break;
    CheckSamplesOf(rendering_.ColorAttachment(i), ActionRule("multisampledRenderToSingleSampled-07285"),
                   ActionRule("colorAttachmentCount-06185"), mixed != nullptr ? mixed->colors[i] : 0);
    if (action_.is_wrong) return;
  }
  const VkSampleCountFlags depth_stencil = mixed != nullptr ? mixed->depth_stencil : 0;
  CheckSamplesOf(rendering_.DepthAttachment(), ActionRule("multisampledRenderToSingleSampled-07286"),
                 ActionRule("pDepthAttachment-06186"), depth_stencil);
  if (action_.is_wrong) return;
  CheckSamplesOf(rendering_.StencilAttachment(), ActionRule("multisampledRenderToSingleSampled-07287"),
                 ActionRule("pStencilAttachment-06187"), depth_stencil);
}

void AttachmentCheck::CheckBlending() {
  for (uint32_t rest = functions_.blend_enables; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<uint32_t>(std::countr_zero(rest));
    const ImageView* const view = i < ColorCount() ? rendering_.ColorAttachment(i) : nullptr;
    const vk::FormatInfo* const format = view != nullptr ? vk::GetFormatInfo(view->format) : nullptr;
    if (format == nullptr || !view->image) continue;
    const auto features = features_.Of(*format, view->image->create_info.tiling);
    if (!features || (*features & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT) != 0) continue;
    const ActionRule rule = pipeline_ == nullptr                      ? ActionRule("None-08643")
                            : IsDynamic(FixedFunction::kBlendEnables) ? ActionRule("pColorBlendEnables-07470")
                                                                      : ActionRule("blendEnable-04727");
    Report(action_, rule,
           absl::StrCat("Blending is enabled by ", WhoText(FixedFunction::kBlendEnables), " for color attachment ", i,
                        ", ", ViewText(*view), ", whose format ", format->name,
                        " does not have VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT."));
  }
}

// Attachments that the pipeline has no format for. The outputs of fragment shaders are known with synchronization
// validation alone. Without dynamicRenderingUnusedAttachments, the formats are compared
// themselves.
void AttachmentCheck::CheckUnused() {
  if (graphics_ == nullptr || rendering_.kind() != Kind::kDynamic ||
      !device_.HasFeature(vk::FeatureId::kDynamicRenderingUnusedAttachments)) {
    return;
  }
  const auto report = [&](ActionRule rule, std::string_view what, std::string_view attachment) {
    Report(action_, rule,
           absl::StrCat(PipelineText(action_), " writes ", what, ", and there is ", attachment,
                        ", but the pipeline was created without its format."));
  };
  // It ignores its own state of depth and stencil if it has neither format.
  const bool has_state = graphics_->depth_format != VK_FORMAT_UNDEFINED ||
                         graphics_->stencil_format != VK_FORMAT_UNDEFINED || IsDynamic(FixedFunction::kDepthTest);
  if (has_state && rendering_.DepthAttachment() != nullptr && graphics_->depth_format == VK_FORMAT_UNDEFINED &&
      functions_.depth_test && functions_.depth_write) {
    report(ActionRule("pDepthAttachment-08964"), "depth", "a depth attachment");
  }
  const bool has_stencil_state = has_state || IsDynamic(FixedFunction::kStencilTest);
  if (has_stencil_state && rendering_.StencilAttachment() != nullptr &&
      graphics_->stencil_format == VK_FORMAT_UNDEFINED && functions_.stencil_test) {
    report(ActionRule("pStencilAttachment-08965"), "or tests stencil values", "a stencil attachment");
  }
  const state::PipelineStage* const fragment = pipeline_->Find(VK_SHADER_STAGE_FRAGMENT_BIT);
  if (fragment == nullptr || fragment->interface == nullptr) return;
  for (uint32_t i = 0; i < ColorCount(); ++i) {
    const bool is_written = (fragment->interface->output_locations >> i & 1) != 0 && functions_.WritesColor(i);
    if (is_written && rendering_.ColorAttachment(i) != nullptr && graphics_->color_formats[i] == VK_FORMAT_UNDEFINED)
      report(ActionRule("pColorAttachments-08963"), absl::StrCat("output ", i), absl::StrCat("color attachment ", i));
  }
}

}  // namespace

void DrawRules::CheckAttachments(Action& action) const {
  const state::Pipeline* pipeline = nullptr;
  if (action.draw().HasPipeline(action.form.point)) {
    pipeline = state::DeviceState::Get<state::Pipeline>(action.buffer.At(VK_PIPELINE_BIND_POINT_GRAPHICS).pipeline);
    if (pipeline == nullptr || pipeline->graphics == nullptr) return;
  }
  AttachmentCheck(device_, features_, action, pipeline).Run();
  // Nothing is noted of a pipeline whose libraries are not known.
  if (pipeline != nullptr && action.draw().pipeline(action.form.point) == nullptr) return;
  CheckSamples(action, pipeline);
  CheckOutputs(action, pipeline);
}

}  // namespace assay::core
