// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What an entry point needs of numbered resources, after specialization.

#include <algorithm>
#include <array>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_reader.h"

namespace assay::core {

using spirv_instrument::Id;
using spirv_instrument::Instruction;
using spv::ExecutionMode;
using spv::ExecutionModel;
using spv::Op;
using spv::StorageClass;
using vk::Vuid;

namespace {

struct WorkgroupIds {
  std::array<vk::VuidIndex, 3> size;
  vk::VuidIndex invocations;
};
constexpr WorkgroupIds kCompute = {
    {Vuid("VUID-RuntimeSpirv-x-06429"), Vuid("VUID-RuntimeSpirv-y-06430"), Vuid("VUID-RuntimeSpirv-z-06431")},
    Vuid("VUID-RuntimeSpirv-x-06432")};
constexpr WorkgroupIds kTask = {{Vuid("VUID-RuntimeSpirv-TaskEXT-07291"), Vuid("VUID-RuntimeSpirv-TaskEXT-07292"),
                                 Vuid("VUID-RuntimeSpirv-TaskEXT-07293")},
                                Vuid("VUID-RuntimeSpirv-TaskEXT-07294")};
constexpr WorkgroupIds kMesh = {{Vuid("VUID-RuntimeSpirv-MeshEXT-07295"), Vuid("VUID-RuntimeSpirv-MeshEXT-07296"),
                                 Vuid("VUID-RuntimeSpirv-MeshEXT-07297")},
                                Vuid("VUID-RuntimeSpirv-MeshEXT-07298")};

void CheckWorkgroup(StageReader& reader, const WorkgroupIds& ids, const uint32_t (&most)[3], uint32_t invocations,
                    std::string_view prefix) {
  uint64_t product = 1;
  bool is_within = true;
  for (size_t i = 0; i < 3; ++i) {
    const uint32_t size = reader.facts.local_size[i];
    product = std::min<uint64_t>(product * size, UINT32_MAX);
    is_within &= reader.CheckLimit(ids.size[i], size, most[i],
                                   absl::StrCat("a workgroup size in ", std::string_view("XYZ").substr(i, 1)),
                                   absl::StrCat("max", prefix, "WorkGroupSize[", i, "]"));
  }
  // The product follows from a size that is too large.
  if (is_within) {
    reader.CheckLimit(ids.invocations, product, invocations, "a number of invocations in a workgroup",
                      absl::StrCat("max", prefix, "WorkGroupInvocations"));
  }
}

void CheckMeshMemory(StageReader& reader, const VkPhysicalDeviceMeshShaderPropertiesEXT& limits) {
  const uint64_t shared = MemoryOf(reader, StorageClass::Workgroup);
  const uint64_t payload = MemoryOf(reader, StorageClass::TaskPayloadWorkgroupEXT);
  if (reader.IsModel(ExecutionModel::MeshEXT)) {
    if (reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxMeshSharedMemorySize-08754"), shared,
                          limits.maxMeshSharedMemorySize, "shared memory in bytes", "maxMeshSharedMemorySize")) {
      reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxMeshPayloadAndSharedMemorySize-08755"), shared + payload,
                        limits.maxMeshPayloadAndSharedMemorySize, "payload and shared memory in bytes",
                        "maxMeshPayloadAndSharedMemorySize");
    }
    return;
  }
  bool is_within = reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxTaskPayloadSize-08758"), payload,
                                     limits.maxTaskPayloadSize, "a payload in bytes", "maxTaskPayloadSize");
  is_within &= reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxTaskSharedMemorySize-08759"), shared,
                                 limits.maxTaskSharedMemorySize, "shared memory in bytes", "maxTaskSharedMemorySize");
  if (!is_within) return;
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-maxTaskPayloadAndSharedMemorySize-08760"), shared + payload,
                    limits.maxTaskPayloadAndSharedMemorySize, "payload and shared memory in bytes",
                    "maxTaskPayloadAndSharedMemorySize");
}

