// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of fragment shading rates.

#include <bit>

#include "core/pipelines/pipeline_rule.h"

namespace assay::core {
namespace {

using vk::Vuid;
using View = GraphicsView;
using F = vk::FeatureId;

using Rate = VkPipelineFragmentShadingRateStateCreateInfoKHR;
using EnumRate = VkPipelineFragmentShadingRateEnumStateCreateInfoNV;

// The structure, where the rate counts and is not dynamic.
const Rate* RateOf(const View& view) {
  const bool is_read = view.Requires(kPreRasterization) || view.requires_fragment_shader();
  return is_read && !view.IsDynamic(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR) ? view.Chained<Rate>() : nullptr;
}
const EnumRate* EnumRateOf(const View& view) {
  const bool is_read = view.requires_fragment_shader() && !view.IsDynamic(VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR);
  return is_read ? view.Chained<EnumRate>() : nullptr;
}
template <class S>
const S* Of(const View& view) {
  if constexpr (std::is_same_v<S, Rate>) return RateOf(view);
  if constexpr (std::is_same_v<S, EnumRate>) return EnumRateOf(view);
}

template <uint32_t VkExtent2D::* kSide>
Result CheckAtLeast1(const View& view) {
  const Rate* rate = RateOf(view);
  return rate != nullptr && rate->fragmentSize.*kSide == 0 ? Wrong("(0) is less than 1.") : kFine;
}
template <uint32_t VkExtent2D::* kSide>
Result CheckPowerOfTwo(const View& view) {
  const Rate* rate = RateOf(view);
  const uint32_t size = rate != nullptr ? rate->fragmentSize.*kSide : 1;
  return size != 0 && !std::has_single_bit(size) ? Wrong(Value(size, "is not a power of two.")) : kFine;
}
template <uint32_t VkExtent2D::* kSide>
Result CheckAtMost4(const View& view) {
  const Rate* rate = RateOf(view);
  return rate != nullptr && rate->fragmentSize.*kSide > 4 ? Wrong(Value(rate->fragmentSize.*kSide, "is larger than 4."))
                                                          : kFine;
}
Result CheckSizeFeature(const View& view) {
  const Rate* rate = RateOf(view);
  if (rate == nullptr || view.Has(F::kPipelineFragmentShadingRate)) return kFine;
  if (rate->fragmentSize.width == 1 && rate->fragmentSize.height == 1) return kFine;
  return Wrong(absl::StrCat("(", rate->fragmentSize.width, ", ", rate->fragmentSize.height,
                            ") is not (1, 1), but the feature pipelineFragmentShadingRate is not enabled."));
}
template <class S, uint32_t kOp, F kFeature>
Result CheckOpFeature(const View& view) {
  const S* rate = Of<S>(view);
  if (rate == nullptr || view.Has(kFeature)) return kFine;
  if (rate->combinerOps[kOp] == VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR) return kFine;
  return Wrong(
      Value(rate->combinerOps[kOp], absl::StrCat("is not VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR, but the "
                                                 "feature ",
                                                 vk::FeatureName(kFeature), " is not enabled.")),
      "", kOp);
}
bool IsOp(VkFragmentShadingRateCombinerOpKHR op) {
  return op >= VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR && op <= VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR;
}
template <class S, uint32_t kOp>
Result CheckOp(const View& view) {
  const S* rate = Of<S>(view);
  if (rate == nullptr || IsOp(rate->combinerOps[kOp])) return kFine;
  return Wrong(
      absl::StrCat("(", static_cast<int>(rate->combinerOps[kOp]), ") is no VkFragmentShadingRateCombinerOpKHR."), "",
      kOp);
}
template <class S>
Result CheckTrivialOps(const View& view) {
  const S* rate = Of<S>(view);
  const auto* limits = view.Properties<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>();
  if (rate == nullptr || limits == nullptr || limits->fragmentShadingRateNonTrivialCombinerOps == VK_TRUE) return kFine;
  for (uint32_t i = 0; i < 2; ++i) {
    if (rate->combinerOps[i] <= VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR || !IsOp(rate->combinerOps[i]))
      continue;
    return Wrong(Value(rate->combinerOps[i],
                       "is not KEEP or REPLACE, but fragmentShadingRateNonTrivialCombinerOps is "
                       "VK_FALSE."),
                 "", i);
  }
  return kFine;
}

Result CheckType(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  const bool is_wrong = rate != nullptr && rate->shadingRateType != VK_FRAGMENT_SHADING_RATE_TYPE_FRAGMENT_SIZE_NV &&
                        rate->shadingRateType != VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
  return is_wrong
             ? Wrong(absl::StrCat("(", static_cast<int>(rate->shadingRateType), ") is no VkFragmentShadingRateTypeNV."))
             : kFine;
}
bool IsRate(VkFragmentShadingRateNV rate) { return !vk::ToString(rate).starts_with("Unhandled"); }
Result CheckRate(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  return rate != nullptr && !IsRate(rate->shadingRate)
             ? Wrong(absl::StrCat("(", static_cast<int>(rate->shadingRate), ") is no VkFragmentShadingRateNV."))
             : kFine;
}
Result CheckSupersampling(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  return rate != nullptr && rate->shadingRate >= VK_FRAGMENT_SHADING_RATE_2_INVOCATIONS_PER_PIXEL_NV &&
                 rate->shadingRate <= VK_FRAGMENT_SHADING_RATE_16_INVOCATIONS_PER_PIXEL_NV &&
                 !view.Has(F::kSupersampleFragmentShadingRates)
             ? Wrong(
                   Value(rate->shadingRate, "needs the feature supersampleFragmentShadingRates, which is not enabled."))
             : kFine;
}
Result CheckNoInvocations(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  return rate != nullptr && rate->shadingRate == VK_FRAGMENT_SHADING_RATE_NO_INVOCATIONS_NV &&
                 !view.Has(F::kNoInvocationFragmentShadingRates)
             ? Wrong(Value(rate->shadingRate,
                           "needs the feature noInvocationFragmentShadingRates, which is not enabled."))
             : kFine;
}

Result CheckTypeFeature(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  const bool is_wrong = rate != nullptr && !view.Has(F::kFragmentShadingRateEnums) &&
                        rate->shadingRateType == VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
  return is_wrong ? Wrong(Value(rate->shadingRateType, NeedsFeature(F::kFragmentShadingRateEnums))) : kFine;
}
Result CheckRateFeature(const View& view) {
  const EnumRate* rate = EnumRateOf(view);
  const bool is_wrong = rate != nullptr && !view.Has(F::kPipelineFragmentShadingRate) &&
                        rate->shadingRate != VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV &&
                        IsRate(rate->shadingRate);
  return is_wrong ? Wrong(Value(rate->shadingRate, NeedsFeature(F::kPipelineFragmentShadingRate))) : kFine;
}

constexpr char kSize[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize";
constexpr char kWidth[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.width";
constexpr char kHeight[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.fragmentSize.height";
constexpr char kOps[] = "pNext<VkPipelineFragmentShadingRateStateCreateInfoKHR>.combinerOps[]";
constexpr char kEnumOps[] = "pNext<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>.combinerOps[]";
constexpr char kType[] = "pNext<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>.shadingRateType";
constexpr char kRate[] = "pNext<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>.shadingRate";

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04494"), kWidth, CheckAtLeast1<&VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04495"), kHeight, CheckAtLeast1<&VkExtent2D::height>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04496"), kWidth, CheckPowerOfTwo<&VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04497"), kHeight, CheckPowerOfTwo<&VkExtent2D::height>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04498"), kWidth, CheckAtMost4<&VkExtent2D::width>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04499"), kHeight, CheckAtMost4<&VkExtent2D::height>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04500"), kSize, CheckSizeFeature},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06567"), kOps, CheckOp<Rate, 0>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06568"), kOps, CheckOp<Rate, 1>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04501"), kOps,
     CheckOpFeature<Rate, 0, F::kPrimitiveFragmentShadingRate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04502"), kOps,
     CheckOpFeature<Rate, 1, F::kAttachmentFragmentShadingRate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-fragmentShadingRateNonTrivialCombinerOps-04506"), kOps,
     CheckTrivialOps<Rate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-06569"), kType, CheckType},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04569"), kType, CheckTypeFeature},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04570"), kRate, CheckRateFeature},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06570"), kRate, CheckRate},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06571"), kEnumOps, CheckOp<EnumRate, 0>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06572"), kEnumOps, CheckOp<EnumRate, 1>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04571"), kEnumOps,
     CheckOpFeature<EnumRate, 0, F::kPrimitiveFragmentShadingRate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04572"), kEnumOps,
     CheckOpFeature<EnumRate, 1, F::kAttachmentFragmentShadingRate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-fragmentShadingRateNonTrivialCombinerOps-04573"), kEnumOps,
     CheckTrivialOps<EnumRate>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-04574"), kRate, CheckSupersampling},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-None-04575"), kRate, CheckNoInvocations},
};

}  // namespace

absl::Span<const PipelineRule> ShadingRateRules() { return kRules; }

}  // namespace assay::core
