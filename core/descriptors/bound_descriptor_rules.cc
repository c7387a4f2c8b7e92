// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/descriptors/bound_descriptor_rules.h"

#include "core/descriptors/bound_accesses.h"
#include "vk/commands.h"
#include "vk/feature_info.h"
#include "vk/vuid_owners.h"

namespace assay::core {
namespace {

using vk::FeatureId;

// What a traversal needs of how its acceleration structure was built.
struct TraversalRule {
  ResourceAccess access;
  ContentNeed::Kind kind;
  vk::VuidIndex rule;
  // Whether it is for pipelines without VK_PIPELINE_CREATE_RAY_TRACING_ALLOW_MOTION_BIT_NV alone.
  bool is_without_motion = false;
};
constexpr TraversalRule kTraversalRules[] = {
    {kTracesRay, ContentNeed::Kind::kTopLevel, vk::Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06359")},
    {kTracesRay, ContentNeed::Kind::kWithoutMotion, vk::Vuid("VUID-RuntimeSpirv-OpTraceRayKHR-06360"), true},
    {kTracesRayInMotion, ContentNeed::Kind::kTopLevelWithMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpTraceRayMotionNV-06365")},
    {kTracesHitObjectInMotion, ContentNeed::Kind::kTopLevelWithMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpHitObjectTraceRayMotionNV-07709")},
    {kQueriesRay, ContentNeed::Kind::kTopLevel, vk::Vuid("VUID-RuntimeSpirv-OpRayQueryInitializeKHR-06352")},
    {kGeneratesIntersection, ContentNeed::Kind::kWithoutMotion,
     vk::Vuid("VUID-RuntimeSpirv-OpRayQueryGenerateIntersectionKHR-06354")},
    {kReadsPositions, ContentNeed::Kind::kDataAccess, vk::Vuid("VUID-RuntimeSpirv-flags-08761")},
};

bool HasProtectedNoFault(const dispatch::Device& device) {
  const auto* const memory = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  return memory != nullptr && memory->protectedNoFault == VK_TRUE;
}

}  // namespace

DescriptorRuleIds FindDescriptorRuleIds(std::string_view command) {
  DescriptorRuleIds ids;
  for (size_t i = 0; i < ids.size(); ++i) ids[i] = vk::FindVuidOf(command, kDescriptorRules[i]);
  return ids;
}

std::vector<vk::VuidIndex> DescriptorIds() {
  std::vector<vk::VuidIndex> all;
  vk::ForEachCommand([&](auto tag) {
    using C = typename decltype(tag)::Command;
    if constexpr (ActionCommand<C>) {
      const DescriptorRuleIds& ids = DescriptorRuleIdsOf<C>();
      all.insert(all.end(), ids.begin(), ids.end());
    }
  });
  std::erase(all, vk::kNoVuid);
  return all;
}

BoundDescriptorRules::BoundDescriptorRules(const dispatch::Device& device)
    : inherits_(device.HasFeature(FeatureId::kCommandBufferInheritance)),
      has_sparse_int64_atomics_(device.HasFeature(FeatureId::kSparseImageInt64Atomics)),
      has_sparse_float_atomics_(device.HasFeature(FeatureId::kSparseImageFloat32Atomics) ||
                                device.HasFeature(FeatureId::kSparseImageFloat32AtomicAdd) ||
                                device.HasFeature(FeatureId::kSparseImageFloat32AtomicMinMax)),
      renders_to_single_sampled_(device.HasFeature(FeatureId::kMultisampledRenderToSingleSampled)),
      protected_no_fault_(HasProtectedNoFault(device)),
      features_(device) {}

void BoundDescriptorRules::AddNeeds(vk::CommandId command, DrawRecording::BindPoint point,
                                    const state::CommandBuffer& buffer, RecordingScope& scope) const {
  const state::BindPointState& bound = buffer.At(PointOf(point));
  ForEachBound(point, bound, buffer, scope.draw, [&](const ResourceAccesses& used, const state::Pipeline* pipeline) {
    if (!used.has_traversals) return;
    const bool allows_motion =
        pipeline == nullptr || (pipeline->flags & VK_PIPELINE_CREATE_2_RAY_TRACING_ALLOW_MOTION_BIT_NV) != 0;
    for (const ResourceAccesses::Access& access : used.accesses) {
      if (access.of.kind != ResourceVariable::Kind::kAccelerationStructure) continue;
      const state::Descriptor* const descriptor = FixedDescriptor(bound, access.of);
      if (descriptor == nullptr || descriptor->kind != state::Descriptor::Kind::kAccelerationStructure) continue;
      const VkObjectType type = descriptor->type == VK_DESCRIPTOR_TYPE_ACCELERATION_STRUCTURE_NV
                                    ? VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_NV
                                    : VK_OBJECT_TYPE_ACCELERATION_STRUCTURE_KHR;
      for (const TraversalRule& rule : kTraversalRules) {
        if ((access.of.accesses & rule.access) == 0 || (rule.is_without_motion && allows_motion)) continue;
        AddNeed({.kind = rule.kind, .rule = rule.rule, .command = command, .object = {type, descriptor->resource}},
                scope.needs);
      }
    }
  });
}

}  // namespace assay::core
