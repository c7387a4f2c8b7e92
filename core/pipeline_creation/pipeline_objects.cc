// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Caches, executables, binaries and shader modules.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/pipeline_creation/creation_rules.h"
#include "state/state.h"
#include "vk/chain.h"
#include "vk/feature_info.h"
#include "vk/vuid.h"
#include "vk/walk/load_store.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using vk::FeatureId;
using vk::IsAddress;
using vk::Vuid;

// Whether the feature is enabled; an error of the command if not.
bool ExpectFeature(const dispatch::Device& device, FeatureId feature, vk::VuidIndex id, Report& report) {
  if (device.HasFeature(feature)) return true;
  report.Error(id, {messages::Object(device.handle)}, report.location().Dot("device"),
               absl::StrCat("does not have the feature ", vk::FeatureName(feature), " enabled."));
  return false;
}

// The number of binaries in the chain of the create info that VkPipelineCreateInfoKHR has in its own chain.
uint32_t BinariesOf(const VkPipelineCreateInfoKHR& info) {
  if (!IsAddress(info.pNext)) return 0;
  const auto* binaries = vk::FindInChain<VkPipelineBinaryInfoKHR>(info.pNext);
  return binaries != nullptr ? binaries->binaryCount : 0;
}

bool CapturesData(VkPipeline handle) {
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(handle);
  return pipeline == nullptr || (pipeline->flags & VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR) != 0;
}

}  // namespace

void PipelineCreationRules::PreCallValidate(const vk::CreatePipelineCache& call, Report& report) const {
  if (!IsAddress(call.pCreateInfo)) return;
  const VkPipelineCacheCreateFlags flags = call.pCreateInfo->flags;
  const bool is_external = (flags & VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT) != 0;
  const bool merges = (flags & VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR) != 0;
  const Location command = report.location();
  const Location info = command.Dot("pCreateInfo");
  const auto error = [&](vk::VuidIndex id, std::string text) {
    report.Error(id, {messages::Object(device_.handle)}, info.Dot("flags"), std::move(text));
  };
  if (is_external && !device_.HasFeature(FeatureId::kPipelineCreationCacheControl)) {
    error(Vuid("VUID-VkPipelineCacheCreateInfo-pipelineCreationCacheControl-02892"),
          "has VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT, but the feature pipelineCreationCacheControl is "
          "not enabled.");
  }
  if (merges && !device_.HasFeature(FeatureId::kMaintenance8)) {
    error(Vuid("VUID-VkPipelineCacheCreateInfo-maintenance8-10200"),
          "has VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR, but the feature maintenance8 is not "
          "enabled.");
  }
  if (is_external && merges) {
    error(Vuid("VUID-VkPipelineCacheCreateInfo-flags-10201"),
          "has both VK_PIPELINE_CACHE_CREATE_EXTERNALLY_SYNCHRONIZED_BIT and "
          "VK_PIPELINE_CACHE_CREATE_INTERNALLY_SYNCHRONIZED_MERGE_BIT_KHR.");
  }
}

void PipelineCreationRules::PreCallValidate(const vk::GetPipelineExecutablePropertiesKHR&, Report& report) const {
  ExpectFeature(device_, FeatureId::kPipelineExecutableInfo,
                Vuid("VUID-vkGetPipelineExecutablePropertiesKHR-pipelineExecutableInfo-03270"), report);
}

void PipelineCreationRules::CheckExecutable(const VkPipelineExecutableInfoKHR* info, vk::VuidIndex feature,
                                            vk::VuidIndex flag_id, VkPipelineCreateFlags2 flag, Report& report) const {
  if (!ExpectFeature(device_, FeatureId::kPipelineExecutableInfo, feature, report) || !IsAddress(info)) return;
  const Location command = report.location();
  const Location where = command.Dot("pExecutableInfo");
  const auto* pipeline = state::DeviceState::Get<state::Pipeline>(info->pipeline);
  if (pipeline != nullptr && (pipeline->flags & flag) == 0) {
    report.Error(
        flag_id, {messages::Object(info->pipeline)}, where.Dot("pipeline"),
        absl::StrCat("was created without ", flag == VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR
                                                 ? "VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR."
                                                 : "VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR."));
  }
  const auto count = executables_.Find(info->pipeline);
  if (!count || info->executableIndex < *count) return;
  report.Error(
      Vuid("VUID-VkPipelineExecutableInfoKHR-executableIndex-03275"), {messages::Object(info->pipeline)},
      where.Dot("executableIndex"),
      absl::StrCat("(", info->executableIndex, ") is not less than the number of executables (", *count, ")."));
}

