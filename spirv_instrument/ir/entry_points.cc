// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/entry_points.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kVersion14 = 0x00010400;

bool IsVariable(spv::Op op) { return op == spv::Op::OpVariable || op == spv::Op::OpUntypedVariableKHR; }

// Calls `visit` for each id that the instructions of the functions name.
void ForEachIdIn(const Module& module, const std::vector<Id>& functions, absl::FunctionRef<void(Id)> visit) {
  for (Id id : functions) {
    for (Instruction instruction : module.FindFunction(id).instructions()) {
      ForEachId(module, instruction, [&](uint32_t, Id named) { visit(named); });
    }
  }
}

void Append(Module& module, EntryPoint entry_point, const std::vector<Id>& variables) {
  const std::vector<Word> operands(variables.begin(), variables.end());
  if (!operands.empty()) module.AppendOperands(entry_point.instruction(), operands);
}

}  // namespace

absl::Span<const uint32_t> EntryPoint::interface() const {
  const absl::Span<const uint32_t> operands = instruction_.operands();
  return operands.subspan(std::min(instruction_.AfterString(2), operands.size()));
}

bool EntryPoint::HasInInterface(Id variable) const {
  const absl::Span<const uint32_t> ids = interface();
  return std::find(ids.begin(), ids.end(), ToNumber(variable)) != ids.end();
}

std::vector<EntryPoint> EntryPoints(const Module& module) {
  std::vector<EntryPoint> result;
  for (Instruction instruction : module.section(Section::kEntryPoints)) {
    if (instruction.op() == spv::Op::OpEntryPoint) result.emplace_back(instruction);
  }
  return result;
}

std::vector<Instruction> ExecutionModes(const Module& module, Id function) {
  std::vector<Instruction> result;
  for (Instruction instruction : module.section(Section::kExecutionModes)) {
    const bool is_mode = SectionOf(instruction.op()) == Section::kExecutionModes;
    if (is_mode && instruction.id(0) == function) result.push_back(instruction);
  }
  return result;
}

Instruction FindExecutionMode(const Module& module, Id function, spv::ExecutionMode mode) {
  for (Instruction instruction : ExecutionModes(module, function)) {
    if (instruction.enumerant<spv::ExecutionMode>(1) == mode) return instruction;
  }
  return {};
}

void AddExecutionMode(Module& module, Id function, spv::ExecutionMode mode, absl::Span<const Word> operands) {
  if (FindExecutionMode(module, function, mode)) return;
  std::vector<Word> all = {function, mode};
  all.insert(all.end(), operands.begin(), operands.end());
  module.AddToSection(spv::Op::OpExecutionMode, kNoId, kNoId, all);
}

bool BelongsInInterface(const Module& module, spv::StorageClass storage) {
  if (storage == spv::StorageClass::Input || storage == spv::StorageClass::Output) return true;
  return module.version() >= kVersion14 && storage != spv::StorageClass::Function;
}

void AddToInterface(Module& module, EntryPoint entry_point, Id variable) {
  const Instruction definition = module.Find(variable);
  if (!IsVariable(definition.op()) || entry_point.HasInInterface(variable)) return;
  if (BelongsInInterface(module, definition.enumerant<spv::StorageClass>(0))) Append(module, entry_point, {variable});
}

void AddToInterfaces(Module& module, Id variable) {
  for (EntryPoint entry_point : EntryPoints(module)) AddToInterface(module, entry_point, variable);
}

void RaiseVersion(Module& module, uint32_t version) {
  if (module.version() >= version) return;
  const bool grows = module.version() < kVersion14 && version >= kVersion14;
  module.set_version(version);
  for (EntryPoint entry_point : EntryPoints(module)) {
    if (!grows) break;
    const absl::Span<const uint32_t> listed = entry_point.interface();
    const absl::flat_hash_set<uint32_t> has(listed.begin(), listed.end());
    std::vector<Id> missing;
    for (Id variable : UsedVariables(module, entry_point.function())) {
      if (!has.contains(ToNumber(variable))) missing.push_back(variable);
    }
    Append(module, entry_point, missing);
  }
}

std::vector<Id> ReachableFunctions(const Module& module, Id function) {
  std::vector<Id> found;
  absl::flat_hash_set<uint32_t> seen;
  const auto add = [&](Id id) {
    // Functions are named by calls, and by instructions that apply a function to elements.
    if (module.Find(id).op() == spv::Op::OpFunction && seen.insert(ToNumber(id)).second) found.push_back(id);
  };
  add(function);
  // It grows.
  size_t next = 0;
  while (next < found.size()) ForEachIdIn(module, {found[next++]}, add);
  return found;
}

std::vector<Id> UsedVariables(const Module& module, Id function) {
  absl::flat_hash_set<uint32_t> seen;
  std::vector<Id> variables;
  ForEachIdIn(module, ReachableFunctions(module, function), [&](Id id) {
    const Instruction definition = module.Find(id);
    if (!IsVariable(definition.op()) || definition.block() || !seen.insert(ToNumber(id)).second) return;
    variables.push_back(id);
  });
  std::sort(variables.begin(), variables.end());
  return variables;
}

}  // namespace assay::spirv_instrument
