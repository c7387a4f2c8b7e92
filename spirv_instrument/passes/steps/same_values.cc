// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/steps/same_values.h"

#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/hash/hash.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

// How many computations with one hash are compared.
constexpr int kMostCandidates = 4;

bool IsPure(spv::Op op) {
  switch (op) {
    case spv::Op::OpAccessChain:
    case spv::Op::OpInBoundsAccessChain:
    case spv::Op::OpCompositeConstruct:
    case spv::Op::OpCompositeExtract:
    case spv::Op::OpUConvert:
    case spv::Op::OpSConvert:
    case spv::Op::OpBitcast:
    case spv::Op::OpConvertUToPtr:
    case spv::Op::OpConvertPtrToU:
    case spv::Op::OpSNegate:
    case spv::Op::OpNot:
    case spv::Op::OpIAdd:
    case spv::Op::OpISub:
    case spv::Op::OpIMul:
    case spv::Op::OpUDiv:
    case spv::Op::OpSDiv:
    case spv::Op::OpUMod:
    case spv::Op::OpSRem:
    case spv::Op::OpSMod:
    case spv::Op::OpShiftRightLogical:
    case spv::Op::OpShiftRightArithmetic:
    case spv::Op::OpShiftLeftLogical:
    case spv::Op::OpBitwiseOr:
    case spv::Op::OpBitwiseXor:
    case spv::Op::OpBitwiseAnd:
    case spv::Op::OpSelect:
      return true;
    default:
      return false;
  }
}

// Whether an operand, counted from the first behind the result, is an id.
bool IsIdOperand(spv::Op op, size_t operand) { return op != spv::Op::OpCompositeExtract || operand == 0; }

// Inputs that stay what they are while a shader runs.
bool IsFixed(spv::BuiltIn built_in) {
  switch (built_in) {
    case spv::BuiltIn::GlobalInvocationId:
    case spv::BuiltIn::LocalInvocationId:
    case spv::BuiltIn::LocalInvocationIndex:
    case spv::BuiltIn::WorkgroupId:
    case spv::BuiltIn::NumWorkgroups:
    case spv::BuiltIn::VertexIndex:
    case spv::BuiltIn::InstanceIndex:
    case spv::BuiltIn::PrimitiveId:
    case spv::BuiltIn::InvocationId:
    case spv::BuiltIn::DrawIndex:
    case spv::BuiltIn::ViewIndex:
    case spv::BuiltIn::FragCoord:
    case spv::BuiltIn::Layer:
    case spv::BuiltIn::LaunchIdKHR:
    case spv::BuiltIn::LaunchSizeKHR:
      return true;
    default:
      return false;
  }
}

}  // namespace

void SameValues::Add(const ControlFlowGraph& graph, const DominatorTree& dominators) {
  dominators_ = &dominators;
  variables_.clear();
  computations_.clear();
  latest_.clear();
  FindVariables(graph);
  for (uint32_t block : graph.reverse_post_order()) {
    for (Instruction instruction : graph.block(block).instructions()) Walk(instruction, block);
  }
}

void SameValues::FindVariables(const ControlFlowGraph& graph) {
  for (uint32_t block = 0; block < graph.size(); ++block) {
    for (Instruction instruction : graph.block(block).instructions()) {
      if (instruction.op() == spv::Op::OpVariable) {
        variables_.push_back({.stores = instruction.operand_count() > 1 ? 1u : 0u, .stored = instruction.id(1)});
        indices_[instruction.result_id()] = static_cast<uint32_t>(variables_.size());
      } else {
        NoteUses(instruction);
      }
    }
  }
}

void SameValues::NoteUses(Instruction instruction) {
  if (variables_.empty() || instruction.op() == spv::Op::OpLoad) return;
  if (instruction.op() == spv::Op::OpExtInst &&
      absl::StartsWith(ExtendedSetName(module_, instruction.id(0)), "NonSemantic.")) {
    return;
  }
  const bool is_store = instruction.op() == spv::Op::OpStore;
  ForEachId(module_, instruction, [&](uint32_t word, Id id) {
    const uint32_t index = indices_.Get(id);
    if (index == 0 || index > variables_.size()) return;
    if (is_store && word == 1) {
      ++variables_[index - 1].stores;
    } else {
      variables_[index - 1].is_other_use = true;
    }
  });
}

SameValues::Variable* SameValues::FindVariable(Id pointer) {
  const uint32_t index = indices_.Get(pointer);
  // An invalid module may name a variable of another function.
  if (index == 0 || index > variables_.size() || variables_[index - 1].is_other_use) return nullptr;
  return &variables_[index - 1];
}

void SameValues::Walk(Instruction instruction, uint32_t block) {
  if (instruction.op() == spv::Op::OpStore) {
    WalkStore(instruction, block);
  } else if (instruction.op() == spv::Op::OpLoad && indices_.Get(instruction.id(0)) != 0) {
    WalkLoad(instruction, block);
  } else if (instruction.op() == spv::Op::OpCopyObject) {
    SetValue(instruction, Find(instruction.id(0)));
  } else if (IsComputation(instruction)) {
    WalkComputation(instruction, block);
  }
}