void PipelineCreationRules::PreCallValidate(const vk::GetPipelineExecutableStatisticsKHR& call, Report& report) const {
  CheckExecutable(call.pExecutableInfo, Vuid("VUID-vkGetPipelineExecutableStatisticsKHR-pipelineExecutableInfo-03272"),
                  Vuid("VUID-vkGetPipelineExecutableStatisticsKHR-pipeline-03274"),
                  VK_PIPELINE_CREATE_2_CAPTURE_STATISTICS_BIT_KHR, report);
}
void PipelineCreationRules::PreCallValidate(const vk::GetPipelineExecutableInternalRepresentationsKHR& call,
                                            Report& report) const {
  CheckExecutable(call.pExecutableInfo,
                  Vuid("VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipelineExecutableInfo-03276"),
                  Vuid("VUID-vkGetPipelineExecutableInternalRepresentationsKHR-pipeline-03278"),
                  VK_PIPELINE_CREATE_2_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR, report);
}

void PipelineCreationRules::PostCallRecord(const vk::GetPipelineExecutablePropertiesKHR& call, VkResult result) {
  // With VK_INCOMPLETE, the count is that of the array.
  if (result != VK_SUCCESS || !IsAddress(call.pPipelineInfo) || !IsAddress(call.pExecutableCount)) return;
  executables_.Set(call.pPipelineInfo->pipeline, *call.pExecutableCount);
}

void PipelineCreationRules::PreCallValidate(const vk::GetPipelinePropertiesEXT& call, Report& report) const {
  if (!ExpectFeature(device_, FeatureId::kPipelinePropertiesIdentifier,
                     Vuid("VUID-vkGetPipelinePropertiesEXT-None-06766"), report)) {
    return;
  }
  if (IsAddress(call.pPipelineProperties) &&
      call.pPipelineProperties->sType == VK_STRUCTURE_TYPE_PIPELINE_PROPERTIES_IDENTIFIER_EXT) {
    return;
  }
  report.Error(Vuid("VUID-vkGetPipelinePropertiesEXT-pPipelineProperties-06739"), {messages::Object(device_.handle)},
               report.location().Dot("pPipelineProperties"), "is no VkPipelinePropertiesIdentifierEXT.");
}

void PipelineCreationRules::PreCallValidate(const vk::CreatePipelineBinariesKHR& call, Report& report) const {
  if (!IsAddress(call.pCreateInfo)) return;
  const VkPipelineBinaryCreateInfoKHR& info = *call.pCreateInfo;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  const auto error = [&](vk::VuidIndex id, const Location& at, std::string text) {
    report.Error(id, {messages::Object(device_.handle)}, at, std::move(text));
  };
  const int sources = static_cast<int>(info.pKeysAndDataInfo != nullptr) +
                      static_cast<int>(info.pipeline != VK_NULL_HANDLE) +
                      static_cast<int>(info.pPipelineCreateInfo != nullptr);
  if (sources != 1) {
    return error(Vuid("VUID-VkPipelineBinaryCreateInfoKHR-pKeysAndDataInfo-09619"), where,
                 absl::StrCat("has ", sources, " of pKeysAndDataInfo, pipeline and pPipelineCreateInfo."));
  }
  if (info.pipeline != VK_NULL_HANDLE) {
    const Location pipeline = where.Dot("pipeline");
    if (!CapturesData(info.pipeline)) {
      error(Vuid("VUID-VkPipelineBinaryCreateInfoKHR-pipeline-09607"), pipeline,
            "was created without VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR.");
    } else if (released_.Find(info.pipeline)) {
      error(Vuid("VUID-VkPipelineBinaryCreateInfoKHR-pipeline-09608"), pipeline,
            "has no captured data, since vkReleaseCapturedPipelineDataKHR() released it.");
    }
  }
  if (!IsAddress(info.pPipelineCreateInfo)) return;
  const auto* properties = device_.physical_device->Find<VkPhysicalDevicePipelineBinaryPropertiesKHR>();
  if (properties != nullptr && properties->pipelineBinaryInternalCache == VK_FALSE) {
    error(Vuid("VUID-VkPipelineBinaryCreateInfoKHR-pipelineBinaryInternalCache-09609"),
          where.Dot("pPipelineCreateInfo"), "is not NULL, but pipelineBinaryInternalCache is VK_FALSE.");
  }
  if (BinariesOf(*info.pPipelineCreateInfo) != 0) {
    error(Vuid("VUID-VkPipelineBinaryCreateInfoKHR-pPipelineCreateInfo-09606"), where.Dot("pPipelineCreateInfo"),
          "has a VkPipelineBinaryInfoKHR whose binaryCount is not 0.");
  }
}

