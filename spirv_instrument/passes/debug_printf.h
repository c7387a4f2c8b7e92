// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_DEBUG_PRINTF_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_DEBUG_PRINTF_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// debugPrintf: OpExtInst DebugPrintf of NonSemantic.DebugPrintf (debugPrintfEXT in GLSL, printf in HLSL). The
// instruction is replaced by code that writes a record with the arguments to the output (runtime.h). The host makes
// text of it, with the format and the strings of the module as it was: printf/prints.h, which also says what is wrong
// with formats before anything runs.
//
// A record has the words that printf/format.h says, in the order of the arguments. Strings have none, since the host
// knows them. Arguments that have no place in a record (matrices, structures) are left out, and their format is wrong.
//
// *Variant*: whether something is written. *Ids* and *literals*: none; all is in the instruction.
//
// What it does not see: a print in a function that no entry point reaches. Where the output is full, records are
// counted and not written. What a helper invocation of a fragment shader prints is lost, as all that it writes.
struct DebugPrintfConfig {
  // Prints whose format is wrong are written all the same, and the text has each argument as its type says. Otherwise
  // they are removed.
  bool prints_wrong_formats = true;
};

std::unique_ptr<Pass> MakeDebugPrintf(const DebugPrintfConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_DEBUG_PRINTF_H_
