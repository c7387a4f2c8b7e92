// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/module_reader.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"

namespace assay::core {

using spirv_instrument::EntryPoint;
using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::ExecutionMode;
using spv::Op;

namespace {

// Types of valid modules nest no deeper.
constexpr int kDeepestType = 255;

std::optional<WorkgroupSize> Constants(const ModuleReader& reader, Id x, Id y, Id z) {
  WorkgroupSize size = {};
  const std::array<Id, 3> ids = {x, y, z};
  for (size_t i = 0; i < size.size(); ++i) {
    const std::optional<uint32_t> value = reader.ConstantOf(ids[i]);
    if (!value) return std::nullopt;
    size[i] = *value;
  }
  return size;
}

bool IsArray(Instruction type) { return type.op() == Op::OpTypeArray || type.op() == Op::OpTypeRuntimeArray; }

}  // namespace

ModuleReader::ModuleReader(ModuleFindings& findings) : findings_(findings), decorations_(findings.module()) {
  for (Instruction instruction : module().section(Section::kCapabilities)) {
    capabilities_.insert(instruction.enumerant<spv::Capability>(0));
  }
  ReadEntryPoints();
}

ModuleReader::FunctionUse ModuleReader::Read(Function function) const {
  FunctionUse use;
  absl::flat_hash_set<Id> seen;
  for (Instruction instruction : function.instructions()) {
    spirv_instrument::ForEachId(module(), instruction, [&](uint32_t, Id id) {
      const Instruction definition = Find(id);
      const bool is_function = definition.op() == Op::OpFunction;
      const bool is_global = definition.op() == Op::OpVariable && !definition.block();
      if ((!is_function && !is_global) || !seen.insert(id).second) return;
      (is_function ? use.callees : use.variables).push_back(id);
    });
  }
  return use;
}

void ModuleReader::ReadEntryPoints() {
  absl::flat_hash_map<Id, FunctionUse> uses;
  for (Function function : module().functions()) uses[function.id()] = Read(function);
  for (EntryPoint entry_point : spirv_instrument::EntryPoints(module())) {
    EntryPointUse use = {entry_point, {}, {}};
    std::vector<Id> reached = {entry_point.function()};
    absl::flat_hash_set<Id> seen = {entry_point.function()};
    absl::flat_hash_set<Id> variables;
    // It grows.
    for (size_t i = 0; i < reached.size(); ++i) {
      const Function function = module().FindFunction(reached[i]);
      if (!function) continue;
      use.functions.push_back(function);
      const FunctionUse& names = uses[reached[i]];
      variables.insert(names.variables.begin(), names.variables.end());
      for (Id callee : names.callees) {
        if (seen.insert(callee).second) reached.push_back(callee);
      }
    }
    use.variables.assign(variables.begin(), variables.end());
    std::sort(use.variables.begin(), use.variables.end());
    entry_points_.push_back(std::move(use));
  }
}

bool ModuleReader::HasExtension(std::string_view name) const {
  for (Instruction instruction : module().section(Section::kExtensions)) {
    if (instruction.op() == Op::OpExtension && instruction.string(0) == name) return true;
  }
  return false;
}

bool ModuleReader::HasEntryPoint(spv::ExecutionModel model) const {
  return std::any_of(entry_points_.begin(), entry_points_.end(),
                     [&](const EntryPointUse& use) { return use.Is(model); });
}

bool ModuleReader::HasMode(const EntryPointUse& use, spv::ExecutionMode mode) const {
  return static_cast<bool>(spirv_instrument::FindExecutionMode(module(), use.entry_point.function(), mode));
}

Instruction ModuleReader::PointeeOf(Instruction pointer) const {
  const Instruction type = Find(pointer.type_id());
  return type.op() == Op::OpTypePointer ? Find(type.id(1)) : Instruction();
}

spv::StorageClass ModuleReader::StorageOf(Id pointer) const {
  const Instruction type = Find(Find(pointer).type_id());
  return type.op() == Op::OpTypePointer ? type.enumerant<spv::StorageClass>(0) : spv::StorageClass::Max;
}

Instruction ModuleReader::ElementOf(Instruction array) const { return IsArray(array) ? Find(array.id(0)) : array; }

Instruction ModuleReader::WithoutArrays(Instruction type) const {
  for (int depth = 0; depth < kDeepestType && IsArray(type); ++depth) type = Find(type.id(0));
  return type;
}

std::optional<uint32_t> ModuleReader::ConstantOf(Id id) const {
  const Instruction constant = Find(id);
  if (constant.op() != Op::OpConstant || constant.operand_count() != 1) return std::nullopt;
  return constant.literal(0);
}

std::optional<uint32_t> ModuleReader::LengthOf(Instruction array) const {
  return array.op() == Op::OpTypeArray ? ConstantOf(array.id(1)) : std::nullopt;
}

bool ModuleReader::IsBlock(Instruction type) const {
  return type.op() == Op::OpTypeStruct && decorations_.Has(type.result_id(), spv::Decoration::Block);
}

std::optional<spv::BuiltIn> ModuleReader::BuiltInOf(Id variable) const {
  const auto found = decorations_.Find(variable, spv::Decoration::BuiltIn);
  if (!found) return std::nullopt;
  return static_cast<spv::BuiltIn>(found->parameter(0));
}

bool ModuleReader::IsBuiltIn(Instruction variable) const {
  if (decorations_.Has(variable.result_id(), spv::Decoration::BuiltIn)) return true;
  const Instruction type = WithoutArrays(PointeeOf(variable));
  return type.op() == Op::OpTypeStruct && decorations_.HasMember(type.result_id(), 0, spv::Decoration::BuiltIn);
}

void ModuleReader::ForEachInInterface(const EntryPointUse& use, spv::StorageClass storage,
                                      absl::FunctionRef<void(Instruction)> visit) const {
  absl::flat_hash_set<uint32_t> seen;
  for (uint32_t id : use.entry_point.interface()) {
    const Instruction variable = Find(Id{id});
    if (variable.op() != Op::OpVariable || variable.enumerant<spv::StorageClass>(0) != storage) continue;
    // Before SPIR-V 1.4, one may be listed twice.
    if (seen.insert(id).second) visit(variable);
  }
}

std::vector<Function> ModuleReader::FunctionsOf(spv::ExecutionModel model) const {
  std::vector<Function> functions;
  absl::flat_hash_set<uint32_t> seen;
  for (const EntryPointUse& use : entry_points_) {
    if (!use.Is(model)) continue;
    for (Function function : use.functions) {
      if (seen.insert(function.index()).second) functions.push_back(function);
    }
  }
  return functions;
}

std::string NameOf(const EntryPointUse& use) {
  return absl::StrCat("the entry point \"", use.entry_point.name(), "\"");
}

std::optional<WorkgroupSize> WorkgroupSizeOf(const ModuleReader& reader, const EntryPointUse& use) {
  // An object that is decorated with WorkgroupSize counts for all entry points.
  for (Instruction decoration : reader.module().section(spirv_instrument::Section::kAnnotations)) {
    const bool is_builtin =
        decoration.op() == Op::OpDecorate && decoration.enumerant<spv::Decoration>(1) == spv::Decoration::BuiltIn;
    if (!is_builtin || decoration.enumerant<spv::BuiltIn>(2) != spv::BuiltIn::WorkgroupSize) continue;
    const Instruction object = reader.Find(decoration.id(0));
    if (object.op() != Op::OpConstantComposite) return std::nullopt;
    return Constants(reader, object.id(0), object.id(1), object.id(2));
  }
  const Id function = use.entry_point.function();
  const Instruction ids = FindExecutionMode(reader.module(), function, ExecutionMode::LocalSizeId);
  if (ids) return Constants(reader, ids.id(2), ids.id(3), ids.id(4));
  const Instruction literals = FindExecutionMode(reader.module(), function, ExecutionMode::LocalSize);
  if (!literals) return std::nullopt;
  return WorkgroupSize{literals.literal(2), literals.literal(3), literals.literal(4)};
}

Id BaseOf(Instruction instruction) {
  switch (instruction.op()) {
    case Op::OpAccessChain:
    case Op::OpInBoundsAccessChain:
    case Op::OpPtrAccessChain:
    case Op::OpInBoundsPtrAccessChain:
    case Op::OpCopyObject:
      return instruction.id(0);
    default:
      return spirv_instrument::kNoId;
  }
}

}  // namespace assay::core
