// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What fragment shaders write and do, and the blending, formats and locations of the attachments that they write.

#include <algorithm>
#include <bit>
#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/interfaces/resource_accesses.h"
#include "core/pipelines/shaders/shader_facts.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"

namespace assay::core {
namespace {

using state::FixedFunction;
using Kind = state::RenderPassInstance::Kind;

bool IsExternal(const state::RenderingAttachment& color) {
  return color.resolve_mode == VK_RESOLVE_MODE_EXTERNAL_FORMAT_DOWNSAMPLE_ANDROID;
}

class OutputCheck {
 public:
  OutputCheck(const dispatch::Device& device, Action& action, const state::Pipeline* pipeline,
              const HandleMap<uint64_t>& external_formats)
      : device_(device),
        action_(action),
        pipeline_(pipeline),
        graphics_(pipeline != nullptr ? pipeline->graphics.get() : nullptr),
        external_formats_(external_formats),
        draw_(action.draw()),
        states_(draw_.pipeline(action.form.point)),
        rendering_(action.buffer.rendering),
        resolved_(graphics_, action.buffer.draw),
        functions_(resolved_.functions) {}

  void Run() {
    if (functions_.rasterizer_discard) return;
    const ResourceAccesses* const shaders = FragmentShader();
    const ShaderInterface* const shader = shaders != nullptr ? shaders->fragment.get() : nullptr;
    const ShaderFacts* const facts = shaders != nullptr ? shaders->fragment_facts.get() : nullptr;
    if (shader != nullptr) CheckCoverage(shader->outputs);
    if (facts != nullptr) CheckFacts(*facts);
    // The attachments of the primary are not known.
    if (!rendering_.is_active() || rendering_.is_inherited()) return;
    const size_t colors = graphics_ != nullptr ? graphics_->color_formats.size() : state::kMaxColorAttachments;
    for (uint32_t i = 0; i < std::min({size_t{rendering_.color_count()}, colors, state::kMaxColorAttachments}); ++i)
      attachments_ |= (rendering_.ColorAttachment(i) != nullptr ? 1u : 0u) << i;
    if (shader != nullptr) CheckSecondSources(shader->outputs);
    CheckAdvancedBlending();
    CheckWriteMasks();
    if (rendering_.kind() != Kind::kDynamic) return;
    if (device_.HasFeature(vk::FeatureId::kExternalFormatResolve)) CheckExternalFormats(facts);
    if (graphics_ != nullptr && !states_->has_render_pass &&
        device_.HasFeature(vk::FeatureId::kDynamicRenderingLocalRead)) {
      CheckMaps();
    }
  }

 private:
  // Whether commands have set the state, and it counts: with shader objects all do.
  bool IsSet(VkDynamicState state) const {
    return (states_ == nullptr || states_->dynamic.Has(IndexOf(state))) && draw_.set().Has(IndexOf(state));
  }
  bool IsSetTo(VkDynamicState state, uint32_t value) const {
    return IsSet(state) && draw_.last_value(IndexOf(state)) == value;
  }
  // The elements of a state that commands have set, and that count.
  uint32_t SetElements(VkDynamicState state) const { return IsSet(state) ? draw_.elements(IndexOf(state)) : 0; }

  // Null if there is none, or it is not known.
  const ResourceAccesses* FragmentShader() const {
    const auto* const shader =
        state::DeviceState::Get<state::Shader>(action_.buffer.draw.shader(VK_SHADER_STAGE_FRAGMENT_BIT));
    const state::ObjectSubState* const noted = pipeline_ != nullptr ? pipeline_->core_resources.get()
                                               : shader != nullptr  ? shader->core_resources.get()
                                                                    : nullptr;
    return static_cast<const ResourceAccesses*>(noted);
  }

  void CheckCoverage(const StageInterface& outputs) {
    if (!IsSetTo(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT, VK_TRUE)) return;
    if (!outputs.is_complete || outputs.At(0, 3) != nullptr) return;
    Report(action_,
           graphics_ != nullptr ? ActionRule("alphaToCoverageEnable-08919") : ActionRule("alphaToCoverageEnable-08920"),
           "alphaToCoverageEnable is VK_TRUE, but the fragment shader has no output for component 3 of location 0.");
  }

