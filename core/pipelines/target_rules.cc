// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of the render pass, and of the formats of dynamic rendering.

#include <algorithm>
#include <bit>

#include "core/pipelines/pipeline_rule.h"
#include "vk/format_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

constexpr VkGraphicsPipelineLibraryFlagsEXT kAfterVertices = kPreRasterization | kFragmentShader | kFragmentOutput;

Result If(bool is_wrong, std::string_view text) { return is_wrong ? Wrong(std::string(text)) : kFine; }

Result CheckSubpass(const View& view) {
  const bool is_wrong = view.render_pass != nullptr && view.subpass == nullptr;
  return is_wrong ? Wrong(Value(view.info.subpass, absl::StrCat("is not less than the number of subpasses (",
                                                                view.render_pass->subpasses.size(), ").")))
                  : kFine;
}
Result CheckRenderPass(const View& view) {
  return If(view.Requires(kAfterVertices) && !view.has_render_pass() && !view.Has(F::kDynamicRendering),
            "is VK_NULL_HANDLE, but the feature dynamicRendering is not enabled.");
}
Result CheckMultiview(const View& view) {
  return view.rendering != nullptr && view.view_mask != 0 && !view.Has(F::kMultiview)
             ? Wrong(absl::StrCat("(0x", absl::Hex(view.view_mask),
                                  ") needs the feature multiview, which is not "
                                  "enabled."))
             : kFine;
}
Result CheckViewCount(const View& view) {
  const auto* limits = view.Properties<VkPhysicalDeviceMultiviewProperties>();
  if (view.rendering == nullptr || limits == nullptr) return kFine;
  const auto count = static_cast<uint32_t>(std::bit_width(view.view_mask));
  return count > limits->maxMultiviewViewCount
             ? Wrong(absl::StrCat("(0x", absl::Hex(view.view_mask), ") has bit ", count - 1,
                                  ", which is not less than maxMultiviewViewCount (", limits->maxMultiviewViewCount,
                                  ")."))
             : kFine;
}

bool HasOutput(const View& view) { return view.rendering != nullptr && view.requires_fragment_output(); }

Result CheckColorPointer(const View& view) {
  return If(HasOutput(view) && view.rendering->colorAttachmentCount != 0 &&
                view.rendering->pColorAttachmentFormats == nullptr,
            "is NULL, but colorAttachmentCount is not 0.");
}
bool IsFormat(VkFormat format) { return format == VK_FORMAT_UNDEFINED || vk::GetFormatInfo(format) != nullptr; }
Result CheckKnown(const View& view, VkFormat format) {
  return HasOutput(view) && !IsFormat(format) ? Wrong(absl::StrCat("(", static_cast<int>(format), ") is no VkFormat."))
                                              : kFine;
}
Result CheckKnownColors(const View& view) {
  if (!HasOutput(view)) return kFine;
  for (uint32_t i = 0; i < view.colors.size(); ++i) {
    if (!IsFormat(view.colors[i].format))
      return Wrong(absl::StrCat("(", static_cast<int>(view.colors[i].format), ") is no VkFormat."), "", i);
  }
  return kFine;
}
Result CheckKnownDepth(const View& view) { return CheckKnown(view, view.depth_format); }
Result CheckKnownStencil(const View& view) { return CheckKnown(view, view.stencil_format); }
Result CheckColorFeatures(const View& view) {
  constexpr VkFormatFeatureFlags2 kColor =
      VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_LINEAR_COLOR_ATTACHMENT_BIT_NV;
  if (!HasOutput(view)) return kFine;
  for (uint32_t i = 0; i < view.colors.size(); ++i) {
    const VkFormat format = view.colors[i].format;
    if (vk::GetFormatInfo(format) == nullptr || (view.PotentialFeatures(format) & kColor) != 0) continue;
    return Wrong(Value(format, "does not have VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BIT."), "", i);
  }
  return kFine;
}
bool HasAspect(VkFormat format, VkImageAspectFlags aspect) {
  const vk::FormatInfo* info = vk::GetFormatInfo(format);
  return info == nullptr || (info->aspects & aspect) != 0;
}
Result CheckFeatures(const View& view, VkFormat format) {
  if (!HasOutput(view) || vk::GetFormatInfo(format) == nullptr) return kFine;
  if ((view.PotentialFeatures(format) & VK_FORMAT_FEATURE_2_DEPTH_STENCIL_ATTACHMENT_BIT) != 0) return kFine;
  return Wrong(Value(format, "does not have VK_FORMAT_FEATURE_DEPTH_STENCIL_ATTACHMENT_BIT."));
}
Result CheckDepthFeatures(const View& view) { return CheckFeatures(view, view.depth_format); }
Result CheckStencilFeatures(const View& view) { return CheckFeatures(view, view.stencil_format); }
Result CheckDepthAspect(const View& view) {
  return HasOutput(view) && !HasAspect(view.depth_format, VK_IMAGE_ASPECT_DEPTH_BIT)
             ? Wrong(Value(view.depth_format, "has no depth component."))
             : kFine;
}
Result CheckStencilAspect(const View& view) {
  return HasOutput(view) && !HasAspect(view.stencil_format, VK_IMAGE_ASPECT_STENCIL_BIT)
             ? Wrong(Value(view.stencil_format, "has no stencil component."))
             : kFine;
}
Result CheckOneFormat(const View& view) {
  return HasOutput(view) && view.depth_format != VK_FORMAT_UNDEFINED && view.stencil_format != VK_FORMAT_UNDEFINED &&
                 view.depth_format != view.stencil_format
             ? Wrong(Value(view.stencil_format,
                           absl::StrCat("is not depthAttachmentFormat (", vk::ToString(view.depth_format), ").")))
             : kFine;
}

