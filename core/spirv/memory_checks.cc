// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Arrays whose length specialization decides, and pointers into row-major matrices.

#include <cstdint>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "core/spirv/module_reader.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/sections.h"
#include "spirv_instrument/ir/uses.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Function;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Section;
using spv::Op;
using spv::StorageClass;

namespace {

// ---- Arrays of a length that is specialized.

// The types that are such an array, or contain one.
class SpecializedTypes {
 public:
  explicit SpecializedTypes(const ModuleReader& reader) : reader_(reader) {
    for (Instruction type : reader.module().section(Section::kGlobals)) {
      if (Holds(type)) types_.insert(type.result_id());
    }
  }
  bool IsEmpty() const { return types_.empty(); }
  bool Contains(Instruction type) const { return types_.contains(type.result_id()); }
  bool IsSpecialized(Instruction type) const {
    return type.op() == Op::OpTypeArray && spirv_instrument::IsSpecializationConstant(reader_.Find(type.id(1)).op());
  }

 private:
  bool Holds(Instruction type) const {
    switch (type.op()) {
      case Op::OpTypeArray:
        return IsSpecialized(type) || types_.contains(type.id(0));
      case Op::OpTypeRuntimeArray:
        return types_.contains(type.id(0));
      case Op::OpTypeStruct:
        for (size_t i = 0; i < type.operand_count(); ++i) {
          if (types_.contains(type.id(i))) return true;
        }
        return false;
      default:
        return false;
    }
  }

  const ModuleReader& reader_;
  absl::flat_hash_set<Id> types_;
};

// Of payloads and the like, the sentence does not say what it means.
bool IsRestricted(const ModuleReader& reader, StorageClass storage, Instruction type) {
  switch (storage) {
    case StorageClass::UniformConstant:
    case StorageClass::Uniform:
    case StorageClass::StorageBuffer:
    case StorageClass::PushConstant:
    case StorageClass::Input:
    case StorageClass::Output:
      return true;
    case StorageClass::Workgroup:
      return reader.IsBlock(type);
    default:
      return false;
  }
}

// ---- Row-major matrices.

// What pointers of a function point to.
class MatrixPointers {
 public:
  MatrixPointers(ModuleReader& reader, Function function) : reader_(reader), function_(function) {}

  void Check() {
    for (Instruction instruction : function_.instructions()) {
      const bool is_chain = instruction.op() == Op::OpAccessChain || instruction.op() == Op::OpInBoundsAccessChain;
      if (is_chain) {
        Follow(instruction);
      } else if (instruction.op() != Op::OpExtInst) {
        CheckUses(instruction);
      }
    }
  }

 private:
  void Follow(Instruction chain) {
    const Id base = chain.id(0);
    Instruction type = reader_.PointeeOf(reader_.Find(base));
    // Whether `type` is a row-major matrix, or an array of such.
    bool is_row_major = matrices_.contains(base);
    bool is_inside = insides_.contains(base);
    for (size_t i = 1; i < chain.operand_count() && !is_inside; ++i) {
      if (type.op() == Op::OpTypeStruct) {
        const std::optional<uint32_t> member = reader_.ConstantOf(chain.id(i));
        if (!member) return;
        is_row_major = reader_.decorations().HasMember(type.result_id(), *member, spv::Decoration::RowMajor);
        type = reader_.Find(type.id(*member));
        continue;
      }
      is_inside = is_row_major && type.op() == Op::OpTypeMatrix;
      type = reader_.Find(type.id(0));
    }
    if (is_inside) {
      insides_.insert(chain.result_id());
    } else if (is_row_major) {
      matrices_.insert(chain.result_id());
    }
  }

  void CheckUses(Instruction instruction) {
    const bool is_access = instruction.op() == Op::OpLoad || instruction.op() == Op::OpStore;
    // The word of the pointer operand, which follows the result of OpLoad.
    const uint32_t pointer = instruction.op() == Op::OpLoad ? 3 : 1;
    spirv_instrument::ForEachId(reader_.module(), instruction, [&](uint32_t word, Id id) {
      if (!insides_.contains(id) || (is_access && word == pointer)) return;
      reader_.findings().Add(vk::Vuid("VUID-StandaloneSpirv-PhysicalStorageBuffer64-04709"),
                             "A pointer into a row-major matrix is not only loaded from and stored to.", instruction);
    });
  }

  ModuleReader& reader_;
  const Function function_;
  // Pointers to row-major matrices, or arrays of these, and pointers into them.
  absl::flat_hash_set<Id> matrices_;
  absl::flat_hash_set<Id> insides_;
};

}  // namespace

void CheckTypes(ModuleReader& reader) {
  const SpecializedTypes specialized(reader);
  if (specialized.IsEmpty()) return;
  for (Instruction variable : reader.module().section(Section::kGlobals)) {
    if (variable.op() != Op::OpVariable) continue;
    const auto storage = variable.enumerant<StorageClass>(0);
    Instruction type = reader.PointeeOf(variable);
    if (!IsRestricted(reader, storage, type)) continue;
    // The variable itself may be such an array, and so may be the elements of the array that an interface adds.
    const bool is_interface = storage == StorageClass::Input || storage == StorageClass::Output;
    if (specialized.IsSpecialized(type)) type = reader.ElementOf(type);
    if (is_interface && reader.PointeeOf(variable).op() == Op::OpTypeArray) {
      type = reader.ElementOf(reader.PointeeOf(variable));
      if (specialized.IsSpecialized(type)) type = reader.ElementOf(type);
    }
    if (!specialized.Contains(type)) continue;
    reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-Function-04681"),
                          "The type of a variable contains an array whose length is a specialization constant.",
                          variable);
  }
}

void CheckMatrixPointers(ModuleReader& reader) {
  if (!reader.HasCapability(spv::Capability::PhysicalStorageBufferAddresses)) return;
  for (Instruction model : reader.module().section(Section::kMemoryModel)) {
    if (model.enumerant<spv::AddressingModel>(0) != spv::AddressingModel::PhysicalStorageBuffer64) return;
  }
  for (Function function : reader.module().functions()) MatrixPointers(reader, function).Check();
}

}  // namespace assay::core
