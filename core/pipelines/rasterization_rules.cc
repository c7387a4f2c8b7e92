// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of rasterization, and of what is chained to its state.

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using E = vk::ExtensionId;
using F = vk::FeatureId;

// A structure of the state's chain.
template <class T>
const T* Chained(const View& view) {
  return view.rasterization != nullptr ? vk::FindInChain<T>(view.rasterization->pNext) : nullptr;
}
bool HasPolygonMode(const View& view, VkPolygonMode mode) {
  return view.rasterization != nullptr && !view.IsDynamic(VK_DYNAMIC_STATE_POLYGON_MODE_EXT) &&
         view.rasterization->polygonMode == mode;
}
Result Needs(bool is_wrong, std::string_view value, std::string_view what) {
  if (!is_wrong) return kFine;
  return Wrong(absl::StrCat("(", value, ") needs ", what, ", which is not enabled."),
               absl::StrCat("Enable ", what, " at device creation."));
}

Result CheckLineWidth(const View& view) {
  const bool is_wrong = view.rasterization != nullptr && view.rasterization->lineWidth != 1 &&
                        !view.Has(F::kWideLines) && !view.IsDynamic(VK_DYNAMIC_STATE_LINE_WIDTH);
  return is_wrong ? Wrong(Value(view.rasterization->lineWidth, "is not 1.0, but the feature wideLines is not enabled."))
                  : kFine;
}
Result CheckBiasClamp(const View& view) {
  const bool is_wrong = view.rasterization != nullptr && view.rasterization->depthBiasClamp != 0 &&
                        view.rasterization->depthBiasEnable == VK_TRUE && !view.Has(F::kDepthBiasClamp) &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_BIAS) &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE);
  return is_wrong ? Wrong(Value(view.rasterization->depthBiasClamp,
                                "is not 0.0, but the feature depthBiasClamp is not enabled."))
                  : kFine;
}
Result CheckPointPolygons(const View& view) {
  return Needs(HasPolygonMode(view, VK_POLYGON_MODE_POINT) && view.IsEnabled(E::kKhrPortabilitySubset) &&
                   !view.Has(F::kPointPolygons) && view.rasterization->rasterizerDiscardEnable == VK_FALSE,
               "VK_POLYGON_MODE_POINT", "the feature pointPolygons");
}
Result CheckStream(const View& view) {
  const auto* stream = Chained<VkPipelineRasterizationStateStreamCreateInfoEXT>(view);
  const auto* limits = view.Properties<VkPhysicalDeviceTransformFeedbackPropertiesEXT>();
  const bool is_wrong = stream != nullptr && stream->rasterizationStream != 0 &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT) && limits != nullptr &&
                        limits->transformFeedbackRasterizationStreamSelect == VK_FALSE;
  return is_wrong ? Wrong(Value(stream->rasterizationStream,
                                "is not 0, but transformFeedbackRasterizationStreamSelect is VK_FALSE."))
                  : kFine;
}
Result CheckOverestimation(const View& view) {
  const auto* state = Chained<VkPipelineRasterizationConservativeStateCreateInfoEXT>(view);
  const auto* limits = view.Properties<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>();
  if (state == nullptr || limits == nullptr) return kFine;
  if (view.IsDynamic(VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT)) return kFine;
  const float size = state->extraPrimitiveOverestimationSize;
  const float most = limits->maxExtraPrimitiveOverestimationSize;
  if (size >= 0 && size <= most) return kFine;
  return Wrong(Value(size, absl::StrCat("is not between 0.0 and maxExtraPrimitiveOverestimationSize (", most, ").")));
}
Result CheckConservativeState(const View& view) {
  const bool is_wrong = view.rasterization != nullptr &&
                        view.IsDynamic(VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT) &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT) &&
                        Chained<VkPipelineRasterizationConservativeStateCreateInfoEXT>(view) == nullptr;
  return is_wrong ? Wrong(
                        "does not have VkPipelineRasterizationConservativeStateCreateInfoEXT, which gives the size "
                        "that is not dynamic.",
                        "Chain the structure, or set VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT.")
                  : kFine;
}

