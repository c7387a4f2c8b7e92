// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Inputs and outputs: their elements, locations and components ("Location Assignment", "Component Assignment").

#include <algorithm>
#include <utility>

#include "core/interfaces/interface_reader.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/module.h"

namespace assay::core {
namespace {

using spirv_instrument::Decoration;
using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::ExecutionModel;
using spv::Op;

// No device has as many locations. Invalid modules may have more elements than memory.
constexpr uint32_t kMaxLocations = 256;
constexpr size_t kMaxElements = 512;
constexpr int kMaxDepth = 16;

// The decorations of a variable, or of a member, that interfaces know.
struct Decorated {
  std::optional<uint32_t> location;
  uint32_t component = 0;
  uint32_t index = 0;
  std::optional<spv::BuiltIn> built_in;
  bool is_patch = false;
  bool is_per_primitive = false;
  bool is_per_vertex = false;
  // Of an extension whose interfaces have rules of their own.
  bool is_strange = false;

  void Add(const Decoration& decoration) {
    switch (decoration.decoration) {
      case spv::Decoration::Location:
        location = decoration.parameter(0);
        break;
      case spv::Decoration::Component:
        component = decoration.parameter(0);
        break;
      case spv::Decoration::Index:
        index = decoration.parameter(0);
        break;
      case spv::Decoration::BuiltIn:
        built_in = static_cast<spv::BuiltIn>(decoration.parameter(0));
        break;
      case spv::Decoration::Patch:
        is_patch = true;
        break;
      case spv::Decoration::PerPrimitiveEXT:
        is_per_primitive = true;
        break;
      case spv::Decoration::PerVertexKHR:
        is_per_vertex = true;
        break;
      case spv::Decoration::PassthroughNV:
      case spv::Decoration::PerViewNV:
      case spv::Decoration::PerTaskNV:
        is_strange = true;
        break;
      default:
        break;
    }
  }
};

// Whether the variable has one more level of arrays than what it is matched with, for vertices or primitives.
bool IsArrayed(ExecutionModel model, spv::StorageClass storage, const Decorated& variable) {
  const bool is_input = storage == spv::StorageClass::Input;
  switch (model) {
    case ExecutionModel::TessellationControl:
      return is_input || !variable.is_patch;
    case ExecutionModel::TessellationEvaluation:
      return is_input && !variable.is_patch;
    case ExecutionModel::Geometry:
      return is_input;
    case ExecutionModel::MeshEXT:
    case ExecutionModel::MeshNV:
      return !is_input;
    case ExecutionModel::Fragment:
      return is_input && variable.is_per_vertex;
    default:
      return false;
  }
}

class ElementReader {
 public:
  ElementReader(ModuleReader& reader, InterfaceElement element, StageInterface& out)
      : reader_(reader), element_(std::move(element)), out_(out) {}

  // Adds the elements of a value of the type at the next location.
  void Add(Instruction type, int depth = 0) {
    if (depth > kMaxDepth || out_.elements.size() >= kMaxElements) return GiveUp();
    const size_t lengths = element_.type.lengths.size();
    // An array of structures is one of them after the other.
    Instruction inner = type;
    uint64_t count = 1;
    while (inner.op() == Op::OpTypeArray && element_.type.lengths.size() < kMaxDepth) {
      const std::optional<uint32_t> length = reader_.LengthOf(inner);
      if (!length || *length == 0 || *length > kMaxLocations) return GiveUp();
      element_.type.lengths.push_back(*length);
      count *= *length;
      inner = reader_.module.Find(inner.id(0));
    }
    if (inner.op() != Op::OpTypeStruct) return AddLeaf(inner, lengths);
    element_.type.lengths.resize(lengths);
    for (uint64_t i = 0; i < count && out_.is_complete; ++i) AddMembers(inner, depth);
  }

 private:
  void GiveUp() { out_.is_complete = false; }

  void AddMembers(Instruction structure, int depth) {
    std::vector<Decorated> members(structure.operand_count());
    reader_.module.decorations().ForEach(structure.result_id(), [&](const Decoration& decoration) {
      if (decoration.member && *decoration.member < members.size()) members[*decoration.member].Add(decoration);
    });
    const InterfaceElement whole = element_;
    for (uint32_t i = 0; i < members.size() && out_.is_complete; ++i) {
      const Decorated& member = members[i];
      if (member.built_in) continue;
      if (member.is_strange) return GiveUp();
      // The location behind what came before, unless the member says another.
      const uint32_t location = member.location.value_or(element_.location);
      element_ = whole;
      element_.location = location;
      element_.component = member.component;
      element_.is_patch |= member.is_patch;
      element_.is_per_primitive |= member.is_per_primitive;
      element_.members.push_back(i);
      Add(reader_.module.Find(structure.id(i)), depth + 1);
    }
    const uint32_t next = element_.location;
    element_ = whole;
    element_.location = next;
  }

