// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_ACTIONS_H_
#define ASSAY_GPUAV_RECORDING_ACTIONS_H_

#include <array>
#include <concepts>

#include "vk/commands.h"

// Commands that run shaders, by the bind point that they use, and others that markers are for.
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

// These run no shaders of the application's. A device may hang in them all the same.
using OtherActionCommands =
    Commands<vk::CmdBlitImage, vk::CmdBlitImage2, vk::CmdBuildAccelerationStructuresIndirectKHR,
             vk::CmdBuildAccelerationStructuresKHR, vk::CmdClearAttachments, vk::CmdClearColorImage,
             vk::CmdClearDepthStencilImage, vk::CmdCopyAccelerationStructureKHR, vk::CmdCopyBuffer, vk::CmdCopyBuffer2,
             vk::CmdCopyBufferToImage, vk::CmdCopyBufferToImage2, vk::CmdCopyImage, vk::CmdCopyImage2,
             vk::CmdCopyImageToBuffer, vk::CmdCopyImageToBuffer2, vk::CmdCopyQueryPoolResults, vk::CmdFillBuffer,
             vk::CmdResolveImage, vk::CmdResolveImage2, vk::CmdUpdateBuffer, vk::CmdWaitEvents, vk::CmdWaitEvents2>;
using BeginRenderPassCommands = Commands<vk::CmdBeginRenderPass, vk::CmdBeginRenderPass2, vk::CmdBeginRendering>;
// Behind these, the application may let other commands write to what the commands before them read.
using OrderingCommands = Commands<vk::CmdWaitEvents, vk::CmdWaitEvents2, vk::CmdSetEvent, vk::CmdSetEvent2>;
using EndRenderingCommands = Commands<vk::CmdEndRenderPass, vk::CmdEndRenderPass2, vk::CmdEndRendering>;

template <class C>
concept Draws = DrawCommands::kHas<C>;
template <class C>
concept Dispatches = DispatchCommands::kHas<C>;
template <class C>
concept Traces = TraceCommands::kHas<C>;
template <class C>
concept Generates = GeneratingCommands::kHas<C>;
template <class C>
concept ActsOtherwise = OtherActionCommands::kHas<C>;
template <class C>
concept BeginsRenderPass = BeginRenderPassCommands::kHas<C>;
template <class C>
concept Orders = OrderingCommands::kHas<C>;
template <class C>
concept EndsRendering = EndRenderingCommands::kHas<C>;

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_ACTIONS_H_
