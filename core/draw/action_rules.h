// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DRAW_ACTION_RULES_H_
#define ASSAY_CORE_DRAW_ACTION_RULES_H_

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include "core/recording/draw_recording.h"
#include "vk/dynamic_state_rules.h"
#include "vk/families/shared_rules.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The rules of draws, dispatches and traces, and their ids. Private to the package.
namespace assay::core {

inline constexpr VkShaderStageFlags kVertexStages =
    VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT |
    VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT | VK_SHADER_STAGE_GEOMETRY_BIT;

// Those that are not in vk::kDynamicStateRules.
inline constexpr std::string_view kActionRules[] = {
    "None-08606",
    "None-08607",
    "None-08608",
    "None-08684",
    "None-08685",
    "None-08686",
    "None-08687",
    "None-08688",
    "None-08689",
    "None-08690",
    "None-08693",
    "None-08696",
    "None-08694",
    "None-08695",
    "None-08698",
    "None-08699",
    "None-08878",
    "None-08879",
    "None-08876",
    "None-08885",
    "stage-06481",
    "stage-06480",
    "MeshNV-07080",
    "MeshNV-07081",
    "MeshNV-07082",
    "MeshEXT-07087",
    "MeshEXT-07091",
    "MeshEXT-07100",
    "commandBuffer-04617",
    "None-08621",
    "None-04007",
    "None-07312",
    "renderPass-06198",
    "renderPass-02684",
    "subpass-02685",
    "viewMask-06178",
    "colorAttachmentCount-06179",
    "dynamicRenderingUnusedAttachments-08910",
    "dynamicRenderingUnusedAttachments-08911",
    "dynamicRenderingUnusedAttachments-08912",
    "dynamicRenderingUnusedAttachments-08913",
    "dynamicRenderingUnusedAttachments-08914",
    "dynamicRenderingUnusedAttachments-08915",
    "dynamicRenderingUnusedAttachments-08916",
    "dynamicRenderingUnusedAttachments-08917",
    "dynamicRenderingUnusedAttachments-08918",
    "viewportCount-03419",
    "None-09642",
    "None-09643",
    "flags-10582",
    "imageView-06183",
    "imageView-06184",
    // Fixed functions and attachments.
    "primitivesGeneratedQueryWithRasterizerDiscard-06708",
    "primitivesGeneratedQueryWithNonZeroStreams-06709",
    "primitivesGeneratedQueryWithNonZeroStreams-07481",
    "samples-07472",
    "samples-07473",
    "firstAttachment-07476",
    "rasterizerDiscardEnable-09417",
    "firstAttachment-07477",
    "rasterizerDiscardEnable-09418",
    "firstAttachment-07478",
    "rasterizerDiscardEnable-09419",
    "firstAttachment-07479",
    "attachmentCount-07750",
    "None-08647",
    "None-06886",
    "imageView-06172",
    "imageView-06174",
    "imageView-06176",
    "None-06887",
    "imageView-06173",
    "imageView-06175",
    "imageView-06177",
    "multisampledRenderToSingleSampled-07284",
    "None-08644",
    "multisampledRenderToSingleSampled-07285",
    "multisampledRenderToSingleSampled-07286",
    "multisampledRenderToSingleSampled-07287",
    "colorAttachmentCount-06185",
    "pDepthAttachment-06186",
    "pStencilAttachment-06187",
    "blendEnable-04727",
    "pColorBlendEnables-07470",
    "None-08643",
    "pColorAttachments-08963",
    "pDepthAttachment-08964",
    "pStencilAttachment-08965",
    "sampleLocationsEnable-02689",
    "sampleLocationsEnable-07484",
    "sampleLocationsPerPixel-07482",
    "sampleLocationsPerPixel-07483",
    "sampleLocationsEnable-07938",
    "sampleLocationsEnable-07485",
    "sampleLocationsEnable-07486",
    "sampleLocationsEnable-07936",
    "sampleLocationsEnable-07937",
    "coverageToColorEnable-07490",
    "rasterizerDiscardEnable-09420",
    "coverageModulationTableEnable-07488",
    "pNext-07935",
    "None-09211",
    // Values of states.
    "viewportCount-04137",
    "None-08636",
    "viewportCount-04139",
    "None-08637",
    "viewportCount-07492",
    "viewportCount-07493",
    "viewportCount-09421",
    "VkPipelineVieportCreateInfo-04142",
    "primitiveFragmentShadingRateWithMultipleViewports-04552",
    "primitiveFragmentShadingRateWithMultipleViewports-08642",
    "stippledLineEnable-07495",
    "stippledLineEnable-07496",
    "stippledLineEnable-07497",
    "stippledLineEnable-07498",
    "conservativePointAndLineRasterization-07499",
    "dynamicPrimitiveTopologyUnrestricted-07500",
    "primitiveTopology-10286",
    "None-09637",
    "None-08619",
    "None-08668",
    "None-08671",
    // Parameters of calls.
    "None-04445",
    "baseGroupX-00427",
    "maxMultiviewInstanceIndex-02688",
    "TaskEXT-07322",
    "TaskEXT-07323",
    "TaskEXT-07324",
    "TaskEXT-07325",
    "TaskEXT-07326",
    "TaskEXT-07327",
    "TaskEXT-07328",
    "TaskEXT-07329",
    // Traces.
    "pRayGenShaderBindingTable-03682",
    "size-04023",
    "pMissShaderBindingTable-03685",
    "stride-03686",
    "stride-04029",
    "pHitShaderBindingTable-03689",
    "stride-03690",
    "stride-04035",
    "pCallableShaderBindingTable-03693",
    "stride-03694",
    "stride-04041",
    "width-03638",
    "height-03639",
    "depth-03640",
    "width-03641",
    "indirectDeviceAddress-03636",
    "flags-03696",
    "flags-03697",
    "rayTracingMotionBlurPipelineTraceRaysIndirect-04951",
    // Dispatches of execution graphs.
    "scratch-10192",
    "scratchSize-10193",
    "scratch-09184",
    "pCountInfo-09150",
    "pCountInfo-09151",
    "pCountInfo-09152",
    "countInfo-09159",
    "countInfo-09160",
    "countInfo-09161",
    // Active queries.
    "stage-07073",
    "None-07074",
    "None-07075",
    "pipelineStatistics-07076",
    "None-07819",
    // Vertex input.
    "None-04008",
    "Input-07939",
    "Input-08734",
    "format-08936",
    "format-08937",
    "None-09203",
    "format-10389",
    "format-10390",
    "pNext-09461",
    "None-09462",
    "robustBufferAccess2-08798",
    // Samples of attachments that differ.
    "rasterizationSamples-07471",
    "rasterizationSamples-07489",
    "rasterizationSamples-07494",
    "coverageReductionMode-07491",
    // Outputs of fragment shaders, blending, and what the code of fragment shaders does.
    "sampleLocationsEnable-07487",
    "advancedBlendMaxColorAttachments-07480",
    "maxFragmentDualSrcAttachments-09239",
    "None-09116",
    "pDynamicStates-08715",
    "pDynamicStates-08716",
    "alphaToCoverageEnable-08919",
    "alphaToCoverageEnable-08920",
    // External formats.
    "colorAttachmentCount-09372",
    "colorAttachmentCount-09362",
    "None-09364",
    "None-09365",
    "None-09366",
    "rasterizationSamples-09367",
    "None-09368",
    "None-09369",
    "pFragmentSize-09370",
    "pFragmentSize-09371",
    // The subpass of subpass shading.
    "None-04931",
    // Locations and input attachment indices.
    "None-09548",
    "None-09549",
};
using ActionRule = vk::SharedRule<kActionRules>;

// The ids that a command has for them: kNoVuid for a rule that it does not have.
struct ActionIds {
  std::array<vk::VuidIndex, vk::kDynamicStateRuleCount> states;
  vk::SharedRuleIds<kActionRules> others;

