// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/shader_stage_rules.h"

#include <algorithm>
#include <memory>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/capability_checks.h"
#include "core/shader_stages/create_info_checks.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/enum_info.h"

namespace assay::core {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::Items;

namespace {

constexpr CapabilityIds kModuleCapabilities = {
    .shader = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08738"),
    .unknown_capability = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08739"),
    .capability = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08740"),
    .unknown_extension = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08741"),
    .extension = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08742"),
};

template <class I>
VkPipelineCreateFlags2 StageFlagsOf(const I& info) {
  const auto* flags = vk::FindInChain<VkPipelineCreateFlags2CreateInfo>(info.pNext);
  return flags != nullptr ? flags->flags : static_cast<VkPipelineCreateFlags2>(info.flags);
}

bool ComesFromBinaries(const void* chain) {
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(chain);
  return binaries != nullptr && binaries->binaryCount > 0;
}

// Whether a graphics pipeline uses a stage of its create info ("Graphics Pipelines").
bool UsesStage(const VkGraphicsPipelineCreateInfo& info, VkShaderStageFlagBits stage) {
  constexpr VkGraphicsPipelineLibraryFlagsEXT kBefore = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
  constexpr VkGraphicsPipelineLibraryFlagsEXT kFragment = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;
  VkGraphicsPipelineLibraryFlagsEXT parts = kBefore | kFragment;
  const auto* linked = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(info.pNext);
  if (const auto* library = vk::FindInChain<VkGraphicsPipelineLibraryCreateInfoEXT>(info.pNext)) {
    parts = library->flags;
  } else if ((StageFlagsOf(info) & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0 ||
             (linked != nullptr && linked->libraryCount > 0)) {
    parts = 0;
  }
  if (stage != VK_SHADER_STAGE_FRAGMENT_BIT) return (parts & kBefore) != 0;
  if ((parts & kFragment) == 0) return false;
  if ((parts & kBefore) == 0 || info.pRasterizationState == nullptr) return true;
  if (info.pRasterizationState->rasterizerDiscardEnable == VK_FALSE) return true;
  if (info.pDynamicState == nullptr) return false;
  const auto states = Items(info.pDynamicState->pDynamicStates, info.pDynamicState->dynamicStateCount);
  return std::find(states.begin(), states.end(), VK_DYNAMIC_STATE_RASTERIZER_DISCARD_ENABLE) != states.end();
}

// Stages whose entry points have a model of their own.
bool HasModel(VkShaderStageFlagBits stage) {
  constexpr VkShaderStageFlags kStages = VK_SHADER_STAGE_ALL_GRAPHICS | VK_SHADER_STAGE_COMPUTE_BIT |
                                         VK_SHADER_STAGE_TASK_BIT_EXT | VK_SHADER_STAGE_MESH_BIT_EXT |
                                         VK_SHADER_STAGE_RAYGEN_BIT_KHR | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                         VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                         VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  return (stage & kStages) != 0 && (stage & (stage - 1)) == 0;
}

std::string_view StageName(VkShaderStageFlagBits stage) {
  return vk::EnumName(vk::EnumId::kShaderStageFlagBits, stage);
}

}  // namespace

void ShaderStageRules::PreCallValidate(const vk::CreateShaderModule& call, Report& report) const {
  if (call.pCreateInfo == nullptr || call.pCreateInfo->pCode == nullptr) return;
  const VkShaderModuleCreateInfo& info = *call.pCreateInfo;
  CheckCapabilities(device_, Items(info.pCode, info.codeSize / sizeof(uint32_t)), kModuleCapabilities,
                    report.location().Dot("pCreateInfo").Dot("pCode"), report);
}

void ShaderStageRules::CheckStage(const VkPipelineShaderStageCreateInfo& info, VkPipelineCreateFlags2 flags,
                                  const Location& where, Report& report) const {
  CheckStageCreateInfo(device_, info, flags, where, report);
  std::shared_ptr<state::ShaderCode> code;
  if (const auto* module = DeviceState::Get<state::ShaderModule>(info.module)) {
    code = module->code;
  } else if (const auto* chained = vk::FindInChain<VkShaderModuleCreateInfo>(info.pNext)) {
    const auto words = Items(chained->pCode, chained->codeSize / sizeof(uint32_t));
    CheckCapabilities(device_, words, kModuleCapabilities, where.Dot("pCode"), report);
    code = inline_codes_.Get(words);
  }
  if (code == nullptr || info.pName == nullptr || !HasModel(info.stage)) return;
  const auto facts = cache_.Get(code, info.pName, info.stage, info.pSpecializationInfo);
  CheckSpecialization(info.pSpecializationInfo, *facts, where.Dot("pSpecializationInfo"), report);
  if (!facts->is_read) return;
  if (!facts->has_entry_point) {
    report.Error(
        vk::Vuid("VUID-VkPipelineShaderStageCreateInfo-pName-00707"), {messages::Object(info.module)},
        where.Dot("pName"),
        absl::StrCat("(\"", info.pName, "\") is no entry point of the module for stage ", StageName(info.stage), "."));
    return;
  }
  ReportFindings(*facts, messages::Object(info.module), where, report);
  CheckSubgroups(device_, info, *facts, where, report);
}

void ShaderStageRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (ComesFromBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      if (!UsesStage(infos[i], stages[k].stage)) continue;
      CheckStage(stages[k], StageFlagsOf(infos[i]), where.Dot("pStages", k), report);
    }
  }
}

void ShaderStageRules::PreCallValidate(const vk::CreateComputePipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (ComesFromBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    CheckStage(infos[i].stage, StageFlagsOf(infos[i]), where.Dot("stage"), report);
  }
}

void ShaderStageRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (ComesFromBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      CheckStage(stages[k], StageFlagsOf(infos[i]), where.Dot("pStages", k), report);
    }
  }
}

void ShaderStageRules::PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const Location where = command.Dot("pCreateInfos", i);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      CheckStage(stages[k], StageFlagsOf(infos[i]), where.Dot("pStages", k), report);
    }
  }
}

}  // namespace assay::core
