// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Sample locations and coverage, and the attachments that they are for.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "core/draw/action_report.h"
#include "core/draw/draw_rules.h"
#include "core/formats/mixed_samples.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using state::FixedFunction;

class SampleCheck {
 public:
  SampleCheck(const dispatch::Device& device, Action& action, const state::GraphicsState* graphics)
      : device_(device),
        action_(action),
        graphics_(graphics),
        draw_(action.draw()),
        states_(draw_.pipeline(action.form.point)),
        resolved_(graphics, action.buffer.draw),
        samples_(resolved_.functions.samples) {}

  void Run() {
    // Without rasterization there are no samples, and a pipeline may be without their number.
    if (resolved_.functions.rasterizer_discard) return;
    const bool sets_samples =
        graphics_ == nullptr || (graphics_->dynamic_functions & BitOf(FixedFunction::kSamples)) != 0;
    if (sets_samples && (action_.buffer.draw.set_functions() & BitOf(FixedFunction::kSamples)) == 0) return;
    if (draw_.ValueOf(IndexOf(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT)) == uint32_t{VK_TRUE})
      CheckLocations(sets_samples);
    const state::RenderPassInstance& rendering = action_.buffer.rendering;
    if (!rendering.is_active() || rendering.is_inherited()) return;
    CheckToColor(rendering);
    CheckModulation(rendering);
    CheckSingleSampled(rendering, sets_samples);
    if (graphics_ == nullptr) return;
    if (sets_samples) CheckNoAttachments(rendering);
    // Samples that may not be mixed at all have rules of their own.
    if (!action_.is_wrong && device_.IsEnabled(vk::ExtensionId::kNvFramebufferMixedSamples))
      CheckMixed(rendering, sets_samples);
  }

 private:
  // Whether commands set the state: with shader objects they set all.
  bool IsSet(VkDynamicState state) const {
    return (states_ == nullptr || states_->dynamic.Has(IndexOf(state))) && draw_.set().Has(IndexOf(state));
  }
  bool IsDynamic(VkDynamicState state) const { return states_ == nullptr || states_->dynamic.Has(IndexOf(state)); }