  vk::VuidIndex Of(ActionRule rule) const { return others.Of(rule); }
};

// Whether a command has a rule of that name.
consteval bool HasRule(std::string_view command, std::string_view rule) {
  const uint64_t hash = vk::VuidHash(rule, vk::VuidHash("-", vk::VuidHash(command, vk::VuidHash("VUID-"))));
  return std::binary_search(vk::kVuidHashes + 0, vk::kVuidHashes + vk::kVuidCount, hash);
}

// A draw, dispatch or trace, or a command that runs generated ones.
template <class C>
concept ActionCommand = HasRule(C::kName, "None-08606");

template <class C>
concept GeneratedCommands = ActionCommand<C> && C::kName.starts_with("vkCmdExecuteGeneratedCommands");

// What a call does.
struct ActionForm {
  DrawRecording::BindPoint point;
  // A bit for commands that need the same. Draws with vertices, with indices, of clusters and of meshes of each extension
  // differ. 0 for commands that are generated, which may bind by themselves.
  uint32_t kind;
  // Of generated commands: what they bind and push, and a command that does the same.
  bool binds_vertex_buffers = false;
  bool pushes_constants = false;
  std::string_view like = {};
};

template <ActionCommand C>
consteval ActionForm FormOf() {
  if (C::kName.starts_with("vkCmdDispatchGraph"))
    return {DrawRecording::kExecutionGraph, 1u << DrawRecording::kExecutionGraph};
  if (C::kName.starts_with("vkCmdDispatch")) return {DrawRecording::kCompute, 1u << DrawRecording::kCompute};
  if (C::kName.starts_with("vkCmdTraceRays")) return {DrawRecording::kRayTracing, 1u << DrawRecording::kRayTracing};
  if (C::kName == "vkCmdSubpassShadingHUAWEI")
    return {DrawRecording::kSubpassShading, 1u << DrawRecording::kSubpassShading};
  constexpr uint32_t kIndexed = 1u << DrawRecording::kBindPoints;
  if (HasRule(C::kName, "None-07312")) return {DrawRecording::kGraphics, kIndexed};
  if (HasRule(C::kName, "None-04007")) return {DrawRecording::kGraphics, 1u << DrawRecording::kGraphics};
  const bool draws_clusters = C::kName.starts_with("vkCmdDrawCluster");
  return {DrawRecording::kGraphics, kIndexed << (draws_clusters ? 3 : C::kName.ends_with("NV") ? 2 : 1)};
}

// Nothing where the generated commands have states of their own, or are not known.
std::optional<ActionForm> FormOf(const VkGeneratedCommandsInfoEXT* info);
std::optional<ActionForm> FormOf(const VkGeneratedCommandsInfoNV* info);
template <ActionCommand C>
constexpr std::optional<ActionForm> FormOf(const C& call) {
  if constexpr (GeneratedCommands<C>) {
    return FormOf(call.pGeneratedCommandsInfo);
  } else {
    return FormOf<C>();
  }
}

constexpr VkPipelineBindPoint PointOf(DrawRecording::BindPoint point) {
  constexpr VkPipelineBindPoint kPoints[] = {
      VK_PIPELINE_BIND_POINT_GRAPHICS, VK_PIPELINE_BIND_POINT_COMPUTE, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR,
      VK_PIPELINE_BIND_POINT_SUBPASS_SHADING_HUAWEI, VK_PIPELINE_BIND_POINT_EXECUTION_GRAPH_AMDX};
  return kPoints[point];
}

// Whether the command certainly runs no shader.
template <ActionCommand C>
bool RunsNothing(const C& call) {
  if constexpr (requires { call.groupCountX; }) {
    return call.groupCountX == 0 || call.groupCountY == 0 || call.groupCountZ == 0;
  } else if constexpr (requires { call.width; }) {
    return call.width == 0 || call.height == 0 || call.depth == 0;
  } else if constexpr (requires { call.vertexCount; }) {
    return call.vertexCount == 0 || call.instanceCount == 0;
  } else if constexpr (requires { call.indexCount; }) {
    return call.indexCount == 0 || call.instanceCount == 0;
  } else if constexpr (requires { call.taskCount; }) {
    return call.taskCount == 0;
  } else if constexpr (requires { call.drawCount; }) {
    return call.drawCount == 0;
  }
  return false;
}

// The parameters say which indices it reads.
template <class C>
concept DrawsIndices = requires(const C& call) { call.firstIndex; } || requires(const C& call) { call.pIndexInfo; };

// The parameters of a trace, as far as the command has them.
struct TraceCall {
  // For ray generation, misses, hits and callables.
  std::array<const VkStridedDeviceAddressRegionKHR*, 4> tables = {};
  std::array<uint32_t, 3> size = {};
  // Where the device reads the others.
  VkDeviceAddress arguments = 0;
  VkDeviceSize argument_bytes = 0;
};
template <class C>
concept TracesWithAddresses =
    requires(const C& call) { call.pRaygenShaderBindingTable; } || C::kName == "vkCmdTraceRaysIndirect2KHR";
template <TracesWithAddresses C>
TraceCall ReadTrace(const C& call) {
  TraceCall trace;
  if constexpr (requires { call.pRaygenShaderBindingTable; }) {
    trace = {.tables = {call.pRaygenShaderBindingTable, call.pMissShaderBindingTable, call.pHitShaderBindingTable,
                        call.pCallableShaderBindingTable},
             .argument_bytes = sizeof(VkTraceRaysIndirectCommandKHR)};
  } else {
    trace.argument_bytes = sizeof(VkTraceRaysIndirectCommand2KHR);
  }
  if constexpr (requires { call.width; }) {
    trace.size = {call.width, call.height, call.depth};
    trace.argument_bytes = 0;
  } else {
    trace.arguments = call.indirectDeviceAddress;
  }
  return trace;
}

// The parameters of a dispatch of an execution graph that are on the host.
struct GraphCall {
  VkDeviceAddress scratch = 0;
  VkDeviceSize scratch_size = 0;
  // What the device reads, and how much of it there is at least; 0 for nothing.
  VkDeviceAddress read = 0;
  VkDeviceSize read_bytes = 0;
};
template <class C>
concept DispatchesGraph = C::kName.starts_with("vkCmdDispatchGraph");
template <DispatchesGraph C>
GraphCall ReadGraph(const C& call) {
  GraphCall graph = {call.scratch, call.scratchSize};
  if constexpr (requires { call.countInfo; }) {
    graph.read = call.countInfo;
    graph.read_bytes = sizeof(VkDispatchGraphCountInfoAMDX);
  } else if (C::kName.find("Indirect") != std::string_view::npos && call.pCountInfo != nullptr) {
    graph.read = call.pCountInfo->infos.deviceAddress;
    graph.read_bytes = call.pCountInfo->count * call.pCountInfo->stride;
  }
  return graph;
}

// One more than the last index that the command reads; 0 for none.
template <DrawsIndices C>
uint64_t IndexEnd(const C& call) {
  if constexpr (requires { call.firstIndex; }) {
    return call.indexCount != 0 ? uint64_t{call.firstIndex} + call.indexCount : 0;
  } else {
    uint64_t end = 0;
    const auto* next = reinterpret_cast<const char*>(call.pIndexInfo);
    for (uint32_t i = 0; next != nullptr && i < call.drawCount; ++i, next += call.stride) {
      VkMultiDrawIndexedInfoEXT draw;
      std::memcpy(&draw, next, sizeof(draw));
      if (draw.indexCount != 0) end = std::max(end, uint64_t{draw.firstIndex} + draw.indexCount);
    }
    return end;
  }
}

// The commands that generated ones are like.
inline constexpr std::string_view kGeneratedLike[] = {"vkCmdDraw", "vkCmdDrawIndexed", "vkCmdDrawMeshTasksEXT",
                                                      "vkCmdDispatch", "vkCmdTraceRaysKHR"};

// Without the rules that the other command does not have, if there is one.
ActionIds FindActionIds(std::string_view command, DrawRecording::BindPoint point, std::string_view like = {});
// One for each in kGeneratedLike.
std::vector<ActionIds> FindGeneratedIds(std::string_view command);

// The ids of a command, made once.
template <ActionCommand C>
const ActionIds& IdsOf(const ActionForm& form) {
  if constexpr (GeneratedCommands<C>) {
    static const std::vector<ActionIds> ids = FindGeneratedIds(C::kName);
    return ids[std::ranges::find(kGeneratedLike, form.like) - std::begin(kGeneratedLike)];
  } else {
    static const ActionIds ids = FindActionIds(C::kName, form.point);
    return ids;
  }
}

// All ids of all commands, for //tools/coverage.
std::vector<vk::VuidIndex> DrawIds();

}  // namespace assay::core

#endif  // ASSAY_CORE_DRAW_ACTION_RULES_H_