void SameValues::WalkStore(Instruction store, uint32_t block) {
  Variable* variable = FindVariable(store.id(0));
  if (variable == nullptr) return;
  variable->current = Find(store.id(1));
  variable->current_block = block;
  if (variable->stores != 1) return;
  variable->stored = variable->current;
  variable->store_block = block;
}

void SameValues::WalkLoad(Instruction load, uint32_t block) {
  Variable* variable = FindVariable(load.id(0));
  if (variable == nullptr || load.operand_count() > 1) return;
  if (variable->current_block == block) {
    SetValue(load, variable->current);
  } else if (variable->stores == 1 && variable->stored != kNoId &&
             dominators_->Dominates(variable->store_block, block)) {
    SetValue(load, variable->stored);
  } else {
    variable->current = load.result_id();
    variable->current_block = block;
  }
}

// In an invalid module, what is copied or stored may be of another type.
void SameValues::SetValue(Instruction instruction, Id value) {
  if (module_.Find(value).type_id() == instruction.type_id()) values_[instruction.result_id()] = value;
}

bool SameValues::IsComputation(Instruction instruction) const {
  return IsPure(instruction.op()) || (instruction.op() == spv::Op::OpLoad && IsConstantMemory(instruction));
}

// Memory that no invocation writes.
bool SameValues::IsConstantMemory(Instruction load) const {
  if (load.operand_count() > 1) return false;
  Instruction root = module_.Find(load.id(0));
  // Longer chains of chains are rare.
  for (int i = 0; i < kMostCandidates; ++i) {
    if (root.op() != spv::Op::OpAccessChain && root.op() != spv::Op::OpInBoundsAccessChain) break;
    root = module_.Find(root.id(0));
  }
  if (root.op() != spv::Op::OpVariable) return false;
  const Decorations& decorations = module_.decorations();
  switch (root.enumerant<spv::StorageClass>(0)) {
    case spv::StorageClass::PushConstant:
      return true;
    case spv::StorageClass::Uniform: {
      const Instruction block = module_.Find(module_.Find(root.type_id()).id(1));
      return block.op() == spv::Op::OpTypeStruct && !decorations.Has(block.result_id(), spv::Decoration::BufferBlock);
    }
    case spv::StorageClass::Input: {
      const std::optional<Decoration> built_in = decorations.Find(root.result_id(), spv::Decoration::BuiltIn);
      const bool is_block = module_.Find(module_.Find(root.type_id()).id(1)).op() == spv::Op::OpTypeStruct;
      return built_in ? IsFixed(static_cast<spv::BuiltIn>(built_in->parameter(0))) : !is_block;
    }
    default:
      return false;
  }
}

void SameValues::WalkComputation(Instruction instruction, uint32_t block) {
  const size_t hash = Hash(instruction);
  const auto [place, is_new] = latest_.try_emplace(hash, 0);
  uint32_t at = is_new ? 0 : place->second;
  for (int i = 0; i < kMostCandidates && at != 0; ++i, at = computations_[at - 1].previous) {
    const Computation& candidate = computations_[at - 1];
    if (!dominators_->Dominates(candidate.block, block) || !IsSameComputation(candidate.instruction, instruction)) {
      continue;
    }
    values_[instruction.result_id()] = candidate.instruction.result_id();
    return;
  }
  computations_.push_back({instruction, block, is_new ? 0 : place->second});
  place->second = static_cast<uint32_t>(computations_.size());
}

bool SameValues::IsSameComputation(Instruction a, Instruction b) const {
  if (a.op() != b.op() || a.type_id() != b.type_id() || a.operand_count() != b.operand_count()) return false;
  for (size_t i = 0; i < a.operand_count(); ++i) {
    const bool is_same = IsIdOperand(a.op(), i) ? Find(a.id(i)) == Find(b.id(i)) : a.literal(i) == b.literal(i);
    if (!is_same) return false;
  }
  // Less precision may give another value. A load by a pointer without the mark NonUniform gives a value without it.
  const Decorations& decorations = module_.decorations();
  const bool is_chain = a.op() == spv::Op::OpAccessChain || a.op() == spv::Op::OpInBoundsAccessChain;
  const auto decoration = is_chain ? spv::Decoration::NonUniform : spv::Decoration::RelaxedPrecision;
  return decorations.Has(a.result_id(), decoration) == decorations.Has(b.result_id(), decoration);
}

size_t SameValues::Hash(Instruction instruction) const {
  size_t hash = absl::HashOf(static_cast<uint32_t>(instruction.op()), ToNumber(instruction.type_id()));
  for (size_t i = 0; i < instruction.operand_count(); ++i) {
    const uint32_t word = IsIdOperand(instruction.op(), i) ? ToNumber(Find(instruction.id(i))) : instruction.literal(i);
    hash = absl::HashOf(hash, word);
  }
  return hash;
}

}  // namespace assay::spirv_instrument
