// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/accesses/shader_stage_accesses.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace assay::syncval {
namespace {

using state::ReflectedDescriptor;

VkPipelineStageFlags2 PipelineStageOf(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_VERTEX_BIT:
      return VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT;
    case VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT:
      return VK_PIPELINE_STAGE_2_TESSELLATION_CONTROL_SHADER_BIT;
    case VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT:
      return VK_PIPELINE_STAGE_2_TESSELLATION_EVALUATION_SHADER_BIT;
    case VK_SHADER_STAGE_GEOMETRY_BIT:
      return VK_PIPELINE_STAGE_2_GEOMETRY_SHADER_BIT;
    case VK_SHADER_STAGE_FRAGMENT_BIT:
      return VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
    case VK_SHADER_STAGE_COMPUTE_BIT:
      return VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
    case VK_SHADER_STAGE_TASK_BIT_EXT:
      return VK_PIPELINE_STAGE_2_TASK_SHADER_BIT_EXT;
    case VK_SHADER_STAGE_MESH_BIT_EXT:
      return VK_PIPELINE_STAGE_2_MESH_SHADER_BIT_EXT;
    case VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI:
      return VK_PIPELINE_STAGE_2_SUBPASS_SHADER_BIT_HUAWEI;
    case VK_SHADER_STAGE_CLUSTER_CULLING_BIT_HUAWEI:
      return VK_PIPELINE_STAGE_2_CLUSTER_CULLING_SHADER_BIT_HUAWEI;
    default:
      return VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
  }
}

vk::SyncAccessIndex Find(VkPipelineStageFlags2 stage, VkAccessFlags2 access) {
  const auto pairs = vk::SyncStageAccesses();
  for (size_t i = 1; i < pairs.size(); ++i) {
    if (pairs[i].stage == stage && pairs[i].access == access) return static_cast<vk::SyncAccessIndex>(i);
  }
  return vk::kSyncNone;
}

ShaderAccesses FindAccesses(VkPipelineStageFlags2 stage, ReflectedDescriptor::Kind kind) {
  switch (kind) {
    case ReflectedDescriptor::Kind::kUniformBuffer:
      return {.read = Find(stage, VK_ACCESS_2_UNIFORM_READ_BIT)};
    case ReflectedDescriptor::Kind::kSampledImage:
    case ReflectedDescriptor::Kind::kUniformTexelBuffer:
      return {.read = Find(stage, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT)};
    case ReflectedDescriptor::Kind::kStorageBuffer:
    case ReflectedDescriptor::Kind::kStorageImage:
    case ReflectedDescriptor::Kind::kStorageTexelBuffer:
      return {Find(stage, VK_ACCESS_2_SHADER_STORAGE_READ_BIT), Find(stage, VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT)};
    case ReflectedDescriptor::Kind::kInputAttachment:
      return {.read = Find(stage, VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT)};
    case ReflectedDescriptor::Kind::kAccelerationStructure:
      return {.read = Find(stage, VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR)};
    default:
      return {};
  }
}

constexpr size_t kStages = 32;
constexpr size_t kKinds = static_cast<size_t>(ReflectedDescriptor::Kind::kAccelerationStructure) + 1;
using AccessTable = std::array<std::array<ShaderAccesses, kKinds>, kStages>;

AccessTable MakeAccessTable() {
  AccessTable table = {};
  for (size_t stage = 0; stage < kStages; ++stage) {
    const VkPipelineStageFlags2 flag = PipelineStageOf(static_cast<VkShaderStageFlagBits>(1u << stage));
    for (size_t kind = 0; kind < kKinds; ++kind) {
      table[stage][kind] = FindAccesses(flag, static_cast<ReflectedDescriptor::Kind>(kind));
    }
  }
  return table;
}

}  // namespace

ShaderAccesses AccessesOfShader(VkShaderStageFlagBits stage, ReflectedDescriptor::Kind kind) {
  static const AccessTable table = MakeAccessTable();
  return table[static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(stage)))][static_cast<size_t>(kind)];
}

vk::SyncAccessIndex DescriptorBufferReadOf(VkShaderStageFlagBits stage) {
  static const std::array<vk::SyncAccessIndex, kStages> table = [] {
    std::array<vk::SyncAccessIndex, kStages> made = {};
    for (size_t i = 0; i < kStages; ++i) {
      const VkPipelineStageFlags2 stage_of_pipeline = PipelineStageOf(static_cast<VkShaderStageFlagBits>(1u << i));
      made[i] = Find(stage_of_pipeline, VK_ACCESS_2_DESCRIPTOR_BUFFER_READ_BIT_EXT);
    }
    return made;
  }();
  return table[static_cast<size_t>(std::countr_zero(static_cast<uint32_t>(stage)))];
}

}  // namespace assay::syncval
