// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Rules of viewports and scissors, and of what is chained to their state.

#include <cstdint>
#include <limits>

#include "core/pipelines/pipeline_rule.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using vk::IsAddress;
using vk::Vuid;
using View = GraphicsView;
using E = vk::ExtensionId;

constexpr VkDynamicState kViewportCount = VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT;
constexpr VkDynamicState kScissorCount = VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT;

bool HasDynamicViewports(const View& view) {
  return view.IsDynamic(kViewportCount) || view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT);
}
bool HasDynamicScissors(const View& view) {
  return view.IsDynamic(kScissorCount) || view.IsDynamic(VK_DYNAMIC_STATE_SCISSOR);
}
absl::Span<const VkRect2D> Scissors(const View& view) {
  if (view.viewport == nullptr || HasDynamicScissors(view) || !IsAddress(view.viewport->pScissors)) return {};
  return {view.viewport->pScissors, view.viewport->scissorCount};
}
// A structure of the viewport state's chain.
template <class T>
const T* Chained(const View& view) {
  return view.viewport != nullptr ? vk::FindInChain<T>(view.viewport->pNext) : nullptr;
}

// A pointer that is null although it has elements that are not dynamic.
Result CheckPointer(bool is_needed, const void* pointer, uint32_t count) {
  if (!is_needed || pointer != nullptr || count == 0) return kFine;
  return Wrong(absl::StrCat("is NULL, but has ", count, " elements that are not dynamic."));
}

// Rectangles that begin left of or above 0, or end where an int32_t does not reach.
Result CheckScissorOrigins(const View& view) {
  const auto scissors = Scissors(view);
  for (uint32_t i = 0; i < scissors.size(); ++i) {
    const VkOffset2D at = scissors[i].offset;
    if (at.x < 0 || at.y < 0) return Wrong(absl::StrCat("(", at.x, ", ", at.y, ") is negative."), "", i);
  }
  return kFine;
}
template <int32_t VkOffset2D::* kOffset, uint32_t VkExtent2D::* kExtent>
Result CheckScissorEnds(const View& view) {
  const auto scissors = Scissors(view);
  for (uint32_t i = 0; i < scissors.size(); ++i) {
    const int64_t end = int64_t{scissors[i].offset.*kOffset} + scissors[i].extent.*kExtent;
    if (end <= std::numeric_limits<int32_t>::max()) continue;
    return Wrong(absl::StrCat("ends at ", end, ", which is larger than 2147483647."), "", i);
  }
  return kFine;
}

// Less than the number of static viewports.
Result CheckCount(const View& view, uint32_t count) {
  if (view.viewport == nullptr || view.IsDynamic(kViewportCount) || count >= view.viewport->viewportCount) return kFine;
  return Wrong(
      Value(count, absl::StrCat("is less than pViewportState->viewportCount (", view.viewport->viewportCount, ").")));
}

Result CheckViewports(const View& view) {
  return CheckPointer(view.viewport != nullptr && !HasDynamicViewports(view),
                      view.viewport != nullptr ? view.viewport->pViewports : nullptr,
                      view.viewport != nullptr ? view.viewport->viewportCount : 0);
}
Result CheckScissors(const View& view) {
  return CheckPointer(view.viewport != nullptr && !HasDynamicScissors(view),
                      view.viewport != nullptr ? view.viewport->pScissors : nullptr,
                      view.viewport != nullptr ? view.viewport->scissorCount : 0);
}
Result CheckSameCounts(const View& view) {
  const auto* state = view.viewport;
  if (state == nullptr || view.IsDynamic(kViewportCount) || view.IsDynamic(kScissorCount)) return kFine;
  if (state->viewportCount == 0 || state->scissorCount == 0 || state->viewportCount == state->scissorCount)
    return kFine;
  return Wrong(Value(state->scissorCount, absl::StrCat("is not viewportCount (", state->viewportCount, ").")));
}
// A count is zero if and only if it is dynamic. Of the rules that say so, one is for each direction.
template <VkDynamicState kState, uint32_t VkPipelineViewportStateCreateInfo::* kCount, bool kDynamic>
Result CheckZero(const View& view) {
  if (view.viewport == nullptr || view.IsDynamic(kState) != kDynamic) return kFine;
  const uint32_t count = view.viewport->*kCount;
  if ((count == 0) == kDynamic) return kFine;
  return Wrong(Value(count, kDynamic ? absl::StrCat("is not 0, but ", vk::ToString(kState), " is set.")
                                     : absl::StrCat("is 0, but ", vk::ToString(kState), " is not set.")));
}

