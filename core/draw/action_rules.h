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

#include "core/draw/names/action_rule_names.h"
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
  // A bit for commands that need the same. Draws with vertices, with indices, of clusters and of meshes of each
  // extension differ. 0 for commands that are generated, which may bind by themselves.
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