  void AddLeaf(Instruction type, size_t outer_lengths) {
    InterfaceType& leaf = element_.type;
    if (type.op() == Op::OpTypeMatrix) {
      leaf.columns = static_cast<uint8_t>(type.literal(1));
      type = reader_.module.Find(type.id(0));
    }
    if (type.op() == Op::OpTypeVector) {
      leaf.components = static_cast<uint8_t>(type.literal(1));
      type = reader_.module.Find(type.id(0));
    }
    ModuleReader::ReadComponent(type, leaf);
    const uint64_t locations = uint64_t{leaf.vector_count()} * leaf.locations();
    // Longer vectors are of an extension.
    if (leaf.components > 4 || element_.component > 3) return GiveUp();
    out_.elements.push_back(element_);
    if (element_.location + locations > kMaxLocations) return GiveUp();
    element_.location += static_cast<uint32_t>(locations);
    leaf.lengths.resize(outer_lengths);
    leaf.columns = 0;
    leaf.components = 1;
  }

  ModuleReader& reader_;
  InterfaceElement element_;
  StageInterface& out_;
};

Instruction WithoutArrays(const ModuleReader& reader, Instruction type) {
  for (int depth = 0; depth < kMaxDepth && type.op() == Op::OpTypeArray; ++depth) {
    type = reader.module.Find(type.id(0));
  }
  return type;
}

bool HasLocation(const spirv_instrument::Decorations& decorations, Instruction structure) {
  bool has = false;
  decorations.ForEach(structure.result_id(), [&](const Decoration& decoration) {
    has |= decoration.member.has_value() && decoration.decoration == spv::Decoration::Location;
  });
  return has;
}

// The built-ins among the members of a structure, in their order.
std::vector<spv::BuiltIn> BuiltInsOf(const spirv_instrument::Decorations& decorations, Instruction structure) {
  std::vector<std::pair<uint32_t, spv::BuiltIn>> found;
  decorations.ForEach(structure.result_id(), [&](const Decoration& decoration) {
    if (!decoration.member || decoration.decoration != spv::Decoration::BuiltIn) return;
    found.emplace_back(*decoration.member, static_cast<spv::BuiltIn>(decoration.parameter(0)));
  });
  std::sort(found.begin(), found.end());
  std::vector<spv::BuiltIn> built_ins;
  built_ins.reserve(found.size());
  for (const auto& [member, built_in] : found) built_ins.push_back(built_in);
  return built_ins;
}

}  // namespace

void AddStageVariable(ModuleReader& reader, const EntryPoint& entry_point, Instruction variable, bool is_used,
                      StageInterface& out) {
  const spirv_instrument::Decorations& decorations = reader.module.decorations();
  Decorated decorated;
  decorations.ForEach(variable.result_id(), [&](const Decoration& decoration) {
    if (!decoration.member) decorated.Add(decoration);
  });
  if (decorated.built_in && is_used) out.used_built_ins.push_back(*decorated.built_in);
  if (decorated.built_in) return out.built_ins.push_back(*decorated.built_in);
  Instruction type = reader.module.Find(reader.module.module().TypeOf(variable.result_id()).id(1));
  // All members of a block are for patches or primitives, or none.
  const Instruction structure = WithoutArrays(reader, type);
  decorated.is_patch |= decorations.HasMember(structure.result_id(), 0, spv::Decoration::Patch);
  decorated.is_per_primitive |= decorations.HasMember(structure.result_id(), 0, spv::Decoration::PerPrimitiveEXT);
  if (decorated.is_strange) out.is_complete = false;
  if (IsArrayed(entry_point.model(), variable.enumerant<spv::StorageClass>(0), decorated)) {
    if (type.op() != Op::OpTypeArray && type.op() != Op::OpTypeRuntimeArray) return void(out.is_complete = false);
    type = reader.module.Find(type.id(0));
  }
  if (type.op() == Op::OpTypeStruct) {
    const std::vector<spv::BuiltIn> built_ins = BuiltInsOf(decorations, type);
    out.built_ins.insert(out.built_ins.end(), built_ins.begin(), built_ins.end());
    if (!built_ins.empty() && !decorated.is_per_primitive) {
      out.block = built_ins;
      out.block_variable = variable.result_id();
      out.is_block_used = is_used;
    }
    if (built_ins.size() == type.operand_count()) return;
  }
  // An invalid module.
  if (!decorated.location && !HasLocation(decorations, structure)) return void(out.is_complete = false);
  InterfaceElement element;
  element.location = decorated.location.value_or(0);
  element.component = decorated.component;
  element.index = decorated.index;
  element.is_patch = decorated.is_patch;
  element.is_per_primitive = decorated.is_per_primitive;
  element.is_used = is_used;
  element.variable = variable.result_id();
  ElementReader(reader, std::move(element), out).Add(type);
}

void IndexSlots(StageInterface& interface) {
  for (size_t i = 0; i < interface.elements.size() && interface.is_complete; ++i) {
    const InterfaceElement& element = interface.elements[i];
    if (element.index != 0) continue;
    const uint32_t count = element.type.vector_count();
    const uint32_t words = element.type.words();
    const size_t end = element.location + size_t{count} * element.type.locations();
    if (interface.slots.size() < end) interface.slots.resize(end, {-1, -1, -1, -1});
    for (uint32_t vector = 0; vector < count; ++vector) {
      const uint32_t location = element.location + vector * element.type.locations();
      for (uint32_t word = element.component; word < element.component + words; ++word) {
        if (location + word / 4 < interface.slots.size()) {
          interface.slots[location + word / 4][word % 4] = static_cast<int16_t>(i);
        }
      }
    }
  }
}

}  // namespace assay::core
