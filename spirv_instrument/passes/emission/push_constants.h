// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_PUSH_CONSTANTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_PUSH_CONSTANTS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// An entry point uses one block of push constants at most: Vulkan, "Push Constant Interface". So a shader that has one
// gets a member more in it.

// FailedPrecondition if that is not possible: the module has several blocks, uses the type of its block elsewhere or
// puts values of it together, or has something at the offset.
absl::Status CheckPushConstants(ModuleFacts& facts, uint32_t offset);

struct PushConstantMember {
  Id variable = kNoId;
  uint32_t index = 0;
};

// Adds a member of this scalar or vector type at this offset, and a block if the module has none. CheckPushConstants()
// was OK.
PushConstantMember AddPushConstant(ModuleFacts& facts, uint32_t offset, Id type);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_PUSH_CONSTANTS_H_
