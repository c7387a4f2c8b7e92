// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/entry_point.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace assay::state {
namespace {

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

// Three ids, from word `first`.
std::array<uint32_t, 3> EvaluateSize(const SpirvModule& module, const SpirvInstruction& instruction, size_t first) {
  std::array<uint32_t, 3> size;
  for (size_t i = 0; i < size.size(); ++i) size[i] = module.EvaluateConstant(instruction.Word(first + i)).value_or(1);
  return size;
}

std::array<uint32_t, 3> LocalSize(const SpirvModule& module, uint32_t function) {
  // SPIR-V, "BuiltIn": WorkgroupSize takes precedence over any execution mode.
  const SpirvInstruction workgroup_size = module.Find(module.workgroup_size_id());
  if (workgroup_size.op() == Op::OpConstantComposite || workgroup_size.op() == Op::OpSpecConstantComposite) {
    return EvaluateSize(module, workgroup_size, 3);
  }
  for (const SpirvInstruction& mode : module.execution_modes()) {
    if (mode.Word(1) != function) continue;
    switch (static_cast<spv::ExecutionMode>(mode.Word(2))) {
      case spv::ExecutionMode::LocalSize:
        return {mode.Word(3), mode.Word(4), mode.Word(5)};
      case spv::ExecutionMode::LocalSizeId:
        return EvaluateSize(module, mode, 3);
      default:
        break;
    }
  }
  return {1, 1, 1};
}

// The number of locations of an interface variable of that type ("Location Assignment").
uint32_t LocationCount(const SpirvModule& module, const SpirvInstruction& type, int depth = 0) {
  if (depth == kMaxArrayDepth) return 1;
  const auto count_of = [&](uint32_t id) { return uint64_t{LocationCount(module, module.Find(id), depth + 1)}; };
  constexpr uint64_t kMany = 32;
  switch (type.op()) {
    case Op::OpTypeArray:
      return static_cast<uint32_t>(
          std::min(kMany, module.EvaluateConstant(type.Word(3)).value_or(1) * count_of(type.Word(2))));
    case Op::OpTypeMatrix:
      return static_cast<uint32_t>(std::min(kMany, type.Word(3) * count_of(type.Word(2))));
    case Op::OpTypeVector:
      return type.Word(3) > 2 && module.Find(type.Word(2)).Word(2) == 64 ? 2 : 1;
    default:
      return 1;
  }
}

// A bit for each location of the entry point's variables of a storage class.
uint32_t LocationsOf(const SpirvModule& module, const SpirvInstruction& entry_point, spv::StorageClass storage_class) {
  uint32_t locations = 0;
  // The interface variables come after the name.
  const size_t name_words = entry_point.String(3).value_or("").size() / sizeof(uint32_t) + 1;
  for (size_t i = 3 + name_words; i < entry_point.size(); ++i) {
    const SpirvInstruction variable = module.Find(entry_point.Word(i));
    if (variable.op() != Op::OpVariable || static_cast<spv::StorageClass>(variable.Word(3)) != storage_class) continue;
    const std::optional<uint32_t> location = module.DecorationsOf(variable.result_id()).location;
    if (!location || *location >= 32) continue;
    const SpirvInstruction type = module.Find(module.Find(variable.type_id()).Word(3));
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

void ReadExecutionModes(const SpirvModule& module, uint32_t function, bool is_fragment, EntryPointInterface& out) {
  for (const SpirvInstruction& mode : module.execution_modes()) {
    if (mode.Word(1) != function) continue;
    const auto which = static_cast<spv::ExecutionMode>(mode.Word(2));
    if (which == spv::ExecutionMode::Xfb) out.transform_feedback_buffers = module.transform_feedback_buffers();
    // Another entry point may share the function.
    if (!is_fragment) continue;
    out.early_fragment_tests |= which == spv::ExecutionMode::EarlyFragmentTests;
    out.writes_depth |= which == spv::ExecutionMode::DepthReplacing;
    out.writes_stencil |= which == spv::ExecutionMode::StencilRefReplacingEXT;
    out.has_fragment_interlock |= IsInterlock(which);
  }
}

}  // namespace

const SpirvInstruction* FindEntryPoint(const SpirvModule& module, std::string_view name, VkShaderStageFlagBits stage) {
  for (const SpirvInstruction& entry_point : module.entry_points()) {
    if (!IsModelOf(static_cast<spv::ExecutionModel>(entry_point.Word(1)), stage)) continue;
    if (entry_point.String(3) == name) return &entry_point;
  }
  return nullptr;
}

void ReadDeclarations(const SpirvModule& module, const SpirvInstruction& entry_point, VkShaderStageFlagBits stage,
                      EntryPointInterface& out) {
  const uint32_t function = entry_point.Word(2);
  if (stage == VK_SHADER_STAGE_VERTEX_BIT)
    out.input_locations = LocationsOf(module, entry_point, spv::StorageClass::Input);
  if (stage == VK_SHADER_STAGE_FRAGMENT_BIT)
    out.output_locations = LocationsOf(module, entry_point, spv::StorageClass::Output);
  ReadExecutionModes(module, function, stage == VK_SHADER_STAGE_FRAGMENT_BIT, out);
  out.may_discard_fragments = stage == VK_SHADER_STAGE_FRAGMENT_BIT && module.may_discard_fragments();
  out.has_push_constants =
      std::any_of(module.variables().begin(), module.variables().end(), [](const SpirvInstruction& variable) {
        return static_cast<spv::StorageClass>(variable.Word(3)) == spv::StorageClass::PushConstant;
      });
  if (HasWorkgroups(stage)) out.local_size = LocalSize(module, function);
}

}  // namespace assay::state
