// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/dynamic_state.h"

#include <algorithm>
#include <span>
#include <string_view>

#include "messages/messages.h"
#include "vk/commands.h"
#include "vk/vulkan.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

using vk::IsAddress;

// As the description of each VkDynamicState says. An empty member stands for all.
struct ReplacedMember {
  std::string_view structure;
  std::string_view member;
  VkDynamicState by;
};
constexpr ReplacedMember kReplacedMembers[] = {
    {"VkPipelineVertexInputStateCreateInfo", "", VK_DYNAMIC_STATE_VERTEX_INPUT_EXT},
    {"VkVertexInputAttributeDescription", "", VK_DYNAMIC_STATE_VERTEX_INPUT_EXT},
    {"VkVertexInputBindingDescription", "", VK_DYNAMIC_STATE_VERTEX_INPUT_EXT},
    {"VkVertexInputBindingDescription", "stride", VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE},
    {"VkVertexInputBindingDivisorDescription", "", VK_DYNAMIC_STATE_VERTEX_INPUT_EXT},
    {"VkPipelineInputAssemblyStateCreateInfo", "topology", VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY},
    {"VkPipelineInputAssemblyStateCreateInfo", "primitiveRestartEnable", VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE},
    {"VkPipelineTessellationStateCreateInfo", "patchControlPoints", VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT},
    {"VkPipelineTessellationDomainOriginStateCreateInfo", "domainOrigin",
     VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT},
    {"VkPipelineViewportStateCreateInfo", "viewportCount", VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT},
    {"VkPipelineViewportStateCreateInfo", "scissorCount", VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT},
    {"VkPipelineViewportDepthClipControlCreateInfoEXT", "negativeOneToOne",
     VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT},
    {"VkPipelineViewportDepthClampControlCreateInfoEXT", "", VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT},
    {"VkPipelineViewportWScalingStateCreateInfoNV", "viewportWScalingEnable",
     VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV},
    {"VkPipelineViewportShadingRateImageStateCreateInfoNV", "shadingRateImageEnable",
     VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV},
    {"VkShadingRatePaletteNV", "", VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV},
    {"VkPipelineRasterizationStateCreateInfo", "depthClampEnable", VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT},
    {"VkPipelineRasterizationStateCreateInfo", "rasterizerDiscardEnable", VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE},
    {"VkPipelineRasterizationStateCreateInfo", "polygonMode", VK_DYNAMIC_STATE_POLYGON_MODE_EXT},
    {"VkPipelineRasterizationStateCreateInfo", "cullMode", VK_DYNAMIC_STATE_CULL_MODE},
    {"VkPipelineRasterizationStateCreateInfo", "frontFace", VK_DYNAMIC_STATE_FRONT_FACE},
    {"VkPipelineRasterizationStateCreateInfo", "depthBiasEnable", VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE},
    {"VkPipelineRasterizationStateCreateInfo", "depthBiasConstantFactor", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {"VkPipelineRasterizationStateCreateInfo", "depthBiasClamp", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {"VkPipelineRasterizationStateCreateInfo", "depthBiasSlopeFactor", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {"VkPipelineRasterizationStateCreateInfo", "lineWidth", VK_DYNAMIC_STATE_LINE_WIDTH},
    {"VkDepthBiasRepresentationInfoEXT", "", VK_DYNAMIC_STATE_DEPTH_BIAS},
    {"VkPipelineRasterizationLineStateCreateInfo", "lineRasterizationMode",
     VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT},
    {"VkPipelineRasterizationLineStateCreateInfo", "stippledLineEnable", VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT},
    {"VkPipelineRasterizationLineStateCreateInfo", "lineStippleFactor", VK_DYNAMIC_STATE_LINE_STIPPLE},
    {"VkPipelineRasterizationLineStateCreateInfo", "lineStipplePattern", VK_DYNAMIC_STATE_LINE_STIPPLE},
    {"VkPipelineRasterizationProvokingVertexStateCreateInfoEXT", "provokingVertexMode",
     VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT},
    {"VkPipelineRasterizationStateStreamCreateInfoEXT", "rasterizationStream",
     VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT},
    {"VkPipelineRasterizationConservativeStateCreateInfoEXT", "conservativeRasterizationMode",
     VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT},
    {"VkPipelineRasterizationConservativeStateCreateInfoEXT", "extraPrimitiveOverestimationSize",
     VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT},
    {"VkPipelineRasterizationDepthClipStateCreateInfoEXT", "depthClipEnable", VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT},
    {"VkPipelineDiscardRectangleStateCreateInfoEXT", "discardRectangleMode",
     VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT},
    {"VkPipelineMultisampleStateCreateInfo", "rasterizationSamples", VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT},
    {"VkPipelineMultisampleStateCreateInfo", "pSampleMask", VK_DYNAMIC_STATE_SAMPLE_MASK_EXT},
    {"VkPipelineMultisampleStateCreateInfo", "alphaToCoverageEnable", VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT},
    {"VkPipelineMultisampleStateCreateInfo", "alphaToOneEnable", VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT},
    {"VkPipelineSampleLocationsStateCreateInfoEXT", "sampleLocationsEnable",
     VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT},
    {"VkPipelineSampleLocationsStateCreateInfoEXT", "sampleLocationsInfo", VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT},
    {"VkPipelineCoverageToColorStateCreateInfoNV", "coverageToColorEnable",
     VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV},
    {"VkPipelineCoverageToColorStateCreateInfoNV", "coverageToColorLocation",
     VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV},
    {"VkPipelineCoverageModulationStateCreateInfoNV", "coverageModulationMode",
     VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV},
    {"VkPipelineCoverageModulationStateCreateInfoNV", "coverageModulationTableEnable",
     VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV},
    {"VkPipelineCoverageModulationStateCreateInfoNV", "coverageModulationTableCount",
     VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV},
    {"VkPipelineCoverageModulationStateCreateInfoNV", "pCoverageModulationTable",
     VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV},
    {"VkPipelineCoverageReductionStateCreateInfoNV", "coverageReductionMode",
     VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV},
    {"VkPipelineRepresentativeFragmentTestStateCreateInfoNV", "representativeFragmentTestEnable",
     VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV},
    {"VkPipelineDepthStencilStateCreateInfo", "depthTestEnable", VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE},
    {"VkPipelineDepthStencilStateCreateInfo", "depthWriteEnable", VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE},
    {"VkPipelineDepthStencilStateCreateInfo", "depthCompareOp", VK_DYNAMIC_STATE_DEPTH_COMPARE_OP},
    {"VkPipelineDepthStencilStateCreateInfo", "depthBoundsTestEnable", VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE},
    {"VkPipelineDepthStencilStateCreateInfo", "stencilTestEnable", VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE},
    {"VkPipelineDepthStencilStateCreateInfo", "minDepthBounds", VK_DYNAMIC_STATE_DEPTH_BOUNDS},
    {"VkPipelineDepthStencilStateCreateInfo", "maxDepthBounds", VK_DYNAMIC_STATE_DEPTH_BOUNDS},
    {"VkStencilOpState", "failOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "passOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "depthFailOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "compareOp", VK_DYNAMIC_STATE_STENCIL_OP},
    {"VkStencilOpState", "compareMask", VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK},
    {"VkStencilOpState", "writeMask", VK_DYNAMIC_STATE_STENCIL_WRITE_MASK},
    {"VkStencilOpState", "reference", VK_DYNAMIC_STATE_STENCIL_REFERENCE},
    {"VkPipelineColorBlendStateCreateInfo", "logicOpEnable", VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT},
    {"VkPipelineColorBlendStateCreateInfo", "logicOp", VK_DYNAMIC_STATE_LOGIC_OP_EXT},
    {"VkPipelineColorBlendStateCreateInfo", "blendConstants", VK_DYNAMIC_STATE_BLEND_CONSTANTS},
    {"VkPipelineColorBlendAttachmentState", "blendEnable", VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT},
    {"VkPipelineColorBlendAttachmentState", "srcColorBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "dstColorBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "colorBlendOp", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "srcAlphaBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "dstAlphaBlendFactor", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "alphaBlendOp", VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT},
    {"VkPipelineColorBlendAttachmentState", "colorWriteMask", VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT},
    {"VkPipelineColorBlendAdvancedStateCreateInfoEXT", "", VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT},
    {"VkPipelineFragmentShadingRateStateCreateInfoKHR", "", VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR},
};

// The pipeline's dynamic states. where leads through an element of the command's pCreateInfos.
std::span<const VkDynamicState> DynamicStates(const Step* where, const CheckedCall& call) {
  if (call.report.command() != vk::CommandId::kCreateGraphicsPipelines || where == nullptr) return {};
  const Step* first = where;
  while (first->previous != nullptr) first = first->previous;
  const auto& create = *static_cast<const vk::CreateGraphicsPipelines*>(call.parameters);
  if (first->index >= create.createInfoCount || !IsAddress(create.pCreateInfos)) return {};
  const VkPipelineDynamicStateCreateInfo* dynamic = create.pCreateInfos[first->index].pDynamicState;
  if (!IsAddress(dynamic) || !IsAddress(dynamic->pDynamicStates)) return {};
  return {dynamic->pDynamicStates, dynamic->dynamicStateCount};
}

bool IsReplaced(std::string_view structure, std::string_view member, std::span<const VkDynamicState> states) {
  return std::ranges::any_of(kReplacedMembers, [&](const ReplacedMember& row) {
    return row.structure == structure && (row.member.empty() || row.member == member) &&
           std::ranges::count(states, row.by) != 0;
  });
}

}  // namespace

bool IsReplacedByDynamicState(const vk::ExplicitRuleInfo& rule, const vk::StructInfo& info, const Step* where,
                              const CheckedCall& call) {
  const std::span<const VkDynamicState> states = DynamicStates(where, call);
  if (states.empty()) return false;
  const auto is_replaced = [&](const vk::ExplicitTerm& term) {
    const vk::MemberInfo* const member = vk::TargetOf(info, rule, term.place).outer;
    return member != nullptr && IsReplaced(info.name, member->name, states);
  };
  return std::ranges::any_of(vk::Conditions(rule), is_replaced) ||
         std::ranges::any_of(vk::Requirements(rule), is_replaced);
}

}  // namespace assay::stateless
