// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_VARIABLES_H_
#define ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_VARIABLES_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "vk/spirv/builtin_rule_info.h"

// Where a module has built-ins, and the types that it gives them.
namespace assay::core {

// A variable that has a built-in, or whose Block has it as a member.
struct BuiltInVariable {
  spv::BuiltIn built_in;
  // OpVariable.
  spirv_instrument::Instruction variable;
  // Of a member: the structure, and the member.
  spirv_instrument::Id block = spirv_instrument::kNoId;
  std::optional<uint32_t> member = std::nullopt;
  // Of the variable, or of the member.
  spirv_instrument::Id type = spirv_instrument::kNoId;

  spv::StorageClass storage() const { return variable.enumerant<spv::StorageClass>(0); }
};

// A type without its arrays.
struct ArrayType {
  // How many dimensions of arrays it has, and the numbers of their elements, outer ones first. A number that only a
  // specialization tells, or nobody, is nothing.
  std::vector<std::optional<uint32_t>> sizes;
  spirv_instrument::Id element = spirv_instrument::kNoId;
};

// The built-ins of an OpVariable.
std::vector<BuiltInVariable> BuiltInsOf(const spirv_instrument::Module& module,
                                        const spirv_instrument::Decorations& decorations,
                                        spirv_instrument::Instruction variable);

// The type that the variable points to.
spirv_instrument::Id VariableType(const spirv_instrument::Module& module, spirv_instrument::Instruction variable);
ArrayType WithoutArrays(const spirv_instrument::Module& module, spirv_instrument::Id type);

// Whether `type` is what the row wants. With `has_more_arrays`, it may be an array of that, and so on.
bool Matches(const spirv_instrument::Module& module, spirv_instrument::Id type, const vk::BuiltInType& wanted,
             bool has_more_arrays);

// "array of 3 x vector of 4 x 32-bit integer".
std::string TypeText(const spirv_instrument::Module& module, spirv_instrument::Id type);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_BUILTINS_BUILTIN_VARIABLES_H_
