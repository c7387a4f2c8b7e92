// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the user-defined variables of interfaces are, and the locations that they share.

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "core/spirv/module_reader.h"
#include "vk/vuid.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::Decoration;
using spv::ExecutionModel;
using spv::Op;
using spv::StorageClass;

namespace {

// As many locations are looked at. No device has more.
constexpr uint32_t kMaxLocations = 4096;

// ---- Arrays of arrays with Component.

bool IsArrayOfArrays(const ModuleReader& reader, Instruction type) {
  return type.op() == Op::OpTypeArray && reader.ElementOf(type).op() == Op::OpTypeArray;
}

// Whether interfaces add an array to what a variable is. The sentences name some of these only; in the others, a
// correct shader may do what they forbid.
bool IsArrayed(const EntryPointUse& use, StorageClass storage) {
  switch (use.model()) {
    case ExecutionModel::TessellationControl:
    case ExecutionModel::MeshNV:
    case ExecutionModel::MeshEXT:
      return true;
    case ExecutionModel::TessellationEvaluation:
    case ExecutionModel::Geometry:
      return storage == StorageClass::Input;
    default:
      return false;
  }
}

void CheckComponents(ModuleReader& reader, const EntryPointUse& use) {
  const auto check = [&](StorageClass storage, vk::VuidIndex vuid) {
    if (IsArrayed(use, storage)) return;
    reader.ForEachInInterface(use, storage, [&](Instruction variable) {
      if (!reader.decorations().Has(variable.result_id(), Decoration::Component)) return;
      // It adds an array as well.
      if (reader.decorations().Has(variable.result_id(), Decoration::PerVertexKHR)) return;
      if (!IsArrayOfArrays(reader, reader.PointeeOf(variable))) return;
      reader.findings().Add(vuid, absl::StrCat("A variable of ", NameOf(use), " with Component is an array of arrays."),
                            variable);
    });
  };
  check(StorageClass::Input, vk::Vuid("VUID-StandaloneSpirv-Execution-10584"));
  check(StorageClass::Output, vk::Vuid("VUID-StandaloneSpirv-Execution-10585"));
}

// ---- Addresses.

// The types that have an address in a value of theirs.
class AddressTypes {
 public:
  explicit AddressTypes(const ModuleReader& reader) {
    for (Instruction type : reader.module().section(spirv_instrument::Section::kGlobals)) {
      if (Holds(type)) types_.insert(type.result_id());
    }
  }
  bool Contains(Instruction type) const { return types_.contains(type.result_id()); }

 private:
  bool Holds(Instruction type) const {
    const auto holds = [&](size_t operand) { return types_.contains(type.id(operand)); };
    switch (type.op()) {
      case Op::OpTypePointer:
        return type.enumerant<StorageClass>(0) == StorageClass::PhysicalStorageBuffer;
      case Op::OpTypeArray:
      case Op::OpTypeVector:
        return holds(0);
      case Op::OpTypeStruct:
        for (size_t i = 0; i < type.operand_count(); ++i) {
          if (holds(i)) return true;
        }
        return false;
      default:
        return false;
    }
  }

  absl::flat_hash_set<Id> types_;
};

void CheckAddresses(ModuleReader& reader, const EntryPointUse& use, const AddressTypes& addresses) {
  for (StorageClass storage : {StorageClass::Input, StorageClass::Output}) {
    reader.ForEachInInterface(use, storage, [&](Instruction variable) {
      if (reader.IsBuiltIn(variable) || !addresses.Contains(reader.PointeeOf(variable))) return;
      reader.findings().Add(vk::Vuid("VUID-StandaloneSpirv-Input-09557"),
                            absl::StrCat("A variable in the interface of ", NameOf(use),
                                         " has a pointer with storage class PhysicalStorageBuffer."),
                            variable);
    });
  }
}

// ---- Locations.

// The number of locations of a type for each type, without interfaces' arrays; 0 where it is not known.
class LocationCounts {
 public:
  explicit LocationCounts(const ModuleReader& reader) : reader_(reader) {
    for (Instruction type : reader.module().section(spirv_instrument::Section::kGlobals)) {
      if (const uint32_t count = Count(type)) counts_[type.result_id()] = std::min(count, kMaxLocations);
    }
  }
  uint32_t Of(Id type) const {
    const auto found = counts_.find(type);
    return found == counts_.end() ? 0 : found->second;
  }

