// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_RECORDING_STRUCTURE_BUILDS_H_
#define ASSAY_GPUAV_RECORDING_STRUCTURE_BUILDS_H_

#include "gpuav/recording/parameter_copies.h"
#include "gpuav/recording/reference_replacements.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::gpuav {

// Adds what the next command reads to build acceleration structures, as far as it is checked: instances or their
// addresses, and the ranges of an indirect build. Where the instances of an indirect build begin, and how many there
// are, is known when the ranges are; of all that there may be, those are copied that would be first without an offset.
void AddBuild(const vk::CmdBuildAccelerationStructuresKHR& call, const state::CommandBuffer& buffer,
              const ReferenceReplacements& replacements, ParameterCopies& copies);
void AddBuild(const vk::CmdBuildAccelerationStructuresIndirectKHR& call, const state::CommandBuffer& buffer,
              const ReferenceReplacements& replacements, ParameterCopies& copies);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_RECORDING_STRUCTURE_BUILDS_H_
