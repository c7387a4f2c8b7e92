// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/reading/debug_places.h"

#include <cstdint>
#include <string_view>

#include "absl/strings/match.h"
#include "spirv/unified1/NonSemanticShaderDebugInfo100.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// The older sets have the scopes under the same numbers, and no lines.
bool IsDebugSet(std::string_view name) {
  return absl::StartsWith(name, "NonSemantic.Shader.DebugInfo.") || name == "OpenCL.DebugInfo.100" ||
         name == "DebugInfo";
}

}  // namespace

DebugPlace DebugPlaceOf(const Module& module, Instruction instruction) {
  if (instruction.op() == spv::Op::OpLine) return DebugPlace::kLine;
  if (instruction.op() == spv::Op::OpNoLine) return DebugPlace::kNoLine;
  if (instruction.op() != spv::Op::OpExtInst) return DebugPlace::kNone;
  DebugPlace place;
  switch (instruction.literal(1)) {
    case NonSemanticShaderDebugInfo100DebugScope:
      place = DebugPlace::kScope;
      break;
    case NonSemanticShaderDebugInfo100DebugNoScope:
      place = DebugPlace::kNoScope;
      break;
    case NonSemanticShaderDebugInfo100DebugLine:
      place = DebugPlace::kLine;
      break;
    case NonSemanticShaderDebugInfo100DebugNoLine:
      place = DebugPlace::kNoLine;
      break;
    default:
      return DebugPlace::kNone;
  }
  return IsDebugSet(module.Find(instruction.id(0)).string(0)) ? place : DebugPlace::kNone;
}

}  // namespace assay::spirv_instrument
