// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/state_sources.h"

#include <algorithm>
#include <cstddef>

#include "core/recording/dynamic_states.h"

namespace assay::core {
namespace {

constexpr VkGraphicsPipelineLibraryFlagsEXT kInput = VK_GRAPHICS_PIPELINE_LIBRARY_VERTEX_INPUT_INTERFACE_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kOutput = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT;

using S = StateSource;
using Tessellation = VkPipelineTessellationStateCreateInfo;
using TessellationOrigin = VkPipelineTessellationDomainOriginStateCreateInfo;
using Assembly = VkPipelineInputAssemblyStateCreateInfo;
using Rasterization = VkPipelineRasterizationStateCreateInfo;
using Stream = VkPipelineRasterizationStateStreamCreateInfoEXT;
using Conservative = VkPipelineRasterizationConservativeStateCreateInfoEXT;
using DepthClip = VkPipelineRasterizationDepthClipStateCreateInfoEXT;
using ProvokingVertex = VkPipelineRasterizationProvokingVertexStateCreateInfoEXT;
using Line = VkPipelineRasterizationLineStateCreateInfo;
using Multisample = VkPipelineMultisampleStateCreateInfo;
using SampleLocations = VkPipelineSampleLocationsStateCreateInfoEXT;
using ToColor = VkPipelineCoverageToColorStateCreateInfoNV;
using Modulation = VkPipelineCoverageModulationStateCreateInfoNV;
using Reduction = VkPipelineCoverageReductionStateCreateInfoNV;
using DepthStencil = VkPipelineDepthStencilStateCreateInfo;
using Blend = VkPipelineColorBlendStateCreateInfo;
using Scaling = VkPipelineViewportWScalingStateCreateInfoNV;
using Swizzle = VkPipelineViewportSwizzleStateCreateInfoNV;
using Exclusive = VkPipelineViewportExclusiveScissorStateCreateInfoNV;
using RateImage = VkPipelineViewportShadingRateImageStateCreateInfoNV;
using Clip = VkPipelineViewportDepthClipControlCreateInfoEXT;
using Rectangles = VkPipelineDiscardRectangleStateCreateInfoEXT;
using Representative = VkPipelineRepresentativeFragmentTestStateCreateInfoNV;

constexpr VkStructureType kLine = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_LINE_STATE_CREATE_INFO;
constexpr VkStructureType kConservative = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_CONSERVATIVE_STATE_CREATE_INFO_EXT;
constexpr VkStructureType kSampleLocations = VK_STRUCTURE_TYPE_PIPELINE_SAMPLE_LOCATIONS_STATE_CREATE_INFO_EXT;
constexpr VkStructureType kToColor = VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_TO_COLOR_STATE_CREATE_INFO_NV;
constexpr VkStructureType kModulation = VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_MODULATION_STATE_CREATE_INFO_NV;
constexpr VkStructureType kScaling = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_W_SCALING_STATE_CREATE_INFO_NV;
constexpr VkStructureType kRateImage = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SHADING_RATE_IMAGE_STATE_CREATE_INFO_NV;
constexpr VkStructureType kExclusive = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_EXCLUSIVE_SCISSOR_STATE_CREATE_INFO_NV;
constexpr VkStructureType kRectangles = VK_STRUCTURE_TYPE_PIPELINE_DISCARD_RECTANGLE_STATE_CREATE_INFO_EXT;

struct Row {
  VkDynamicState state;
  SourceOfState source;
};

// A state without a source, such as the strides of vertex buffers, is never noted as one that a pipeline has itself:
// commands may set it all the same, or the specification does not say what a pipeline without its structure has.
constexpr Row kRows[] = {
    {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT, {kInput, S::kVertexInput}},
    {VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE, {kInput}},
    {VK_DYNAMIC_STATE_PRIMITIVE_TOPOLOGY, {kInput, S::kAssembly, {}, offsetof(Assembly, topology)}},
    {VK_DYNAMIC_STATE_PRIMITIVE_RESTART_ENABLE, {kInput, S::kAssembly, {}, offsetof(Assembly, primitiveRestartEnable)}},

    {VK_DYNAMIC_STATE_PATCH_CONTROL_POINTS_EXT,
     {kBefore, S::kTessellation, {}, offsetof(Tessellation, patchControlPoints)}},
    {VK_DYNAMIC_STATE_TESSELLATION_DOMAIN_ORIGIN_EXT,
     {kBefore, S::kTessellation, VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
      offsetof(TessellationOrigin, domainOrigin)}},
    {VK_DYNAMIC_STATE_VIEWPORT, {kBefore, S::kViewport}},
    {VK_DYNAMIC_STATE_SCISSOR, {kBefore, S::kViewport}},
    {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, {kBefore, S::kViewport}},
    {VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT, {kBefore, S::kViewport}},
    // Their value is the number of viewports, or of scissors.
    {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_NV, {kBefore, S::kViewport, kScaling, offsetof(Scaling, viewportCount)}},
    {VK_DYNAMIC_STATE_VIEWPORT_W_SCALING_ENABLE_NV,
     {kBefore, S::kViewport, kScaling, offsetof(Scaling, viewportWScalingEnable)}},
    {VK_DYNAMIC_STATE_VIEWPORT_SWIZZLE_NV,
     {kBefore, S::kViewport, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_SWIZZLE_STATE_CREATE_INFO_NV,
      offsetof(Swizzle, viewportCount)}},
    {VK_DYNAMIC_STATE_VIEWPORT_SHADING_RATE_PALETTE_NV,
     {kBefore, S::kViewport, kRateImage, offsetof(RateImage, viewportCount)}},
    {VK_DYNAMIC_STATE_SHADING_RATE_IMAGE_ENABLE_NV,
     {kBefore, S::kViewport, kRateImage, offsetof(RateImage, shadingRateImageEnable)}},
    {VK_DYNAMIC_STATE_VIEWPORT_COARSE_SAMPLE_ORDER_NV,
     {kBefore, S::kViewport, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_COARSE_SAMPLE_ORDER_STATE_CREATE_INFO_NV}},
    {VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_NV,
     {kBefore, S::kViewport, kExclusive, offsetof(Exclusive, exclusiveScissorCount)}},
    {VK_DYNAMIC_STATE_EXCLUSIVE_SCISSOR_ENABLE_NV, {kBefore}},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_NEGATIVE_ONE_TO_ONE_EXT,
     {kBefore, S::kViewport, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLIP_CONTROL_CREATE_INFO_EXT,
      offsetof(Clip, negativeOneToOne)}},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_RANGE_EXT,
     {kBefore, S::kViewport, VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_DEPTH_CLAMP_CONTROL_CREATE_INFO_EXT}},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT, {kBefore, S::kCreateInfo, kRectangles}},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT,
     {kBefore, S::kCreateInfo, kRectangles, offsetof(Rectangles, discardRectangleCount), true}},
    {VK_DYNAMIC_STATE_DISCARD_RECTANGLE_MODE_EXT,
     {kBefore, S::kCreateInfo, kRectangles, offsetof(Rectangles, discardRectangleMode)}},
    {VK_DYNAMIC_STATE_FRAGMENT_SHADING_RATE_KHR,
     {kBefore, S::kCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_FRAGMENT_SHADING_RATE_STATE_CREATE_INFO_KHR}},

    {VK_DYNAMIC_STATE_LINE_WIDTH, {kBefore, S::kRasterization}},
    {VK_DYNAMIC_STATE_DEPTH_BIAS, {kBefore, S::kRasterization}},
    {VK_DYNAMIC_STATE_DEPTH_BIAS_ENABLE, {kBefore, S::kRasterization, {}, offsetof(Rasterization, depthBiasEnable)}},
    {VK_DYNAMIC_STATE_CULL_MODE, {kBefore, S::kRasterization, {}, offsetof(Rasterization, cullMode)}},
    {VK_DYNAMIC_STATE_FRONT_FACE, {kBefore, S::kRasterization, {}, offsetof(Rasterization, frontFace)}},
    {VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE,
     {kBefore, S::kRasterization, {}, offsetof(Rasterization, rasterizerDiscardEnable)}},
    {VK_DYNAMIC_STATE_DEPTH_CLAMP_ENABLE_EXT,
     {kBefore, S::kRasterization, {}, offsetof(Rasterization, depthClampEnable)}},
    {VK_DYNAMIC_STATE_POLYGON_MODE_EXT, {kBefore, S::kRasterization, {}, offsetof(Rasterization, polygonMode)}},
    {VK_DYNAMIC_STATE_LINE_STIPPLE, {kBefore, S::kRasterization, kLine}},
    {VK_DYNAMIC_STATE_LINE_STIPPLE_ENABLE_EXT, {kBefore, S::kRasterization, kLine, offsetof(Line, stippledLineEnable)}},
    {VK_DYNAMIC_STATE_LINE_RASTERIZATION_MODE_EXT,
     {kBefore, S::kRasterization, kLine, offsetof(Line, lineRasterizationMode)}},
    {VK_DYNAMIC_STATE_RASTERIZATION_STREAM_EXT,
     {kBefore, S::kRasterization, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_STREAM_CREATE_INFO_EXT,
      offsetof(Stream, rasterizationStream)}},
    {VK_DYNAMIC_STATE_CONSERVATIVE_RASTERIZATION_MODE_EXT,
     {kBefore, S::kRasterization, kConservative, offsetof(Conservative, conservativeRasterizationMode)}},
    {VK_DYNAMIC_STATE_EXTRA_PRIMITIVE_OVERESTIMATION_SIZE_EXT, {kBefore, S::kRasterization, kConservative}},
    {VK_DYNAMIC_STATE_DEPTH_CLIP_ENABLE_EXT,
     {kBefore, S::kRasterization, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_DEPTH_CLIP_STATE_CREATE_INFO_EXT,
      offsetof(DepthClip, depthClipEnable)}},
    {VK_DYNAMIC_STATE_PROVOKING_VERTEX_MODE_EXT,
     {kBefore, S::kRasterization, VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_PROVOKING_VERTEX_STATE_CREATE_INFO_EXT,
      offsetof(ProvokingVertex, provokingVertexMode)}},

    {VK_DYNAMIC_STATE_DEPTH_BOUNDS, {kFragment, S::kDepthStencil}},
    {VK_DYNAMIC_STATE_STENCIL_COMPARE_MASK, {kFragment, S::kDepthStencil}},
    {VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, {kFragment, S::kDepthStencil}},
    {VK_DYNAMIC_STATE_STENCIL_REFERENCE, {kFragment, S::kDepthStencil}},
    {VK_DYNAMIC_STATE_STENCIL_OP, {kFragment, S::kDepthStencil}},
    {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, {kFragment, S::kDepthStencil, {}, offsetof(DepthStencil, depthTestEnable)}},
    {VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE, {kFragment, S::kDepthStencil, {}, offsetof(DepthStencil, depthWriteEnable)}},
    {VK_DYNAMIC_STATE_DEPTH_COMPARE_OP, {kFragment, S::kDepthStencil, {}, offsetof(DepthStencil, depthCompareOp)}},
    {VK_DYNAMIC_STATE_DEPTH_BOUNDS_TEST_ENABLE,
     {kFragment, S::kDepthStencil, {}, offsetof(DepthStencil, depthBoundsTestEnable)}},
    {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
     {kFragment, S::kDepthStencil, {}, offsetof(DepthStencil, stencilTestEnable)}},
    {VK_DYNAMIC_STATE_REPRESENTATIVE_FRAGMENT_TEST_ENABLE_NV,
     {kFragment, S::kCreateInfo, VK_STRUCTURE_TYPE_PIPELINE_REPRESENTATIVE_FRAGMENT_TEST_STATE_CREATE_INFO_NV,
      offsetof(Representative, representativeFragmentTestEnable)}},

    {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT,
     {kOutput, S::kMultisample, {}, offsetof(Multisample, rasterizationSamples)}},
    {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, {kOutput, S::kMultisample}},
    {VK_DYNAMIC_STATE_ALPHA_TO_COVERAGE_ENABLE_EXT,
     {kOutput, S::kMultisample, {}, offsetof(Multisample, alphaToCoverageEnable)}},
    {VK_DYNAMIC_STATE_ALPHA_TO_ONE_ENABLE_EXT, {kOutput, S::kMultisample, {}, offsetof(Multisample, alphaToOneEnable)}},
    {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_EXT, {kOutput, S::kMultisample, kSampleLocations}},
    {VK_DYNAMIC_STATE_SAMPLE_LOCATIONS_ENABLE_EXT,
     {kOutput, S::kMultisample, kSampleLocations, offsetof(SampleLocations, sampleLocationsEnable)}},
    {VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_ENABLE_NV,
     {kOutput, S::kMultisample, kToColor, offsetof(ToColor, coverageToColorEnable)}},
    {VK_DYNAMIC_STATE_COVERAGE_TO_COLOR_LOCATION_NV, {kOutput, S::kMultisample, kToColor}},
    {VK_DYNAMIC_STATE_COVERAGE_MODULATION_MODE_NV,
     {kOutput, S::kMultisample, kModulation, offsetof(Modulation, coverageModulationMode)}},
    {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_ENABLE_NV,
     {kOutput, S::kMultisample, kModulation, offsetof(Modulation, coverageModulationTableEnable)}},
    {VK_DYNAMIC_STATE_COVERAGE_MODULATION_TABLE_NV, {kOutput, S::kMultisample, kModulation}},
    {VK_DYNAMIC_STATE_COVERAGE_REDUCTION_MODE_NV,
     {kOutput, S::kMultisample, VK_STRUCTURE_TYPE_PIPELINE_COVERAGE_REDUCTION_STATE_CREATE_INFO_NV,
      offsetof(Reduction, coverageReductionMode)}},
    {VK_DYNAMIC_STATE_BLEND_CONSTANTS, {kOutput, S::kBlend}},
    {VK_DYNAMIC_STATE_LOGIC_OP_EXT, {kOutput, S::kBlend, {}, offsetof(Blend, logicOp)}},
    {VK_DYNAMIC_STATE_LOGIC_OP_ENABLE_EXT, {kOutput, S::kBlend, {}, offsetof(Blend, logicOpEnable)}},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT, {kOutput, S::kBlend}},
    {VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT, {kOutput, S::kBlend}},
    {VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT, {kOutput, S::kBlend}},
    {VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT,
     {kOutput, S::kBlend, VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_ADVANCED_STATE_CREATE_INFO_EXT}},
    {VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT,
     {kOutput, S::kBlend, VK_STRUCTURE_TYPE_PIPELINE_COLOR_WRITE_CREATE_INFO_EXT}},
    {VK_DYNAMIC_STATE_ATTACHMENT_FEEDBACK_LOOP_ENABLE_EXT, {kOutput}},

    {VK_DYNAMIC_STATE_RAY_TRACING_PIPELINE_STACK_SIZE_KHR, {0}},
};

// A state that the registry gets has a row, or this does not compile.
static_assert(std::size(kRows) == vk::kDynamicStateCount);

constexpr std::array<SourceOfState, vk::kDynamicStateCount> MakeSources() {
  std::array<SourceOfState, vk::kDynamicStateCount> sources;
  for (const Row& row : kRows) sources[IndexOf(row.state)] = row.source;
  return sources;
}

constexpr std::array<SourceOfState, vk::kDynamicStateCount> kSources = MakeSources();

}  // namespace

const std::array<SourceOfState, vk::kDynamicStateCount>& SourcesOfStates() { return kSources; }

const std::array<StatesOfSource, kStateSources>& StatesOfSources() {
  static const auto of = [] {
    std::array<StatesOfSource, kStateSources> result;
    for (uint8_t i = 0; i < vk::kDynamicStateCount; ++i) {
      const SourceOfState& source = SourcesOfStates()[i];
      StatesOfSource& states = result[static_cast<size_t>(source.source)];
      (source.link != VkStructureType{} ? states.chained : states.own).Add(i);
      if (source.value_offset != SourceOfState::kNoValue) states.numbers.Add(i);
    }
    return result;
  }();
  return of;
}

}  // namespace assay::core
