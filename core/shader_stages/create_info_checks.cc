// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/create_info_checks.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"
#include "vk/feature_info.h"
#include "vk/walk/load_store.h"

namespace assay::core {

using messages::Location;
using messages::Object;
using messages::Report;
using state::Items;
using vk::FeatureId;
using vk::Vuid;

namespace {

bool IsDynamic(const VkGraphicsPipelineCreateInfo& info, VkDynamicState state) {
  if (info.pDynamicState == nullptr) return false;
  const auto states = Items(info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount);
  return std::find(states.begin(), states.end(), state) != states.end();
}

void CheckStageFlags(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info, const Location& where,
                     Report& report) {
  const bool varying = (info.flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT) != 0;
  const bool full = (info.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
  if (varying && !device.HasFeature(FeatureId::kSubgroupSizeControl)) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-flags-02784"), {Object(info.module)}, where.Dot("flags"),
                 "has VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT, and the feature "
                 "subgroupSizeControl is not enabled.");
  }
  if (full && !device.HasFeature(FeatureId::kComputeFullSubgroups)) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-flags-02785"), {Object(info.module)}, where.Dot("flags"),
                 "has VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT, and the feature "
                 "computeFullSubgroups is not enabled.");
  }
}

void CheckMeshFeatures(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                       const Location& where, Report& report) {
  const auto check = [&](VkShaderStageFlagBits stage, FeatureId feature, FeatureId feature_nv, const char* name,
                         vk::VuidIndex vuid) {
    if (info.stage != stage || device.HasFeature(feature) || device.HasFeature(feature_nv)) return;
    report.Error(vuid, {Object(info.module)}, where.Dot("stage"),
                 absl::StrCat("is ", vk::EnumName(vk::EnumId::kShaderStageFlagBits, stage), ", and the feature ", name,
                              " is not enabled."),
                 absl::StrCat("Enable ", name, "."));
  };
  check(VK_SHADER_STAGE_MESH_BIT_EXT, FeatureId::kMeshShader, FeatureId::kMeshShaderNV, "meshShader",
        Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-02091"));
  check(VK_SHADER_STAGE_TASK_BIT_EXT, FeatureId::kTaskShader, FeatureId::kTaskShaderNV, "taskShader",
        Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-02092"));
}

void CheckRequiredSize(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                       const Location& where, Report& report) {
  const auto* required = vk::FindInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.pNext);
  if (required == nullptr) return;
  const uint32_t size = required->requiredSubgroupSize;
  const Location member = where.Dot("requiredSubgroupSize");
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceSubgroupSizeControlProperties>();
  if (info.flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-pNext-02754"), {Object(info.module)}, where.Dot("flags"),
                 "has VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT beside a required size.");
  }
  if (!device.HasFeature(FeatureId::kSubgroupSizeControl)) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-pNext-02755"), {Object(info.module)}, member,
                 "is given, and the feature subgroupSizeControl is not enabled.");
  } else if (limits != nullptr && (limits->requiredSubgroupSizeStages & info.stage) == 0) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-pNext-02755"), {Object(info.module)}, member,
                 absl::StrCat("is given for ", vk::EnumName(vk::EnumId::kShaderStageFlagBits, info.stage),
                              ", which requiredSubgroupSizeStages does not have."));
  }
  if (size == 0 || (size & (size - 1)) != 0) {
    report.Error(Vuid("VUID-VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02760"),
                 {Object(info.module)}, member, absl::StrCat("(", size, ") is not a power of two."));
    return;
  }
  if (limits == nullptr) return;
  if (size < limits->minSubgroupSize) {
    report.Error(Vuid("VUID-VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02761"),
                 {Object(info.module)}, member,
                 absl::StrCat("(", size, ") is below minSubgroupSize (", limits->minSubgroupSize, ")."));
  }
  if (size > limits->maxSubgroupSize) {
    report.Error(Vuid("VUID-VkPipelineShaderStageRequiredSubgroupSizeCreateInfo-requiredSubgroupSize-02762"),
                 {Object(info.module)}, member,
                 absl::StrCat("(", size, ") is above maxSubgroupSize (", limits->maxSubgroupSize, ")."));
  }
}

