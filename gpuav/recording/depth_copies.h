// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_DEPTH_COPIES_H_
#define ASSAY_GPUAV_RECORDING_DEPTH_COPIES_H_

#include <concepts>

#include "gpuav/recording/parameter_copies.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::gpuav {

template <class C>
concept CopiesToImage = std::same_as<C, vk::CmdCopyBufferToImage> || std::same_as<C, vk::CmdCopyBufferToImage2>;

// Whether the next command copies depths that may be out of range.
bool CopiesDepths(const vk::CmdCopyBufferToImage& call);
bool CopiesDepths(const vk::CmdCopyBufferToImage2& call);

// Adds the depths that such a command copies.
void AddDepths(const vk::CmdCopyBufferToImage& call, const state::CommandBuffer& buffer, ParameterCopies& copies);
void AddDepths(const vk::CmdCopyBufferToImage2& call, const state::CommandBuffer& buffer, ParameterCopies& copies);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_DEPTH_COPIES_H_
