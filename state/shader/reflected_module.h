// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_SHADER_REFLECTED_MODULE_H_
#define ASSAY_STATE_SHADER_REFLECTED_MODULE_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/constants/constant_values.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::state {

// A SPIR-V module with what a reflection asks of it: decorations, the values of constants, global variables. It is made
// for one reflection. The module may break any rule of SPIR-V that Module::Read does not check; an id without
// definition then has no type, decoration or value.
class ReflectedModule {
 public:
  // `module` must outlive this.
  ReflectedModule(const spirv_instrument::Module& module,
                  absl::Span<const spirv_instrument::Specialization> specialization);
  ReflectedModule(const ReflectedModule&) = delete;
  ReflectedModule& operator=(const ReflectedModule&) = delete;

  const spirv_instrument::Module& module() const { return module_; }
  const spirv_instrument::Decorations& decorations() const { return decorations_; }
  // With the values of specialization constants.
  spirv_instrument::ConstantValues& constants() { return constants_; }
  // In order, those without accesses too.
  absl::Span<const spirv_instrument::Instruction> global_variables() const { return global_variables_; }

  spirv_instrument::Instruction Find(spirv_instrument::Id id) const { return module_.Find(id); }
  // The low word of ConstantValues::Of().
  std::optional<uint32_t> EvaluateConstant(spirv_instrument::Id id);
  // The first word after the decoration, 0 if it has none. nullopt if the id does not have the decoration.
  std::optional<uint32_t> DecorationOf(spirv_instrument::Id id, spv::Decoration decoration) const;
  // spv::StorageClass::Max if the id is not a pointer.
  spv::StorageClass StorageClassOf(spirv_instrument::Id pointer) const;

 private:
  const spirv_instrument::Module& module_;
  const spirv_instrument::Decorations decorations_;
  spirv_instrument::ConstantValues constants_;
  std::vector<spirv_instrument::Instruction> global_variables_;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_SHADER_REFLECTED_MODULE_H_