void CheckModule(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                 VkPipelineCreateFlags2 flags, const Location& where, Report& report) {
  const auto* identifier = vk::FindInChain<VkPipelineShaderStageModuleIdentifierCreateInfoEXT>(info.pNext);
  const auto* chained = vk::FindInChain<VkShaderModuleCreateInfo>(info.pNext);
  if (identifier == nullptr || identifier->identifierSize == 0) {
    if (info.module != VK_NULL_HANDLE) return;
    if (chained == nullptr) {
      report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-06845"), {}, where.Dot("module"),
                   "is VK_NULL_HANDLE, and the chain has neither a VkShaderModuleCreateInfo nor an identifier.");
    } else if (!device.HasFeature(FeatureId::kGraphicsPipelineLibrary) &&
               !device.HasFeature(FeatureId::kMaintenance5)) {
      report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-08771"), {}, where.Dot("module"),
                   "is VK_NULL_HANDLE, and neither graphicsPipelineLibrary nor maintenance5 is enabled.");
    }
    return;
  }
  if (chained != nullptr) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-06844"), {}, where.Dot("pNext"),
                 "has a VkShaderModuleCreateInfo beside a module identifier.");
  }
  if (info.module != VK_NULL_HANDLE) {
    report.Error(Vuid("VUID-VkPipelineShaderStageCreateInfo-stage-06848"), {Object(info.module)}, where.Dot("module"),
                 "is not VK_NULL_HANDLE, beside a module identifier.");
  }
  const Location member = where.Dot("identifierSize");
  if (!device.HasFeature(FeatureId::kShaderModuleIdentifier)) {
    report.Error(Vuid("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06850"), {}, member,
                 absl::StrCat("(", identifier->identifierSize,
                              ") is not 0, and the feature shaderModuleIdentifier is "
                              "not enabled."));
  }
  if ((flags & VK_PIPELINE_CREATE_2_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT) == 0) {
    report.Error(Vuid("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-pNext-06851"), {}, member,
                 absl::StrCat("(", identifier->identifierSize,
                              ") is not 0, and the pipeline's flags do not have "
                              "VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT."));
  }
  if (identifier->identifierSize > VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT) {
    report.Error(Vuid("VUID-VkPipelineShaderStageModuleIdentifierCreateInfoEXT-identifierSize-06852"), {}, member,
                 absl::StrCat("(", identifier->identifierSize, ") is above VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT (",
                              VK_MAX_SHADER_MODULE_IDENTIFIER_SIZE_EXT, ")."));
  }
}

// Workgroups that have cooperative matrices, of subgroups whose size is that of the device.
void CheckMatrixWorkgroups(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                           const StageFacts& facts, uint32_t subgroup_size, const Location& where, Report& report) {
  if (subgroup_size == 0) return;
  const uint64_t x = facts.local_size[0];
  const uint64_t total = x * facts.local_size[1] * facts.local_size[2];
  const auto error = [&](vk::VuidIndex vuid, std::string_view text) {
    report.Error(vuid, {Object(info.module)}, where, absl::StrCat("has cooperative matrices ", text));
  };
  const std::string odd =
      absl::StrCat("and workgroups whose size in X (", x, ") is not a multiple of subgroupSize (", subgroup_size, ").");
  if (facts.uses.has_subgroup_matrices && x % subgroup_size != 0) {
    error(Vuid("VUID-VkPipelineShaderStageCreateInfo-module-08987"), odd);
  }
  if (!facts.uses.has_workgroup_matrices) return;
  constexpr vk::VuidIndex kWorkgroup = Vuid("VUID-VkPipelineShaderStageCreateInfo-module-10169");
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceCooperativeMatrix2PropertiesNV>();
  const uint32_t most = limits != nullptr ? limits->cooperativeMatrixWorkgroupScopeMaxWorkgroupSize : 0;
  const uint64_t subgroups = total / subgroup_size;
  if (x % subgroup_size != 0) {
    error(kWorkgroup, odd);
  } else if (total % subgroup_size != 0 || (subgroups & (subgroups - 1)) != 0) {
    error(kWorkgroup, absl::StrCat("of the scope Workgroup, and workgroups whose size (", total,
                                   ") is not subgroupSize (", subgroup_size, ") times a power of two."));
  } else if (most != 0 && total > most) {
    error(kWorkgroup, absl::StrCat("of the scope Workgroup, and workgroups whose size (", total,
                                   ") is above cooperativeMatrixWorkgroupScopeMaxWorkgroupSize (", most, ")."));
  }
}

}  // namespace

