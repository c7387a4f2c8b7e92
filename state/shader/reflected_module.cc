// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/reflected_module.h"

#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::state {
namespace {

using spirv_instrument::Decoration;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::Op;

}  // namespace

ReflectedModule::ReflectedModule(const spirv_instrument::Module& module,
                                 absl::Span<const spirv_instrument::Specialization> specialization)
    : module_(module), decorations_(module), constants_(module, decorations_, specialization) {
  for (Instruction instruction : module.section(Section::kGlobals)) {
    const bool is_variable = instruction.op() == Op::OpVariable || instruction.op() == Op::OpUntypedVariableKHR;
    // In an invalid module, functions may be among globals.
    if (is_variable && !instruction.block()) global_variables_.push_back(instruction);
  }
}

std::optional<uint32_t> ReflectedModule::EvaluateConstant(Id id) {
  const std::optional<uint64_t> value = constants_.Of(id);
  if (!value) return std::nullopt;
  return static_cast<uint32_t>(*value);
}

std::optional<uint32_t> ReflectedModule::DecorationOf(Id id, spv::Decoration decoration) const {
  const std::optional<Decoration> found = decorations_.Find(id, decoration);
  if (!found) return std::nullopt;
  return found->parameter(0);
}

spv::StorageClass ReflectedModule::StorageClassOf(Id pointer) const {
  const Instruction type = module_.TypeOf(pointer);
  if (type.op() != Op::OpTypePointer && type.op() != Op::OpTypeUntypedPointerKHR) return spv::StorageClass::Max;
  return type.enumerant<spv::StorageClass>(0);
}

}  // namespace assay::state
