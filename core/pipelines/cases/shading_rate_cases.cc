// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr PipelineCase kCases[] = {
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {2, 2};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04494",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {0, 1};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04495",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {1, 0};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04496",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {3, 1};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04497",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {1, 3};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04498",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {8, 1};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04499",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {1, 8};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04501",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Disable("primitiveFragmentShadingRate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {});
       s.fragmentSize = {1, 1};
       s.combinerOps[0] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04502",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Disable("attachmentFragmentShadingRate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {});
       s.fragmentSize = {1, 1};
       s.combinerOps[1] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04500",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Disable("pipelineFragmentShadingRate");
       w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = {2, 2};
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06567",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {});
       s.fragmentSize = {1, 1};
       s.combinerOps[0] = static_cast<VkFragmentShadingRateCombinerOpKHR>(9);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06568",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {});
       s.fragmentSize = {1, 1};
       s.combinerOps[1] = static_cast<VkFragmentShadingRateCombinerOpKHR>(9);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-fragmentShadingRateNonTrivialCombinerOps-04506",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Limit<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
           [](auto& p) { p.fragmentShadingRateNonTrivialCombinerOps = VK_FALSE; });
       auto& s = w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {});
       s.fragmentSize = {1, 1};
       s.combinerOps[0] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR;
     }},
    {nullptr,
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-06569",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.shadingRateType = static_cast<VkFragmentShadingRateTypeNV>(7);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06570",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.shadingRate = static_cast<VkFragmentShadingRateNV>(77);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06571",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.combinerOps[0] = static_cast<VkFragmentShadingRateCombinerOpKHR>(9);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-06572",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.combinerOps[1] = static_cast<VkFragmentShadingRateCombinerOpKHR>(9);
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04571",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       w.Disable("primitiveFragmentShadingRate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.combinerOps[0] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pDynamicState-04572",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       w.Disable("attachmentFragmentShadingRate");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.combinerOps[1] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_REPLACE_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-fragmentShadingRateNonTrivialCombinerOps-04573",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       w.Limit<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
           [](auto& p) { p.fragmentShadingRateNonTrivialCombinerOps = VK_FALSE; });
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.combinerOps[0] = VK_FRAGMENT_SHADING_RATE_COMBINER_OP_MUL_KHR;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-04574",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       w.Disable("supersampleFragmentShadingRates");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.shadingRate = VK_FRAGMENT_SHADING_RATE_4_INVOCATIONS_PER_PIXEL_NV;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-None-04575",
     [](Setup& w) {
       w.Enable("VK_KHR_fragment_shading_rate");
       w.Enable("VK_NV_fragment_shading_rate_enums");
       w.Disable("noInvocationFragmentShadingRates");
       auto& s = w.Chain<VkPipelineFragmentShadingRateEnumStateCreateInfoNV>(w.info, {});
       s.shadingRateType = VK_FRAGMENT_SHADING_RATE_TYPE_ENUMS_NV;
       s.shadingRate = VK_FRAGMENT_SHADING_RATE_NO_INVOCATIONS_NV;
     }},
};

}  // namespace

absl::Span<const PipelineCase> ShadingRateCases() { return kCases; }

}  // namespace assay::core
