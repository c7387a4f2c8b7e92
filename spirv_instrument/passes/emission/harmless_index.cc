// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/emission/harmless_index.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/passes/frame/memory_access.h"

namespace assay::spirv_instrument {
namespace {

// Longer chains of chains are left as they are.
constexpr size_t kMostChains = 16;

bool IsAccessChain(spv::Op op) { return op == spv::Op::OpAccessChain || op == spv::Op::OpInBoundsAccessChain; }

// The chains from a variable to the pointer, the first one first; empty if there is something else between.
absl::InlinedVector<Instruction, 4> FindChains(const Module& module, Id pointer) {
  absl::InlinedVector<Instruction, 4> chains;
  Instruction at = module.Find(pointer);
  for (; IsAccessChain(at.op()) && chains.size() < kMostChains; at = module.Find(at.id(0))) chains.push_back(at);
  if (at.op() != spv::Op::OpVariable) return {};
  std::reverse(chains.begin(), chains.end());
  return chains;
}

// The type of what a buffer variable holds, which may be an array of blocks; invalid for other variables.
Instruction BlocksOf(const Module& module, Instruction variable) {
  const auto storage = variable.enumerant<spv::StorageClass>(0);
  if (storage != spv::StorageClass::Uniform && storage != spv::StorageClass::StorageBuffer) return {};
  return module.Find(module.Find(variable.type_id()).id(1));
}

bool IsArray(Instruction type) { return type.op() == spv::Op::OpTypeArray || type.op() == spv::Op::OpTypeRuntimeArray; }

// The value of a constant that cannot be specialized.
std::optional<uint64_t> ValueOf(Instruction constant) {
  if (constant.op() == spv::Op::OpConstantNull) return 0;
  if (constant.op() != spv::Op::OpConstant) return std::nullopt;
  return constant.literal64(0);
}

// Whether a constant index is within an array of constant length.
bool IsWithin(const Module& module, Id index, Instruction array) {
  if (array.op() != spv::Op::OpTypeArray) return false;
  const std::optional<uint64_t> value = ValueOf(module.Find(index));
  const std::optional<uint64_t> length = ValueOf(module.Find(array.id(1)));
  return value && length && *value < *length;
}

// The index, or zero. kNoId for a constant that is good whatever the condition is.
//
// Not OpSelect of the two: behind the branch a compiler knows the condition, and Mesa's makes the index of it that was
// there before, though it is the driver that executes both sides. Of the least of the index and a bound it does not.
Id EmitHarmless(Id index, Instruction array, Id condition, Builder& builder) {
  Module& module = builder.module();
  if (IsWithin(module, index, array)) return kNoId;
  const Id type = module.Find(index).type_id();
  const Id zero = module.globals().Null(type);
  const Id all_ones = builder.Add(spv::Op::OpNot, type, {zero});
  const Id bound = builder.Add(spv::Op::OpSelect, type, {condition, all_ones, zero});
  const Id is_less = builder.Binary(spv::Op::OpULessThan, module.globals().Bool(), index, bound);
  const Id result = builder.Add(spv::Op::OpSelect, type, {is_less, index, bound});
  CopyDecorations(module, index, result);
  return result;
}

// The pointer of an access by way of the same chains with other indices; kNoId if nothing needs to be changed.
Id EmitPointer(Id pointer, Id condition, Builder& builder) {
  Module& module = builder.module();
  const absl::InlinedVector<Instruction, 4> chains = FindChains(module, pointer);
  if (chains.empty()) return kNoId;
  Instruction type = BlocksOf(module, module.Find(chains[0].id(0)));
  bool is_changed = false;
  Id base = chains[0].id(0);
  for (Instruction chain : chains) {
    absl::InlinedVector<Word, 8> operands = {base};
    for (size_t i = 1; i < chain.operand_count(); ++i) {
      const bool is_array = IsArray(type);
      const Id harmless = is_array ? EmitHarmless(chain.id(i), type, condition, builder) : kNoId;
      type = is_array ? module.Find(type.id(0)) : Instruction();
      is_changed = is_changed || harmless != kNoId;
      operands.push_back(harmless == kNoId ? chain.id(i) : harmless);
    }
    if (!is_changed && !IsArray(type)) return kNoId;
    base = builder.Add(chain.op(), chain.type_id(), operands);
    CopyDecorations(module, chain.result_id(), base);
  }
  return is_changed ? base : kNoId;
}

}  // namespace

void MakeIndexHarmless(Module& module, Instruction access, Id condition) {
  const absl::Span<const spv::Op> accesses = MemoryAccessOpcodes();
  absl::InlinedVector<MemoryAccess, 2> pointers;
  if (access.op() == spv::Op::OpArrayLength) {
    pointers.push_back({.pointer = access.id(0)});
  } else if (std::find(accesses.begin(), accesses.end(), access.op()) != accesses.end()) {
    pointers = MemoryAccessesOf(access);
  }
  Builder builder = Builder::Before(module, access);
  for (const MemoryAccess& pointer : pointers) {
    const Id harmless = EmitPointer(pointer.pointer, condition, builder);
    if (harmless != kNoId) module.SetOperand(access, pointer.operand, harmless);
  }
}

}  // namespace assay::spirv_instrument
