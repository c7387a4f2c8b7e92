// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/globals.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_set.h"
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
  const spv::Op op = module_->Find(type).op();
  if (op == spv::Op::OpTypeInt || op == spv::Op::OpTypeFloat || op == spv::Op::OpTypeVector) return true;
  std::vector<Id> pending = {type};
  absl::flat_hash_set<uint32_t> seen = {ToNumber(type)};
  while (!pending.empty()) {
    const Instruction definition = module_->Find(pending.back());
    pending.pop_back();
    size_t part_count = 0;
    switch (definition.op()) {
      case spv::Op::OpTypeBool:
      case spv::Op::OpTypeInt:
      case spv::Op::OpTypeFloat:
      case spv::Op::OpTypeVector:
      case spv::Op::OpTypeMatrix:
      case spv::Op::OpTypeCooperativeMatrixKHR:
      case spv::Op::OpTypeCooperativeMatrixNV:
      case spv::Op::OpTypeCooperativeVectorNV:
        break;
      case spv::Op::OpTypePointer:
      case spv::Op::OpTypeUntypedPointerKHR:
        if (definition.enumerant<spv::StorageClass>(0) == spv::StorageClass::PhysicalStorageBuffer) return false;
        break;
      case spv::Op::OpTypeArray:
        part_count = 1;
        break;
      case spv::Op::OpTypeStruct:
        part_count = definition.operand_count();
        break;
      default:
        return false;
    }
    for (size_t part = 0; part < part_count; ++part) {
      if (seen.insert(definition.literal(part)).second) pending.push_back(definition.id(part));
    }
  }
  return true;
}

Id Globals::AddVariable(Id pointer_type, spv::StorageClass storage, Id initializer) {
  const Id result = module_->FreshId();
  std::vector<Word> operands = {storage};
  if (initializer != kNoId) operands.push_back(initializer);
  module_->AddToSection(spv::Op::OpVariable, pointer_type, result, operands);
  return result;
}

}  // namespace assay::spirv_instrument
