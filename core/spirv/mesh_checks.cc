// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Mesh shaders of VK_EXT_mesh_shader: their outputs, and what must not depend on ViewIndex.

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Block;
using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::BuiltIn;
using spv::ExecutionModel;
using spv::Op;
using spv::StorageClass;

namespace {

// ---- Outputs.

// The pointer that an instruction writes through, or reads through; kNoId for others.
Id WrittenBy(Instruction instruction) {
  const bool is_write = instruction.op() == Op::OpStore || instruction.op() == Op::OpCopyMemory;
  return is_write ? instruction.id(0) : spirv_instrument::kNoId;
}
Id ReadBy(Instruction instruction) {
  if (instruction.op() == Op::OpLoad) return instruction.id(0);
  return instruction.op() == Op::OpCopyMemory ? instruction.id(1) : spirv_instrument::kNoId;
}

// The functions that set the number of outputs, themselves or through others.
absl::flat_hash_set<Id> FunctionsThatSet(const std::vector<Function>& functions) {
  absl::flat_hash_set<Id> set;
  absl::flat_hash_map<Id, std::vector<Id>> callers;
  std::vector<Id> found;
  for (Function function : functions) {
    for (Instruction instruction : function.instructions()) {
      if (instruction.op() == Op::OpFunctionCall) callers[instruction.id(0)].push_back(function.id());
      const bool sets = instruction.op() == Op::OpSetMeshOutputsEXT;
      if (sets && set.insert(function.id()).second) found.push_back(function.id());
    }
  }
  while (!found.empty()) {
    const Id function = found.back();
    found.pop_back();
    for (Id caller : callers[function]) {
      if (set.insert(caller).second) found.push_back(caller);
    }
  }
  return set;
}

// The blocks that come after others, those themselves left out unless they are in loops.
void AddSuccessors(const ModuleReader& reader, Block block, std::vector<Block>& blocks) {
  if (!block.terminator()) return;
  spirv_instrument::ForEachTarget(reader.module(), block.terminator(), [&](uint32_t, Id label) {
    if (const Block target = reader.module().FindBlock(label)) blocks.push_back(target);
  });
}
absl::flat_hash_set<uint32_t> Flood(const ModuleReader& reader, std::vector<Block> blocks) {
  absl::flat_hash_set<uint32_t> seen;
  while (!blocks.empty()) {
    const Block block = blocks.back();
    blocks.pop_back();
    if (seen.insert(block.index()).second) AddSuccessors(reader, block, blocks);
  }
  return seen;
}

// Finds a write to outputs in the entry point's own function that nothing before it can have set the number of.
void CheckOrder(ModuleReader& reader, const EntryPointUse& use) {
  const Function function = reader.module().FindFunction(use.entry_point.function());
  const absl::flat_hash_set<Id> setters = FunctionsThatSet(use.functions);
  const auto sets = [&](Instruction instruction) {
    if (instruction.op() == Op::OpFunctionCall) return setters.contains(instruction.id(0));
    return instruction.op() == Op::OpSetMeshOutputsEXT;
  };
  std::vector<Block> after;
  for (Block block : function.blocks()) {
    for (Instruction instruction : block.instructions()) {
      if (sets(instruction)) AddSuccessors(reader, block, after);
    }
  }
  const absl::flat_hash_set<uint32_t> may_be_set = Flood(reader, std::move(after));
  const absl::flat_hash_set<uint32_t> reachable = Flood(reader, {function.entry()});
  for (Block block : function.blocks()) {
    if (may_be_set.contains(block.index()) || !reachable.contains(block.index())) continue;
    for (Instruction instruction : block.instructions()) {
      if (sets(instruction)) break;
      if (reader.StorageOf(WrittenBy(instruction)) != StorageClass::Output) continue;
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07106"),
                            "An output of a mesh shader is written before OpSetMeshOutputsEXT.", instruction);
    }
  }
}

void CheckReads(ModuleReader& reader, Function function) {
  for (Instruction instruction : function.instructions()) {
    if (reader.StorageOf(ReadBy(instruction)) != StorageClass::Output) continue;
    reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07107"), "An output of a mesh shader is read.",
                          instruction);
  }
}

// ---- ViewIndex.

// Whether the result follows from the operands alone. Memory may have the same value in many places, and a function
// may ignore its arguments.
bool IsComputation(Op op) {
  return (op >= Op::OpVectorExtractDynamic && op <= Op::OpTranspose) ||
         (op >= Op::OpConvertFToU && op <= Op::OpBitCount) || op == Op::OpPhi || op == Op::OpExtInst;
}

// Follows what is computed from ViewIndex through the values of a function, and through local variables that are
// stored to once. What goes through other memory, or through calls, is not followed.
class ViewDependence {
 public:
  ViewDependence(ModuleReader& reader, Function function) : reader_(reader), function_(function) { CountStores(); }

  void Check() {
    for (Instruction instruction : function_.instructions()) {
      CheckInstruction(instruction);
      Follow(instruction);
    }
  }