  void CheckLocations(bool sets_samples) {
    const bool sets_enable = IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT);
    CheckDepth(sets_enable);
    const bool sets_locations = IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT);
    const std::optional<SampleLocations> locations = sets_locations ? draw_.sample_locations() : states_->locations;
    // When the pipeline was made, what is all its own was compared.
    if (!locations || (!sets_locations && !sets_samples)) return;
    if (locations->per_pixel != samples_ && graphics_ != nullptr) {
      Report(action_,
             !sets_locations ? ActionRule("sampleLocationsEnable-07938")
             : sets_samples  ? ActionRule("sampleLocationsPerPixel-07483")
                             : ActionRule("sampleLocationsPerPixel-07482"),
             absl::StrCat("sampleLocationsPerPixel is ", Name(locations->per_pixel), ", but rasterizationSamples is ",
                          Name(samples_), "."));
    } else if (!sets_locations || sets_enable) {
      CheckGrid(*locations, sets_locations);
    }
  }
  static std::string_view Name(VkSampleCountFlagBits samples) {
    return vk::EnumName(vk::EnumId::kSampleCountFlagBits, samples);
  }

  void CheckDepth(bool sets_enable) {
    const state::RenderPassInstance& rendering = action_.buffer.rendering;
    if (!rendering.is_active() || rendering.is_inherited()) return;
    const state::ImageView* view = rendering.DepthAttachment();
    if (view == nullptr) view = rendering.StencilAttachment();
    constexpr VkImageCreateFlags kNeeded = VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT;
    if (view == nullptr || !view->image || (view->image->create_info.flags & kNeeded) != 0) return;
    const messages::ObjectRef object = {VK_OBJECT_TYPE_IMAGE, view->image->handle()};
    Report(action_, sets_enable ? ActionRule("sampleLocationsEnable-07484") : ActionRule("sampleLocationsEnable-02689"),
           absl::StrCat("Sample locations are enabled, but ", action_.report.reporter().Describe(object),
                        ", a depth/stencil attachment, was created without "
                        "VK_IMAGE_CREATE_SAMPLE_LOCATIONS_COMPATIBLE_DEPTH_BIT_EXT."));
  }

  // Asks the driver each time: few programs place samples.
  void CheckGrid(const SampleLocations& locations, bool is_set) {
    const auto get = dispatch::Next<vk::GetPhysicalDeviceMultisamplePropertiesEXT>(device_.instance.next);
    if (get == nullptr) return;
    VkMultisamplePropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
    get(device_.physical_device->handle, samples_, &properties);
    const auto check = [&](uint32_t size, uint32_t most, ActionRule rule, std::string_view name) {
      if (size != 0 && most % size == 0) return;
      Report(action_, rule,
             absl::StrCat("sampleLocationGridSize.", name, " (", size, ") does not evenly divide ", most,
                          ", which is maxSampleLocationGridSize.", name, " for ", Name(samples_), "."));
    };
    const VkExtent2D most = properties.maxSampleLocationGridSize;
    check(locations.grid.width, most.width,
          is_set ? ActionRule("sampleLocationsEnable-07485") : ActionRule("sampleLocationsEnable-07936"), "width");
    check(locations.grid.height, most.height,
          is_set ? ActionRule("sampleLocationsEnable-07486") : ActionRule("sampleLocationsEnable-07937"), "height");
  }

  void CheckToColor(const state::RenderPassInstance& rendering) {
    if (!IsSet(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV) || !IsSet(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV))
      return;
    if (draw_.last_value(IndexOf(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV)) != VK_TRUE) return;
    const uint32_t location = draw_.last_value(IndexOf(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV));
    const uint32_t index = rendering.ColorAtLocation(location);
    const state::ImageView* const view = index != VK_ATTACHMENT_UNUSED ? rendering.ColorAttachment(index) : nullptr;
    switch (view != nullptr ? view->format : VK_FORMAT_UNDEFINED) {
      case VK_FORMAT_R8_UINT:
      case VK_FORMAT_R8_SINT:
      case VK_FORMAT_R16_UINT:
      case VK_FORMAT_R16_SINT:
      case VK_FORMAT_R32_UINT:
      case VK_FORMAT_R32_SINT:
        return;
      default:
        break;
    }
    const std::string what =
        view == nullptr ? "there is no color attachment"
                        : absl::StrCat("the color attachment has ", vk::EnumName(vk::EnumId::kFormat, view->format));
    Report(
        action_,
        graphics_ != nullptr ? ActionRule("coverageToColorEnable-07490") : ActionRule("rasterizerDiscardEnable-09420"),
        absl::StrCat("coverageToColorEnable is VK_TRUE, but ", what, " at coverageToColorLocation ", location,
                     "; it needs one integer component of 8, 16 or 32 bits."));
  }

  void CheckModulation(const state::RenderPassInstance& rendering) {
    if (!IsSet(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV) ||
        !IsSet(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV) ||
        draw_.last_value(IndexOf(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV)) != VK_TRUE) {
      return;
    }
    const state::ImageView* const view = rendering.color_count() != 0 ? rendering.ColorAttachment(0) : nullptr;
    if (view == nullptr || !view->image) return;
    const uint32_t needed = uint32_t{samples_} / uint32_t{view->image->create_info.samples};
    const uint32_t count = draw_.last_value(IndexOf(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV));
    if (count == needed) return;
    Report(action_, "coverageModulationTableEnable-07488",
           absl::StrCat("vkCmdSetCoverageModulationTableNV has set coverageModulationTableCount ", count,
                        ", but rasterizationSamples is ", needed, " times the samples of the color attachments."));
  }

  void CheckSingleSampled(const state::RenderPassInstance& rendering, bool sets_samples) {
    if (rendering.kind() != state::RenderPassInstance::Kind::kDynamic) return;
    const VkSampleCountFlags needed = rendering.dynamic().single_sampled_rasterization_samples;
    if (needed == 0 || needed == uint32_t{samples_}) return;
    Report(action_, sets_samples ? ActionRule("None-09211") : ActionRule("pNext-07935"),
           absl::StrCat("rasterizationSamples is ", Name(samples_),
                        ", but VkMultisampledRenderToSingleSampledInfoEXT::rasterizationSamples is ",
                        Name(static_cast<VkSampleCountFlagBits>(needed)), "."));
  }

  // Only without any attachments.
  void CheckNoAttachments(const state::RenderPassInstance& rendering) {
    const state::Subpass* const subpass = rendering.subpass();
    if (subpass == nullptr && rendering.kind() == state::RenderPassInstance::Kind::kRenderPass) return;
    bool has_some = subpass != nullptr
                        ? subpass->depth_stencil.is_used()
                        : rendering.DepthAttachment() != nullptr || rendering.StencilAttachment() != nullptr;
    for (uint32_t i = 0; i < rendering.color_count(); ++i)
      has_some |= subpass != nullptr ? subpass->colors[i].is_used() : rendering.ColorAttachment(i) != nullptr;
    const VkSampleCountFlags allowed = device_.physical_device->limits.framebufferNoAttachmentsSampleCounts;
    if (has_some || (samples_ & allowed) != 0) return;
    Report(action_, "rasterizationSamples-07471",
           absl::StrCat("vkCmdSetRasterizationSamplesEXT has set ", Name(samples_),
                        ", but there are no attachments, and framebufferNoAttachmentsSampleCounts is ",
                        vk::FlagsToString(vk::EnumId::kSampleCountFlagBits, allowed), "."));
  }

  // The samples of the image; 0 without a view.
  static VkSampleCountFlags SamplesOf(const state::ImageView* view) {
    return view != nullptr && view->image ? VkSampleCountFlags{view->image->create_info.samples} : 0;
  }
  static std::string CountText(VkSampleCountFlags samples) {
    return samples != 0 ? std::string(Name(static_cast<VkSampleCountFlagBits>(samples))) : std::string("none");
  }

  // By VK_NV_framebuffer_mixed_samples.
  void CheckMixed(const state::RenderPassInstance& rendering, bool sets_samples) {
    const VkSampleCountFlags depth =
        std::max(SamplesOf(rendering.DepthAttachment()), SamplesOf(rendering.StencilAttachment()));
    VkSampleCountFlags colors = 0;
    bool has_one_count = true;
    for (uint32_t i = 0; i < rendering.color_count(); ++i) {
      const VkSampleCountFlags color = SamplesOf(rendering.ColorAttachment(i));
      has_one_count &= color == 0 || colors == 0 || color == colors;
      colors = std::max(colors, color);
    }
    const std::string text = absl::StrCat("rasterizationSamples is ", Name(samples_), ", but ");
    const state::FixedFunctions& functions = resolved_.functions;
    constexpr uint32_t kTests = BitOf(FixedFunction::kDepthTest) | BitOf(FixedFunction::kStencilTest) |
                                BitOf(FixedFunction::kDepthBoundsTest) | BitOf(FixedFunction::kSamples);
    // When the pipeline was made, what is all its own was compared with its render pass.
    const bool was_compared = states_->has_render_pass && (graphics_->dynamic_functions & kTests) == 0;
    // It ignores tests without a format.
    const bool has_tests = states_->has_render_pass || graphics_->depth_format != VK_FORMAT_UNDEFINED ||
                           graphics_->stencil_format != VK_FORMAT_UNDEFINED;
    const bool tests = has_tests && (functions.depth_test || functions.stencil_test || functions.depth_bounds_test);
    if (tests && depth != 0 && depth != samples_ && !was_compared) {
      return Report(action_, "rasterizationSamples-07489",
                    absl::StrCat(text, "the depth/stencil attachment, which is tested, has ", CountText(depth), "."));
    }
    if (!sets_samples) return;
    if (colors != 0 && samples_ > colors && states_->has_sample_shading) {
      return Report(action_, "rasterizationSamples-07494",
                    absl::StrCat(text, "the color attachments have ", CountText(colors),
                                 ", and the pipeline is created with sampleShadingEnable VK_TRUE."));
    }
    const auto mode = draw_.ValueOf(IndexOf(VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV));
    const bool is_mixed = (colors != 0 && colors != samples_) || (depth != 0 && depth != samples_);
    if (!is_mixed || !has_one_count || !mode || !IsDynamic(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV) ||
        !device_.IsEnabled(vk::ExtensionId::kNvCoverageReductionMode) ||
        SupportsMixedSamples(device_, static_cast<VkCoverageReductionModeNV>(*mode), samples_, depth, colors)) {
      return;
    }
    Report(action_, "coverageReductionMode-07491",
           absl::StrCat(text, "the depth/stencil attachment has ", CountText(depth), " and the color attachments have ",
                        CountText(colors), ", which the driver does not support with coverageReductionMode ",
                        vk::EnumName(vk::EnumId::kCoverageReductionModeNV, *mode), "."));
  }

  const dispatch::Device& device_;
  Action& action_;
  // Null for shader objects, as states_.
  const state::GraphicsState* const graphics_;
  const DrawRecording& draw_;
  const PipelineStates* const states_;
  const state::ResolvedDrawState resolved_;
  const VkSampleCountFlagBits samples_;
};

}  // namespace

void DrawRules::CheckSamples(Action& action, const state::Pipeline* pipeline) const {
  const state::GraphicsState* const graphics = pipeline != nullptr ? pipeline->graphics.get() : nullptr;
  SampleCheck(device_, action, graphics).Run();
}

}  // namespace assay::core