 private:
  uint32_t Count(Instruction type) const {
    switch (type.op()) {
      case Op::OpTypeInt:
      case Op::OpTypeFloat:
        return 1;
      case Op::OpTypeVector:
        return reader_.Find(type.id(0)).literal(0) == 64 && type.literal(1) > 2 ? 2 : 1;
      case Op::OpTypeMatrix:
        return Of(type.id(0)) * std::min<uint32_t>(type.literal(1), 4);
      case Op::OpTypeArray:
        return Of(type.id(0)) * std::min(reader_.LengthOf(type).value_or(1), kMaxLocations);
      case Op::OpTypeStruct: {
        uint32_t sum = 0;
        for (size_t i = 0; i < type.operand_count(); ++i) sum = std::min(sum + Of(type.id(i)), kMaxLocations);
        return sum;
      }
      default:
        return 0;
    }
  }

  const ModuleReader& reader_;
  absl::flat_hash_map<Id, uint32_t> counts_;
};

// How inputs of fragment shaders are interpolated.
constexpr Decoration kInterpolations[] = {Decoration::PerVertexKHR, Decoration::Flat, Decoration::NoPerspective,
                                          Decoration::Sample, Decoration::Centroid};

// As bits of kInterpolations.
uint32_t InterpolationOf(const ModuleReader& reader, Instruction variable, Instruction block,
                         std::optional<uint32_t> member) {
  uint32_t bits = 0;
  uint32_t bit = 1;
  for (Decoration decoration : kInterpolations) {
    const bool has = reader.decorations().Has(variable.result_id(), decoration) ||
                     (member && reader.decorations().HasMember(block.result_id(), *member, decoration));
    if (has) bits |= bit;
    bit <<= 1;
  }
  return bits;
}

class FragmentInputs {
 public:
  FragmentInputs(ModuleReader& reader, const LocationCounts& counts, const EntryPointUse& use)
      : reader_(reader), counts_(counts), use_(use) {}

  void Add(Instruction variable) {
    if (reader_.IsBuiltIn(variable)) return;
    Instruction type = reader_.PointeeOf(variable);
    const Id id = variable.result_id();
    if (reader_.decorations().Has(id, Decoration::PerVertexKHR)) type = reader_.ElementOf(type);
    const auto location = reader_.decorations().Find(id, Decoration::Location);
    if (location) {
      Add(variable, location->parameter(0), type.result_id(), InterpolationOf(reader_, variable, {}, {}));
      return;
    }
    if (type.op() != Op::OpTypeStruct) return;
    for (uint32_t i = 0; i < type.operand_count(); ++i) {
      const auto of_member = reader_.decorations().FindMember(type.result_id(), i, Decoration::Location);
      if (!of_member) continue;
      Add(variable, of_member->parameter(0), type.id(i), InterpolationOf(reader_, variable, type, i));
    }
  }

 private:
  struct Input {
    Id variable;
    uint32_t interpolation;
  };

  void Add(Instruction variable, uint32_t location, Id type, uint32_t interpolation) {
    for (uint32_t i = 0; i < counts_.Of(type) && location + i < kMaxLocations; ++i) {
      const Input input = {variable.result_id(), interpolation};
      const Input& first = inputs_.try_emplace(location + i, input).first->second;
      if (first.variable == input.variable || first.interpolation == interpolation) continue;
      reader_.findings().Add(vk::Vuid("VUID-StandaloneSpirv-Input-10604"),
                             absl::StrCat("Two inputs of ", NameOf(use_), " at location ", location + i,
                                          " differ in PerVertexKHR, Flat, NoPerspective, Sample or Centroid."),
                             variable);
      return;
    }
  }

  ModuleReader& reader_;
  const LocationCounts& counts_;
  const EntryPointUse& use_;
  // By location.
  absl::flat_hash_map<uint32_t, Input> inputs_;
};

}  // namespace

void CheckInterfaces(ModuleReader& reader) {
  const AddressTypes addresses(reader);
  const LocationCounts counts(reader);
  for (const EntryPointUse& use : reader.entry_points()) {
    CheckComponents(reader, use);
    CheckAddresses(reader, use, addresses);
    if (!use.Is(ExecutionModel::Fragment)) continue;
    FragmentInputs inputs(reader, counts, use);
    reader.ForEachInInterface(use, StorageClass::Input, [&](Instruction variable) { inputs.Add(variable); });
  }
}

}  // namespace assay::core
