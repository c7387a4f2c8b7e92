// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/spirv_rules.h"

#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "dispatch/extensions/validation_cache.h"
#include "spirv/unified1/spirv.hpp11"
#include "vk/chain.h"
#include "vk/extension_info.h"

namespace assay::core {

using messages::Location;
using messages::Report;
using state::Items;

namespace {

constexpr ModuleIds kModuleIds = {
    .magic = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-07912"),
    .format = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08736"),
    .validity = vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-08737"),
};
constexpr ModuleIds kObjectIds = {
    .magic = vk::Vuid("VUID-VkShaderCreateInfoEXT-pCode-08736"),
    .format = vk::Vuid("VUID-VkShaderCreateInfoEXT-pCode-08736"),
    .validity = vk::Vuid("VUID-VkShaderCreateInfoEXT-pCode-08737"),
};

// `code` has four bytes, of any alignment.
bool BeginsAsSpirv(const void* code) {
  uint32_t word = 0;
  std::memcpy(&word, code, sizeof(word));
  return word == spv::MagicNumber || word == __builtin_bswap32(spv::MagicNumber);
}

KnownModules* KnownModulesFor(const dispatch::Device& device) {
  return device.instance.settings.check_shaders_caching ? &KnownModules::OfProcess() : nullptr;
}

}  // namespace

SpirvRules::SpirvRules(const state::DeviceState& state)
    : device_(state.device()), known_(KnownModulesFor(device_)), judge_(device_, state.shader_codes(), known_) {}

SpirvRules::~SpirvRules() {
  if (known_ != nullptr) known_->Save();
}

void SpirvRules::Check(const void* code, size_t size, const ModuleIds& ids, const void* chain, const Location& where,
                       Report& report) const {
  // Sizes and alignments have rules of their own.
  if (code == nullptr || size == 0 || size % sizeof(uint32_t) != 0) return;
  if (reinterpret_cast<uintptr_t>(code) % alignof(uint32_t) != 0) return;
  if (!BeginsAsSpirv(code)) {
    report.Error(ids.magic, {messages::Object(device_.handle)}, where.Dot("pCode"),
                 absl::StrCat("is not SPIR-V: its first word (0x",
                              absl::Hex(*static_cast<const uint32_t*>(code), absl::kZeroPad8),
                              ") is not the magic number (0x07230203)."));
    return;
  }
  const absl::Span<const uint32_t> words(static_cast<const uint32_t*>(code), size / sizeof(uint32_t));
  for (const ModuleFinding& finding : judge_.Judge(words, ids, dispatch::FindValidationCacheInChain(chain))) {
    report.Error(finding.vuid, {messages::Object(device_.handle)}, where.Dot("pCode"),
                 absl::StrCat("is not valid SPIR-V for Vulkan: ", finding.text));
  }
}

void SpirvRules::CheckModuleInfo(const VkShaderModuleCreateInfo& info, const Location& where, Report& report) const {
  // It may be GLSL then.
  const bool may_be_glsl = device_.IsEnabled(vk::ExtensionId::kNvGlslShader);
  if (may_be_glsl && info.codeSize >= sizeof(uint32_t) && info.pCode != nullptr && !BeginsAsSpirv(info.pCode)) return;
  Check(info.pCode, info.codeSize, kModuleIds, info.pNext, where, report);
}

void SpirvRules::CheckStage(const VkPipelineShaderStageCreateInfo& stage, const Location& where, Report& report) const {
  if (stage.module != VK_NULL_HANDLE) return;
  const auto* info = vk::FindInChain<VkShaderModuleCreateInfo>(stage.pNext);
  if (info != nullptr) CheckModuleInfo(*info, where, report);
}

void SpirvRules::PreCallValidate(const vk::CreateShaderModule& call, Report& report) const {
  if (call.pCreateInfo != nullptr) CheckModuleInfo(*call.pCreateInfo, report.location().Dot("pCreateInfo"), report);
}

void SpirvRules::PreCallValidate(const vk::CreateShadersEXT& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (infos[i].codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) continue;
    Check(infos[i].pCode, infos[i].codeSize, kObjectIds, infos[i].pNext, command.Dot("pCreateInfos", i), report);
  }
}

template <typename C>
void SpirvRules::CheckStages(const C& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      CheckStage(stages[k], command.Dot("pCreateInfos", i).Dot("pStages", k), report);
    }
  }
}

void SpirvRules::PreCallValidate(const vk::CreateGraphicsPipelines& call, Report& report) const {
  CheckStages(call, report);
}

void SpirvRules::PreCallValidate(const vk::CreateComputePipelines& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    CheckStage(infos[i].stage, command.Dot("pCreateInfos", i).Dot("stage"), report);
  }
}

void SpirvRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  CheckStages(call, report);
}

void SpirvRules::PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, Report& report) const {
  CheckStages(call, report);
}

}  // namespace assay::core
