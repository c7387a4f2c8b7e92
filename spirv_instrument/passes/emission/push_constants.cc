// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/push_constants.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/status.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/globals.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

std::vector<Instruction> PushConstantVariables(const Module& module) {
  std::vector<Instruction> variables;
  for (Instruction variable : module.section(Section::kGlobals)) {
    if (variable.op() != spv::Op::OpVariable) continue;
    if (variable.enumerant<spv::StorageClass>(0) == spv::StorageClass::PushConstant) variables.push_back(variable);
  }
  return variables;
}

// Whether an instruction that names the type is one that another member does not disturb.
bool AllowsOneMemberMore(Instruction user) {
  switch (user.op()) {
    case spv::Op::OpName:
    case spv::Op::OpMemberName:
    case spv::Op::OpDecorate:
    case spv::Op::OpMemberDecorate:
    case spv::Op::OpMemberDecorateString:
    case spv::Op::OpDecorateString:
    case spv::Op::OpLoad:
    case spv::Op::OpCopyObject:
    case spv::Op::OpExtInst:
      return true;
    case spv::Op::OpTypePointer: {
      const auto storage = user.enumerant<spv::StorageClass>(0);
      return storage == spv::StorageClass::PushConstant || storage == spv::StorageClass::Function ||
             storage == spv::StorageClass::Private;
    }
    default:
      return false;
  }
}

// Types come before those that contain them: SPIR-V, "Logical Layout of a Module".
void MoveTypeBefore(Module& module, Id type, Instruction user) {
  for (Instruction at : module.section(Section::kGlobals)) {
    if (at.result_id() == type) return;
    if (at == user) break;
  }
  module.MoveBefore(module.Find(type), user);
}

}  // namespace

absl::Status CheckPushConstants(ModuleFacts& facts, uint32_t offset) {
  Module& module = facts.module();
  const std::vector<Instruction> variables = PushConstantVariables(module);
  if (variables.empty()) return absl::OkStatus();
  if (variables.size() > 1) return absl::FailedPreconditionError("the module has several blocks of push constants");
  const Id block = module.Find(variables[0].type_id()).id(1);
  const std::optional<uint32_t> extent = facts.layouts().ExtentOf(block);
  if (!extent || *extent > offset) {
    return absl::FailedPreconditionError("the module has push constants at the reserved offset");
  }
  const Uses uses(module);
  for (const Use& use : uses.Of(block)) {
    if (!AllowsOneMemberMore(use.user)) {
      return absl::FailedPreconditionError("the type of the push constants is used elsewhere");
    }
  }
  return absl::OkStatus();
}

PushConstantMember AddPushConstant(ModuleFacts& facts, uint32_t offset, Id type) {
  Module& module = facts.module();
  Globals globals = module.globals();
  const std::vector<Instruction> variables = PushConstantVariables(module);
  if (variables.empty()) {
    const Id block =
        globals.Type(spv::Op::OpTypeStruct, {type}, {{spv::Decoration::Block}, {spv::Decoration::Offset, 0, {offset}}});
    const Id pointer = globals.Pointer(spv::StorageClass::PushConstant, block);
    return {.variable = globals.AddVariable(pointer, spv::StorageClass::PushConstant), .index = 0};
  }
  const Instruction block = module.Find(module.Find(variables[0].type_id()).id(1));
  const auto index = static_cast<uint32_t>(block.operand_count());
  if (module.Find(type).op() == spv::Op::OpTypeVector) MoveTypeBefore(module, module.Find(type).id(0), block);
  MoveTypeBefore(module, type, block);
  module.AppendOperands(block, {type});
  DecorateMember(module, block.result_id(), index, spv::Decoration::Offset, {offset});
  return {.variable = variables[0].result_id(), .index = index};
}

}  // namespace assay::spirv_instrument
