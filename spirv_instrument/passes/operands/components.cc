// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/components.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {

uint32_t ComponentCount(const Module& module, Id value) {
  const Instruction type = module.TypeOf(value);
  return type.op() == spv::Op::OpTypeVector ? type.literal(1) : 1;
}

bool AreConstantsFromTo(ModuleFacts& facts, Id value, int64_t smallest, int64_t largest) {
  const Module& module = facts.module();
  const Instruction definition = module.Find(value);
  if (definition.op() == spv::Op::OpConstantNull) return smallest <= 0 && largest >= 0;
  if (definition.op() == spv::Op::OpConstantComposite) {
    // Parts of a vector are scalars, so that this ends; parts of anything else are none of ours.
    return module.TypeOf(value).op() == spv::Op::OpTypeVector &&
           std::all_of(definition.operands().begin(), definition.operands().end(), [&](uint32_t word) {
             const std::optional<int64_t> part = facts.layouts().ConstantValue(Id{word});
             return part && *part >= smallest && *part <= largest;
           });
  }
  const std::optional<int64_t> constant = facts.layouts().ConstantValue(value);
  return constant && *constant >= smallest && *constant <= largest;
}

Id EmitComponent(Emitter& emitter, Id value, uint32_t index) {
  Module& module = emitter.module();
  if (index >= ComponentCount(module, value)) return emitter.Uint(0);
  const Instruction type = module.TypeOf(value);
  if (type.op() != spv::Op::OpTypeVector) return emitter.AsUint(value);
  return emitter.AsUint(emitter.builder().Add(spv::Op::OpCompositeExtract, type.id(0), {value, index}));
}

}  // namespace assay::spirv_instrument