void PipelineCreationRules::PreCallValidate(const vk::GetPipelineKeyKHR& call, Report& report) const {
  if (!IsAddress(call.pPipelineCreateInfo) || BinariesOf(*call.pPipelineCreateInfo) == 0) return;
  report.Error(Vuid("VUID-vkGetPipelineKeyKHR-pNext-09605"), {messages::Object(device_.handle)},
               report.location().Dot("pPipelineCreateInfo"),
               "has a VkPipelineBinaryInfoKHR whose binaryCount is not 0.");
}

void PipelineCreationRules::PreCallValidate(const vk::ReleaseCapturedPipelineDataKHR& call, Report& report) const {
  if (!IsAddress(call.pInfo)) return;
  const VkPipeline pipeline = call.pInfo->pipeline;
  const Location command = report.location();
  const Location info = command.Dot("pInfo");
  if (!CapturesData(pipeline)) {
    report.Error(Vuid("VUID-VkReleaseCapturedPipelineDataInfoKHR-pipeline-09613"), {messages::Object(pipeline)},
                 info.Dot("pipeline"), "was created without VK_PIPELINE_CREATE_2_CAPTURE_DATA_BIT_KHR.");
  } else if (released_.Find(pipeline)) {
    report.Error(Vuid("VUID-VkReleaseCapturedPipelineDataInfoKHR-pipeline-09618"), {messages::Object(pipeline)},
                 info.Dot("pipeline"), "has no captured data, since an earlier call released it.");
  }
}
void PipelineCreationRules::PostCallRecord(const vk::ReleaseCapturedPipelineDataKHR& call, VkResult result) {
  if (result >= 0 && IsAddress(call.pInfo)) released_.Set(call.pInfo->pipeline, true);
}

void PipelineCreationRules::PreCallValidate(const vk::CreateShaderModule& call, Report& report) const {
  if (!IsAddress(call.pCreateInfo)) return;
  const size_t size = call.pCreateInfo->codeSize;
  const Location command = report.location();
  const Location where = command.Dot("pCreateInfo");
  // The code may be text.
  if (size % 4 == 0 || device_.IsEnabled(vk::ExtensionId::kNvGlslShader)) return;
  report.Error(Vuid("VUID-VkShaderModuleCreateInfo-codeSize-08735"), {messages::Object(device_.handle)},
               where.Dot("codeSize"), absl::StrCat("(", size, ") is not a multiple of 4."));
}

void PipelineCreationRules::PreCallValidate(const vk::GetShaderModuleIdentifierEXT&, Report& report) const {
  ExpectFeature(device_, FeatureId::kShaderModuleIdentifier,
                Vuid("VUID-vkGetShaderModuleIdentifierEXT-shaderModuleIdentifier-06884"), report);
}
void PipelineCreationRules::PreCallValidate(const vk::GetShaderModuleCreateInfoIdentifierEXT&, Report& report) const {
  ExpectFeature(device_, FeatureId::kShaderModuleIdentifier,
                Vuid("VUID-vkGetShaderModuleCreateInfoIdentifierEXT-shaderModuleIdentifier-06885"), report);
}

}  // namespace assay::core
