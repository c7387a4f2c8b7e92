// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_MARKERS_MARKED_COMMANDS_H_
#define ASSAY_GPUAV_MARKERS_MARKED_COMMANDS_H_

#include "gpuav/recording/actions.h"
#include "vk/commands.h"

// Commands that markers are for, besides those that run shaders.
namespace assay::gpuav {

// A device may hang in these, too.
using OtherActionCommands =
    Commands<vk::CmdBlitImage, vk::CmdBlitImage2, vk::CmdBuildAccelerationStructuresIndirectKHR,
             vk::CmdBuildAccelerationStructuresKHR, vk::CmdClearAttachments, vk::CmdClearColorImage,
             vk::CmdClearDepthStencilImage, vk::CmdCopyAccelerationStructureKHR, vk::CmdCopyBuffer, vk::CmdCopyBuffer2,
             vk::CmdCopyBufferToImage, vk::CmdCopyBufferToImage2, vk::CmdCopyImage, vk::CmdCopyImage2,
             vk::CmdCopyImageToBuffer, vk::CmdCopyImageToBuffer2, vk::CmdCopyQueryPoolResults, vk::CmdFillBuffer,
             vk::CmdResolveImage, vk::CmdResolveImage2, vk::CmdUpdateBuffer, vk::CmdWaitEvents, vk::CmdWaitEvents2>;
using BeginRenderPassCommands = Commands<vk::CmdBeginRenderPass, vk::CmdBeginRenderPass2, vk::CmdBeginRendering>;

template <class C>
concept ActsOtherwise = OtherActionCommands::kHas<C>;
template <class C>
concept BeginsRenderPass = BeginRenderPassCommands::kHas<C>;

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_MARKERS_MARKED_COMMANDS_H_
