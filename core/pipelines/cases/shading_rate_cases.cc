// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"

namespace assay::core {
namespace {

using Op = VkFragmentShadingRateCombinerOpKHR;

constexpr Op kKeep = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_KEEP_KHR;
constexpr Op kReplace = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
constexpr Op kMultiply = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR;
constexpr Op kBad = static_cast<Op>(9);
constexpr VkFragmentShadingRateNV kOne = VK_FRAGMENT_SHADING_RATE_1_INVOCATION_PER_PIXEL_NV;
constexpr VkFragmentShadingRateNV kFour = VK_FRAGMENT_SHADING_RATE_4_INVOCATIONS_PER_PIXEL_NV;
constexpr VkFragmentShadingRateNV kNone = VK_FRAGMENT_SHADING_RATE_NO_INVOCATIONS_NV;

Setup& WithTrivialOps(Setup& w) {
  return Limit(w, &VkPhysicalDeviceFragmentShadingRatePropertiesKHR::fragmentShadingRateNonTrivialCombinerOps,
               VK_FALSE);
}
Setup& WithoutAttachmentRate(Setup& w) { return Without(w, {"attachmentFragmentShadingRate"}); }

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { SetRate(w, {2, 2}); }),
    {"pDynamicState-04494", [](Setup& w) { SetRate(w, {0, 1}); }},
    {"pDynamicState-04495", [](Setup& w) { SetRate(w, {1, 0}); }},
    {"pDynamicState-04496", [](Setup& w) { SetRate(w, {3, 1}); }},
    {"pDynamicState-04497", [](Setup& w) { SetRate(w, {1, 3}); }},
    {"pDynamicState-04498", [](Setup& w) { SetRate(w, {8, 1}); }},
    {"pDynamicState-04499", [](Setup& w) { SetRate(w, {1, 8}); }},
    {"pDynamicState-04501", [](Setup& w) { SetRate(Without(w, {"primitiveFragmentShadingRate"}), {1, 1}, kReplace); }},
    {"pDynamicState-04502", [](Setup& w) { SetRate(WithoutAttachmentRate(w), {1, 1}, kKeep, kReplace); }},
    {"pDynamicState-04500", [](Setup& w) { SetRate(Without(w, {"pipelineFragmentShadingRate"}), {2, 2}); }},
    {"pDynamicState-06567", [](Setup& w) { SetRate(w, {1, 1}, kBad); }},
    {"pDynamicState-06568", [](Setup& w) { SetRate(w, {1, 1}, kKeep, kBad); }},
    {"fragmentShadingRateNonTrivialCombinerOps-04506", [](Setup& w) { SetRate(WithTrivialOps(w), {1, 1}, kMultiply); }},
    Correct([](Setup& w) { UseEnums(w); }),
    {"None-06569", [](Setup& w) { UseEnums(w).shadingRateType = static_cast<VkFragmentShadingRateTypeNV>(7); }},
    {"pDynamicState-06570", [](Setup& w) { UseEnums(w, static_cast<VkFragmentShadingRateNV>(77)); }},
    {"pDynamicState-06571", [](Setup& w) { UseEnums(w, kOne, kBad); }},
    {"pDynamicState-06572", [](Setup& w) { UseEnums(w, kOne, kKeep, kBad); }},
    {"pDynamicState-04571", [](Setup& w) { UseEnums(Without(w, {"primitiveFragmentShadingRate"}), kOne, kReplace); }},
    {"pDynamicState-04572", [](Setup& w) { UseEnums(WithoutAttachmentRate(w), kOne, kKeep, kReplace); }},
    {"fragmentShadingRateNonTrivialCombinerOps-04573", [](Setup& w) { UseEnums(WithTrivialOps(w), kOne, kMultiply); }},
    {"None-04574", [](Setup& w) { UseEnums(Without(w, {"supersampleFragmentShadingRates"}), kFour); }},
    {"None-04575", [](Setup& w) { UseEnums(Without(w, {"noInvocationFragmentShadingRates"}), kNone); }},
};

}  // namespace

absl::Span<const PipelineCase> ShadingRateCases() { return kCases; }

}  // namespace assay::core
