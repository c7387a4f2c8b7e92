// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of multisampling and of the depth and stencil tests.

#include <algorithm>
#include <bit>

#include "core/formats/mixed_samples.h"
#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using E = vk::ExtensionId;
using F = vk::FeatureId;

template <class T>
const T* Chained(const View& view) {
  return view.multisample != nullptr ? vk::FindInChain<T>(view.multisample->pNext) : nullptr;
}
// Of the color attachments of a subpass; 0 without.
VkSampleCountFlags ColorSamples(const View& view) {
  VkSampleCountFlags most = 0;
  for (const ColorTarget& color : view.colors) most = std::max(most, color.samples);
  return most;
}
// Of fragment output state with a known subpass whose samples are not its own; 0 otherwise.
VkSampleCountFlags SubpassSamples(const View& view) {
  const bool is_known = view.requires_fragment_output() && view.subpass != nullptr &&
                        view.subpass->single_sampled_rasterization_samples == 0;
  return is_known ? view.StaticSamples() : 0;
}
Result Differs(VkSampleCountFlags samples, VkSampleCountFlags wanted, std::string_view what) {
  return Wrong(absl::StrCat("(", samples, ") is not the sample count of ", what, " (", wanted, ")."),
               absl::StrCat("Let rasterizationSamples be VK_SAMPLE_COUNT_", wanted, "_BIT."));
}

Result CheckSame(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  if (samples == 0 || view.IsEnabled(E::kAmdMixedAttachmentSamples) || view.IsEnabled(E::kNvFramebufferMixedSamples) ||
      view.Has(F::kMultisampledRenderToSingleSampled)) {
    return kFine;
  }
  for (const ColorTarget& color : view.colors) {
    if (color.samples != 0 && color.samples != samples) return Differs(samples, color.samples, "a color attachment");
  }
  const VkSampleCountFlags depth = view.depth_stencil_samples;
  return depth != 0 && depth != samples ? Differs(samples, depth, "the depth/stencil attachment") : kFine;
}
Result CheckSingleSampled(const View& view) {
  const VkSampleCountFlags samples = view.StaticSamples();
  const VkSampleCountFlags wanted = view.subpass != nullptr ? view.subpass->single_sampled_rasterization_samples : 0;
  const bool is_wrong = samples != 0 && wanted != 0 && samples != wanted;
  return is_wrong ? Differs(samples, wanted, "VkMultisampledRenderToSingleSampledInfoEXT") : kFine;
}
Result CheckInputs(const View& view) {
  const VkSampleCountFlags samples = view.StaticSamples();
  if (samples == 0 || view.subpass == nullptr || !view.requires_fragment_shader() ||
      (view.subpass->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM) == 0) {
    return kFine;
  }
  for (const state::AttachmentReference& input : view.subpass->inputs) {
    const VkSampleCountFlags of =
        input.is_used() ? VkSampleCountFlags{view.render_pass->attachments[input.attachment].samples} : samples;
    if (of != samples) return Differs(samples, of, "an input attachment");
  }
  return kFine;
}
Result CheckMaximum(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags most = std::max(ColorSamples(view), view.depth_stencil_samples);
  const bool is_wrong = samples != 0 && most != 0 && view.IsEnabled(E::kAmdMixedAttachmentSamples) && samples != most;
  return is_wrong ? Differs(samples, most, "the attachment with most samples") : kFine;
}
Result CheckMixedDepth(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags depth = view.depth_stencil_samples;
  if (samples == 0 || depth == 0 || depth == samples || !view.IsEnabled(E::kNvFramebufferMixedSamples)) return kFine;
  if (view.depth_stencil == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE) ||
      view.IsDynamic(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE) ||
      view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE)) {
    return kFine;
  }
  const VkPipelineDepthStencilStateCreateInfo& tests = *view.depth_stencil;
  const bool is_used =
      tests.depthTestEnable == VK_TRUE || tests.stencilTestEnable == VK_TRUE || tests.depthBoundsTestEnable == VK_TRUE;
  return is_used ? Differs(samples, depth, "the depth/stencil attachment, which is tested") : kFine;
}
Result CheckMixedColors(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags colors = ColorSamples(view);
  const bool is_wrong = samples != 0 && samples < colors && view.IsEnabled(E::kNvFramebufferMixedSamples);
  return is_wrong ? Wrong(absl::StrCat("(", samples, ") is less than the sample count of a color attachment (", colors,
                                       ")."))
                  : kFine;
}
Result CheckMixedShading(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags colors = ColorSamples(view);
  const bool is_wrong = samples > colors && colors != 0 && view.IsEnabled(E::kNvFramebufferMixedSamples) &&
                        view.multisample->sampleShadingEnable == VK_TRUE;
  return is_wrong ? Wrong(absl::StrCat("(VK_TRUE) is not allowed for rasterizationSamples (", samples,
                                       ") larger than the sample count of the color attachments (", colors, ")."))
                  : kFine;
}
// Without attachments, one of framebufferNoAttachmentsSampleCounts.
Result CheckNoAttachments(const View& view) {
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags allowed =
      view.device.physical_device->properties.limits.framebufferNoAttachmentsSampleCounts;
  const bool is_wrong = samples != 0 && ColorSamples(view) == 0 && view.depth_stencil_samples == 0 && allowed != 0 &&
                        (samples & allowed) == 0;
  return is_wrong ? Wrong(absl::StrCat("(", samples, ") is not among framebufferNoAttachmentsSampleCounts (0x",
                                       absl::Hex(allowed), "), and the subpass has no attachments."))
                  : kFine;
}
Result CheckToColor(const View& view) {
  const auto* state = Chained<VkPipelineCoverageToColorStateCreateInfoNV>(view);
  if (state == nullptr || state->coverageToColorEnable == VK_FALSE || view.subpass == nullptr ||
      view.IsDynamic(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV) ||
      view.IsDynamic(VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV)) {
    return kFine;
  }
  const uint32_t location = state->coverageToColorLocation;
  const VkFormat format = location < view.colors.size() ? view.colors[location].format : VK_FORMAT_UNDEFINED;
  switch (format) {
    case VK_FORMAT_R8_UINT:
    case VK_FORMAT_R8_SINT:
    case VK_FORMAT_R16_UINT:
    case VK_FORMAT_R16_SINT:
    case VK_FORMAT_R32_UINT:
    case VK_FORMAT_R32_SINT:
      return kFine;
    default:
      return Wrong(Value(location, absl::StrCat("selects a color attachment of ", vk::ToString(format),
                                                ", which is not an integer format of one component.")));
  }
}
Result CheckModulation(const View& view) {
  const auto* state = Chained<VkPipelineCoverageModulationStateCreateInfoNV>(view);
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags colors = ColorSamples(view);
  if (state == nullptr || state->coverageModulationTableEnable == VK_FALSE || samples == 0 || colors == 0 ||
      view.IsDynamic(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV) ||
      view.IsDynamic(VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV) ||
      state->coverageModulationTableCount == samples / colors) {
    return kFine;
  }
  return Wrong(Value(state->coverageModulationTableCount, absl::StrCat("is not rasterizationSamples (", samples,
                                                                       ") divided by the samples of the color "
                                                                       "attachments (",
                                                                       colors, ").")));
}