bool HasModel(VkShaderStageFlagBits stage) {
  constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT |
                                         VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
                                         VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                         VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                         VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  return (stage & kStages) != 0 && (stage & (stage - 1)) == 0;
}

void CheckStageCreateInfo(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                          VkPipelineCreateFlags2 flags, const Location& where, Report& report) {
  CheckStageFlags(device, info, where, report);
  CheckMeshFeatures(device, info, where, report);
  CheckRequiredSize(device, info, where, report);
  CheckModule(device, info, flags, where, report);
}

void CheckSpecialization(const VkSpecializationInfo* info, const StageFacts& facts, const Location& where,
                         Report& report) {
  if (info == nullptr) return;
  const auto entries = Items(info->pMapEntries, info->mapEntryCount);
  for (uint32_t i = 0; i < entries.size(); ++i) {
    const VkSpecializationMapEntry& entry = entries[i];
    for (const SpecializationConstant& constant : facts.constants) {
      if (constant.id != entry.constantID || constant.size == entry.size || constant.size == 0) continue;
      report.Error(Vuid("VUID-VkSpecializationMapEntry-constantID-00776"), {}, where.Dot("pMapEntries", i).Dot("size"),
                   absl::StrCat("(", entry.size, ") is not the size of the ", constant.is_boolean ? "Boolean " : "",
                                "specialization constant ", constant.id, " (", constant.size, " bytes)."));
      break;
    }
  }
}

void CheckSubgroups(const dispatch::Device& device, const VkPipelineShaderStageCreateInfo& info,
                    const StageFacts& facts, const Location& where, Report& report) {
  constexpr VkShaderStageFlags kWithWorkgroups =
      VK_SHADER_STAGE_COMPUTE_BIT | VK_SHADER_STAGE_MESH_BIT_EXT | VK_SHADER_STAGE_TASK_BIT_EXT;
  if ((info.stage & kWithWorkgroups) == 0) return;
  const auto* required = vk::FindInChain<VkPipelineShaderStageRequiredSubgroupSizeCreateInfo>(info.pNext);
  const auto* limits = device.physical_device->Find<VkPhysicalDeviceSubgroupSizeControlProperties>();
  const auto* subgroup = device.physical_device->Find<VkPhysicalDeviceSubgroupProperties>();
  const bool varying = (info.flags & VK_PIPELINE_SHADER_STAGE_CREATE_ALLOW_VARYING_SUBGROUP_SIZE_BIT) != 0;
  const bool full = (info.flags & VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT) != 0;
  const uint64_t x = facts.local_size[0];
  const uint64_t total = x * facts.local_size[1] * facts.local_size[2];
  if (required != nullptr && limits != nullptr && limits->maxComputeWorkgroupSubgroups != 0 &&
      total > uint64_t{required->requiredSubgroupSize} * limits->maxComputeWorkgroupSubgroups) {
    report.Error(
        Vuid("VUID-VkPipelineShaderStageCreateInfo-pNext-02756"), {Object(info.module)}, where,
        absl::StrCat("has a workgroup size (", total, ") above requiredSubgroupSize (", required->requiredSubgroupSize,
                     ") times maxComputeWorkgroupSubgroups (", limits->maxComputeWorkgroupSubgroups, ")."));
  }
  if (required == nullptr && !varying && subgroup != nullptr) {
    CheckMatrixWorkgroups(device, info, facts, subgroup->subgroupSize, where, report);
  }
  if (!full) return;
  const auto check_multiple = [&](vk::VuidIndex vuid, uint32_t size, const char* name) {
    if (size == 0 || x % size == 0) return;
    report.Error(
        vuid, {Object(info.module)}, where,
        absl::StrCat("has workgroups whose size in X (", x, ") is not a multiple of ", name, " (", size, ")."));
  };
  if (required != nullptr) {
    check_multiple(Vuid("VUID-VkPipelineShaderStageCreateInfo-pNext-02757"), required->requiredSubgroupSize,
                   "requiredSubgroupSize");
  } else if (varying) {
    if (limits != nullptr) {
      check_multiple(Vuid("VUID-VkPipelineShaderStageCreateInfo-flags-02758"), limits->maxSubgroupSize,
                     "maxSubgroupSize");
    }
  } else if (subgroup != nullptr) {
    check_multiple(Vuid("VUID-VkPipelineShaderStageCreateInfo-flags-02759"), subgroup->subgroupSize, "subgroupSize");
  }
}

