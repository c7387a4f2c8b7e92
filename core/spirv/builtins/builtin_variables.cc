// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/builtins/builtin_variables.h"

#include <cstddef>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/grammar/grammar.h"

namespace assay::core {

using spirv_instrument::Decoration;
using spirv_instrument::Decorations;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using vk::BuiltInScalar;

namespace {

bool IsArray(Instruction type) { return type.op() == spv::Op::OpTypeArray || type.op() == spv::Op::OpTypeRuntimeArray; }

// The type of the parts of a type, if it is declared before; an invalid module may have a type that contains itself.
Instruction PartsOf(const Module& module, Instruction type) {
  const Instruction part = module.Find(type.id(0));
  return part.index() < type.index() ? part : Instruction();
}

std::optional<uint32_t> SizeOf(const Module& module, Instruction array) {
  const Instruction size = array.op() == spv::Op::OpTypeArray ? module.Find(array.id(1)) : Instruction();
  return size.op() == spv::Op::OpConstant ? std::optional(size.literal(0)) : std::nullopt;
}

// The operand of a vector or a matrix that names its parts, if it has that many.
Instruction PartOf(const Module& module, Instruction type, spv::Op op, uint32_t count) {
  if (count == 1) return type;
  return type.op() == op && type.literal(1) == count ? PartsOf(module, type) : Instruction();
}

bool IsScalar(Instruction type, const vk::BuiltInType& wanted) {
  switch (type.op()) {
    case spv::Op::OpTypeBool:
      return wanted.scalar == BuiltInScalar::kBool;
    case spv::Op::OpTypeInt:
      return wanted.scalar == BuiltInScalar::kInt && (wanted.width == 0 || type.literal(0) == wanted.width);
    case spv::Op::OpTypeFloat:
      return wanted.scalar == BuiltInScalar::kFloat && (wanted.width == 0 || type.literal(0) == wanted.width);
    default:
      return false;
  }
}

}  // namespace

Id VariableType(const Module& module, Instruction variable) { return module.Find(variable.type_id()).id(1); }

ArrayType WithoutArrays(const Module& module, Id type) {
  ArrayType result = {.sizes = {}, .element = type};
  for (Instruction at = module.Find(type); IsArray(at); at = PartsOf(module, at)) {
    result.sizes.push_back(SizeOf(module, at));
    result.element = at.id(0);
  }
  return result;
}

std::vector<BuiltInVariable> BuiltInsOf(const Module& module, const Decorations& decorations, Instruction variable) {
  std::vector<BuiltInVariable> found;
  const Id type = VariableType(module, variable);
  if (const auto own = decorations.Find(variable.result_id(), spv::Decoration::BuiltIn)) {
    found.push_back({.built_in = spv::BuiltIn{own->parameter(0)}, .variable = variable, .type = type});
    return found;
  }
  const Id block = WithoutArrays(module, type).element;
  const Instruction structure = module.Find(block);
  if (structure.op() != spv::Op::OpTypeStruct) return found;
  decorations.ForEach(block, [&](const Decoration& decoration) {
    if (decoration.decoration != spv::Decoration::BuiltIn || !decoration.member) return;
    found.push_back({.built_in = spv::BuiltIn{decoration.parameter(0)},
                     .variable = variable,
                     .block = block,
                     .member = decoration.member,
                     .type = structure.id(*decoration.member)});
  });
  return found;
}

bool Matches(const Module& module, Id type, const vk::BuiltInType& wanted, bool has_more_arrays) {
  const ArrayType arrays = WithoutArrays(module, type);
  const size_t depth = arrays.sizes.size();
  if (depth < wanted.arrays || (depth > wanted.arrays && !has_more_arrays)) return false;
  if (wanted.size != 0 && arrays.sizes.back().value_or(wanted.size) != wanted.size) return false;
  const Instruction column = PartOf(module, module.Find(arrays.element), spv::Op::OpTypeMatrix, wanted.columns);
  return IsScalar(PartOf(module, column, spv::Op::OpTypeVector, wanted.components), wanted);
}

std::string TypeText(const Module& module, Id type) {
  const Instruction at = module.Find(type);
  switch (at.op()) {
    case spv::Op::OpTypeArray:
    case spv::Op::OpTypeRuntimeArray: {
      const std::optional<uint32_t> size = SizeOf(module, at);
      return absl::StrCat("array of ", size ? absl::StrCat(*size, " x ") : "",
                          TypeText(module, PartsOf(module, at).result_id()));
    }
    case spv::Op::OpTypeVector:
    case spv::Op::OpTypeMatrix:
      return absl::StrCat(at.op() == spv::Op::OpTypeVector ? "vector of " : "matrix of ", at.literal(1), " x ",
                          TypeText(module, PartsOf(module, at).result_id()));
    case spv::Op::OpTypeInt:
    case spv::Op::OpTypeFloat:
      return absl::StrCat(at.literal(0), "-bit ", at.op() == spv::Op::OpTypeInt ? "integer" : "floating-point number");
    case spv::Op::OpTypeBool:
      return "boolean";
    default:
      return std::string(spirv_instrument::NameOf(at.op()));
  }
}

}  // namespace assay::core
