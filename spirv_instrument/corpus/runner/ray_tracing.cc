// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/runner/ray_tracing.h"

#include <algorithm>
#include <cstdint>

#include "absl/status/status.h"
#include "spirv_instrument/corpus/runner/device.h"

namespace assay::spirv_instrument::corpus {
namespace {

enum class GroupKind : uint8_t { kGeneration, kMiss, kHit, kCallable };

GroupKind KindOf(VkShaderStageFlagBits stage) {
  switch (stage) {
    case VK_SHADER_STAGE_RAYGEN_BIT_KHR:
      return GroupKind::kGeneration;
    case VK_SHADER_STAGE_MISS_BIT_KHR:
      return GroupKind::kMiss;
    case VK_SHADER_STAGE_CALLABLE_BIT_KHR:
      return GroupKind::kCallable;
    default:
      return GroupKind::kHit;
  }
}

// How many groups of a kind these stages make.
uint32_t CountGroups(absl::Span<const VkShaderStageFlagBits> stages, GroupKind kind) {
  const auto count = std::ranges::count_if(stages, [&](VkShaderStageFlagBits stage) { return KindOf(stage) == kind; });
  return static_cast<uint32_t>(kind == GroupKind::kHit ? std::min<std::ptrdiff_t>(count, 1) : count);
}

VkRayTracingShaderGroupCreateInfoKHR EmptyGroup(VkRayTracingShaderGroupTypeKHR type) {
  return {
      .sType = VK_STRUCTURE_TYPE_RAY_TRACING_SHADER_GROUP_CREATE_INFO_KHR,
      .type = type,
      .generalShader = VK_SHADER_UNUSED_KHR,
      .closestHitShader = VK_SHADER_UNUSED_KHR,
      .anyHitShader = VK_SHADER_UNUSED_KHR,
      .intersectionShader = VK_SHADER_UNUSED_KHR,
  };
}

VkRayTracingShaderGroupCreateInfoKHR HitGroup(absl::Span<const VkShaderStageFlagBits> stages) {
  VkRayTracingShaderGroupCreateInfoKHR group = EmptyGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_TRIANGLES_HIT_GROUP_KHR);
  for (uint32_t i = 0; i < stages.size(); ++i) {
    if (stages[i] == VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR) group.closestHitShader = i;
    if (stages[i] == VK_SHADER_STAGE_ANY_HIT_BIT_KHR) group.anyHitShader = i;
    if (stages[i] != VK_SHADER_STAGE_INTERSECTION_BIT_KHR) continue;
    group.intersectionShader = i;
    group.type = VK_RAY_TRACING_SHADER_GROUP_TYPE_PROCEDURAL_HIT_GROUP_KHR;
  }
  return group;
}

}  // namespace

std::vector<VkRayTracingShaderGroupCreateInfoKHR> ShaderGroups(absl::Span<const VkShaderStageFlagBits> stages) {
  std::vector<VkRayTracingShaderGroupCreateInfoKHR> groups;
  for (GroupKind kind : {GroupKind::kGeneration, GroupKind::kMiss, GroupKind::kHit, GroupKind::kCallable}) {
    if (kind == GroupKind::kHit) {
      if (CountGroups(stages, kind) != 0) groups.push_back(HitGroup(stages));
      continue;
    }
    for (uint32_t i = 0; i < stages.size(); ++i) {
      if (KindOf(stages[i]) != kind) continue;
      groups.push_back(EmptyGroup(VK_RAY_TRACING_SHADER_GROUP_TYPE_GENERAL_KHR));
      groups.back().generalShader = i;
    }
  }
  return groups;
}

absl::StatusOr<ShaderBindingTable> MakeShaderBindingTable(Objects& objects, VkPipeline pipeline,
                                                          absl::Span<const VkShaderStageFlagBits> stages) {
  const Device& device = objects.device();
  const uint32_t count = static_cast<uint32_t>(ShaderGroups(stages).size());
  const uint32_t handle_size = device.group_handle_size();
  // The base alignment is a multiple of that of handles, and so may be the stride, too.
  const uint64_t alignment = std::max(device.group_base_alignment(), 1u);
  const uint64_t stride = (handle_size + alignment - 1) / alignment * alignment;
  std::vector<uint8_t> handles(size_t{count} * handle_size);
  absl::Status status = Check(device.vk().GetRayTracingShaderGroupHandlesKHR(device.handle(), pipeline, 0, count,
                                                                             handles.size(), handles.data()),
                              "vkGetRayTracingShaderGroupHandlesKHR");
  if (!status.ok()) return status;
  absl::StatusOr<MappedBuffer> buffer = objects.MakeBuffer((count + 1) * stride);
  if (!buffer.ok()) return buffer.status();
  const uint64_t padding = (alignment - buffer->address % alignment) % alignment;
  for (uint32_t i = 0; i < count; ++i) {
    std::copy_n(handles.begin() + static_cast<std::ptrdiff_t>(size_t{i} * handle_size), handle_size,
                buffer->memory + padding + i * stride);
  }
  uint64_t next = buffer->address + padding;
  const auto region = [&](GroupKind kind) {
    const uint64_t size = CountGroups(stages, kind) * stride;
    const VkStridedDeviceAddressRegionKHR result = {size == 0 ? 0 : next, stride, size};
    next += size;
    return result;
  };
  ShaderBindingTable table;
  table.generation = region(GroupKind::kGeneration);
  table.miss = region(GroupKind::kMiss);
  table.hit = region(GroupKind::kHit);
  table.callable = region(GroupKind::kCallable);
  return table;
}

}  // namespace assay::spirv_instrument::corpus
