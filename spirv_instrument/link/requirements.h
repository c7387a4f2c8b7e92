// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_LINK_REQUIREMENTS_H_
#define ASSAY_SPIRV_INSTRUMENT_LINK_REQUIREMENTS_H_

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Declares in `module` what an instruction of a library needs there: capabilities, extensions, the addressing model. It
// knows the instructions that check functions consist of; RequirableCapabilities() are all that a library may declare.
void Require(Module& module, Instruction instruction);

absl::Span<const spv::Capability> RequirableCapabilities();

// Lets a module have pointers into PhysicalStorageBuffer, and cast them from and to two words by OpBitcast. Before
// SPIR-V 1.5 the cast is by SPV_KHR_physical_storage_buffer alone: SPV_EXT_physical_storage_buffer has the same
// capability and pointers, and casts them to 64-bit integers only. So a module that has the latter gets the former too,
// and one that has neither gets only the former. Vulkan allows it where the device has 1.2 or
// VK_KHR_buffer_device_address; VK_EXT_buffer_device_address is not enough.
void RequireAddressCasts(Module& module);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_LINK_REQUIREMENTS_H_