// VK_NV_mesh_shader.
void CheckMeshNv(StageReader& reader) {
  const auto* limits = reader.Properties<VkPhysicalDeviceMeshShaderPropertiesNV>();
  if (limits == nullptr) return;
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-MeshNV-07113"), reader.Mode(ExecutionMode::OutputVertices).literal(2),
                    limits->maxMeshOutputVertices, "OutputVertices", "maxMeshOutputVertices");
  reader.CheckLimit(Vuid("VUID-RuntimeSpirv-MeshNV-07114"), reader.Mode(ExecutionMode::OutputPrimitivesEXT).literal(2),
                    limits->maxMeshOutputPrimitives, "OutputPrimitivesNV", "maxMeshOutputPrimitives");
}

void CheckMesh(StageReader& reader) {
  if (reader.IsModel(ExecutionModel::MeshNV)) return CheckMeshNv(reader);
  const Instruction vertices = reader.Mode(ExecutionMode::OutputVertices);
  const Instruction primitives = reader.Mode(ExecutionMode::OutputPrimitivesEXT);
  const auto* limits = reader.Properties<VkPhysicalDeviceMeshShaderPropertiesEXT>();
  if (limits == nullptr) return;
  if (reader.IsModel(ExecutionModel::TaskEXT)) {
    CheckWorkgroup(reader, kTask, limits->maxTaskWorkGroupSize, limits->maxTaskWorkGroupInvocations, "Task");
    CheckMeshMemory(reader, *limits);
  } else if (reader.IsModel(ExecutionModel::MeshEXT)) {
    CheckWorkgroup(reader, kMesh, limits->maxMeshWorkGroupSize, limits->maxMeshWorkGroupInvocations, "Mesh");
    CheckMeshMemory(reader, *limits);
    reader.CheckLimit(Vuid("VUID-RuntimeSpirv-MeshEXT-07115"), vertices.literal(2), limits->maxMeshOutputVertices,
                      "OutputVertices", "maxMeshOutputVertices");
    reader.CheckLimit(Vuid("VUID-RuntimeSpirv-MeshEXT-07116"), primitives.literal(2), limits->maxMeshOutputPrimitives,
                      "OutputPrimitivesEXT", "maxMeshOutputPrimitives");
  }
}

