// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/link/linker.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/strings/match.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/annotate.h"
#include "spirv_instrument/ir/builder.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/ir/uses.h"
#include "spirv_instrument/link/requirements.h"

namespace assay::spirv_instrument {
namespace {

// What a library declares for itself, and no one else needs.
bool IsLeftOut(spv::Op op) { return op == spv::Op::OpLine || op == spv::Op::OpNoLine; }

// Where an instruction has the memory scope among its operands; -1 without.
int ScopeOperand(spv::Op op) {
  switch (op) {
    case spv::Op::OpMemoryBarrier:
      return 0;
    case spv::Op::OpAtomicLoad:
    case spv::Op::OpAtomicStore:
    case spv::Op::OpAtomicExchange:
    case spv::Op::OpAtomicCompareExchange:
    case spv::Op::OpAtomicIIncrement:
    case spv::Op::OpAtomicIDecrement:
    case spv::Op::OpAtomicIAdd:
    case spv::Op::OpAtomicISub:
    case spv::Op::OpAtomicSMin:
    case spv::Op::OpAtomicUMin:
    case spv::Op::OpAtomicSMax:
    case spv::Op::OpAtomicUMax:
    case spv::Op::OpAtomicAnd:
    case spv::Op::OpAtomicOr:
    case spv::Op::OpAtomicXor:
      return 1;
    default:
      return -1;
  }
}

}  // namespace

Linker::Linker(Module& module, const Library& library, Options options)
    : module_(module),
      library_(library),
      options_(std::move(options)),
      has_vulkan_memory_model_(MemoryModelOf(module) == spv::MemoryModel::Vulkan),
      globals_(library.module().dense_id_count()) {}

Id Linker::Link(std::string_view name, Variant variant) {
  const Function function = library_.Find(name);
  return function ? LinkFunction(function, variant) : kNoId;
}

Id Linker::LinkVariable(std::string_view name) {
  const Id variable = library_.FindVariable(name);
  return variable == kNoId ? kNoId : Global(variable);
}

Id Linker::ReturnTypeOf(std::string_view name) {
  const Function function = library_.Find(name);
  return function ? Global(function.return_type()) : kNoId;
}

Id Linker::LinkFunction(Function function, Variant variant) {
  if (options_.reports_at_end && library_.NameOf(function) == "ReportFault") function = library_.Find("NoteFault");
  const std::string_view name = library_.NameOf(function);
  const bool is_imported =
      std::find(options_.imported_names.begin(), options_.imported_names.end(), name) != options_.imported_names.end();
  if (!DependsOnImports(function)) variant = 0;
  // kNoId stays there while callees are linked, and ends a recursion.
  const auto [place, is_new] = functions_.try_emplace(FunctionKey{function.index(), variant}, kNoId);
  if (!is_new) return place->second;
  Id id = is_imported && options_.import ? options_.import(name, variant) : kNoId;
  if (id == kNoId) id = CopyFunction(function, name, variant);
  functions_[FunctionKey{function.index(), variant}] = id;
  return id;
}

Id Linker::CopyFunction(Function function, std::string_view name, Variant variant) {
  // Callees come first, so that no function is added while the body of another one is.
  for (Instruction instruction : function.instructions()) {
    if (instruction.op() != spv::Op::OpFunctionCall) continue;
    LinkFunction(library_.module().FindFunction(instruction.id(0)), variant);
  }
  const Id return_type = Global(function.return_type());
  const Id type = Global(function.type());
  const Id id = module_.FreshId();
  // What reports is called where something is wrong, and should not make the rest slower.
  const bool is_out_of_line = absl::StartsWith(name, "Report") && !options_.reports_at_end;
  const spv::FunctionControlMask control =
      is_out_of_line ? spv::FunctionControlMask::DontInline : spv::FunctionControlMask::MaskNone;
  const Function copy = module_.AddFunction(id, return_type, control, type);
  SetName(module_, id, name);
  IdTable<Id> locals(library_.module().dense_id_count());
  for (Instruction parameter : function.parameters()) {
    locals[parameter.result_id()] = module_.FreshId();
    module_.AddParameter(copy, Global(parameter.type_id()), locals.Get(parameter.result_id()));
  }
  CopyBody(function, copy, variant, locals);
  return id;
}

void Linker::CopyBody(Function from, Function to, Variant variant, IdTable<Id>& locals) {
  for (Block block : from.blocks()) {
    locals[block.id()] = module_.FreshId();
    for (Instruction instruction : block.instructions()) {
      if (instruction.result_id() != kNoId) locals[instruction.result_id()] = module_.FreshId();
    }
  }
  const auto map = [&](Id id) {
    if (const Id local = locals.Get(id); local != kNoId) return local;
    if (const Function callee = library_.module().FindFunction(id)) return LinkFunction(callee, variant);
    return Global(id);
  };
  for (Block block : from.blocks()) {
    const Block copy = module_.AddBlock(to, locals.Get(block.id()));
    Builder builder = Builder::AtEnd(module_, copy);
    for (Instruction instruction : block.instructions()) {
      if (IsLeftOut(instruction.op())) continue;
      Require(module_, instruction);
      const Id type = instruction.type_id() == kNoId ? kNoId : Global(instruction.type_id());
      const Id result = instruction.result_id() == kNoId ? kNoId : locals.Get(instruction.result_id());
      const Operands operands = MapOperands(instruction, map);
      builder.AddWithResult(instruction.op(), type, result, operands);
      if (result != kNoId) CopyDecorations(instruction.result_id(), result);
    }
  }
}

Linker::Operands Linker::MapOperands(Instruction instruction, absl::FunctionRef<Id(Id)> map) {
  Operands operands;
  for (uint32_t word : instruction.operands()) operands.push_back(word);
  const size_t first = instruction.words().size() - operands.size();
  ForEachId(library_.module(), instruction, [&](uint32_t word, Id id) {
    if (word >= first) operands[word - first] = map(id);
  });
  const int scope = ScopeOperand(instruction.op());
  if (has_vulkan_memory_model_ && scope >= 0) {
    const Instruction constant = library_.module().Find(instruction.id(scope));
    if (constant.enumerant<spv::Scope>(0) == spv::Scope::Device) {
      const auto queue_family = static_cast<uint64_t>(spv::Scope::QueueFamily);
      operands[scope] = module_.globals().Integer(Global(constant.type_id()), queue_family);
    }
  }
  return operands;
}

Id Linker::Global(Id library_id) {
  if (const Id known = globals_.Get(library_id); known != kNoId) return known;
  const Instruction definition = library_.module().Find(library_id);
  Id id = kNoId;
  if (definition.op() == spv::Op::OpExtInstImport) {
    id = ImportExtendedSet(module_, definition.string(0));
  } else if (definition.op() == spv::Op::OpVariable) {
    id = CopyVariable(definition);
  } else if (IsType(definition.op()) || IsConstant(definition.op()) || definition.op() == spv::Op::OpUndef) {
    id = CopyTypeOrConstant(definition);
  }
  globals_[library_id] = id;
  return id;
}

Id Linker::CopyTypeOrConstant(Instruction definition) {
  Require(module_, definition);
  const Id type = definition.type_id() == kNoId ? kNoId : Global(definition.type_id());
  const Operands operands = MapOperands(definition, [this](Id id) { return Global(id); });
  std::vector<DecorationOfType> decorations;
  if (IsType(definition.op())) {
    library_.decorations().ForEach(definition.result_id(), [&](const Decoration& decoration) {
      if (!IsKept(decoration.decoration)) return;
      decorations.push_back(
          {decoration.decoration, decoration.member, {decoration.parameters.begin(), decoration.parameters.end()}});
    });
  }
  return module_.globals().FindOrAdd(definition.op(), type, operands, decorations);
}

Id Linker::CopyVariable(Instruction variable) {
  Require(module_, variable);
  const Id type = Global(variable.type_id());
  const Id initializer = variable.operand_count() > 1 ? Global(variable.id(1)) : kNoId;
  const Id id = module_.globals().AddVariable(type, variable.enumerant<spv::StorageClass>(0), initializer);
  CopyDecorations(variable.result_id(), id);
  if (const std::string_view name = library_.decorations().NameOf(variable.result_id()); !name.empty()) {
    SetName(module_, id, name);
  }
  variables_.push_back(id);
  return id;
}

void Linker::CopyDecorations(Id from, Id to) {
  library_.decorations().ForEach(from, [&](const Decoration& decoration) {
    if (!IsKept(decoration.decoration)) return;
    absl::InlinedVector<Word, 2> parameters(decoration.parameters.begin(), decoration.parameters.end());
    if (decoration.decoration == spv::Decoration::DescriptorSet) parameters = {options_.descriptor_set};
    Decorate(module_, to, decoration.decoration, parameters);
  });
}

bool Linker::IsKept(spv::Decoration decoration) const {
  const bool is_of_old_model = decoration == spv::Decoration::Coherent || decoration == spv::Decoration::Volatile;
  return !(is_of_old_model && has_vulkan_memory_model_);
}

bool Linker::DependsOnImports(Function function) {
  const std::string_view name = library_.NameOf(function);
  if (std::find(options_.imported_names.begin(), options_.imported_names.end(), name) !=
      options_.imported_names.end()) {
    return true;
  }
  const auto [place, is_new] = depends_on_imports_.try_emplace(function.index(), false);
  if (!is_new) return place->second;
  bool depends = false;
  for (Instruction instruction : function.instructions()) {
    if (instruction.op() != spv::Op::OpFunctionCall) continue;
    if (DependsOnImports(library_.module().FindFunction(instruction.id(0)))) depends = true;
  }
  depends_on_imports_[function.index()] = depends;
  return depends;
}

}  // namespace assay::spirv_instrument