Result CheckLineSamples(const View& view) {
  const auto* line = Chained<VkPipelineRasterizationLineStateCreateInfo>(view);
  if (line == nullptr || view.multisample == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT)) {
    return kFine;
  }
  const VkLineRasterizationMode mode = line->lineRasterizationMode;
  if (mode != VK_LINE_RASTERIZATION_MODE_BRESENHAM && mode != VK_LINE_RASTERIZATION_MODE_RECTANGULAR_SMOOTH)
    return kFine;
  const VkPipelineMultisampleStateCreateInfo& samples = *view.multisample;
  const bool covers =
      samples.alphaToCoverageEnable == VK_TRUE && !view.IsDynamic(VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT);
  const bool ones = samples.alphaToOneEnable == VK_TRUE && !view.IsDynamic(VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT);
  if (!covers && !ones && samples.sampleShadingEnable == VK_FALSE) return kFine;
  return Wrong(absl::StrCat("has ",
                            covers ? "alphaToCoverageEnable"
                            : ones ? "alphaToOneEnable"
                                   : "sampleShadingEnable",
                            " (VK_TRUE), but lineRasterizationMode is ", vk::ToString(mode), "."));
}
// Whether lines are stippled by the pipeline itself.
const VkPipelineRasterizationLineStateCreateInfo* Stippled(const View& view) {
  const auto* line = Chained<VkPipelineRasterizationLineStateCreateInfo>(view);
  const bool is_on = line != nullptr && line->stippledLineEnable == VK_TRUE &&
                     !view.IsDynamic(VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT);
  return is_on ? line : nullptr;
}
Result CheckStippleFactor(const View& view) {
  const auto* line = Stippled(view);
  if (line == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_LINE_STIPPLE)) return kFine;
  if (line->lineStippleFactor >= 1 && line->lineStippleFactor <= 256) return kFine;
  return Wrong(Value(line->lineStippleFactor, "is not between 1 and 256."));
}
Result CheckStippledDefault(const View& view) {
  const auto* line = Stippled(view);
  const bool is_wrong = line != nullptr && line->lineRasterizationMode == VK_LINE_RASTERIZATION_MODE_DEFAULT &&
                        !view.IsDynamic(VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT) &&
                        (!view.Has(F::kStippledRectangularLines) ||
                         view.device.physical_device->properties.limits.strictLines == VK_FALSE);
  return is_wrong ? Wrong(
                        "(VK_TRUE) with VK_LINE_RASTERIZATION_MODE_DEFAULT needs the feature "
                        "stippledRectangularLines and the limit strictLines.")
                  : kFine;
}

constexpr char kLine[] = "pRasterizationState.pNext<VkPipelineRasterizationLineStateCreateInfo>.stippledLineEnable";

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00749"), "pRasterizationState.lineWidth", CheckLineWidth},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-00754"), "pRasterizationState.depthBiasClamp",
     CheckBiasClamp},
    {Vuid("VUID-VkPipelineRasterizationStateCreateInfo-pointPolygons-04458"), "pRasterizationState.polygonMode",
     CheckPointPolygons},
    {Vuid("VUID-VkPipelineRasterizationStateStreamCreateInfoEXT-rasterizationStream-02326"),
     "pRasterizationState.pNext<VkPipelineRasterizationStateStreamCreateInfoEXT>.rasterizationStream", CheckStream},
    {Vuid("VUID-VkPipelineRasterizationConservativeStateCreateInfoEXT-extraPrimitiveOverestimationSize-01769"),
     "pRasterizationState.pNext<VkPipelineRasterizationConservativeStateCreateInfoEXT>."
     "extraPrimitiveOverestimationSize",
     CheckOverestimation},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-09639"), "pRasterizationState", CheckConservativeState},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-lineRasterizationMode-02766"), "pMultisampleState", CheckLineSamples},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-stippledLineEnable-02767"),
     "pRasterizationState.pNext<VkPipelineRasterizationLineStateCreateInfo>.lineStippleFactor", CheckStippleFactor},
    {Vuid("VUID-VkPipelineRasterizationLineStateCreateInfo-stippledLineEnable-02774"), kLine, CheckStippledDefault},
};

}  // namespace

absl::Span<const PipelineRule> RasterizationRules() { return kRules; }

}  // namespace assay::core