 private:
  // Whole stores to local variables that nothing but loads and stores name.
  void CountStores() {
    for (Instruction instruction : function_.instructions()) {
      if (instruction.op() == Op::OpVariable) {
        // With an initializer, it has a value besides what is stored.
        if (instruction.operand_count() == 1) stores_[instruction.result_id()] = 0;
        continue;
      }
      if (instruction.op() == Op::OpLoad) continue;
      const bool is_store = instruction.op() == Op::OpStore;
      spirv_instrument::ForEachId(reader_.module(), instruction, [&](uint32_t word, Id id) {
        const auto found = stores_.find(id);
        if (found == stores_.end()) return;
        if (is_store && word == 1) {
          ++found->second;
        } else {
          stores_.erase(found);
        }
      });
    }
  }

  bool Depends(Id id) const { return dependent_.contains(id); }
  bool IsViewIndex(Id pointer) const {
    return reader_.StorageOf(pointer) == StorageClass::Input && reader_.BuiltInOf(pointer) == BuiltIn::ViewIndex;
  }

  void Follow(Instruction instruction) {
    const Id result = instruction.result_id();
    switch (instruction.op()) {
      case Op::OpLoad:
        if (IsViewIndex(instruction.id(0)) || Depends(instruction.id(0))) dependent_.insert(result);
        return;
      case Op::OpStore: {
        const auto found = stores_.find(instruction.id(0));
        if (found != stores_.end() && found->second == 1 && Depends(instruction.id(1))) {
          dependent_.insert(instruction.id(0));
        }
        return;
      }
      default:
        break;
    }
    if (!IsComputation(instruction.op()) || reader_.Find(instruction.type_id()).op() == Op::OpTypePointer) return;
    bool depends = false;
    spirv_instrument::ForEachId(reader_.module(), instruction, [&](uint32_t, Id id) { depends |= Depends(id); });
    if (depends) dependent_.insert(result);
  }

  static bool IsIndices(BuiltIn builtin) {
    return builtin == BuiltIn::PrimitivePointIndicesEXT || builtin == BuiltIn::PrimitiveLineIndicesEXT ||
           builtin == BuiltIn::PrimitiveTriangleIndicesEXT;
  }
  // Whether it is an array of indices of primitives, or points into one.
  bool IsIndicesPointer(Id pointer) const {
    const auto builtin = reader_.BuiltInOf(pointer);
    return indices_.contains(pointer) || (builtin && IsIndices(*builtin));
  }

  void CheckInstruction(Instruction instruction) {
    switch (instruction.op()) {
      case Op::OpSetMeshOutputsEXT:
        if (!Depends(instruction.id(0)) && !Depends(instruction.id(1))) return;
        Report(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07108"), "The number of outputs depends on ViewIndex.",
               instruction);
        return;
      case Op::OpAccessChain:
      case Op::OpInBoundsAccessChain:
        CheckAccess(instruction);
        return;
      case Op::OpStore:
        if (!IsIndicesPointer(instruction.id(0)) || !Depends(instruction.id(1))) return;
        Report(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07110"), "The indices of a primitive depend on ViewIndex.",
               instruction);
        return;
      default:
        return;
    }
  }
  void CheckAccess(Instruction chain) {
    const bool is_indices = IsIndicesPointer(chain.id(0));
    if (is_indices) indices_.insert(chain.result_id());
    bool depends = false;
    for (size_t i = 1; i < chain.operand_count(); ++i) depends |= Depends(chain.id(i));
    if (!depends) return;
    const StorageClass storage = reader_.StorageOf(chain.id(0));
    if (is_indices) {
      Report(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07109"),
             "Indices of primitives are accessed by an index that depends on ViewIndex.", chain);
    } else if (storage == StorageClass::Workgroup || storage == StorageClass::Private) {
      Report(vk::Vuid("VUID-StandaloneSpirv-MeshEXT-07111"),
             "A variable is accessed by an index that depends on ViewIndex.", chain);
    }
  }
  void Report(vk::VuidIndex vuid, const char* text, Instruction at) { reader_.findings().Add(vuid, text, at); }

  ModuleReader& reader_;
  const Function function_;
  // By local variable.
  absl::flat_hash_map<Id, uint32_t> stores_;
  // Values, and local variables, that depend on ViewIndex.
  absl::flat_hash_set<Id> dependent_;
  // Pointers into indices of primitives.
  absl::flat_hash_set<Id> indices_;
};

}  // namespace

void CheckMeshShaders(ModuleReader& reader) {
  if (!reader.HasEntryPoint(ExecutionModel::MeshEXT)) return;
  for (const EntryPointUse& use : reader.entry_points()) {
    if (use.Is(ExecutionModel::MeshEXT) && !use.functions.empty()) CheckOrder(reader, use);
  }
  for (Function function : reader.FunctionsOf(ExecutionModel::MeshEXT)) {
    CheckReads(reader, function);
    ViewDependence(reader, function).Check();
  }
}

}  // namespace assay::core
