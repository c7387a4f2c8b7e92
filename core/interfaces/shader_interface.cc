// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/interfaces/shader_interface.h"

#include <algorithm>
#include <tuple>

#include "absl/container/flat_hash_set.h"
#include "absl/status/statusor.h"
#include "core/interfaces/interface_reader.h"
#include "core/pipelines/shaders/shader_facts.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/ir/module.h"
#include "state/shader/entry_point.h"
#include "state/shader/reflected_module.h"

namespace assay::core {

using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::Module;
using spv::StorageClass;

uint32_t InterfaceType::vector_count() const {
  uint64_t count = std::max<uint32_t>(columns, 1);
  // An array of some thousand elements is beyond all locations.
  for (uint32_t length : lengths) count = std::min<uint64_t>(count * length, 1u << 16);
  return static_cast<uint32_t>(count);
}

const InterfaceElement* StageInterface::At(uint32_t location, uint32_t word) const {
  if (location >= slots.size() || word > 3 || slots[location][word] < 0) return nullptr;
  return &elements[static_cast<size_t>(slots[location][word])];
}

bool StageInterface::Has(spv::BuiltIn built_in) const {
  return std::find(built_ins.begin(), built_ins.end(), built_in) != built_ins.end();
}

std::optional<uint32_t> ModuleReader::LengthOf(Instruction array) {
  const Id length = array.id(1);
  is_specialized |= module.Find(length).op() != spv::Op::OpConstant;
  return module.EvaluateConstant(length);
}

void ModuleReader::ReadComponent(Instruction type, InterfaceType& out) {
  // A component of another size is invalid, or of an extension.
  const uint32_t width = type.literal(0);
  out.width = width == 16 || width == 64 ? static_cast<uint8_t>(width) : 32;
  if (type.op() == spv::Op::OpTypeFloat) out.kind = InterfaceType::Kind::kFloat;
  if (type.op() == spv::Op::OpTypeInt) {
    out.kind = type.literal(1) != 0 ? InterfaceType::Kind::kSignedInt : InterfaceType::Kind::kUnsignedInt;
  }
}

namespace {

OutputPrimitive PrimitiveOf(const Module& module, const EntryPoint& entry_point) {
  OutputPrimitive result = OutputPrimitive::kOther;
  for (Instruction mode : spirv_instrument::ExecutionModes(module, entry_point.function())) {
    switch (mode.enumerant<spv::ExecutionMode>(1)) {
      case spv::ExecutionMode::OutputPoints:
      case spv::ExecutionMode::PointMode:
        return OutputPrimitive::kPoints;
      case spv::ExecutionMode::OutputLineStrip:
      case spv::ExecutionMode::OutputLinesEXT:
      case spv::ExecutionMode::Isolines:
        result = OutputPrimitive::kLines;
        break;
      default:
        break;
    }
  }
  return result;
}

}  // namespace

ShaderInterface ReadShaderInterface(const Module& module, std::string_view entry_point, VkShaderStageFlagBits stage,
                                    absl::Span<const spirv_instrument::Specialization> specialization) {
  ShaderInterface result;
  const std::optional<EntryPoint> found = state::FindEntryPoint(module, entry_point, stage);
  if (!found) return result;
  result.is_known = true;
  result.stage = stage;
  result.model = found->model();
  for (Instruction capability : module.section(spirv_instrument::Section::kCapabilities)) {
    result.has_ray_queries |= capability.op() == spv::Op::OpCapability &&
                              capability.enumerant<spv::Capability>(0) == spv::Capability::RayQueryKHR;
  }
  state::ReflectedModule reflected(module, specialization);
  ModuleReader reader{reflected};
  const std::vector<Id> used = UsedVariables(module, found->function());
  absl::flat_hash_set<uint32_t> listed;
  for (uint32_t word : found->interface()) {
    const Instruction variable = module.Find(Id{word});
    const bool is_variable = variable.op() == spv::Op::OpVariable && !variable.block();
    if (!is_variable || !listed.insert(word).second) continue;
    const auto storage = variable.enumerant<StorageClass>(0);
    const bool is_used = std::binary_search(used.begin(), used.end(), Id{word});
    if (storage == StorageClass::Input) AddStageVariable(reader, *found, variable, is_used, result.inputs);
    if (storage == StorageClass::Output) AddStageVariable(reader, *found, variable, is_used, result.outputs);
  }
  IndexSlots(result.inputs);
  IndexSlots(result.outputs);
  for (Id id : used) {
    const Instruction variable = module.Find(id);
    switch (variable.enumerant<StorageClass>(0)) {
      case StorageClass::UniformConstant:
      case StorageClass::Uniform:
      case StorageClass::StorageBuffer:
        AddResource(reader, variable, result);
        break;
      case StorageClass::PushConstant:
        AddPushConstants(reader, *found, variable, result);
        break;
      default:
        break;
    }
  }
  std::stable_sort(result.resources.begin(), result.resources.end(), [](const auto& a, const auto& b) {
    return std::tie(a.set, a.binding) < std::tie(b.set, b.binding);
  });
  AddCertainAccesses(reader, *found, result);
  AddBlockMatches(reader, *found, result);
  result.primitive = PrimitiveOf(module, *found);
  if (result.outputs.Has(spv::BuiltIn::PrimitiveShadingRateKHR)) {
    const auto facts = ReadShaderFacts(module, entry_point, stage);
    result.writes_shading_rate = facts && facts->Writes(spv::BuiltIn::PrimitiveShadingRateKHR);
  }
  result.is_specialized = reader.is_specialized;
  return result;
}

}  // namespace assay::core
