// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_ACTIONS_H_
#define ASSAY_GPUAV_RECORDING_ACTIONS_H_

#include <algorithm>
#include <array>
#include <concepts>

#include "gpuav/pipelines/bind_points.h"
#include "vk/commands.h"
#include "vk/vulkan.h"

// Commands that run shaders, by the bind point that they use, and those that order them.
namespace assay::gpuav {

template <class... Cs>
struct Commands {
  template <class C>
  static constexpr bool kHas = (std::same_as<C, Cs> || ...);
  static constexpr std::array kIds = {Cs::kId...};
};

using DrawCommands =
    Commands<vk::CmdDraw, vk::CmdDrawIndexed, vk::CmdDrawMultiEXT, vk::CmdDrawMultiIndexedEXT, vk::CmdDrawIndirect,
             vk::CmdDrawIndexedIndirect, vk::CmdDrawIndirectCount, vk::CmdDrawIndexedIndirectCount,
             vk::CmdDrawIndirectByteCountEXT, vk::CmdDrawMeshTasksEXT, vk::CmdDrawMeshTasksIndirectEXT,
             vk::CmdDrawMeshTasksIndirectCountEXT, vk::CmdDrawMeshTasksNV, vk::CmdDrawMeshTasksIndirectNV,
             vk::CmdDrawMeshTasksIndirectCountNV, vk::CmdDrawClusterHUAWEI, vk::CmdDrawClusterIndirectHUAWEI>;
using DispatchCommands = Commands<vk::CmdDispatch, vk::CmdDispatchBase, vk::CmdDispatchIndirect>;
using TraceCommands = Commands<vk::CmdTraceRaysKHR, vk::CmdTraceRaysIndirectKHR, vk::CmdTraceRaysIndirect2KHR>;
// These use whichever pipelines are bound.
using GeneratingCommands = Commands<vk::CmdExecuteGeneratedCommandsEXT, vk::CmdExecuteGeneratedCommandsNV>;

// Behind these, the application may let other commands write to what the commands before them read.
using OrderingCommands = Commands<vk::CmdWaitEvents, vk::CmdWaitEvents2, vk::CmdSetEvent, vk::CmdSetEvent2>;
using EndRenderingCommands = Commands<vk::CmdEndRenderPass, vk::CmdEndRenderPass2, vk::CmdEndRendering>;

inline bool IsGenerating(vk::CommandId command) {
  return std::ranges::find(GeneratingCommands::kIds, command) != GeneratingCommands::kIds.end();
}

template <class C>
concept Draws = DrawCommands::kHas<C>;
template <class C>
concept Dispatches = DispatchCommands::kHas<C>;
template <class C>
concept Traces = TraceCommands::kHas<C>;
template <class C>
concept Generates = GeneratingCommands::kHas<C>;
// What such a command uses.
inline VkPipelineBindPoint BindPointOf(const vk::CmdExecuteGeneratedCommandsEXT& call) {
  return BindPointOf(call.pGeneratedCommandsInfo->shaderStages);
}
inline VkPipelineBindPoint BindPointOf(const vk::CmdPreprocessGeneratedCommandsEXT& call) {
  return BindPointOf(call.pGeneratedCommandsInfo->shaderStages);
}
inline VkPipelineBindPoint BindPointOf(const vk::CmdExecuteGeneratedCommandsNV& call) {
  return call.pGeneratedCommandsInfo->pipelineBindPoint;
}

template <class C>
concept Orders = OrderingCommands::kHas<C>;
template <class C>
concept EndsRendering = EndRenderingCommands::kHas<C>;

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_ACTIONS_H_