Result CheckCount(const View& view, uint32_t count) {
  const uint32_t wanted = view.rendering != nullptr ? view.rendering->colorAttachmentCount : 0;
  return count != wanted
             ? Wrong(Value(count,
                           absl::StrCat("is not VkPipelineRenderingCreateInfo::colorAttachmentCount (", wanted, ").")))
             : kFine;
}
Result CheckSampleCounts(const View& view) {
  const auto* samples = view.Chained<VkAttachmentSampleCountInfoAMD>();
  return HasOutput(view) && samples != nullptr ? CheckCount(view, samples->colorAttachmentCount) : kFine;
}
bool IsSampleCount(uint32_t samples) { return std::has_single_bit(samples) && samples <= VK_SAMPLE_COUNT_64_BIT; }
Result CheckColorSamples(const View& view) {
  const auto* samples = view.Chained<VkAttachmentSampleCountInfoAMD>();
  if (samples == nullptr || !view.requires_fragment_output() || !vk::IsAddress(samples->pColorAttachmentSamples))
    return kFine;
  for (uint32_t i = 0; i < samples->colorAttachmentCount; ++i) {
    const uint32_t count = samples->pColorAttachmentSamples[i];
    if (!IsSampleCount(count)) return Wrong(absl::StrCat("(", count, ") is no VkSampleCountFlagBits."), "", i);
  }
  return kFine;
}
Result CheckDepthSamples(const View& view) {
  const auto* samples = view.Chained<VkAttachmentSampleCountInfoAMD>();
  if (samples == nullptr || !view.requires_fragment_output()) return kFine;
  const uint32_t count = samples->depthStencilAttachmentSamples;
  return count != 0 && !IsSampleCount(count) ? Wrong(absl::StrCat("(", count, ") is no VkSampleCountFlagBits."))
                                             : kFine;
}
// The sample counts of images of the format that are attachments; all of them if the driver has no such images.
// Tiling, type, and more flags and usage only take counts away.
VkSampleCountFlags ImageSamples(const View& view, VkFormat format, VkImageUsageFlags usage) {
  VkImageFormatProperties properties = {};
  const auto get = dispatch::Next<vk::GetPhysicalDeviceImageFormatProperties>(view.device.instance.next);
  const bool is_known = get != nullptr && get(view.device.physical_device->handle, format, VK_IMAGE_TYPE_2D,
                                              VK_IMAGE_TILING_OPTIMAL, usage, 0, &properties) == VK_SUCCESS;
  return is_known ? properties.sampleCounts : ~VkSampleCountFlags{0};
}
Result CheckImageSamples(const View& view) {
  const VkSampleCountFlags samples = view.StaticSamples();
  if (samples <= VK_SAMPLE_COUNT_1_BIT || view.rendering == nullptr || !view.requires_fragment_output() ||
      view.multisample->sampleShadingEnable == VK_FALSE) {
    return kFine;
  }
  // Attachments may have fewer samples than what is rasterized.
  if (view.IsEnabled(vk::ExtensionId::kAmdMixedAttachmentSamples) ||
      view.IsEnabled(vk::ExtensionId::kNvFramebufferMixedSamples) || view.Has(F::kMultisampledRenderToSingleSampled)) {
    return kFine;
  }
  const auto check = [&](VkFormat format, VkImageUsageFlags usage) -> Result {
    const VkSampleCountFlags counts =
        vk::GetFormatInfo(format) != nullptr ? ImageSamples(view, format, usage) : samples;
    if ((counts & samples) != 0) return kFine;
    return Wrong(absl::StrCat("(", samples, ") is not among the sample counts of images of ", vk::ToString(format),
                              " (0x", absl::Hex(counts), ")."));
  };
  for (const ColorTarget& color : view.colors) {
    if (Result wrong = check(color.format, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT)) return wrong;
  }
  const Result wrong = check(view.depth_format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  return wrong ? wrong : check(view.stencil_format, VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
}
Result CheckLocations(const View& view) {
  const auto* locations = view.Chained<VkRenderingAttachmentLocationInfo>();
  return locations != nullptr && view.requires_fragment_output() && !view.has_render_pass()
             ? CheckCount(view, locations->colorAttachmentCount)
             : kFine;
}
Result CheckInputIndices(const View& view) {
  const auto* indices = view.Chained<VkRenderingInputAttachmentIndexInfo>();
  return indices != nullptr && view.requires_fragment_output() && view.requires_fragment_shader() &&
                 !view.has_render_pass()
             ? CheckCount(view, indices->colorAttachmentCount)
             : kFine;
}
Result CheckPositionOnly(const View& view) {
  const auto* views = view.Chained<VkMultiviewPerViewAttributesInfoNVX>();
  return If(views != nullptr && !view.has_render_pass() &&
                (view.Requires(kPreRasterization) || view.requires_fragment_shader()) &&
                views->perViewAttributesPositionXOnly == VK_TRUE && views->perViewAttributes == VK_FALSE,
            "(VK_TRUE) needs perViewAttributes, which is VK_FALSE.");
}

// Access in rasterization order.
constexpr VkPipelineDepthStencilStateCreateFlags kDepthOrder =
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT;
constexpr VkPipelineDepthStencilStateCreateFlags kStencilOrder =
    VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT;

bool HasColorOrder(const View& view) {
  return view.blend != nullptr &&
         (view.blend->flags & VK_PIPELINE_COLOR_BLEND_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_ACCESS_BIT_EXT) != 0;
}
bool HasOrder(const View& view, VkPipelineDepthStencilStateCreateFlags flags) {
  return view.depth_stencil != nullptr && (view.depth_stencil->flags & flags) != 0;
}
constexpr char kNoRenderPass[] =
    "is set without a render pass, but the feature dynamicRenderingLocalRead is not enabled.";
Result CheckColorOrder(const View& view) {
  return If(HasColorOrder(view) && !view.has_render_pass() && !view.Has(F::kDynamicRenderingLocalRead), kNoRenderPass);
}
Result CheckDepthStencilOrder(const View& view) {
  return If(HasOrder(view, kDepthOrder | kStencilOrder) && !view.has_render_pass() && view.requires_fragment_output() &&
                !view.Has(F::kDynamicRenderingLocalRead),
            kNoRenderPass);
}
bool LacksOrder(const View& view, VkSubpassDescriptionFlags flag) {
  return view.subpass != nullptr && (view.subpass->flags & flag) == 0;
}
Result CheckSubpassColorOrder(const View& view) {
  return If(HasColorOrder(view) &&
                LacksOrder(view, VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_COLOR_ACCESS_BIT_EXT),
            "has rasterization order access to colors, for which the subpass was not created.");
}
Result CheckSubpassDepthOrder(const View& view) {
  return If(HasOrder(view, kDepthOrder) &&
                LacksOrder(view, VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT),
            "has rasterization order access to depth, for which the subpass was not created.");
}
Result CheckSubpassStencilOrder(const View& view) {
  return If(HasOrder(view, kStencilOrder) &&
                LacksOrder(view, VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT),
            "has rasterization order access to stencil, for which the subpass was not created.");
}

// Shader resolves.
bool IsRegion(const View& view) {
  return view.requires_fragment_shader() && view.IsEnabled(vk::ExtensionId::kQcomRenderPassShaderResolve) &&
         view.subpass != nullptr && (view.subpass->flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM) != 0;
}
Result CheckRegionShading(const View& view) {
  return If(IsRegion(view) && view.multisample != nullptr && view.multisample->sampleShadingEnable == VK_TRUE,
            "(VK_TRUE) is not allowed in a subpass with VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM.");
}

constexpr char kDepth[] = "pNext<VkPipelineRenderingCreateInfo>.depthAttachmentFormat";
constexpr char kStencil[] = "pNext<VkPipelineRenderingCreateInfo>.stencilAttachmentFormat";
constexpr char kColors[] = "pNext<VkPipelineRenderingCreateInfo>.pColorAttachmentFormats[]";
constexpr char kMask[] = "pNext<VkPipelineRenderingCreateInfo>.viewMask";

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06046"), "subpass", CheckSubpass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-dynamicRendering-06576"), "renderPass", CheckRenderPass},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-multiview-06577"), kMask, CheckMultiview},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06578"), kMask, CheckViewCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06579"),
     "pNext<VkPipelineRenderingCreateInfo>.pColorAttachmentFormats", CheckColorPointer},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06580"), kColors, CheckKnownColors},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06582"), kColors, CheckColorFeatures},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06583"), kDepth, CheckKnownDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06584"), kStencil, CheckKnownStencil},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06585"), kDepth, CheckDepthFeatures},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06586"), kStencil, CheckStencilFeatures},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06587"), kDepth, CheckDepthAspect},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06588"), kStencil, CheckStencilAspect},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06589"), kStencil, CheckOneFormat},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06063"),
     "pNext<VkAttachmentSampleCountInfoAMD>.colorAttachmentCount", CheckSampleCounts},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pColorAttachmentSamples-06592"),
     "pNext<VkAttachmentSampleCountInfoAMD>.pColorAttachmentSamples[]", CheckColorSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-depthStencilAttachmentSamples-06593"),
     "pNext<VkAttachmentSampleCountInfoAMD>.depthStencilAttachmentSamples", CheckDepthSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-08744"), "pMultisampleState.rasterizationSamples",
     CheckImageSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09532"),
     "pNext<VkRenderingAttachmentLocationInfo>.colorAttachmentCount", CheckLocations},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09531"),
     "pNext<VkRenderingInputAttachmentIndexInfo>.colorAttachmentCount", CheckInputIndices},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-06595"),
     "pNext<VkMultiviewPerViewAttributesInfoNVX>.perViewAttributesPositionXOnly", CheckPositionOnly},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-flags-06482"), "pColorBlendState.flags", CheckColorOrder},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-09526"), "pDepthStencilState.flags", CheckDepthStencilOrder},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09527"), "pColorBlendState.flags", CheckSubpassColorOrder},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09528"), "pDepthStencilState.flags", CheckSubpassDepthOrder},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-renderPass-09529"), "pDepthStencilState.flags", CheckSubpassStencilOrder},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-sampleShadingEnable-04900"), "pMultisampleState.sampleShadingEnable",
     CheckRegionShading},
};

}  // namespace

absl::Span<const PipelineRule> TargetRules() { return kRules; }

}  // namespace assay::core
