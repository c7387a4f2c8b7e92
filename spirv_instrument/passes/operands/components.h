// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_COMPONENTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_COMPONENTS_H_

#include <cstdint>

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/emitter.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {

// Integers, and vectors of them.

// 1 for a scalar.
uint32_t ComponentCount(const Module& module, Id value);

// Whether all components are constants that no one specializes, from `smallest` to `largest`.
bool AreConstantsFromTo(ModuleFacts& facts, Id value, int64_t smallest, int64_t largest);

// A component as Emitter::AsUint() has it; 0 if there is no such one.
Id EmitComponent(Emitter& emitter, Id value, uint32_t index);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_COMPONENTS_H_