Result CheckScalingCount(const View& view) {
  const auto* scaling = Chained<VkPipelineViewportWScalingStateCreateInfoNV>(view);
  return scaling != nullptr && scaling->viewportWScalingEnable == VK_TRUE ? CheckCount(view, scaling->viewportCount)
                                                                          : kFine;
}
Result CheckScalings(const View& view) {
  const auto* scaling = Chained<VkPipelineViewportWScalingStateCreateInfoNV>(view);
  return scaling != nullptr ? CheckPointer(scaling->viewportWScalingEnable == VK_TRUE &&
                                               !view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV),
                                           scaling->pViewportWScalings, scaling->viewportCount)
                            : kFine;
}
Result CheckSwizzleCount(const View& view) {
  const auto* swizzle = Chained<VkPipelineViewportSwizzleStateCreateInfoNV>(view);
  if (swizzle == nullptr || view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV)) return kFine;
  return CheckCount(view, swizzle->viewportCount);
}
Result CheckExclusiveCount(const View& view) {
  const auto* exclusive = Chained<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(view);
  if (exclusive == nullptr || exclusive->exclusiveScissorCount == 0) return kFine;
  return CheckCount(view, exclusive->exclusiveScissorCount);
}
Result CheckExclusives(const View& view) {
  const auto* exclusive = Chained<VkPipelineViewportExclusiveScissorStateCreateInfoNV>(view);
  return exclusive != nullptr ? CheckPointer(!view.IsDynamic(VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV),
                                             exclusive->pExclusiveScissors, exclusive->exclusiveScissorCount)
                              : kFine;
}
Result CheckPaletteCount(const View& view) {
  const auto* rates = Chained<VkPipelineViewportShadingRateImageStateCreateInfoNV>(view);
  const bool is_on = rates != nullptr && rates->shadingRateImageEnable == VK_TRUE &&
                     !view.IsDynamic(VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV);
  return is_on ? CheckCount(view, rates->viewportCount) : kFine;
}
Result CheckPalettes(const View& view) {
  const auto* rates = Chained<VkPipelineViewportShadingRateImageStateCreateInfoNV>(view);
  return rates != nullptr ? CheckPointer(!view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV),
                                         rates->pShadingRatePalettes, rates->viewportCount)
                          : kFine;
}
Result CheckDiscards(const View& view) {
  const auto* discard = view.Chained<VkPipelineDiscardRectangleStateCreateInfoEXT>();
  const bool is_read = discard != nullptr && view.Requires(kPreRasterization) && view.rasterizes();
  return is_read ? CheckPointer(!view.IsDynamic(VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT), discard->pDiscardRectangles,
                                discard->discardRectangleCount)
                 : kFine;
}

