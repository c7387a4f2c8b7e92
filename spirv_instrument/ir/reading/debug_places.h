// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_READING_DEBUG_PLACES_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_READING_DEBUG_PLACES_H_

#include <cstdint>

#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// What an instruction changes of the debug line and scope of those behind it: SPIR-V, "OpLine";
// NonSemantic.Shader.DebugInfo.100, "DebugScope" and "DebugLine".
enum class DebugPlace : uint8_t { kNone, kLine, kNoLine, kScope, kNoScope };

DebugPlace DebugPlaceOf(const Module& module, Instruction instruction);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_READING_DEBUG_PLACES_H_
