// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_MASKS_MASKS_H_
#define ASSAY_CORE_MASKS_MASKS_H_

#include <string_view>

#include "core/masks/check.h"

// Rules of stage and access masks. Each is a test or two of the limits' masks. Only when it fails are the tables walked
// that tell the rules apart.
namespace assay::core {

// A mask of a structure or command, as the registry's rules name it: "VkMemoryBarrier2", "srcStageMask".
struct MaskMember {
  std::string_view owner;
  std::string_view member;
};

// One side of a dependency, in the types of synchronization2.
struct SyncScope {
  VkPipelineStageFlags2 stages;
  VkAccessFlags2 accesses;
};

void ReportStages(const Check& check, MaskMember place, VkPipelineStageFlags2 stages, const messages::Location& where);
// Stages must have their features enabled. where leads to the mask.
inline void CheckStages(const Check& check, MaskMember place, VkPipelineStageFlags2 stages,
                        const messages::Location& where) {
  const bool zero_is_wrong = !check.limits.synchronization2;
  if ((stages & check.limits.disabled_stages()) != 0 || (stages == 0 && zero_is_wrong)) [[unlikely]]
    ReportStages(check, place, stages, where);
}

void ReportFamilyStages(const Check& check, vk::VuidIndex vuid, VkPipelineStageFlags2 stages, uint32_t family,
                        const messages::Location& where);
// The queue family must support the stages.
inline void CheckFamilyStages(const Check& check, vk::VuidIndex vuid, VkPipelineStageFlags2 stages, uint32_t family,
                              const messages::Location& where) {
  if ((stages & ~check.limits.StagesOfFamily(family)) != 0) [[unlikely]]
    ReportFamilyStages(check, vuid, stages, family, where);
}

void ReportHostStage(const Check& check, vk::VuidIndex vuid, const messages::Location& where);
// VK_PIPELINE_STAGE_HOST_BIT must not be in the mask.
inline void CheckNoHostStage(const Check& check, vk::VuidIndex vuid, VkPipelineStageFlags2 stages,
                             const messages::Location& where) {
  if ((stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) [[unlikely]]
    ReportHostStage(check, vuid, where);
}

// The ids of accesses that none of the stages supports: ids of the registry's table, by place, or one id for all
// accesses.
struct AccessRules {
  // "srcAccessMask" or "dstAccessMask".
  MaskMember place;
  // The one id; ignored when by_table.
  vk::VuidIndex all;
  bool by_table;
};
void ReportAccesses(const Check& check, const AccessRules& rules, const SyncScope& scope,
                    const messages::Location& where);
// At least one of the stages must support each access. where leads to the access mask.
inline void CheckAccesses(const Check& check, const AccessRules& rules, const SyncScope& scope,
                          const messages::Location& where) {
  if ((scope.accesses & ~check.limits.AccessesOf(scope.stages)) != 0) [[unlikely]]
    ReportAccesses(check, rules, scope, where);
}

// Stages that CheckStages or CheckFamilyStages may report. A mask without them passes both, unless it is 0.
inline VkPipelineStageFlags2 SuspectStages(const SyncLimits& limits, uint32_t family) {
  return limits.disabled_stages() | ~limits.StagesOfFamily(family);
}
// Accesses that CheckAccesses or CheckRayQuery may report beside the stages. A mask without them passes both.
inline VkAccessFlags2 SuspectAccesses(const SyncLimits& limits, VkPipelineStageFlags2 stages) {
  return ~limits.AccessesOf(stages) | VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR;
}
// Whether the masks of both sides certainly pass the checks above and below. False decides nothing. Not for masks of
// sync1, some of which must not be 0.
inline bool MasksAreValid(const SyncLimits& limits, uint32_t family, const SyncScope& src, const SyncScope& dst) {
  const VkAccessFlags2 accesses =
      (src.accesses & SuspectAccesses(limits, src.stages)) | (dst.accesses & SuspectAccesses(limits, dst.stages));
  return ((src.stages | dst.stages) & SuspectStages(limits, family)) == 0 && accesses == 0;
}

void ReportRayQuery(const Check& check, vk::VuidIndex vuid, const SyncScope& scope, const messages::Location& where);
// Shader stages read acceleration structures only with the rayQuery feature. where leads to the access mask.
inline void CheckRayQuery(const Check& check, vk::VuidIndex vuid, const SyncScope& scope,
                          const messages::Location& where) {
  if ((scope.accesses & VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR) != 0 && !check.limits.ray_query &&
      (scope.stages & check.limits.shader_stages()) != 0) [[unlikely]]
    ReportRayQuery(check, vuid, scope, where);
}

}  // namespace assay::core

#endif  // ASSAY_CORE_MASKS_MASKS_H_