// Of a range that counts.
const VkPipelineViewportDepthClampControlCreateInfoEXT* UserRange(const View& view) {
  const auto* control = Chained<VkPipelineViewportDepthClampControlCreateInfoEXT>(view);
  const bool is_read = control != nullptr && !view.IsDynamic(VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT) &&
                       control->depthClampMode == VK_DEPTH_CLAMP_MODE_USER_DEFINED_RANGE_EXT;
  return is_read ? control : nullptr;
}
const VkDepthClampRangeEXT* ClampRange(const View& view) {
  const auto* control = UserRange(view);
  return control != nullptr && IsAddress(control->pDepthClampRange) ? control->pDepthClampRange : nullptr;
}
Result CheckClampPointer(const View& view) {
  const auto* control = UserRange(view);
  return control != nullptr ? CheckPointer(true, control->pDepthClampRange, 1) : kFine;
}
Result CheckClampOrder(const View& view) {
  const auto* range = ClampRange(view);
  return range != nullptr && range->minDepthClamp > range->maxDepthClamp
             ? Wrong(Value(range->minDepthClamp,
                           absl::StrCat("is larger than maxDepthClamp (", range->maxDepthClamp, ").")))
             : kFine;
}
Result CheckClampMinimum(const View& view) {
  const auto* range = ClampRange(view);
  return range != nullptr && !view.IsEnabled(E::kExtDepthRangeUnrestricted) && range->minDepthClamp < 0
             ? Wrong(Value(range->minDepthClamp, "is less than 0.0."), "Enable VK_EXT_depth_range_unrestricted.")
             : kFine;
}
Result CheckClampMaximum(const View& view) {
  const auto* range = ClampRange(view);
  return range != nullptr && !view.IsEnabled(E::kExtDepthRangeUnrestricted) && range->maxDepthClamp > 1
             ? Wrong(Value(range->maxDepthClamp, "is larger than 1.0."), "Enable VK_EXT_depth_range_unrestricted.")
             : kFine;
}

// Whether a view of the mask has no viewport or scissor of its own.
Result CheckViews(const View& view, uint32_t count) {
  if (!view.Has(vk::FeatureId::kMultiviewPerViewViewports) || count >= 32 || view.view_mask >> count == 0) return kFine;
  return Wrong(
      Value(count, absl::StrCat("is too few for the views of the subpass (mask 0x", absl::Hex(view.view_mask), ").")));
}
Result CheckViewportViews(const View& view) {
  const bool is_read = view.viewport != nullptr && view.has_render_pass() && !HasDynamicViewports(view);
  return is_read ? CheckViews(view, view.viewport->viewportCount) : kFine;
}
Result CheckScissorViews(const View& view) {
  const bool is_read = view.viewport != nullptr && view.has_render_pass() && !HasDynamicScissors(view);
  return is_read ? CheckViews(view, view.viewport->scissorCount) : kFine;
}

const VkPipelineViewportCoarseSampleOrderStateCreateInfoNV* SampleOrder(const View& view) {
  if (view.IsDynamic(VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV)) return nullptr;
  return Chained<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>(view);
}
Result CheckNoCustomOrders(const View& view) {
  const auto* order = SampleOrder(view);
  const bool is_wrong = order != nullptr && order->sampleOrderType != VK_COARSE_SAMPLE_ORDER_TYPE_CUSTOM_NV &&
                        order->customSampleOrderCount != 0;
  return is_wrong ? Wrong(Value(order->customSampleOrderCount, absl::StrCat("is not 0, but sampleOrderType is ",
                                                                            vk::ToString(order->sampleOrderType), ".")))
                  : kFine;
}
Result CheckCustomOrders(const View& view) {
  const auto* state = SampleOrder(view);
  if (state == nullptr || !IsAddress(state->pCustomSampleOrders)) return kFine;
  const absl::Span<const VkCoarseSampleOrderCustomNV> orders = {state->pCustomSampleOrders,
                                                                state->customSampleOrderCount};
  for (uint32_t i = 0; i < orders.size(); ++i) {
    for (uint32_t k = 0; k < i; ++k) {
      if (orders[k].shadingRate != orders[i].shadingRate || orders[k].sampleCount != orders[i].sampleCount) continue;
      return Wrong(absl::StrCat("has the shadingRate and sampleCount of pCustomSampleOrders[", k, "]."), "", i);
    }
  }
  return kFine;
}

