// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/entry_point.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/sections.h"

namespace assay::state {
namespace {

using spirv_instrument::EntryPoint;
using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spirv_instrument::kNoId;
using spirv_instrument::Section;
using spv::Op;

// Types in a valid module do not nest deeper. In an invalid one they may contain themselves.
constexpr int kMaxArrayDepth = 16;

bool IsModelOf(spv::ExecutionModel model, VkShaderStageFlagBits stage) {
  switch (model) {
    case spv::ExecutionModel::Vertex:
      return stage == VK_SHADER_STAGE_VERTEX_BIT;
    case spv::ExecutionModel::TessellationControl:
      return stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    case spv::ExecutionModel::TessellationEvaluation:
      return stage == VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
    case spv::ExecutionModel::Geometry:
      return stage == VK_SHADER_STAGE_GEOMETRY_BIT;
    case spv::ExecutionModel::Fragment:
      return stage == VK_SHADER_STAGE_FRAGMENT_BIT;
    case spv::ExecutionModel::GLCompute:
      // SPV_HUAWEI_subpass_shading has no model of its own.
      return stage == VK_SHADER_STAGE_COMPUTE_BIT || stage == VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;
    case spv::ExecutionModel::TaskNV:
    case spv::ExecutionModel::TaskEXT:
      return stage == VK_SHADER_STAGE_TASK_BIT_EXT;
    case spv::ExecutionModel::MeshNV:
    case spv::ExecutionModel::MeshEXT:
      return stage == VK_SHADER_STAGE_MESH_BIT_EXT;
    case spv::ExecutionModel::RayGenerationKHR:
      return stage == VK_SHADER_STAGE_RAYGEN_BIT_KHR;
    case spv::ExecutionModel::IntersectionKHR:
      return stage == VK_SHADER_STAGE_INTERSECTION_BIT_KHR;
    case spv::ExecutionModel::AnyHitKHR:
      return stage == VK_SHADER_STAGE_ANY_HIT_BIT_KHR;
    case spv::ExecutionModel::ClosestHitKHR:
      return stage == VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR;
    case spv::ExecutionModel::MissKHR:
      return stage == VK_SHADER_STAGE_MISS_BIT_KHR;
    case spv::ExecutionModel::CallableKHR:
      return stage == VK_SHADER_STAGE_CALLABLE_BIT_KHR;
    default:
      return false;
  }
}

bool HasWorkgroups(VkShaderStageFlagBits stage) {
  constexpr VkShaderStageFlags kStages =
      VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT;
  return (stage & kStages) != 0;
}

// Three ids, from that operand on.
std::array<uint32_t, 3> EvaluateSize(ReflectedModule& module, Instruction instruction, size_t first) {
  std::array<uint32_t, 3> size;
  for (size_t i = 0; i < size.size(); ++i) size[i] = module.EvaluateConstant(instruction.id(first + i)).value_or(1);
  return size;
}

// The id with the decoration BuiltIn of this kind; kNoId without.
Id FindBuiltIn(const ReflectedModule& module, spv::BuiltIn kind) {
  for (Instruction instruction : module.module().section(Section::kAnnotations)) {
    const bool is_built_in =
        instruction.op() == Op::OpDecorate && instruction.enumerant<spv::Decoration>(1) == spv::Decoration::BuiltIn;
    if (is_built_in && instruction.enumerant<spv::BuiltIn>(2) == kind) return instruction.id(0);
  }
  return kNoId;
}

std::array<uint32_t, 3> LocalSize(ReflectedModule& module, Id function) {
  // SPIR-V, "BuiltIn": WorkgroupSize takes precedence over any execution mode.
  const Instruction workgroup_size = module.Find(FindBuiltIn(module, spv::BuiltIn::WorkgroupSize));
  if (workgroup_size.op() == Op::OpConstantComposite || workgroup_size.op() == Op::OpSpecConstantComposite) {
    return EvaluateSize(module, workgroup_size, 0);
  }
  for (Instruction mode : ExecutionModes(module.module(), function)) {
    switch (mode.enumerant<spv::ExecutionMode>(1)) {
      case spv::ExecutionMode::LocalSize:
        return {mode.literal(2), mode.literal(3), mode.literal(4)};
      case spv::ExecutionMode::LocalSizeId:
        return EvaluateSize(module, mode, 2);
      default:
        break;
    }
  }
  return {1, 1, 1};
}

// The number of locations of an interface variable of that type ("Location Assignment").
uint32_t LocationCount(ReflectedModule& module, Instruction type, int depth = 0) {
  if (depth == kMaxArrayDepth) return 1;
  const auto count_of = [&](Id id) { return uint64_t{LocationCount(module, module.Find(id), depth + 1)}; };
  constexpr uint64_t kMany = 32;
  switch (type.op()) {
    case Op::OpTypeArray:
      return static_cast<uint32_t>(
          std::min(kMany, module.EvaluateConstant(type.id(1)).value_or(1) * count_of(type.id(0))));
    case Op::OpTypeMatrix:
      return static_cast<uint32_t>(std::min(kMany, type.literal(1) * count_of(type.id(0))));
    case Op::OpTypeVector:
      return type.literal(1) > 2 && module.Find(type.id(0)).literal(0) == 64 ? 2 : 1;
    default:
      return 1;
  }
}

// A bit for each location of the entry point's variables of a storage class.
uint32_t LocationsOf(ReflectedModule& module, EntryPoint entry_point, spv::StorageClass storage_class) {
  uint32_t locations = 0;
  for (uint32_t id : entry_point.interface()) {
    const Instruction variable = module.Find(Id{id});
    if (variable.op() != Op::OpVariable || variable.enumerant<spv::StorageClass>(0) != storage_class) continue;
    const std::optional<uint32_t> location = module.DecorationOf(Id{id}, spv::Decoration::Location);
    if (!location || *location >= 32) continue;
    const Instruction type = module.Find(module.Find(variable.type_id()).id(1));
    const uint64_t bits = (uint64_t{1} << LocationCount(module, type)) - 1;
    locations |= static_cast<uint32_t>(bits << *location);
  }
  return locations;
}

bool IsInterlock(spv::ExecutionMode mode) {
  switch (mode) {
    case spv::ExecutionMode::PixelInterlockOrderedEXT:
    case spv::ExecutionMode::PixelInterlockUnorderedEXT:
    case spv::ExecutionMode::SampleInterlockOrderedEXT:
    case spv::ExecutionMode::SampleInterlockUnorderedEXT:
    case spv::ExecutionMode::ShadingRateInterlockOrderedEXT:
    case spv::ExecutionMode::ShadingRateInterlockUnorderedEXT:
      return true;
    default:
      return false;
  }
}

// A bit for each XfbBuffer below 32 in a decoration.
uint32_t TransformFeedbackBuffers(const ReflectedModule& module) {
  uint32_t buffers = 0;
  for (Instruction instruction : module.module().section(Section::kAnnotations)) {
    if (instruction.op() != Op::OpDecorate && instruction.op() != Op::OpMemberDecorate) continue;
    const size_t decoration = instruction.op() == Op::OpDecorate ? 1 : 2;
    if (instruction.enumerant<spv::Decoration>(decoration) != spv::Decoration::XfbBuffer) continue;
    const uint32_t buffer = instruction.literal(decoration + 1);
    if (buffer < 32) buffers |= 1u << buffer;
  }
  return buffers;
}

void ReadExecutionModes(const ReflectedModule& module, Id function, bool is_fragment, EntryPointInterface& out) {
  for (Instruction mode : ExecutionModes(module.module(), function)) {
    const auto which = mode.enumerant<spv::ExecutionMode>(1);
    if (which == spv::ExecutionMode::Xfb) out.transform_feedback_buffers = TransformFeedbackBuffers(module);
    // Another entry point may share the function.
    if (!is_fragment) continue;
    out.early_fragment_tests |= which == spv::ExecutionMode::EarlyFragmentTests;
    out.writes_depth |= which == spv::ExecutionMode::DepthReplacing;
    out.writes_stencil |= which == spv::ExecutionMode::StencilRefReplacingEXT;
    out.has_fragment_interlock |= IsInterlock(which);
  }
}

// Whether any function may discard a fragment, or the module has a sample mask.
bool MayDiscardFragments(const ReflectedModule& module) {
  if (FindBuiltIn(module, spv::BuiltIn::SampleMask) != kNoId) return true;
  for (Instruction instruction : module.module().section(Section::kFunctions)) {
    switch (instruction.op()) {
      case Op::OpKill:
      case Op::OpTerminateInvocation:
      case Op::OpDemoteToHelperInvocation:
        return true;
      default:
        break;
    }
  }
  return false;
}

}  // namespace

std::optional<EntryPoint> FindEntryPoint(const spirv_instrument::Module& module, std::string_view name,
                                         VkShaderStageFlagBits stage) {
  for (EntryPoint entry_point : EntryPoints(module)) {
    if (IsModelOf(entry_point.model(), stage) && entry_point.name() == name) return entry_point;
  }
  return std::nullopt;
}

void ReadDeclarations(ReflectedModule& module, EntryPoint entry_point, VkShaderStageFlagBits stage,
                      EntryPointInterface& out) {
  const Id function = entry_point.function();
  if (stage == VK_SHADER_STAGE_VERTEX_BIT)
    out.input_locations = LocationsOf(module, entry_point, spv::StorageClass::Input);
  if (stage == VK_SHADER_STAGE_FRAGMENT_BIT)
    out.output_locations = LocationsOf(module, entry_point, spv::StorageClass::Output);
  ReadExecutionModes(module, function, stage == VK_SHADER_STAGE_FRAGMENT_BIT, out);
  out.may_discard_fragments = stage == VK_SHADER_STAGE_FRAGMENT_BIT && MayDiscardFragments(module);
  out.has_push_constants = std::any_of(
      module.global_variables().begin(), module.global_variables().end(),
      [](Instruction variable) { return variable.enumerant<spv::StorageClass>(0) == spv::StorageClass::PushConstant; });
  if (HasWorkgroups(stage)) out.local_size = LocalSize(module, function);
}

}  // namespace assay::state
