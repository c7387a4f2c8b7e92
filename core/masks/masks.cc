// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/masks/masks.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "vk/sync/sync_info.h"
#include "vk/sync/sync_rule_info.h"

namespace assay::core {
namespace {

// "the geometryShader feature", "the VK_NV_ray_tracing extension".
std::string NameOfFeature(std::string_view name) {
  return absl::StrCat("the ", name, name.starts_with("VK_") ? " extension" : " feature");
}

std::string NamesOfFeatures(const vk::StageFeatureRule& rule) {
  std::string names = NameOfFeature(rule.features[0]);
  if (!rule.features[1].empty()) absl::StrAppend(&names, " or ", NameOfFeature(rule.features[1]));
  return names;
}

bool AnyEnabled(const SyncLimits& limits, const vk::StageFeatureRule& rule) {
  for (std::string_view name : rule.features) {
    if (!name.empty() && limits.device.HasFeatureOrExtension(name)) return true;
  }
  return false;
}

// Single stages that support one of the accesses; disabled stages only if there are no others.
VkPipelineStageFlags2 StagesThatDo(const SyncLimits& limits, VkAccessFlags2 access) {
  VkPipelineStageFlags2 stages = 0;
  for (const vk::SyncStageInfo& info : vk::SyncStages()) {
    if (info.single && (limits.AccessesOf(info.stage) & access) != 0) stages |= info.stage;
  }
  const VkPipelineStageFlags2 enabled = stages & ~limits.disabled_stages();
  return enabled != 0 ? enabled : stages;
}

std::string_view StageMemberOf(const MaskMember& accesses) {
  return accesses.member.starts_with("src") ? "srcStageMask" : "dstStageMask";
}

void ReportAccessesOfRule(const Check& check, vk::VuidIndex vuid, const MaskMember& place, VkAccessFlags2 wrong,
                          const SyncScope& scope, const messages::Location& where) {
  const std::string_view stage_member = StageMemberOf(place);
  // VkPipelineStageFlags does not have bits for the newer stages.
  const VkPipelineStageFlags2 shown =
      check.version == SyncVersion::kSync1 ? VkPipelineStageFlags2{0xffffffffu} : ~VkPipelineStageFlags2{0};
  VkPipelineStageFlags2 others = StagesThatDo(check.limits, wrong) & shown;
  if (others == 0) others = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  check.Error(vuid, where,
              absl::StrCat("has ", check.Accesses(wrong), ", which none of the stages in ", stage_member, " (",
                           check.Stages(scope.stages), ") does. Stages that do: ", check.Stages(others), "."),
              absl::StrCat("Add the stage that does the access to ", stage_member, ", or take ", check.Accesses(wrong),
                           " out of ", place.member, "."));
}

}  // namespace

void ReportStages(const Check& check, MaskMember place, VkPipelineStageFlags2 stages, const messages::Location& where) {
  for (const vk::StageFeatureRule& rule : vk::StageFeatureRules()) {
    if (rule.owner != place.owner || rule.member != place.member) continue;
    if (AnyEnabled(check.limits, rule)) continue;
    if (rule.stages == 0 && stages == 0) {
      check.Error(rule.vuid, where, absl::StrCat("is 0, which needs ", NamesOfFeatures(rule), "."),
                  "Name the stages; for none at all, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT as a source or "
                  "VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT as a destination.");
    } else if (const VkPipelineStageFlags2 wrong = rule.stages & stages; wrong != 0) {
      check.Error(rule.vuid, where,
                  absl::StrCat("(", check.Stages(stages), ") has ", check.Stages(wrong), ", which needs ",
                               NamesOfFeatures(rule), "; it is not enabled."),
                  absl::StrCat("Take ", check.Stages(wrong), " out, or enable ", NamesOfFeatures(rule),
                               " at vkCreateDevice()."));
    }
  }
}

void ReportFamilyStages(const Check& check, vk::VuidIndex vuid, VkPipelineStageFlags2 stages, uint32_t family,
                        const messages::Location& where) {
  const VkPipelineStageFlags2 wrong = stages & ~check.limits.StagesOfFamily(family);
  check.Error(
      vuid, where,
      absl::StrCat("(", check.Stages(stages), ") has ", check.Stages(wrong), ", which queue family ", family, " (",
                   vk::FlagsToString(vk::EnumId::kQueueFlagBits, check.limits.device.QueueFamilyFlags(family)),
                   ") does not support."),
      absl::StrCat("Take ", check.Stages(wrong), " out; ", check.Stages(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT),
                   " stands for the stages that the queue family supports."));
}

void ReportHostStage(const Check& check, vk::VuidIndex vuid, const messages::Location& where) {
  const std::string host = check.Stages(VK_PIPELINE_STAGE_2_HOST_BIT);
  check.Error(vuid, where, absl::StrCat("has ", host, "."), absl::StrCat("Take ", host, " out."));
}

void ReportAccesses(const Check& check, const AccessRules& rules, const SyncScope& scope,
                    const messages::Location& where) {
  const VkAccessFlags2 wrong = scope.accesses & ~check.limits.AccessesOf(scope.stages);
  if (!rules.by_table) return ReportAccessesOfRule(check, rules.all, rules.place, wrong, scope, where);
  for (const vk::AccessStageRule& rule : vk::AccessStageRules()) {
    if (rule.owner != rules.place.owner || rule.member != rules.place.member || (rule.access & wrong) == 0) continue;
    ReportAccessesOfRule(check, rule.vuid, rules.place, rule.access, scope, where);
  }
}

void ReportRayQuery(const Check& check, vk::VuidIndex vuid, const SyncScope& scope, const messages::Location& where) {
  const std::string access = check.Accesses(VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR);
  const std::string shaders = check.Stages(scope.stages & check.limits.shader_stages());
  check.Error(
      vuid, where,
      absl::StrCat("has ", access, " together with ", shaders,
                   ", which cannot read acceleration structures: the rayQuery feature is not enabled."),
      absl::StrCat("Take ", access, " or ", shaders, " out, or enable the rayQuery feature at vkCreateDevice()."));
}

}  // namespace assay::core
