// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/pipelines/address_ranges.h"

#include <algorithm>
#include <cstddef>

#include "vk/feature_info.h"

namespace assay::gpuav {
namespace {

constexpr VkShaderStageFlags kTessellation =
    VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT | VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
constexpr VkShaderStageFlags kRayTracing = VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                           VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                           VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;

VkShaderStageFlags StagesOfDevice(const dispatch::Device& device) {
  VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_COMPUTE_BIT;
  const auto add = [&](vk::FeatureId feature, VkShaderStageFlags with) {
    if (device.HasFeature(feature)) stages |= with;
  };
  add(vk::FeatureId::kTessellationShader, kTessellation);
  add(vk::FeatureId::kGeometryShader, VK_SHADER_STAGE_GEOMETRY_BIT);
  add(vk::FeatureId::kTaskShader, VK_SHADER_STAGE_TASK_BIT_EXT);
  add(vk::FeatureId::kMeshShader, VK_SHADER_STAGE_MESH_BIT_EXT);
  add(vk::FeatureId::kRayTracingPipeline, kRayTracing);
  return stages;
}

}  // namespace

AddressRanges::AddressRanges(const Context& context)
    : is_used_(context.pushes_addresses()),
      offset_(context.push_constant_offset()),
      stages_(StagesOfDevice(context.device())) {}

bool AddressRanges::HasRoom(absl::Span<const VkPushConstantRange> ranges, uint32_t& end) const {
  end = 0;
  for (const VkPushConstantRange& range : ranges) {
    if (uint64_t{range.offset} + range.size > offset_) return false;
    end = std::max(end, range.offset + range.size);
  }
  return is_used_;
}

VkShaderStageFlags AddressRanges::OtherStages(absl::Span<const VkPushConstantRange> ranges) const {
  VkShaderStageFlags stages = stages_;
  for (const VkPushConstantRange& range : ranges) stages &= ~range.stageFlags;
  return stages;
}

VkShaderStageFlags AddressRanges::StagesOf(absl::Span<const VkPushConstantRange> ranges) const {
  uint32_t end = 0;
  if (!HasRoom(ranges, end)) return 0;
  VkShaderStageFlags stages = OtherStages(ranges);
  for (const VkPushConstantRange& range : ranges) {
    if (range.offset + range.size == end) stages |= range.stageFlags;
  }
  return stages;
}

void AddressRanges::AddTo(const VkPushConstantRange*& ranges, uint32_t& count, dispatch::Rewriter& rewriter) const {
  const auto before = absl::MakeConstSpan(ranges, count);
  uint32_t end = 0;
  if (!HasRoom(before, end)) return;
  const VkShaderStageFlags others = OtherStages(before);
  const uint32_t size = count + (others != 0 ? 1 : 0);
  VkPushConstantRange* const all = rewriter.Extend(ranges, count, size);
  for (VkPushConstantRange& range : absl::MakeSpan(all, count)) {
    if (range.offset + range.size == end) range.size = offset_ + kAddressBytes - range.offset;
  }
  if (others != 0) all[count] = {others, offset_, kAddressBytes};
  count = size;
}

}  // namespace assay::gpuav
