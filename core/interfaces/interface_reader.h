// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_INTERFACE_READER_H_
#define ASSAY_CORE_INTERFACES_INTERFACE_READER_H_

#include <cstdint>
#include <optional>

#include "core/interfaces/shader_interface.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/instruction.h"
#include "state/shader/reflected_module.h"

// Private to the package: the parts of ReadShaderInterface().
namespace assay::core {

// A module that is read, and whether specialization constants had a say.
struct ModuleReader {
  state::ReflectedModule& module;
  bool is_specialized = false;

  // The length of an OpTypeArray; nothing if it is not known.
  std::optional<uint32_t> LengthOf(spirv_instrument::Instruction array);
  // The kind and bits of OpTypeFloat or OpTypeInt.
  static void ReadComponent(spirv_instrument::Instruction type, InterfaceType& out);
};

// Adds a variable of the storage class Input or Output. `is_used` says that the entry point statically uses it.
void AddStageVariable(ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point,
                      spirv_instrument::Instruction variable, bool is_used, StageInterface& out);
// Fills StageInterface::slots.
void IndexSlots(StageInterface& interface);

// Adds a statically used variable of the storage classes of resources.
void AddResource(ModuleReader& reader, spirv_instrument::Instruction variable, ShaderInterface& out);
// Adds the members of a statically used push constant block that the entry point uses.
void AddPushConstants(ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point,
                      spirv_instrument::Instruction variable, ShaderInterface& out);
// Fills in what is certain of the accesses to the resources, once all of these are added.
void AddCertainAccesses(const ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point,
                        ShaderInterface& out);
void AddBlockMatches(ModuleReader& reader, const spirv_instrument::EntryPoint& entry_point, ShaderInterface& out);

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_INTERFACE_READER_H_
