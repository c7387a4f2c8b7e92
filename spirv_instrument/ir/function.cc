// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/function.h"

#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {
namespace {

bool IsLine(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

bool IsPhiOrVariable(spv::Op op) {
  return op == spv::Op::OpPhi || op == spv::Op::OpVariable || op == spv::Op::OpUntypedVariableKHR;
}

}  // namespace

Instruction Block::merge() const {
  const Instruction end = terminator();
  if (!end) return {};
  Instruction before = end.previous();
  while (IsLine(before.op())) before = before.previous();
  return IsMerge(before.op()) ? before : Instruction();
}

InstructionRange Block::instructions() const {
  if (index_ == 0) return {};
  return {label().next(), last().next()};
}

Instruction Block::first_after_phis() const {
  Instruction result = label().next();
  for (Instruction at : instructions()) {
    if (IsPhiOrVariable(at.op())) {
      result = at.next();
    } else if (!IsLine(at.op()) && at.op() != spv::Op::OpExtInst) {
      // Debug information may be among the variables.
      break;
    }
  }
  return result.block() == *this ? result : Instruction();
}

Instruction Block::end_of_body() const {
  const Instruction declared = merge();
  return declared ? declared : terminator();
}

std::vector<Instruction> Function::parameters() const {
  std::vector<Instruction> result;
  const Instruction end = entry() ? entry().label() : this->end();
  for (Instruction at : InstructionRange(definition().next(), end)) {
    if (at.op() == spv::Op::OpFunctionParameter) result.push_back(at);
  }
  return result;
}

}  // namespace assay::spirv_instrument
