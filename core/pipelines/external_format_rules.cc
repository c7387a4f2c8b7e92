// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of dynamic rendering to an external format (VK_ANDROID_external_format_resolve).

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;

bool HasExternalFormat(const View& view) {
  const auto* external = view.Chained<VkExternalFormatANDROID>();
  return external != nullptr && external->externalFormat != 0 && view.requires_fragment_output() &&
         !view.has_render_pass() && view.Has(vk::FeatureId::kExternalFormatResolve);
}
// A number that an external format allows one value of.
Result Compare(const View& view, uint32_t value, uint32_t wanted) {
  if (!HasExternalFormat(view) || value == wanted) return kFine;
  return Wrong(Value(value, absl::StrCat("is not ", wanted, ", but there is an external format.")));
}

Result CheckViewMask(const View& view) { return Compare(view, view.view_mask, 0); }
Result CheckColorCount(const View& view) {
  return view.rendering != nullptr ? Compare(view, view.rendering->colorAttachmentCount, 1) : kFine;
}
Result CheckSamples(const View& view) {
  const VkSampleCountFlags samples = view.StaticSamples();
  return samples != 0 ? Compare(view, samples, 1) : kFine;
}
Result CheckBlend(const View& view) {
  if (!HasExternalFormat(view) || view.IsDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT)) return kFine;
  for (uint32_t i = 0; i < view.blends.size(); ++i) {
    if (view.blends[i].blendEnable == VK_TRUE) return Wrong("(VK_TRUE) is used with an external format.", "", i);
  }
  return kFine;
}
template <uint32_t VkExtent2D::* kSide>
Result CheckRate(const View& view) {
  const auto* rate = view.Chained<VkPipelineFragmentShadingRateStateCreateInfoKHR>();
  const bool is_read = rate != nullptr && !view.IsDynamic(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR);
  return is_read ? Compare(view, rate->fragmentSize.*kSide, 1) : kFine;
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09301"),
     "pNext<VkPipelineRenderingCreateInfo>.viewMask", CheckViewMask},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09309"),
     "pNext<VkPipelineRenderingCreateInfo>.colorAttachmentCount", CheckColorCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09304"), "pMultisampleState.rasterizationSamples",
     CheckSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09305"),
     "pColorBlendState.pAttachments[].blendEnable", CheckBlend},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09306"),
     "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.width", CheckRate<&VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09307"),
     "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.height", CheckRate<&VkExtent2D::height>},
};

}  // namespace

absl::Span<const PipelineRule> ExternalFormatRules() { return kRules; }

}  // namespace assay::core
