// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/preamble.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/grammar/grammar.h"
#include "spirv_instrument/grammar/operand_kind.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::spirv_instrument {
namespace {

const EnumerantInfo* InfoOf(spv::Capability capability) {
  return FindEnumerant(OperandKind::kCapability, static_cast<uint32_t>(capability));
}

Instruction MemoryModelInstruction(const Module& module) {
  for (Instruction instruction : module.section(Section::kMemoryModel)) {
    if (instruction.op() == spv::Op::OpMemoryModel) return instruction;
  }
  return {};
}

// An instruction whose operand is a string, in the section of such.
void AddNamed(Module& module, spv::Op op, Id result, std::string_view name) {
  std::vector<Word> operands;
  AppendString(operands, name);
  module.AddToSection(op, kNoId, result, operands);
}

}  // namespace

bool HasCapability(const Module& module, spv::Capability capability) {
  std::vector<spv::Capability> pending;
  absl::flat_hash_set<spv::Capability> seen;
  const auto add = [&](spv::Capability found) {
    if (seen.insert(found).second) pending.push_back(found);
  };
  for (Instruction instruction : module.section(Section::kCapabilities)) {
    if (instruction.op() == spv::Op::OpCapability) add(instruction.enumerant<spv::Capability>(0));
  }
  while (!pending.empty() && !seen.contains(capability)) {
    const EnumerantInfo* info = InfoOf(pending.back());
    // The grammar says that Int8 needs Kernel. Shaders have it too, and nothing of Kernel with it.
    const bool needs_others = pending.back() != spv::Capability::Int8;
    pending.pop_back();
    // What a capability needs it also declares: SPIR-V, "Capability".
    if (info != nullptr && needs_others) std::for_each(info->capabilities.begin(), info->capabilities.end(), add);
  }
  return seen.contains(capability);
}

void AddCapability(Module& module, spv::Capability capability) {
  if (HasCapability(module, capability)) return;
  module.AddToSection(spv::Op::OpCapability, kNoId, kNoId, {capability});
  const EnumerantInfo* info = InfoOf(capability);
  if (info == nullptr || info->extensions.empty() || info->version <= module.version()) return;
  // Any one of them will do.
  const bool has_one = std::any_of(info->extensions.begin(), info->extensions.end(),
                                   [&](std::string_view name) { return HasExtension(module, name); });
  if (!has_one) AddExtension(module, info->extensions.front());
}

bool HasExtension(const Module& module, std::string_view name) {
  for (Instruction instruction : module.section(Section::kExtensions)) {
    if (instruction.op() == spv::Op::OpExtension && instruction.string(0) == name) return true;
  }
  return false;
}

void AddExtension(Module& module, std::string_view name) {
  if (!HasExtension(module, name)) AddNamed(module, spv::Op::OpExtension, kNoId, name);
}

Id FindExtendedSet(const Module& module, std::string_view name) {
  for (Instruction instruction : module.section(Section::kExtendedSetImports)) {
    if (instruction.op() == spv::Op::OpExtInstImport && instruction.string(0) == name) return instruction.result_id();
  }
  return kNoId;
}

Id ImportExtendedSet(Module& module, std::string_view name) {
  if (const Id found = FindExtendedSet(module, name); found != kNoId) return found;
  const Id result = module.FreshId();
  AddNamed(module, spv::Op::OpExtInstImport, result, name);
  return result;
}

std::string_view ExtendedSetName(const Module& module, Id id) {
  const Instruction import = module.Find(id);
  return import.op() == spv::Op::OpExtInstImport ? import.string(0) : std::string_view();
}

spv::AddressingModel AddressingModelOf(const Module& module) {
  return MemoryModelInstruction(module).enumerant<spv::AddressingModel>(0);
}

spv::MemoryModel MemoryModelOf(const Module& module) {
  return MemoryModelInstruction(module).enumerant<spv::MemoryModel>(1);
}

void EnablePhysicalStorageBuffer(Module& module) {
  AddCapability(module, spv::Capability::PhysicalStorageBufferAddresses);
  const Instruction model = MemoryModelInstruction(module);
  if (!model) {
    module.AddToSection(spv::Op::OpMemoryModel, kNoId, kNoId,
                        {spv::AddressingModel::PhysicalStorageBuffer64, spv::MemoryModel::GLSL450});
  } else if (model.enumerant<spv::AddressingModel>(0) == spv::AddressingModel::Logical) {
    module.SetOperand(model, 0, spv::AddressingModel::PhysicalStorageBuffer64);
  }
}

}  // namespace assay::spirv_instrument