  // What is static was compared when the pipeline was made.
  void CheckFacts(const ShaderFacts& facts) {
    const auto check = [&](bool is_wrong, ActionRule rule, std::string_view text) {
      if (is_wrong) Report(action_, rule, text);
    };
    check(facts.interpolates_at_sample && IsSetTo(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT, VK_TRUE),
          ActionRule("sampleLocationsEnable-07487"),
          "sampleLocationsEnable is VK_TRUE, but the fragment shader uses InterpolateAtSample.");
    if (graphics_ == nullptr || !facts.Has(spv::ExecutionMode::EarlyFragmentTests)) return;
    check(facts.reads_depth_attachment && IsSetTo(VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, VK_TRUE),
          ActionRule("pDynamicStates-08715"),
          "depthWriteEnable is VK_TRUE, but the fragment shader has EarlyFragmentTests and OpDepthAttachmentReadEXT.");
    const auto [front, back] = functions_.stencil_write_masks;
    check(facts.reads_stencil_attachment && IsSet(VK_DYNAMIC_STATE_STENCIL_WRITE_MASK) && (front | back) != 0,
          ActionRule("pDynamicStates-08716"),
          absl::StrCat("The stencil write masks are ", front, " (front) and ", back,
                       ", but the fragment shader has EarlyFragmentTests and OpStencilAttachmentReadEXT."));
  }

  void CheckSecondSources(const StageInterface& outputs) {
    // Logical operations are instead of blending, and advanced operations have no factors.
    if (functions_.logic_op_enable) return;
    const bool sets_equations =
        states_ == nullptr || states_->dynamic.Has(IndexOf(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT));
    const uint32_t sources = sets_equations
                                 ? draw_.second_sources() & SetElements(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT)
                                 : states_->second_sources;
    const uint32_t blending =
        sources & functions_.blend_enables & attachments_ & ~SetElements(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT);
    if (blending == 0) return;
    const uint32_t most = device_.physical_device->limits.maxFragmentDualSrcAttachments;
    for (const InterfaceElement& output : outputs.elements) {
      const uint32_t end = output.location + output.type.vector_count() * output.type.locations();
      for (uint32_t location = std::max(output.location, most); output.is_used && location < end; ++location) {
        const uint32_t index = rendering_.ColorAtLocation(location);
        if (index >= state::kMaxColorAttachments || (attachments_ >> index & 1) == 0) continue;
        return Report(action_, "maxFragmentDualSrcAttachments-09239",
                      absl::StrCat("Color attachment ", std::countr_zero(blending),
                                   " blends with the second output as a factor, but the fragment shader has an output "
                                   "at location ",
                                   location, ", which is not less than maxFragmentDualSrcAttachments (", most, ")."));
      }
    }
  }

  // Attachments with an equation, too, may blend with that.
  void CheckAdvancedBlending() {
    const auto* const limits = device_.physical_device->Find<VkPhysicalDeviceBlendOperationAdvancedPropertiesEXT>();
    if (graphics_ == nullptr || limits == nullptr || !IsSet(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT)) return;
    const uint32_t advanced = SetElements(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT) &
                              draw_.last_value(IndexOf(VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT)) &
                              functions_.blend_enables & attachments_ &
                              ~SetElements(VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT);
    uint32_t count = 0;
    for (uint32_t i = 0; i < state::kMaxColorAttachments; ++i)
      count += (attachments_ >> i & 1) != 0 && functions_.WritesColor(i) ? 1 : 0;
    if (advanced == 0 || count <= limits->advancedBlendMaxColorAttachments) return;
    Report(action_, "advancedBlendMaxColorAttachments-07480",
           absl::StrCat("Color attachment ", std::countr_zero(advanced), " has an advanced blend operation, but ",
                        count, " color attachments are written, which is more than advancedBlendMaxColorAttachments (",
                        limits->advancedBlendMaxColorAttachments, ")."));
  }

  void CheckWriteMasks() {
    constexpr VkColorComponentFlags kAll =
        VK_COLOR_COMPONENT_R_BIT | VK_COLOR_COMPONENT_G_BIT | VK_COLOR_COMPONENT_B_BIT;
    for (uint32_t rest = attachments_ & SetElements(VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT); rest != 0;
         rest &= rest - 1) {
      const auto i = static_cast<uint32_t>(std::countr_zero(rest));
      const VkColorComponentFlags mask = functions_.color_write_masks[i] & kAll;
      if (rendering_.ColorAttachment(i)->format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 || mask == 0 || mask == kAll)
        continue;
      Report(action_, "None-09116",
             absl::StrCat("vkCmdSetColorWriteMaskEXT has set ",
                          vk::FlagsToString(vk::EnumId::kColorComponentFlagBits, functions_.color_write_masks[i]),
                          " for color attachment ", i,
                          ", but its format VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 has all of red, green and blue written or "
                          "none."));
    }
  }