struct LimitIds {
  vk::VuidIndex clip;
  vk::VuidIndex cull;
  vk::VuidIndex combined;
  vk::VuidIndex sample_mask;
  vk::VuidIndex patch;
  vk::VuidIndex vertices;
  vk::VuidIndex invocations;
};
constexpr LimitIds kPipelineLimits = {
    Vuid("VUID-VkPipelineShaderStageCreateInfo-maxClipDistances-00708"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-maxCullDistances-00709"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-maxCombinedClipAndCullDistances-00710"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-maxSampleMaskWords-00711"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-00713"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-00714"),
    Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-00715"),
};
constexpr LimitIds kObjectLimits = {
    Vuid("VUID-VkShaderCreateInfoEXT-pCode-08448"), Vuid("VUID-VkShaderCreateInfoEXT-pCode-08449"),
    Vuid("VUID-VkShaderCreateInfoEXT-pCode-08450"), Vuid("VUID-VkShaderCreateInfoEXT-pCode-08451"),
    Vuid("VUID-VkShaderCreateInfoEXT-pCode-08453"), Vuid("VUID-VkShaderCreateInfoEXT-pCode-08454"),
    Vuid("VUID-VkShaderCreateInfoEXT-pCode-08455"),
};

// The length of the innermost array of a type.
uint64_t InnermostLength(StageReader& reader, Instruction type) {
  uint64_t length = 0;
  while (type.op() == Op::OpTypeArray) {
    length = reader.Evaluate(type.id(1)).value_or(0);
    type = reader.module.Find(type.id(0));
    if (type.op() == Op::OpTypeStruct) return 0;
  }
  return length;
}

// The largest array of a built-in in a storage class.
uint64_t LargestArray(StageReader& reader, StorageClass storage, spv::BuiltIn built_in) {
  uint64_t largest = 0;
  for (uint32_t word : reader.entry_point.interface()) {
    const Instruction variable = reader.module.Find(Id{word});
    if (variable.op() != Op::OpVariable || variable.enumerant<StorageClass>(0) != storage) continue;
    const Instruction type = PointeeOf(reader, variable);
    if (reader.module.DecorationOf(Id{word}, spv::Decoration::BuiltIn) == static_cast<uint32_t>(built_in)) {
      largest = std::max(largest, InnermostLength(reader, type));
    }
    const Instruction block = ElementOf(reader, type);
    if (block.op() != Op::OpTypeStruct) continue;
    for (uint32_t i = 0; i < block.operand_count(); ++i) {
      const auto found = reader.module.decorations().FindMember(block.result_id(), i, spv::Decoration::BuiltIn);
      if (!found || found->parameter(0) != static_cast<uint32_t>(built_in)) continue;
      largest = std::max(largest, InnermostLength(reader, reader.module.Find(block.id(i))));
    }
  }
  return largest;
}

void CheckBuiltInArrays(StageReader& reader, const LimitIds& ids) {
  const VkPhysicalDeviceLimits& limits = reader.device.physical_device->limits;
  for (StorageClass storage : {StorageClass::Input, StorageClass::Output}) {
    const uint64_t clip = LargestArray(reader, storage, spv::BuiltIn::ClipDistance);
    const uint64_t cull = LargestArray(reader, storage, spv::BuiltIn::CullDistance);
    bool is_within = reader.CheckLimit(ids.clip, clip, limits.maxClipDistances, "an array ClipDistance of a length",
                                       "maxClipDistances");
    is_within &= reader.CheckLimit(ids.cull, cull, limits.maxCullDistances, "an array CullDistance of a length",
                                   "maxCullDistances");
    if (is_within && clip != 0 && cull != 0) {
      reader.CheckLimit(ids.combined, clip + cull, limits.maxCombinedClipAndCullDistances,
                        "arrays ClipDistance and CullDistance of a sum of lengths", "maxCombinedClipAndCullDistances");
    }
    reader.CheckLimit(ids.sample_mask, LargestArray(reader, storage, spv::BuiltIn::SampleMask),
                      limits.maxSampleMaskWords, "an array SampleMask of a length", "maxSampleMaskWords");
  }
}

void CheckNumberOfMode(StageReader& reader, vk::VuidIndex vuid, ExecutionMode mode, uint64_t limit,
                       std::string_view name, std::string_view limit_name) {
  const Instruction found = reader.Mode(mode);
  if (!found) return;
  if (found.literal(2) == 0) reader.Add(vuid, absl::StrCat("has ", name, " (0), which must be above 0."));
  reader.CheckLimit(vuid, found.literal(2), limit, name, limit_name);
}

// The constant operands of OpSetMeshOutputsEXT and OpEmitMeshTasksEXT.
void CheckMeshOutputs(StageReader& reader, Instruction instruction) {
  const auto compare = [&](vk::VuidIndex vuid, size_t operand, Instruction mode, const char* name) {
    const auto count = reader.Evaluate(instruction.id(operand));
    if (!count || !mode || *count <= mode.literal(2)) return;
    reader.Add(vuid, absl::StrCat("has ", reader.Name(instruction), " with a count (", *count, ") above ", name, " (",
                                  mode.literal(2), ")."));
  };
  compare(Vuid("VUID-RuntimeSpirv-MeshEXT-07332"), 0, reader.Mode(ExecutionMode::OutputVertices), "OutputVertices");
  compare(Vuid("VUID-RuntimeSpirv-MeshEXT-07333"), 1, reader.Mode(ExecutionMode::OutputPrimitivesEXT),
          "OutputPrimitivesEXT");
}

void CheckMeshTasks(StageReader& reader, Instruction instruction) {
  constexpr std::array<vk::VuidIndex, 3> kIds = {Vuid("VUID-RuntimeSpirv-TaskEXT-07299"),
                                                 Vuid("VUID-RuntimeSpirv-TaskEXT-07300"),
                                                 Vuid("VUID-RuntimeSpirv-TaskEXT-07301")};
  const auto* limits = reader.Properties<VkPhysicalDeviceMeshShaderPropertiesEXT>();
  if (limits == nullptr) return;
  uint64_t product = 1;
  bool is_within = true;
  for (size_t i = 0; i < 3; ++i) {
    const auto count = reader.Evaluate(instruction.id(i));
    is_within &= count.has_value();
    if (!count) continue;
    product = std::min<uint64_t>(product * std::min<uint64_t>(*count, UINT32_MAX), UINT32_MAX);
    is_within &= reader.CheckLimit(kIds[i], *count, limits->maxMeshWorkGroupCount[i],
                                   absl::StrCat(reader.Name(instruction), " with a group count"),
                                   absl::StrCat("maxMeshWorkGroupCount[", i, "]"));
  }
  if (is_within) {
    reader.CheckLimit(Vuid("VUID-RuntimeSpirv-TaskEXT-07302"), product, limits->maxMeshWorkGroupTotalCount,
                      absl::StrCat(reader.Name(instruction), " with a product of group counts"),
                      "maxMeshWorkGroupTotalCount");
  }
}

}  // namespace