// Whether all color attachments that are used have one sample count.
bool HasOneColorCount(const View& view) {
  const VkSampleCountFlags samples = ColorSamples(view);
  return std::ranges::all_of(view.colors, [&](const ColorTarget& c) { return c.samples == 0 || c.samples == samples; });
}
Result CheckReduction(const View& view) {
  const auto* state = Chained<VkPipelineCoverageReductionStateCreateInfoNV>(view);
  const VkSampleCountFlags samples = SubpassSamples(view);
  const VkSampleCountFlags colors = ColorSamples(view);
  const VkSampleCountFlags depth = view.depth_stencil_samples;
  if (state == nullptr || samples == 0 || !view.IsEnabled(E::kNvCoverageReductionMode)) return kFine;
  const bool is_mixed = (colors != 0 && colors != samples) || (depth != 0 && depth != samples);
  if (!is_mixed || !HasOneColorCount(view)) return kFine;
  // What has a rule of its own.
  if (CheckSame(view) || CheckMaximum(view) || CheckMixedDepth(view) || CheckMixedColors(view)) return kFine;
  if (SupportsMixedSamples(view.device, state->coverageReductionMode, samples, depth, colors)) return kFine;
  return Wrong(
      Value(state->coverageReductionMode,
            absl::StrCat("is not supported with ", samples, " rasterization samples, ", depth,
                         " samples of the depth/stencil attachment, and ", colors, " samples of color attachments.")),
      "Ask vkGetPhysicalDeviceSupportedFramebufferMixedSamplesCombinationsNV for what is.");
}

