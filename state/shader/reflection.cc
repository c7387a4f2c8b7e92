// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "state/shader/reflection.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <optional>
#include <utility>

#include "state/shader/pointer_flow.h"
#include "state/shader/spirv_module.h"

namespace assay::state {
namespace {

using Kind = ReflectedDescriptor::Kind;
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

// Null if there is none.
const SpirvInstruction* FindEntryPoint(const SpirvModule& module, std::string_view name, VkShaderStageFlagBits stage) {
  for (const SpirvInstruction& entry_point : module.entry_points()) {
    if (!IsModelOf(static_cast<spv::ExecutionModel>(entry_point.Word(1)), stage)) continue;
    if (entry_point.String(3) == name) return &entry_point;
  }
  return nullptr;
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

// Removes the arrays from `type` and returns the number of descriptors in them.
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

SpirvInstruction DeclaredType(const SpirvModule& module, const SpirvInstruction& variable) {
  const bool is_untyped = variable.op() == Op::OpUntypedVariableKHR;
  return module.Find(is_untyped ? variable.Word(4) : module.Find(variable.type_id()).Word(3));
}

// The place and kind of a descriptor variable; nullopt for another variable.
std::optional<ReflectedDescriptor> DescribeVariable(const SpirvModule& module, const SpirvInstruction& variable) {
  const SpirvDecorations decorations = module.DecorationsOf(variable.result_id());
  if (!decorations.set || !decorations.binding) return std::nullopt;
  SpirvInstruction type = DeclaredType(module, variable);
  const std::optional<uint32_t> array_size = StripArrays(module, type);
  if (!array_size) return std::nullopt;
  const std::optional<Kind> kind = KindOf(module, type, static_cast<spv::StorageClass>(variable.Word(3)));
  if (!kind) return std::nullopt;
  return ReflectedDescriptor{.set = *decorations.set,
                             .binding = *decorations.binding,
                             .kind = *kind,
                             .array_size = *array_size,
                             .input_attachment_index = *kind == Kind::kInputAttachment
                                                           ? decorations.input_attachment_index
                                                           : std::optional<uint32_t>()};
}

// A fetch through OpImage of an image and a sampler leaves the sampler alone.
bool IsRead(Kind kind, const SpirvAccess& accesses) {
  return kind == Kind::kSampler ? accesses.samples : accesses.reads;
}

void AddElement(const ReflectedDescriptor::Element& element, std::vector<ReflectedDescriptor::Element>& elements) {
  if (!element.is_read && !element.is_written) return;
  auto found = std::lower_bound(elements.begin(), elements.end(), element.index,
                                [](const ReflectedDescriptor::Element& e, uint32_t index) { return e.index < index; });
  if (found == elements.end() || found->index != element.index) {
    elements.insert(found, element);
    return;
  }
  found->is_read |= element.is_read;
  found->is_written |= element.is_written;
}

// The elements of an array that the entry point accesses; empty if not every index is a constant.
std::vector<ReflectedDescriptor::Element> FindElements(const SpirvModule& module, const SpirvInstruction& variable,
                                                       Kind kind, PointerFlow& flow) {
  const std::optional<std::vector<uint32_t>> steps = flow.StepsFrom(variable.result_id());
  if (!steps) return {};
  const Op element_op = module.Find(DeclaredType(module, variable).Word(2)).op();
  // An array of arrays has more than one index.
  if (element_op == Op::OpTypeArray || element_op == Op::OpTypeRuntimeArray) return {};
  std::vector<ReflectedDescriptor::Element> elements;
  for (uint32_t step : *steps) {
    const SpirvInstruction chain = module.Find(step);
    const bool is_chain = chain.op() == Op::OpAccessChain || chain.op() == Op::OpInBoundsAccessChain;
    if (!is_chain || chain.Word(3) != variable.result_id() || chain.size() < 5) return {};
    const std::optional<uint32_t> index = module.EvaluateConstant(chain.Word(4));
    if (!index) return {};
    const SpirvAccess accesses = flow.AccessesOf(step);
    AddElement({*index, IsRead(kind, accesses), accesses.writes}, elements);
  }
  return elements;
}

void AddDescriptor(const SpirvModule& module, const SpirvInstruction& variable, PointerFlow& flow,
                   std::vector<ReflectedDescriptor>& out) {
  std::optional<ReflectedDescriptor> descriptor = DescribeVariable(module, variable);
  if (!descriptor) return;
  const SpirvAccess accesses = flow.AccessesOf(variable.result_id());
  descriptor->is_read = IsRead(descriptor->kind, accesses);
  descriptor->is_written = accesses.writes;
  if (!descriptor->is_read && !descriptor->is_written) return;
  if (descriptor->array_size != 1) descriptor->elements = FindElements(module, variable, descriptor->kind, flow);
  out.push_back(*std::move(descriptor));
}

// The larger array size; 0, a runtime array, is larger than any other.
uint32_t LargerArray(uint32_t a, uint32_t b) { return a == 0 || b == 0 ? 0 : std::max(a, b); }

// Merges the accesses of variables that share a binding.
std::vector<ReflectedDescriptor::Element> MergeElements(const ReflectedDescriptor& a, const ReflectedDescriptor& b) {
  if (!a.has_known_elements() || !b.has_known_elements()) return {};
  if (a.array_size == 1 && b.array_size == 1) return {};
  std::vector<ReflectedDescriptor::Element> elements;
  for (const ReflectedDescriptor* descriptor : {&a, &b}) {
    if (descriptor->elements.empty()) AddElement({0, descriptor->is_read, descriptor->is_written}, elements);
    for (const ReflectedDescriptor::Element& element : descriptor->elements) AddElement(element, elements);
  }
  return elements;
}

void SortAndMerge(std::vector<ReflectedDescriptor>& descriptors) {
  const auto place = [](const ReflectedDescriptor& descriptor) {
    return std::pair(descriptor.set, descriptor.binding);
  };
  std::stable_sort(descriptors.begin(), descriptors.end(),
                   [&](const ReflectedDescriptor& a, const ReflectedDescriptor& b) { return place(a) < place(b); });
  std::vector<ReflectedDescriptor> merged;
  merged.reserve(descriptors.size());
  for (const ReflectedDescriptor& descriptor : descriptors) {
    if (merged.empty() || place(merged.back()) != place(descriptor)) {
      merged.push_back(descriptor);
      continue;
    }
    ReflectedDescriptor& target = merged.back();
    target.elements = MergeElements(target, descriptor);
    target.is_read |= descriptor.is_read;
    target.is_written |= descriptor.is_written;
    target.array_size = LargerArray(target.array_size, descriptor.array_size);
    if (target.kind == Kind::kSampler) target.kind = descriptor.kind;
  }
  descriptors = std::move(merged);
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
    const uint64_t bits = (uint64_t{1} << LocationCount(module, DeclaredType(module, variable))) - 1;
    locations |= static_cast<uint32_t>(bits << *location);
  }
  return locations;
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
  }
}

std::vector<SpirvSpecialization> ReadSpecialization(const VkSpecializationInfo* info) {
  std::vector<SpirvSpecialization> constants;
  if (info == nullptr || info->pMapEntries == nullptr || info->pData == nullptr) return constants;
  for (uint32_t i = 0; i < info->mapEntryCount; ++i) {
    const VkSpecializationMapEntry& entry = info->pMapEntries[i];
    if (entry.offset >= info->dataSize || entry.size > info->dataSize - entry.offset) continue;
    uint32_t value = 0;
    std::memcpy(&value, static_cast<const char*>(info->pData) + entry.offset, std::min(entry.size, sizeof(value)));
    constants.push_back({entry.constantID, value});
  }
  return constants;
}

}  // namespace

