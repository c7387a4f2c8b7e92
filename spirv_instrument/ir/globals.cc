// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/globals.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/storage/global_index.h"

namespace assay::spirv_instrument {
namespace {

// The bits of a value of 16 bits. Rounds toward zero; too large values become infinite, too small ones zero.
uint32_t ToHalf(float value) {
  const auto bits = std::bit_cast<uint32_t>(value);
  const uint32_t sign = bits >> 16 & 0x8000;
  const uint32_t exponent = bits >> 23 & 0xff;
  const uint32_t fraction = bits >> 13 & 0x3ff;
  if (exponent == 0xff) return sign | 0x7c00 | ((bits & 0x7fffff) != 0 ? 0x200 : 0);
  if (exponent >= 127 + 16) return sign | 0x7c00;
  if (exponent <= 127 - 15) return sign;
  return sign | (exponent - 127 + 15) << 10 | fraction;
}

// How many of the first operands are types of parts.
size_t PartCount(Instruction type) {
  switch (type.op()) {
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray:
      return 1;
    case spv::Op::OpTypeStruct:
      return type.operand_count();
    default:
      return 0;
  }
}

}  // namespace

std::optional<Id> Globals::Find(spv::Op op, Id type, absl::Span<const Word> operands,
                                absl::Span<const DecorationOfType> decorations) {
  const Instruction found = module_->global_index().Find(op, type, operands, decorations);
  if (!found) return std::nullopt;
  return found.result_id();
}

Id Globals::FindOrAdd(spv::Op op, Id type, absl::Span<const Word> operands,
                      absl::Span<const DecorationOfType> decorations) {
  if (const std::optional<Id> found = Find(op, type, operands, decorations)) return *found;
  const Id result = module_->FreshId();
  module_->AddToSection(op, type, result, operands);
  for (const DecorationOfType& decoration : decorations) {
    const std::vector<Word> parameters(decoration.parameters.begin(), decoration.parameters.end());
    if (decoration.member) {
      DecorateMember(*module_, result, *decoration.member, decoration.decoration, parameters);
    } else {
      Decorate(*module_, result, decoration.decoration, parameters);
    }
  }
  return result;
}

Id Globals::FunctionType(Id result, absl::Span<const Id> parameters) {
  std::vector<Word> operands = {result};
  operands.insert(operands.end(), parameters.begin(), parameters.end());
  return Type(spv::Op::OpTypeFunction, operands);
}

Id Globals::Uint64(uint64_t value) {
  return Constant(Int(64, false), {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
}

Id Globals::BoolConstant(bool value) {
  return FindOrAdd(value ? spv::Op::OpConstantTrue : spv::Op::OpConstantFalse, Bool(), {});
}

Id Globals::Integer(Id type, uint64_t value) {
  const Instruction definition = module_->Find(type);
  if (definition.op() != spv::Op::OpTypeInt) return kNoId;
  const uint32_t width = definition.literal(0);
  if (width == 0 || width > 64) return kNoId;
  if (width > 32) return Constant(type, {static_cast<uint32_t>(value), static_cast<uint32_t>(value >> 32)});
  auto word = static_cast<uint32_t>(value);
  if (width < 32) {
    // A narrow literal is extended to a word, by its sign if it has one: SPIR-V, "Literal".
    const uint32_t sign = 1u << (width - 1);
    word &= (1u << width) - 1;
    if (definition.literal(1) != 0 && (word & sign) != 0) word |= ~0u << width;
  }
  return Constant(type, {word});
}

Id Globals::FloatConstant(Id type, double value) {
  const Instruction definition = module_->Find(type);
  if (definition.op() != spv::Op::OpTypeFloat || definition.operand_count() > 1) return kNoId;
  switch (definition.literal(0)) {
    case 16:
      return Constant(type, {ToHalf(static_cast<float>(value))});
    case 32:
      return Constant(type, {std::bit_cast<uint32_t>(static_cast<float>(value))});
    case 64: {
      const auto bits = std::bit_cast<uint64_t>(value);
      return Constant(type, {static_cast<uint32_t>(bits), static_cast<uint32_t>(bits >> 32)});
    }
    default:
      return kNoId;
  }
}

Id Globals::Composite(Id type, absl::Span<const Id> parts) {
  const std::vector<Word> operands(parts.begin(), parts.end());
  return FindOrAdd(spv::Op::OpConstantComposite, type, operands);
}

bool Globals::IsNullable(Id type) const {
  return HoldsForAllParts(*module_, type, [](Instruction part) {
    switch (part.op()) {
      case spv::Op::OpTypeBool:
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeArray:
      case spv::Op::OpTypeStruct:
      case spv::Op::OpTypeCooperativeMatrixKHR:
      case spv::Op::OpTypeCooperativeMatrixNV:
      case spv::Op::OpTypeCooperativeVectorNV:
        return true;
      case spv::Op::OpTypePointer:
      case spv::Op::OpTypeUntypedPointerKHR:
        return part.enumerant<spv::StorageClass>(0) != spv::StorageClass::PhysicalStorageBuffer;
      default:
        return false;
    }
  });
}

Id Globals::AddVariable(Id pointer_type, spv::StorageClass storage, Id initializer) {
  const Id result = module_->FreshId();
  std::vector<Word> operands = {storage};
  if (initializer != kNoId) operands.push_back(initializer);
  module_->AddToSection(spv::Op::OpVariable, pointer_type, result, operands);
  return result;
}

bool HoldsForAllParts(const Module& module, Id type, absl::FunctionRef<bool(Instruction)> holds) {
  const Instruction whole = module.Find(type);
  if (!holds(whole)) return false;
  if (PartCount(whole) == 0) return true;
  // Most often, and without memory.
  if (whole.op() == spv::Op::OpTypeVector) return holds(module.Find(whole.id(0)));
  std::vector<Instruction> pending = {whole};
  absl::flat_hash_set<uint32_t> seen = {ToNumber(type)};
  while (!pending.empty()) {
    const Instruction composite = pending.back();
    pending.pop_back();
    for (size_t i = 0; i < PartCount(composite); ++i) {
      if (!seen.insert(composite.literal(i)).second) continue;
      const Instruction part = module.Find(composite.id(i));
      if (!holds(part)) return false;
      pending.push_back(part);
    }
  }
  return true;
}

}  // namespace assay::spirv_instrument