// Sample locations that count.
const VkSampleLocationsInfoEXT* Locations(const View& view) {
  const auto* state = Chained<VkPipelineSampleLocationsStateCreateInfoEXT>(view);
  const bool is_read =
      state != nullptr && !view.IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT) &&
      (state->sampleLocationsEnable == VK_TRUE || view.IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT));
  return is_read ? &state->sampleLocationsInfo : nullptr;
}
Result CheckPerPixel(const View& view) {
  const VkSampleLocationsInfoEXT* info = Locations(view);
  const VkSampleCountFlags samples = view.StaticSamples();
  return info != nullptr && samples != 0 && info->sampleLocationsPerPixel != samples
             ? Wrong(absl::StrCat("(", static_cast<uint32_t>(info->sampleLocationsPerPixel),
                                  ") is not rasterizationSamples (", samples, ")."))
             : kFine;
}
Result CheckLocationCounts(const View& view) {
  const VkSampleLocationsInfoEXT* info = Locations(view);
  const auto* limits = view.Properties<VkPhysicalDeviceSampleLocationsPropertiesEXT>();
  if (info == nullptr || limits == nullptr) return kFine;
  const uint32_t samples = info->sampleLocationsPerPixel;
  if (std::has_single_bit(samples) && (samples & limits->sampleLocationSampleCounts) != 0) return kFine;
  return Wrong(absl::StrCat("(", samples, ") is not among sampleLocationSampleCounts (0x",
                            absl::Hex(limits->sampleLocationSampleCounts), ")."));
}
Result CheckLocationCount(const View& view) {
  const VkSampleLocationsInfoEXT* info = Locations(view);
  if (info == nullptr) return kFine;
  const uint64_t wanted = uint64_t{info->sampleLocationsPerPixel} * info->sampleLocationGridSize.width *
                          info->sampleLocationGridSize.height;
  return info->sampleLocationsCount != wanted
             ? Wrong(
                   Value(info->sampleLocationsCount, absl::StrCat("is not sampleLocationsPerPixel times the texels of "
                                                                  "sampleLocationGridSize (",
                                                                  wanted, ").")))
             : kFine;
}
// The largest grid of sample locations, for samples that have one; otherwise 0.
VkExtent2D LargestGrid(const View& view) {
  VkMultisamplePropertiesEXT properties = {.sType = VK_STRUCTURE_TYPE_MULTISAMPLE_PROPERTIES_EXT};
  const auto get = dispatch::Next<vk::GetPhysicalDeviceMultisamplePropertiesEXT>(view.device.instance.next);
  const VkSampleCountFlags samples = view.StaticSamples();
  if (get == nullptr || !std::has_single_bit(samples) || !view.IsEnabled(E::kExtSampleLocations)) return {};
  get(view.device.physical_device->handle, static_cast<VkSampleCountFlagBits>(samples), &properties);
  return properties.maxSampleLocationGridSize;
}
Result Divides(uint32_t size, uint32_t largest, std::string_view member) {
  if (largest == 0 || (size != 0 && largest % size == 0)) return kFine;
  return Wrong(Value(size, absl::StrCat("does not evenly divide ", member, " (", largest, ").")));
}
Result CheckGridWidth(const View& view) {
  const VkSampleLocationsInfoEXT* info = Locations(view);
  if (info == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT)) return kFine;
  return Divides(info->sampleLocationGridSize.width, LargestGrid(view).width, "maxSampleLocationGridSize.width");
}
Result CheckGridHeight(const View& view) {
  const VkSampleLocationsInfoEXT* info = Locations(view);
  if (info == nullptr) return kFine;
  return Divides(info->sampleLocationGridSize.height, LargestGrid(view).height, "maxSampleLocationGridSize.height");
}

