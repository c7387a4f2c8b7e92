// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/shader_stages/shader_stage_rules.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/capability_checks.h"
#include "core/shader_stages/create_info_checks.h"
#include "state/pipelines/create_info.h"
#include "state/state.h"
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

std::shared_ptr<const StageFacts> ShaderStageRules::CheckStage(const VkPipelineShaderStageCreateInfo& info,
                                                               VkPipelineCreateFlags2 flags, const Location& where,
                                                               Report& report) const {
  CheckStageCreateInfo(device_, info, flags, where, report);
  const std::shared_ptr<state::ShaderCode> code = state::CodeOf(info, codes_);
  if (code != nullptr && DeviceState::Get<state::ShaderModule>(info.module) == nullptr)
    CheckCapabilities(device_, code->words(), kModuleCapabilities, where.Dot("pCode"), report);
  if (code == nullptr || info.pName == nullptr || !HasModel(info.stage)) return nullptr;
  std::shared_ptr<const StageFacts> facts = cache_.Borrow(code, info.pName, info.stage, info.pSpecializationInfo,
                                                          StageFactsReader{device_, info.stage, StageOwner::kPipeline});
  CheckSpecialization(info.pSpecializationInfo, *facts, where.Dot("pSpecializationInfo"), report);
  if (!facts->is_read) return nullptr;
  if (!facts->has_entry_point) {
    report.Error(
        vk::Vuid("VUID-VkPipelineShaderStageCreateInfo-pName-00707"), {messages::Object(info.module)},
        where.Dot("pName"),
        absl::StrCat("(\"", info.pName, "\") is no entry point of the module for stage ", StageName(info.stage), "."));
    return nullptr;
  }
  ReportFindings(*facts, messages::Object(info.module), where, report);
  ReportFlagFindings(*facts, flags, messages::Object(info.module), where, report);
  CheckSubgroups(device_, info, *facts, where, report);
  return facts;
}

void ShaderStageRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (state::HasBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    const state::UsedStages used(infos[i]);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      if (!used.Has(stages[k].stage)) continue;
      const Location stage = where.Dot("pStages", k);
      const auto facts = CheckStage(stages[k], state::PipelineFlags(infos[i]), stage, report);
      if (facts == nullptr) continue;
      if (stages[k].stage == VK_SHADER_STAGE_FRAGMENT_BIT) {
        CheckFragmentStates(infos[i], *facts, stage, report);
      } else {
        CheckSubpassViews(infos[i], *facts, stage, report);
      }
    }
  }
}

void ShaderStageRules::PreCallValidate(const vk::CreateComputePipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (state::HasBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    const VkPipelineCreateFlags2 flags = state::PipelineFlags(infos[i]);
    const auto facts = CheckStage(infos[i].stage, flags, where.Dot("stage"), report);
    if (facts == nullptr || !facts->uses.has_enqueue || (flags & VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR) != 0) continue;
    report.Error(vk::Vuid("VUID-VkComputePipelineCreateInfo-flags-09178"), {messages::Object(infos[i].stage.module)},
                 where.Dot("stage"),
                 "declares the capability ShaderEnqueueAMDX, and the pipeline's flags do not have "
                 "VK_PIPELINE_CREATE_LIBRARY_BIT_KHR.");
  }
}

void ShaderStageRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (state::HasBinaries(infos[i].pNext)) continue;
    const Location where = command.Dot("pCreateInfos", i);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      CheckStage(stages[k], state::PipelineFlags(infos[i]), where.Dot("pStages", k), report);
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
      CheckStage(stages[k], state::PipelineFlags(infos[i]), where.Dot("pStages", k), report);
    }
  }
}

}  // namespace assay::core
