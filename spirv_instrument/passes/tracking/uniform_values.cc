// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/tracking/uniform_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

constexpr int kMaxValues = 64;

bool IsChain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

bool IsOwn(spv::StorageClass storage) {
  return storage == spv::StorageClass::Function || storage == spv::StorageClass::Private;
}

// Memory that all invocations of a workgroup see.
bool IsShared(spv::StorageClass storage) {
  switch (storage) {
    case spv::StorageClass::Uniform:
    case spv::StorageClass::StorageBuffer:
    case spv::StorageClass::PushConstant:
    case spv::StorageClass::Workgroup:
    case spv::StorageClass::TaskPayloadWorkgroupEXT:
      return true;
    default:
      return false;
  }
}

bool IsUniformBuiltIn(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::WorkgroupSize:
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::DrawIndex:
      return true;
    default:
      return false;
  }
}

// Computes its result of its operands alone, which are all ids.
bool IsArithmetic(spv::Op op) {
  switch (op) {
    case spv::Op::OpCopyObject:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpConvertFToU:
    case spv::Op::OpConvertFToS:
    case spv::Op::OpConvertSToF:
    case spv::Op::OpConvertUToF:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpFConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpSNegate:
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpFAdd:
    case spv::Op::OpFSub:
    case spv::Op::OpFMul:
    case spv::Op::OpFDiv:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpNot:
    case spv::Op::OpBitFieldSExtract:
    case spv::Op::OpBitFieldUExtract:
    case spv::Op::OpBitCount:
    case spv::Op::OpSelect:
    case spv::Op::OpIEqual:
    case spv::Op::OpINotEqual:
    case spv::Op::OpUGreaterThan:
    case spv::Op::OpSGreaterThan:
    case spv::Op::OpUGreaterThanEqual:
    case spv::Op::OpSGreaterThanEqual:
    case spv::Op::OpULessThan:
    case spv::Op::OpSLessThan:
    case spv::Op::OpULessThanEqual:
    case spv::Op::OpSLessThanEqual:
    case spv::Op::OpLogicalOr:
    case spv::Op::OpLogicalAnd:
    case spv::Op::OpLogicalNot:
      return true;
    default:
      return false;
  }
}

}  // namespace

UniformValues::UniformValues(Module& module) : module_(module) {
  for (const EntryPoint& entry_point : EntryPoints(module)) entry_points_.insert(entry_point.function());
  for (Function function : module.functions()) {
    for (Instruction instruction : function.instructions()) NoteUses(instruction);
  }
}

void UniformValues::NoteUses(Instruction instruction) {
  if (instruction.op() == spv::Op::OpLoad) return;
  if (instruction.op() == spv::Op::OpVariable) {
    // An initializer is a store like another.
    if (instruction.operand_count() > 1) stores_[instruction.result_id()] = {.value = instruction.id(1)};
    return;
  }
  ForEachId(module_, instruction, [&](uint32_t, Id id) {
    const Instruction variable = module_.Find(id);
    if (variable.op() != spv::Op::OpVariable || !IsOwn(variable.enumerant<spv::StorageClass>(0))) return;
    Store& store = stores_[id];
    const bool is_store = instruction.op() == spv::Op::OpStore && instruction.id(0) == id;
    // A store elsewhere may not be executed by all, nor one in a function that some do not call. Chains are stored to,
    // and calls may do anything.
    const bool is_called_by_all = variable.enumerant<spv::StorageClass>(0) == spv::StorageClass::Function ||
                                  entry_points_.contains(instruction.function().id());
    const bool is_first = is_called_by_all && instruction.block() == instruction.function().entry();
    const bool has_initializer = variable.operand_count() > 1;
    if (!is_store || !is_first || has_initializer || store.value != kNoId) store.is_only_one = false;
    if (is_store) store.value = instruction.id(1);
  });
}

bool UniformValues::IsUniform(Id value) const {
  int budget = kMaxValues;
  return Search(value, budget);
}

bool UniformValues::AreOperandsUniform(Instruction instruction, size_t first, size_t end, int& budget) const {
  for (size_t i = first; i < end; ++i) {
    if (!Search(instruction.id(i), budget)) return false;
  }
  return true;
}

bool UniformValues::Search(Id value, int& budget) const {
  if (--budget < 0) return false;
  const Instruction at = module_.Find(value);
  if (IsConstant(at.op())) return true;
  if (IsArithmetic(at.op())) return AreOperandsUniform(at, 0, at.operand_count(), budget);
  switch (at.op()) {
    case spv::Op::OpLoad:
      return IsLoadUniform(at, budget);
    case spv::Op::OpCompositeExtract:
      return Search(at.id(0), budget);
    case spv::Op::OpVectorShuffle:
      return AreOperandsUniform(at, 0, 2, budget);
    case spv::Op::OpExtInst:
      return ExtendedSetName(module_, at.id(0)) == "GLSL.std.450" &&
             AreOperandsUniform(at, 2, at.operand_count(), budget);
    default:
      return false;
  }
}

bool UniformValues::IsLoadUniform(Instruction load, int& budget) const {
  Instruction pointer = module_.Find(load.id(0));
  const bool is_whole = pointer.op() == spv::Op::OpVariable;
  while (IsChain(pointer.op())) {
    if (--budget < 0 || !AreOperandsUniform(pointer, 1, pointer.operand_count(), budget)) return false;
    pointer = module_.Find(pointer.id(0));
  }
  if (pointer.op() != spv::Op::OpVariable) return false;
  const auto storage = pointer.enumerant<spv::StorageClass>(0);
  if (IsShared(storage)) return true;
  if (storage == spv::StorageClass::Input) {
    const std::optional<Decoration> built_in =
        module_.decorations().Find(pointer.result_id(), spv::Decoration::BuiltIn);
    return built_in && IsUniformBuiltIn(static_cast<spv::BuiltIn>(built_in->parameter(0)));
  }
  const auto store = stores_.find(pointer.result_id());
  return is_whole && IsOwn(storage) && store != stores_.end() && store->second.is_only_one &&
         Search(store->second.value, budget);
}

}  // namespace assay::spirv_instrument