constexpr PipelineRule kRules[] = {
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04130"), "pViewportState.pViewports", CheckViewports},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04131"), "pViewportState.pScissors", CheckScissors},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-x-02821"), "pViewportState.pScissors[].offset", CheckScissorOrigins},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-offset-02822"), "pViewportState.pScissors[]",
     CheckScissorEnds<&VkOffset2D::x, &VkExtent2D::width>},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-offset-02823"), "pViewportState.pScissors[]",
     CheckScissorEnds<&VkOffset2D::y, &VkExtent2D::height>},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-scissorCount-04134"), "pViewportState.scissorCount", CheckSameCounts},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-viewportCount-04135"), "pViewportState.viewportCount",
     CheckZero<kViewportCount, &VkPipelineViewportStateCreateInfo::viewportCount, false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03379"), "pViewportState.viewportCount",
     CheckZero<kViewportCount, &VkPipelineViewportStateCreateInfo::viewportCount, true>},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-scissorCount-04136"), "pViewportState.scissorCount",
     CheckZero<kScissorCount, &VkPipelineViewportStateCreateInfo::scissorCount, false>},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-03380"), "pViewportState.scissorCount",
     CheckZero<kScissorCount, &VkPipelineViewportStateCreateInfo::scissorCount, true>},
    {Vuid("VUID-VkPipelineViewportStateCreateInfo-viewportWScalingEnable-01726"),
     "pViewportState.pNext<VkPipelineViewportWScalingStateCreateInfoNV>.viewportCount", CheckScalingCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-01715"),
     "pViewportState.pNext<VkPipelineViewportWScalingStateCreateInfoNV>.pViewportWScalings", CheckScalings},
    {Vuid("VUID-VkPipelineViewportSwizzleStateCreateInfoNV-viewportCount-01215"),
     "pViewportState.pNext<VkPipelineViewportSwizzleStateCreateInfoNV>.viewportCount", CheckSwizzleCount},
    {Vuid("VUID-VkPipelineViewportExclusiveScissorStateCreateInfoNV-exclusiveScissorCount-02029"),
     "pViewportState.pNext<VkPipelineViewportExclusiveScissorStateCreateInfoNV>.exclusiveScissorCount",
     CheckExclusiveCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04056"),
     "pViewportState.pNext<VkPipelineViewportExclusiveScissorStateCreateInfoNV>.pExclusiveScissors", CheckExclusives},
    {Vuid("VUID-VkPipelineViewportShadingRateImageStateCreateInfoNV-shadingRateImageEnable-02056"),
     "pViewportState.pNext<VkPipelineViewportShadingRateImageStateCreateInfoNV>.viewportCount", CheckPaletteCount},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04057"),
     "pViewportState.pNext<VkPipelineViewportShadingRateImageStateCreateInfoNV>.pShadingRatePalettes", CheckPalettes},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04058"),
     "pNext<VkPipelineDiscardRectangleStateCreateInfoEXT>.pDiscardRectangles", CheckDiscards},
    {Vuid("VUID-VkPipelineViewportDepthClampControlCreateInfoEXT-pDepthClampRange-09646"),
     "pViewportState.pNext<VkPipelineViewportDepthClampControlCreateInfoEXT>.pDepthClampRange", CheckClampPointer},
    {Vuid("VUID-VkDepthClampRangeEXT-pDepthClampRange-00999"),
     "pViewportState.pNext<VkPipelineViewportDepthClampControlCreateInfoEXT>.pDepthClampRange.minDepthClamp",
     CheckClampOrder},
    {Vuid("VUID-VkDepthClampRangeEXT-pDepthClampRange-09648"),
     "pViewportState.pNext<VkPipelineViewportDepthClampControlCreateInfoEXT>.pDepthClampRange.minDepthClamp",
     CheckClampMinimum},
    {Vuid("VUID-VkDepthClampRangeEXT-pDepthClampRange-09649"),
     "pViewportState.pNext<VkPipelineViewportDepthClampControlCreateInfoEXT>.pDepthClampRange.maxDepthClamp",
     CheckClampMaximum},
    {Vuid("VUID-VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-sampleOrderType-02072"),
     "pViewportState.pNext<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>.customSampleOrderCount",
     CheckNoCustomOrders},
    {Vuid("VUID-VkPipelineViewportCoarseSampleOrderStateCreateInfoNV-pCustomSampleOrders-02234"),
     "pViewportState.pNext<VkPipelineViewportCoarseSampleOrderStateCreateInfoNV>.pCustomSampleOrders[]",
     CheckCustomOrders},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07730"), "pViewportState.viewportCount",
     CheckViewportViews},
    {Vuid("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-07731"), "pViewportState.scissorCount", CheckScissorViews},
};

}  // namespace

absl::Span<const PipelineRule> ViewportRules() { return kRules; }

}  // namespace assay::core