EntryPointInterface ReflectEntryPoint(absl::Span<const uint32_t> words, std::string_view entry_point,
                                      VkShaderStageFlagBits stage, const VkSpecializationInfo* specialization) {
  std::optional<SpirvModule> module = SpirvModule::Parse(words);
  if (!module) return {};
  module->Specialize(ReadSpecialization(specialization));
  const SpirvInstruction* declaration = FindEntryPoint(*module, entry_point, stage);
  if (declaration == nullptr || declaration->Word(2) == 0) return {};
  const uint32_t function = declaration->Word(2);
  PointerFlow flow(*module, function);
  EntryPointInterface result;
  for (const SpirvInstruction& variable : module->variables()) {
    if (!flow.ok()) return {};
    AddDescriptor(*module, variable, flow, result.descriptors);
  }
  if (!flow.ok()) return {};
  SortAndMerge(result.descriptors);
  result.found = true;
  if (stage == VK_SHADER_STAGE_VERTEX_BIT)
    result.input_locations = LocationsOf(*module, *declaration, spv::StorageClass::Input);
  if (stage == VK_SHADER_STAGE_FRAGMENT_BIT)
    result.output_locations = LocationsOf(*module, *declaration, spv::StorageClass::Output);
  ReadExecutionModes(*module, function, stage == VK_SHADER_STAGE_FRAGMENT_BIT, result);
  if (HasWorkgroups(stage)) result.local_size = LocalSize(*module, function);
  return result;
}

}  // namespace assay::state
