// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of rendering to an external format (VK_ANDROID_external_format_resolve).

#include <algorithm>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;

// Of dynamic rendering, or of a resolve attachment of the subpass, whose format is then undefined. For pipelines to
// which MayHaveExternalFormat applies.
template <bool kRenderPass = false>
bool HasExternalFormat(const View& view) {
  if (!view.requires_fragment_output()) return false;
  if (kRenderPass) {
    return view.subpass != nullptr &&
           std::ranges::any_of(view.subpass->resolves, [&](const state::AttachmentReference& resolve) {
             return resolve.is_used() &&
                    view.render_pass->attachments[resolve.attachment].format == VK_FORMAT_UNDEFINED;
           });
  }
  const auto* external = view.Chained<VkExternalFormatANDROID>();
  return external != nullptr && external->externalFormat != 0 && !view.has_render_pass();
}
// A number that an external format allows one value of.
template <bool kRenderPass = false>
Result Compare(const View& view, uint32_t value, uint32_t wanted) {
  if (!HasExternalFormat<kRenderPass>(view) || value == wanted) return kFine;
  return Wrong(Value(value, absl::StrCat("is not ", wanted, ", but there is an external format.")));
}

Result CheckViewMask(const View& view) { return Compare(view, view.view_mask, 0); }
Result CheckColorCount(const View& view) {
  return view.rendering != nullptr ? Compare(view, view.rendering->colorAttachmentCount, 1) : kFine;
}
template <bool kRenderPass>
Result CheckSamples(const View& view) {
  const VkSampleCountFlags samples = view.StaticSamples();
  return samples != 0 ? Compare<kRenderPass>(view, samples, 1) : kFine;
}
template <bool kRenderPass>
Result CheckBlend(const View& view) {
  if (!HasExternalFormat<kRenderPass>(view) || view.IsDynamic(VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT)) return kFine;
  for (uint32_t i = 0; i < view.blends.size(); ++i) {
    if (view.blends[i].blendEnable == VK_TRUE) return Wrong("(VK_TRUE) is used with an external format.", "", i);
  }
  return kFine;
}
template <bool kRenderPass, uint32_t VkExtent2D::* kSide>
Result CheckRate(const View& view) {
  const auto* rate = view.Chained<VkPipelineFragmentShadingRateStateCreateInfoKHR>();
  const bool is_read = rate != nullptr && !view.IsDynamic(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR);
  return is_read ? Compare<kRenderPass>(view, rate->fragmentSize.*kSide, 1) : kFine;
}

// Shaders that an external format does not allow.
template <bool kRenderPass>
Result CheckPrimitiveRate(const View& view) {
  if (!HasExternalFormat<kRenderPass>(view)) return kFine;
  for (uint32_t i = 0; i < view.shaders.size(); ++i) {
    const ShaderFacts* code = view.CodeOf(view.shaders[i].stage);
    if (code != nullptr && code->Writes(spv::BuiltIn::PrimitiveShadingRateKHR))
      return Wrong(Value(view.shaders[i].stage, "writes PrimitiveShadingRateKHR, but there is an external format."), "",
                   i);
  }
  return kFine;
}
Result CheckReplacedDepth(const View& view) {
  const ShaderFacts* code = view.CodeOf(VK_SHADER_STAGE_FRAGMENT_BIT);
  const bool is_wrong =
      code != nullptr && HasExternalFormat(view) &&
      (code->Has(spv::ExecutionMode::DepthReplacing) || code->Has(spv::ExecutionMode::StencilRefReplacingEXT));
  return is_wrong ? Wrong("has a fragment shader that replaces depth or stencil, but there is an external format.")
                  : kFine;
}

constexpr char kRateWidth[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.width";
constexpr char kRateHeight[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.height";
constexpr char kSamples[] = "pMultisampleState.rasterizationSamples";
constexpr char kBlendEnable[] = "pColorBlendState.pAttachments[].blendEnable";
constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09301"),
     "pNext<VkPipelineRenderingCreateInfo>.viewMask", CheckViewMask},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09309"),
     "pNext<VkPipelineRenderingCreateInfo>.colorAttachmentCount", CheckColorCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09304"), kSamples, CheckSamples<false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09305"), kBlendEnable, CheckBlend<false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09306"), kRateWidth,
     CheckRate<false, &VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09307"), kRateHeight,
     CheckRate<false, &VkExtent2D::height>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09313"), kSamples, CheckSamples<true>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09314"), kBlendEnable, CheckBlend<true>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09315"), kRateWidth,
     CheckRate<true, &VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09316"), kRateHeight,
     CheckRate<true, &VkExtent2D::height>},
};
constexpr PipelineRule kShaderRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09308"), "pStages[].stage",
     CheckPrimitiveRate<false>, 0, kWritesShadingRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09310"), "pStages", CheckReplacedDepth, 0,
     kReplacesDepth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09317"), "pStages[].stage", CheckPrimitiveRate<true>,
     0, kWritesShadingRate},
};

}  // namespace

absl::Span<const PipelineRule> ExternalFormatRules() { return kRules; }
absl::Span<const PipelineRule> ExternalFormatShaderRules() { return kShaderRules; }

}  // namespace assay::core
