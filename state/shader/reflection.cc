// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/reflection.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "state/shader/pointer_flow.h"
#include "state/shader/spirv_module.h"

namespace assay::state {
namespace {

using Kind = DescriptorUse::Kind;
using spv::Op;

// Types nest no deeper in a module that has passed validation, and they nest in themselves in some that have not.
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
      return stage == VK_SHADER_STAGE_COMPUTE_BIT;
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

// The id of the entry point's function, or 0.
uint32_t FindEntryPoint(const SpirvModule& module, std::string_view name, VkShaderStageFlagBits stage) {
  for (const SpirvInstruction& entry_point : module.entry_points()) {
    if (!IsModelOf(static_cast<spv::ExecutionModel>(entry_point.Word(1)), stage)) continue;
    if (entry_point.String(3) == name) return entry_point.Word(2);
  }
  return 0;
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

Kind ImageKind(const SpirvInstruction& type) {
  const auto dimension = static_cast<spv::Dim>(type.Word(3));
  const bool is_storage = type.Word(7) == 2;
  if (dimension == spv::Dim::SubpassData) return Kind::kInputAttachment;
  if (dimension == spv::Dim::Buffer) return is_storage ? Kind::kStorageTexelBuffer : Kind::kUniformTexelBuffer;
  return is_storage ? Kind::kStorageImage : Kind::kSampledImage;
}

// `type` is that of one descriptor: no array.
std::optional<Kind> KindOf(const SpirvModule& module, const SpirvInstruction& type, spv::StorageClass storage_class) {
  if (storage_class == spv::StorageClass::StorageBuffer) return Kind::kStorageBuffer;
  if (storage_class == spv::StorageClass::Uniform) {
    // Storage buffers before SPIR-V 1.3.
    const bool is_storage = module.DecorationsOf(type.result_id()).is_buffer_block;
    return is_storage ? Kind::kStorageBuffer : Kind::kUniformBuffer;
  }
  if (storage_class != spv::StorageClass::UniformConstant) return std::nullopt;
  switch (type.op()) {
    case Op::OpTypeImage:
      return ImageKind(type);
    case Op::OpTypeSampledImage:
      return ImageKind(module.Find(type.Word(2)));
    case Op::OpTypeSampler:
      return Kind::kSampler;
    case Op::OpTypeAccelerationStructureKHR:
      return Kind::kAccelerationStructure;
    default:
      return std::nullopt;
  }
}

// Takes the arrays off `type` and returns the number of descriptors in them.
std::optional<uint32_t> StripArrays(const SpirvModule& module, SpirvInstruction& type) {
  uint64_t count = 1;
  for (int depth = 0; depth < kMaxArrayDepth; ++depth) {
    if (type.op() == Op::OpTypeRuntimeArray) {
      count = 0;
    } else if (type.op() == Op::OpTypeArray) {
      count *= module.EvaluateConstant(type.Word(3)).value_or(1);
      count = std::min<uint64_t>(count, std::numeric_limits<uint32_t>::max());
    } else {
      return static_cast<uint32_t>(count);
    }
    type = module.Find(type.Word(2));
  }
  return std::nullopt;
}

// Nothing if `variable` is no descriptor, else its place and kind.
std::optional<DescriptorUse> DescribeVariable(const SpirvModule& module, const SpirvInstruction& variable) {
  const SpirvDecorations decorations = module.DecorationsOf(variable.result_id());
  if (!decorations.set || !decorations.binding) return std::nullopt;
  const bool is_untyped = variable.op() == Op::OpUntypedVariableKHR;
  SpirvInstruction type = module.Find(is_untyped ? variable.Word(4) : module.Find(variable.type_id()).Word(3));
  const std::optional<uint32_t> array_size = StripArrays(module, type);
  if (!array_size) return std::nullopt;
  const std::optional<Kind> kind = KindOf(module, type, static_cast<spv::StorageClass>(variable.Word(3)));
  if (!kind) return std::nullopt;
  return DescriptorUse{
      .set = *decorations.set, .binding = *decorations.binding, .kind = *kind, .array_size = *array_size};
}

void AddDescriptor(const SpirvModule& module, const SpirvInstruction& variable, PointerFlow& flow,
                   std::vector<DescriptorUse>& out) {
  std::optional<DescriptorUse> use = DescribeVariable(module, variable);
  if (!use) return;
  const SpirvAccess accesses = flow.AccessesOf(variable.result_id());
  // A fetch through OpImage of an image and a sampler leaves the sampler alone.
  use->is_read = use->kind == Kind::kSampler ? accesses.samples : accesses.reads;
  use->is_written = accesses.writes;
  if (use->is_read || use->is_written) out.push_back(*use);
}

// 0, a runtime array, is more than any other.
uint32_t LargerArray(uint32_t a, uint32_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

void SortAndMerge(std::vector<DescriptorUse>& uses) {
  const auto place = [](const DescriptorUse& use) { return std::pair(use.set, use.binding); };
  std::stable_sort(uses.begin(), uses.end(),
                   [&](const DescriptorUse& a, const DescriptorUse& b) { return place(a) < place(b); });
  std::vector<DescriptorUse> merged;
  merged.reserve(uses.size());
  for (const DescriptorUse& use : uses) {
    if (merged.empty() || place(merged.back()) != place(use)) {
      merged.push_back(use);
      continue;
    }
    DescriptorUse& target = merged.back();
    target.is_read |= use.is_read;
    target.is_written |= use.is_written;
    target.array_size = LargerArray(target.array_size, use.array_size);
    if (target.kind == Kind::kSampler) target.kind = use.kind;
  }
  uses = std::move(merged);
}

}  // namespace

EntryPointInterface ReflectEntryPoint(absl::Span<const uint32_t> words, std::string_view entry_point,
                                      VkShaderStageFlagBits stage) {
  const std::optional<SpirvModule> module = SpirvModule::Parse(words);
  if (!module) return {};
  const uint32_t function = FindEntryPoint(*module, entry_point, stage);
  if (function == 0) return {};
  PointerFlow flow(*module, function);
  EntryPointInterface result;
  for (const SpirvInstruction& variable : module->variables()) {
    if (!flow.ok()) return {};
    AddDescriptor(*module, variable, flow, result.descriptors);
  }
  if (!flow.ok()) return {};
  SortAndMerge(result.descriptors);
  result.found = true;
  if (HasWorkgroups(stage)) result.local_size = LocalSize(*module, function);
  return result;
}

}  // namespace assay::state
