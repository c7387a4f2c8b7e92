// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_INDICES_INVOCATION_VALUES_H_
#define ASSAY_CORE_SPIRV_INDICES_INVOCATION_VALUES_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "core/spirv/module_reader.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::core {

// An integer of at least 32 bits, in each invocation of a workgroup. Its low 32 bits are, modulo 2^32,
//
//   base + x * factors[0] + y * factors[1] + z * factors[2]
//
// where x, y and z are the invocation's LocalInvocationId.
struct InvocationValue {
  // The same in all invocations of the workgroup; nullopt if it is not known.
  std::optional<uint32_t> base;
  std::array<uint32_t, 3> factors = {};
  // The variable that makes it differ; Max if it is uniform.
  spv::BuiltIn source = spv::BuiltIn::Max;
};

// How the values of the invocations of a workgroup differ.
struct ValueSpread {
  uint32_t distinct = 0;
  // How many invocations have the value that most have.
  uint32_t most_equal = 0;
  // Of the value without its base, as a signed number.
  int64_t lowest = 0;
  int64_t highest = 0;
};
ValueSpread SpreadOf(const InvocationValue& value, const WorkgroupSize& size);

// What is known of the values that the instructions of an entry point compute. Give it, in order, the instructions
// that all invocations of a workgroup execute, from the first of the function on.
class InvocationValues {
 public:
  // `reader` must outlive this.
  InvocationValues(const ModuleReader& reader, const WorkgroupSize& size) : reader_(reader), size_(size) {}

  // For each component, or for the scalar, the value; nullopt where it is not known. Empty for what has no integers of
  // at least 32 bits.
  using Components = std::vector<std::optional<InvocationValue>>;
  Components Of(spirv_instrument::Id id) const;

  void Follow(spirv_instrument::Instruction instruction);

 private:
  // A component of a built-in variable, or all of the variable without a component.
  struct Place {
    spirv_instrument::Id variable;
    std::optional<uint32_t> component;
  };

  // 0 for what is no scalar or vector of integers of at least 32 bits.
  size_t ComponentCount(spirv_instrument::Id type) const;
  Components ConstantOf(spirv_instrument::Instruction constant) const;
  Components BuiltIn(spv::BuiltIn builtin) const;
  Components Load(spirv_instrument::Id pointer, size_t count) const;
  Components Evaluate(spirv_instrument::Instruction instruction, size_t count) const;
  void FollowPointers(spirv_instrument::Instruction instruction);

  const ModuleReader& reader_;
  const WorkgroupSize size_;
  absl::flat_hash_map<spirv_instrument::Id, Components> values_;
  // What variables that each invocation has for itself contain.
  absl::flat_hash_map<spirv_instrument::Id, Components> stored_;
  absl::flat_hash_map<spirv_instrument::Id, Place> places_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_INDICES_INVOCATION_VALUES_H_