uint64_t MemoryOf(StageReader& reader, StorageClass storage) {
  uint64_t sum = 0;
  uint64_t largest_block = 0;
  for (Id id : reader.used) {
    const Instruction variable = reader.module.Find(id);
    if (variable.enumerant<StorageClass>(0) != storage) continue;
    const Instruction type = PointeeOf(reader, variable);
    const uint64_t size = reader.SizeOf(type.result_id());
    if (reader.module.DecorationOf(type.result_id(), spv::Decoration::Block)) {
      largest_block = std::max(largest_block, size);
    } else {
      sum += size;
    }
  }
  return sum + largest_block;
}

void CheckMeshOperation(StageReader& reader, Instruction instruction) {
  if (instruction.op() == Op::OpSetMeshOutputsEXT) CheckMeshOutputs(reader, instruction);
  if (instruction.op() == Op::OpEmitMeshTasksEXT) CheckMeshTasks(reader, instruction);
}

void CheckStageLimits(StageReader& reader) {
  const VkPhysicalDeviceLimits& limits = reader.device.physical_device->limits;
  const LimitIds& ids = reader.owner == StageOwner::kPipeline ? kPipelineLimits : kObjectLimits;
  CheckBuiltInArrays(reader, ids);
  switch (reader.stage) {
    case VK_SHADER_STAGE_COMPUTE_BIT:
      CheckWorkgroup(reader, kCompute, limits.maxComputeWorkGroupSize, limits.maxComputeWorkGroupInvocations,
                     "Compute");
      reader.CheckLimit(Vuid("VUID-RuntimeSpirv-Workgroup-06530"), MemoryOf(reader, StorageClass::Workgroup),
                        limits.maxComputeSharedMemorySize, "shared memory in bytes", "maxComputeSharedMemorySize");
      break;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      CheckNumberOfMode(reader, ids.patch, ExecutionMode::OutputVertices, limits.maxTessellationPatchSize,
                        "OutputVertices", "maxTessellationPatchSize");
      break;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      CheckNumberOfMode(reader, ids.vertices, ExecutionMode::OutputVertices, limits.maxGeometryOutputVertices,
                        "OutputVertices", "maxGeometryOutputVertices");
      CheckNumberOfMode(reader, ids.invocations, ExecutionMode::Invocations, limits.maxGeometryShaderInvocations,
                        "Invocations", "maxGeometryShaderInvocations");
      break;
    case VK_SHADER_STAGE_TASK_BIT_EXT:
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      CheckMesh(reader);
      break;
    default:
      break;
  }
}

}  // namespace assay::core
