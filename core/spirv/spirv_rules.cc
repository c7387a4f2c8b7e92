// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/spirv_rules.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/spirv/words/glsl_version.h"
#include "core/spirv/words/specialized_words.h"
#include "dispatch/extensions/validation_cache.h"
#include "spirv/unified1/spirv.hpp11"
#include "state/pipelines/create_info.h"
#include "state/shader/specialization.h"
#include "vk/chain.h"
#include "vk/extension_info.h"
#include "vk/walk/load_store.h"

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
// After specialization. The words are a module then.
constexpr ModuleIds AllOf(vk::VuidIndex vuid) { return {.magic = vuid, .format = vuid, .validity = vuid}; }
constexpr ModuleIds kSpecializedIds = AllOf(vk::Vuid("VUID-VkPipelineShaderStageCreateInfo-pSpecializationInfo-06849"));
constexpr ModuleIds kSpecializedObjectIds = AllOf(vk::Vuid("VUID-VkShaderCreateInfoEXT-pCode-08460"));

// The stages that a pipeline uses.
template <typename I>
struct UsedStages {
  explicit UsedStages(const I&) {}
  bool Has(VkShaderStageFlagBits) const { return true; }
};
template <>
struct UsedStages<VkGraphicsPipelineCreateInfo> : state::UsedStages {
  using state::UsedStages::UsedStages;
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
  if (may_be_glsl && info.codeSize >= sizeof(uint32_t) && info.pCode != nullptr && !BeginsAsSpirv(info.pCode)) {
    const std::string_view code(reinterpret_cast<const char*>(info.pCode), info.codeSize);
    if (std::string wrong = WrongGlslVersion(code); !wrong.empty()) {
      report.Error(vk::Vuid("VUID-VkShaderModuleCreateInfo-pCode-01379"), {messages::Object(device_.handle)},
                   where.Dot("pCode"), std::move(wrong));
    }
    return;
  }
  Check(info.pCode, info.codeSize, kModuleIds, info.pNext, where, report);
}

void SpirvRules::CheckStage(const VkPipelineShaderStageCreateInfo& stage, bool is_used, const Location& where,
                            Report& report) const {
  const auto* const info = vk::FindInChain<VkShaderModuleCreateInfo>(stage.pNext);
  const bool is_inline = stage.module == VK_NULL_HANDLE && info != nullptr;
  if (is_inline) CheckModuleInfo(*info, where, report);
  if (!is_used || stage.pSpecializationInfo == nullptr) return;
  const Location member = where.Dot("pSpecializationInfo");
  if (is_inline) {
    const auto words = Items(info->pCode, info->codeSize / sizeof(uint32_t));
    CheckSpecialized(words, stage.pSpecializationInfo, kSpecializedIds, member, report);
  } else if (const auto* module = state::DeviceState::Get<state::ShaderModule>(stage.module)) {
    CheckSpecialized(module->code->words(), stage.pSpecializationInfo, kSpecializedIds, member, report);
  }
}

void SpirvRules::CheckSpecialized(absl::Span<const uint32_t> words, const VkSpecializationInfo* info,
                                  const ModuleIds& ids, const Location& where, Report& report) const {
  const std::vector<uint32_t> specialized = SpecializedWords(words, state::ReadSpecialization(info));
  if (specialized.empty()) return;
  const std::vector<ModuleFinding> findings = judge_.Judge(specialized, ids, nullptr);
  // A module that is wrong without specialization was reported for that.
  if (findings.empty() || !judge_.Judge(words, kModuleIds, nullptr).empty()) return;
  for (const ModuleFinding& finding : findings) {
    // It may be in a branch that these values never take.
    if (absl::StrContains(finding.text, "Array access is out of bounds")) continue;
    report.Error(finding.vuid, {messages::Object(device_.handle)}, where,
                 absl::StrCat("makes SPIR-V that is not valid for Vulkan: ", finding.text));
  }
}

void SpirvRules::PreCallValidate(const vk::CreateShaderModule& call, Report& report) const {
  if (call.pCreateInfo != nullptr) CheckModuleInfo(*call.pCreateInfo, report.location().Dot("pCreateInfo"), report);
}

void SpirvRules::PreCallValidate(const vk::CreateShadersEXT& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    if (infos[i].codeType != VK_SHADER_CODE_TYPE_SPIRV_EXT) continue;
    const Location where = command.Dot("pCreateInfos", i);
    Check(infos[i].pCode, infos[i].codeSize, kObjectIds, infos[i].pNext, where, report);
    if (infos[i].pSpecializationInfo == nullptr) continue;
    const auto words = Items(static_cast<const uint32_t*>(infos[i].pCode), infos[i].codeSize / sizeof(uint32_t));
    CheckSpecialized(words, infos[i].pSpecializationInfo, kSpecializedObjectIds, where.Dot("pSpecializationInfo"),
                     report);
  }
}

template <typename C>
void SpirvRules::CheckStages(const C& call, Report& report) const {
  const auto infos = Items(call.pCreateInfos, call.createInfoCount);
  const Location command = report.location();
  for (uint32_t i = 0; i < infos.size(); ++i) {
    const bool has_code = !state::HasBinaries(infos[i].pNext);
    const UsedStages used(infos[i]);
    const auto stages = Items(infos[i].pStages, infos[i].stageCount);
    for (uint32_t k = 0; k < stages.size(); ++k) {
      const bool is_used = has_code && used.Has(stages[k].stage);
      CheckStage(stages[k], is_used, command.Dot("pCreateInfos", i).Dot("pStages", k), report);
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
    CheckStage(infos[i].stage, !state::HasBinaries(infos[i].pNext), command.Dot("pCreateInfos", i).Dot("stage"),
               report);
  }
}

void SpirvRules::PreCallValidate(const vk::CreateRayTracingPipelinesKHR& call, Report& report) const {
  CheckStages(call, report);
}

void SpirvRules::PreCallValidate(const vk::CreateRayTracingPipelinesNV& call, Report& report) const {
  CheckStages(call, report);
}

}  // namespace assay::core
