// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SPIRV_BUILTIN_RULE_INFO_H_
#define ASSAY_VK_SPIRV_BUILTIN_RULE_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "spirv/unified1/spirv.hpp11"
#include "vk/vuid.h"

// The rules of built-in variables ("Built-In Variables"), one row for each sentence that
// registry/spirv/builtin_rules.py understands. Rows are data; //core/spirv/builtins checks them.
namespace assay::vk {

// What a variable that is decorated with the built-in must do. "Of the row's models" is: for entry points of these
// models. `models` is empty for all of them.
enum class BuiltInRuleKind : uint8_t {
  // Only entry points of `models` use it.
  kModels,
  // It is declared in one of `operands`, which are storage classes.
  kStorageClasses,
  // It is declared as `type`, in all models but `models` if `excludes_models`.
  kType,
  // It is a member of a Block that has `type`, or an array of `type`.
  kPrimitiveType,
  // It has the decoration operands[0].
  kDecoration,
  // An entry point that uses it has the execution mode operands[0].
  kExecutionMode,
  // A module that has it declares one of `operands`, which are capabilities.
  kCapabilities,
  // It decorates a constant.
  kConstant,
  // An array has operands[0] elements for each primitive of OutputPrimitivesEXT, if the entry point has the execution
  // mode operands[1], where there is one.
  kPrimitiveCount,
  // If it is a member of a Block, the array of Blocks has an element for each primitive of OutputPrimitivesEXT.
  kPrimitiveCountOfBlock,
  // An array has at most operands[0] elements.
  kMostElements,
  // The array is indexed by constants alone.
  kConstantIndex,
  // The interface of an entry point has it once.
  kOnlyOne,
};

enum class BuiltInScalar : uint8_t { kNone, kBool, kInt, kFloat };

// Arrays of arrays ... of matrices, vectors or scalars.
struct BuiltInType {
  BuiltInScalar scalar;
  // In bits; 0 for any.
  uint8_t width;
  // 1 of a scalar.
  uint8_t components;
  // 1 if it is no matrix.
  uint8_t columns;
  // How many dimensions of arrays; and the number of elements of the only one, or 0 for any.
  uint8_t arrays;
  uint8_t size;
};

struct BuiltInRule {
  VuidIndex vuid;
  spv::BuiltIn built_in;
  BuiltInRuleKind kind;
  // Whether SPIRV-Tools' validator reports the id, or that of the built-in's other name.
  bool by_spirv_tools;
  bool excludes_models;
  std::span<const spv::ExecutionModel> models;
  std::span<const uint32_t> operands;
  BuiltInType type;
  // Of a built-in that two extensions have, under two names with an id each: the one that has the name of the id, as
  // modules declare it. Empty for others.
  std::string_view extension;

  bool AppliesTo(spv::ExecutionModel model) const;
};

// Rows of a built-in are neighbours.
std::span<const BuiltInRule> BuiltInRules();
// Those of one built-in; empty for one without rows.
std::span<const BuiltInRule> BuiltInRulesOf(spv::BuiltIn built_in);

}  // namespace assay::vk

#endif  // ASSAY_VK_SPIRV_BUILTIN_RULE_INFO_H_