Result CheckDepthBounds(const View& view) {
  const auto* state = view.depth_stencil;
  if (state == nullptr || state->depthBoundsTestEnable == VK_FALSE || view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_BOUNDS) ||
      view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE) || view.IsEnabled(E::kExtDepthRangeUnrestricted)) {
    return kFine;
  }
  const auto is_inside = [](float value) { return value >= 0 && value <= 1; };
  if (is_inside(state->minDepthBounds) && is_inside(state->maxDepthBounds)) return kFine;
  return Wrong(absl::StrCat("has minDepthBounds (", state->minDepthBounds, ") and maxDepthBounds (",
                            state->maxDepthBounds, "), which are not both between 0.0 and 1.0."),
               "Enable VK_EXT_depth_range_unrestricted.");
}
Result CheckReferences(const View& view) {
  const auto* state = view.depth_stencil;
  const bool is_wrong =
      state != nullptr && view.IsEnabled(E::kKhrPortabilitySubset) && !view.Has(F::kSeparateStencilMaskRef) &&
      state->stencilTestEnable == VK_TRUE && !view.IsDynamic(VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE) &&
      !view.IsDynamic(VK_DYNAMIC_STATE_STENCIL_REFERENCE) && view.rasterization != nullptr &&
      !view.IsDynamic(VK_DYNAMIC_STATE_CULL_MODE) && view.rasterization->cullMode == VK_CULL_MODE_NONE &&
      state->front.reference != state->back.reference;
  return is_wrong ? Wrong(Value(state->back.reference, absl::StrCat("is not front.reference (", state->front.reference,
                                                                    "), but the feature separateStencilMaskRef is not "
                                                                    "enabled.")))
                  : kFine;
}

constexpr char kSamples[] = "pMultisampleState.rasterizationSamples";
constexpr char kPerPixel[] =
    "pMultisampleState.pNext<VkPipelineSampleLocationsStateCreateInfoEXT>.sampleLocationsInfo.sampleLocationsPerPixel";
constexpr char kCount[] =
    "pMultisampleState.pNext<VkPipelineSampleLocationsStateCreateInfoEXT>.sampleLocationsInfo.sampleLocationsCount";
constexpr char kGridWidth[] =
    "pMultisampleState.pNext<VkPipelineSampleLocationsStateCreateInfoEXT>.sampleLocationsInfo.sampleLocationGridSize."
    "width";
constexpr char kGridHeight[] =
    "pMultisampleState.pNext<VkPipelineSampleLocationsStateCreateInfoEXT>.sampleLocationsInfo.sampleLocationGridSize."
    "height";

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853"), kSamples, CheckSame},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06854"), kSamples, CheckSingleSampled},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-rasterizationSamples-04899"), kSamples, CheckInputs},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-subpass-01505"), kSamples, CheckMaximum},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-subpass-01411"), kSamples, CheckMixedDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-subpass-01412"), kSamples, CheckMixedColors},
    {Vuid("VUID-VkPipelineMultisampleStateCreateInfo-rasterizationSamples-01415"),
     "pMultisampleState.sampleShadingEnable", CheckMixedShading},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-subpass-00758"), kSamples, CheckNoAttachments},
    {Vuid("VUID-VkPipelineCoverageToColorStateCreateInfoNV-coverageToColorEnable-01404"),
     "pMultisampleState.pNext<VkPipelineCoverageToColorStateCreateInfoNV>.coverageToColorLocation", CheckToColor},
    {Vuid("VUID-VkPipelineCoverageModulationStateCreateInfoNV-coverageModulationTableEnable-01405"),
     "pMultisampleState.pNext<VkPipelineCoverageModulationStateCreateInfoNV>.coverageModulationTableCount",
     CheckModulation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-coverageReductionMode-02722"),
     "pMultisampleState.pNext<VkPipelineCoverageReductionStateCreateInfoNV>.coverageReductionMode", CheckReduction},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07610"), kGridWidth, CheckGridWidth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07611"), kGridHeight, CheckGridHeight},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07612"), kPerPixel, CheckPerPixel},
    {Vuid("VUID-VkSampleLocationsInfoEXT-sampleLocationsPerPixel-01526"), kPerPixel, CheckLocationCounts},
    {Vuid("VUID-VkSampleLocationsInfoEXT-sampleLocationsCount-01527"), kCount, CheckLocationCount},
};

constexpr PipelineRule kDepthRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-02510"), "pDepthStencilState", CheckDepthBounds},
    {Vuid("VUID-VkPipelineDepthStencilStateCreateInfo-separateStencilMaskRef-04453"),
     "pDepthStencilState.back.reference", CheckReferences},
};

}  // namespace

absl::Span<const PipelineRule> MultisampleRules() { return kRules; }
absl::Span<const PipelineRule> DepthStencilRules() { return kDepthRules; }

}  // namespace assay::core