void ReportFindings(const StageFacts& facts, messages::ObjectRef object, const Location& where, Report& report) {
  for (const StageFinding& finding : facts.findings)
    report.Error(finding.vuid, {object}, where, finding.text, finding.fix);
}

void ReportFlagFindings(const StageFacts& facts, VkPipelineCreateFlags2 flags, messages::ObjectRef object,
                        const Location& where, Report& report) {
  for (const FlagFinding& row : facts.flag_findings) {
    const bool has = (flags & row.flag) != 0;
    if (has != row.is_needed) report.Error(row.finding.vuid, {object}, where, row.finding.text, row.finding.fix);
  }
}

void CheckFragmentStates(const VkGraphicsPipelineCreateInfo& info, const StageFacts& facts, const Location& where,
                         Report& report) {
  const auto* multisample = info.pMultisampleState;
  // With the built-ins SampleId and SamplePosition each sample is shaded, whatever the state.
  if (vk::IsAddress(multisample) && multisample->sampleShadingEnable == VK_TRUE && !facts.uses.tile_read.empty() &&
      !facts.uses.has_sample_rate_shading) {
    if (multisample->minSampleShading != 1.0f) {
      report.Error(Vuid("VUID-RuntimeSpirv-minSampleShading-08732"), {}, where,
                   absl::StrCat("has ", facts.uses.tile_read,
                                ", and the pipeline has sample shading with a "
                                "minSampleShading (",
                                multisample->minSampleShading, ") that is not 1."));
    } else if (multisample->rasterizationSamples != VK_SAMPLE_COUNT_1_BIT &&
               !facts.uses.tile_read_of_constant_sample.empty() &&
               !IsDynamic(info, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT)) {
      report.Error(Vuid("VUID-RuntimeSpirv-minSampleShading-08731"), {}, where,
                   absl::StrCat("has ", facts.uses.tile_read_of_constant_sample,
                                " for a constant sample, and the pipeline shades each sample."));
    }
  }
  const auto* pass = state::DeviceState::Get<state::RenderPass>(info.renderPass);
  if (pass == nullptr || info.subpass >= pass->subpasses.size() || !facts.uses.has_sample_rate_shading) return;
  if ((pass->subpasses[info.subpass].flags & VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM) == 0) return;
  report.Error(Vuid("VUID-RuntimeSpirv-SampleRateShading-06378"), {Object(info.renderPass)}, where,
               absl::StrCat("declares the capability SampleRateShading, and subpass ", info.subpass,
                            " has VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM."));
}

void CheckSubpassViews(const VkGraphicsPipelineCreateInfo& info, const StageFacts& facts, const Location& where,
                       Report& report) {
  const auto* pass = state::DeviceState::Get<state::RenderPass>(info.renderPass);
  if (pass == nullptr || info.subpass >= pass->subpasses.size() || facts.uses.viewport_mask_length == 0) return;
  const uint32_t mask = pass->subpasses[info.subpass].view_mask;
  const auto views = static_cast<uint32_t>(std::bit_width(mask));
  if (facts.uses.viewport_mask_length >= views) return;
  report.Error(Vuid("VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04416"), {Object(info.renderPass)}, where,
               absl::StrCat("has ViewportMaskPerViewNV with ", facts.uses.viewport_mask_length,
                            " elements, and the view mask of subpass ", info.subpass, " has view ", views - 1, "."));
}

}  // namespace assay::core