  // What an external format allows one value of, where commands set it.
  void CheckExternalFormats(const ShaderFacts* facts) {
    const state::DynamicRendering& dynamic = rendering_.dynamic();
    const bool resolves = std::ranges::any_of(dynamic.colors, IsExternal);
    if (resolves && dynamic.colors.size() == 1) CheckResolve(dynamic.colors[0], facts);
    if (graphics_ != nullptr ? states_->external_format == 0 : !resolves) return;
    const auto check = [&](VkDynamicState state, uint32_t value, uint32_t wanted, ActionRule of_pipelines,
                           ActionRule of_shaders, std::string_view name) {
      if (!IsSet(state) || value == wanted) return;
      Report(action_, graphics_ != nullptr ? of_pipelines : of_shaders,
             absl::StrCat(name, " is ", value, " and not ", wanted, ", but ",
                          graphics_ != nullptr ? absl::StrCat(PipelineText(action_), " has an external format.")
                                               : "a color attachment is resolved to an external format."));
    };
    const uint32_t size = draw_.last_value(IndexOf(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR));
    check(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, functions_.blend_enables & 1, VK_FALSE, ActionRule("None-09364"),
          ActionRule("None-09366"), "blendEnable");
    check(VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT, functions_.samples, VK_SAMPLE_COUNT_1_BIT,
          ActionRule("None-09365"), ActionRule("rasterizationSamples-09367"), "rasterizationSamples");
    check(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, size >> 16, 1, ActionRule("None-09368"),
          ActionRule("pFragmentSize-09370"), "pFragmentSize->width");
    check(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR, size & 0xffff, 1, ActionRule("None-09369"),
          ActionRule("pFragmentSize-09371"), "pFragmentSize->height");
  }
  void CheckResolve(const state::RenderingAttachment& color, const ShaderFacts* facts) {
    // When a pipeline with an external format was made, its shader was checked.
    if (graphics_ == nullptr) {
      if (facts == nullptr || (!facts->Has(spv::ExecutionMode::DepthReplacing) &&
                               !facts->Has(spv::ExecutionMode::StencilRefReplacingEXT))) {
        return;
      }
      return Report(
          action_, "colorAttachmentCount-09372",
          "The fragment shader replaces depth or stencil, but the color attachment is resolved to an external "
          "format.");
    }
    if (!color.resolve_view || !color.resolve_view->image) return;
    const auto format = external_formats_.Find(reinterpret_cast<VkImage>(color.resolve_view->image->handle()));
    if (!format || *format == states_->external_format) return;
    Report(action_, "colorAttachmentCount-09362",
           absl::StrCat(PipelineText(action_), " is created with externalFormat ", states_->external_format, ", but ",
                        action_.report.reporter().Describe({VK_OBJECT_TYPE_IMAGE, color.resolve_view->image->handle()}),
                        ", which the color attachment is resolved to, with ", *format, "."));
  }

  // Locations and input attachment indices.
  void CheckMaps() {
    static const state::DynamicRendering kDefault;
    const auto of_pipeline = [](const auto& noted) -> const state::DynamicRendering& {
      return noted != nullptr ? noted->dynamic() : kDefault;
    };
    const state::DynamicRendering& has = rendering_.dynamic();
    const state::DynamicRendering& locations = of_pipeline(states_->color_locations);
    const state::DynamicRendering& indices = of_pipeline(states_->input_indices);
    const auto compare = [&](uint32_t set, uint32_t wanted, ActionRule rule, std::string_view what) {
      if (set == wanted) return false;
      const auto text = [](uint32_t value) {
        return value != VK_ATTACHMENT_UNUSED ? absl::StrCat(value) : std::string("VK_ATTACHMENT_UNUSED");
      };
      Report(action_, rule,
             absl::StrCat(what, " is ", text(set), " in the render pass instance, but ", text(wanted), " in ",
                          PipelineText(action_), "."));
      return true;
    };
    const size_t count = std::min({has.colors.size(), graphics_->color_formats.size(), state::kMaxColorAttachments});
    for (size_t i = 0; i < count; ++i) {
      if (compare(has.color_locations[i], locations.color_locations[i], ActionRule("None-09548"),
                  absl::StrCat("The location of color attachment ", i)))
        break;
    }
    const ActionRule rule("None-09549");
    for (size_t i = 0; i < count; ++i) {
      if (compare(has.color_input_indices[i], indices.color_input_indices[i], rule,
                  absl::StrCat("The input attachment index of color attachment ", i)))
        return;
    }
    if (rendering_.DepthAttachment() != nullptr &&
        compare(has.depth_input_index, indices.depth_input_index, rule, "The input attachment index of depth"))
      return;
    if (rendering_.StencilAttachment() != nullptr)
      compare(has.stencil_input_index, indices.stencil_input_index, rule, "The input attachment index of stencil");
  }

  const dispatch::Device& device_;
  Action& action_;
  // Null for shader objects, as graphics_ and states_.
  const state::Pipeline* const pipeline_;
  const state::GraphicsState* const graphics_;
  const HandleMap<uint64_t>& external_formats_;
  const DrawRecording& draw_;
  const PipelineStates* const states_;
  const state::RenderPassInstance& rendering_;
  const state::ResolvedDrawState resolved_;
  const state::FixedFunctions& functions_;
  // A bit for each color attachment that there is.
  uint32_t attachments_ = 0;
};

}  // namespace

void DrawRules::CheckOutputs(Action& action, const state::Pipeline* pipeline) const {
  OutputCheck(device_, action, pipeline, external_formats_).Run();
}

}  // namespace assay::core
