// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/spirv_environment.h"

#include <cstring>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "spirv/unified1/spirv.hpp11"
#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/spirv/spirv_info.h"

namespace assay::core {
namespace {

using vk::FeatureId;

constexpr size_t kWordsOfHeader = 5;
// The first one that the registry of this build does not have.
constexpr uint32_t kNewerVersion = VK_MAKE_API_VERSION(0, 1, 5, 0);
// SPIR-V 1.6.
constexpr uint32_t kNewestSpirvVersion = 0x00010600;

spv_target_env EnvironmentOf(const dispatch::Device& device) {
  if (device.api_version >= VK_API_VERSION_1_4) return SPV_ENV_VULKAN_1_4;
  if (device.api_version >= VK_API_VERSION_1_3) return SPV_ENV_VULKAN_1_3;
  if (device.api_version >= VK_API_VERSION_1_2) return SPV_ENV_VULKAN_1_2;
  if (device.api_version < VK_API_VERSION_1_1) return SPV_ENV_VULKAN_1_0;
  return device.IsEnabled(vk::ExtensionId::kKhrSpirv14) ? SPV_ENV_VULKAN_1_1_SPIRV_1_4 : SPV_ENV_VULKAN_1_1;
}

// A rule that is relaxed where the device has something.
struct Relaxation {
  void (*set)(spv_validator_options options, bool is_relaxed);
  bool (*is_relaxed)(const dispatch::Device& device);
};
constexpr Relaxation kRelaxations[] = {
    {&spvValidatorOptionsSetRelaxBlockLayout,
     [](const dispatch::Device& device) { return device.Includes(vk::ExtensionId::kKhrRelaxedBlockLayout); }},
    {&spvValidatorOptionsSetUniformBufferStandardLayout,
     [](const dispatch::Device& device) { return device.HasFeature(FeatureId::kUniformBufferStandardLayout); }},
    {&spvValidatorOptionsSetScalarBlockLayout,
     [](const dispatch::Device& device) { return device.HasFeature(FeatureId::kScalarBlockLayout); }},
    {&spvValidatorOptionsSetWorkgroupScalarBlockLayout,
     [](const dispatch::Device& device) {
       return device.HasFeature(FeatureId::kWorkgroupMemoryExplicitLayoutScalarBlockLayout);
     }},
    {&spvValidatorOptionsSetAllowLocalSizeId,
     [](const dispatch::Device& device) { return device.HasFeature(FeatureId::kMaintenance4); }},
    {&spvValidatorOptionsSetAllowOffsetTextureOperand,
     [](const dispatch::Device& device) { return device.HasFeature(FeatureId::kMaintenance8); }},
};

std::string_view StringAt(absl::Span<const uint32_t> words) {
  const char* const text = reinterpret_cast<const char*>(words.data());
  return {text, strnlen(text, words.size() * sizeof(uint32_t))};
}

}  // namespace

SpirvEnvironment::SpirvEnvironment(const dispatch::Device& device)
    : text_(absl::StrCat(EnvironmentOf(device))),
      context_(spvContextCreate(EnvironmentOf(device))),
      options_(MakeOptions(device)),
      options_with_names_(MakeOptions(device)),
      is_newer_(device.has_unknown_extensions || device.api_version >= kNewerVersion) {
  for (const Relaxation& relaxation : kRelaxations) text_.push_back(relaxation.is_relaxed(device) ? '1' : '0');
  spvValidatorOptionsSetFriendlyNames(options_.get(), false);
}

SpirvEnvironment::Options SpirvEnvironment::MakeOptions(const dispatch::Device& device) {
  Options options(spvValidatorOptionsCreate());
  for (const Relaxation& relaxation : kRelaxations) relaxation.set(options.get(), relaxation.is_relaxed(device));
  return options;
}

SpirvRulesOf RulesOf(absl::Span<const uint32_t> words) {
  if (words.size() < kWordsOfHeader || words[0] != spv::MagicNumber) return SpirvRulesOf::kVulkan;
  if (words[1] > kNewestSpirvVersion) return SpirvRulesOf::kUnknown;
  bool has_shader = false, has_other = false;
  for (size_t at = kWordsOfHeader; at < words.size();) {
    const size_t size = words[at] >> spv::WordCountShift;
    if (size == 0 || size > words.size() - at) return has_other ? SpirvRulesOf::kOtherApi : SpirvRulesOf::kVulkan;
    const auto op = static_cast<spv::Op>(words[at] & spv::OpCodeMask);
    if (op == spv::Op::OpCapability && size == 2) {
      has_other |= vk::FindSpirvCapability(words[at + 1]) == nullptr;
      const auto capability = static_cast<spv::Capability>(words[at + 1]);
      // Nearly all others imply Shader.
      has_shader |= capability != spv::Capability::Matrix && capability != spv::Capability::Linkage;
    } else if (op == spv::Op::OpExtension && size > 1) {
      const std::string_view name = StringAt(words.subspan(at + 1, size - 1));
      if (vk::FindSpirvExtension(name) == nullptr) return SpirvRulesOf::kUnknown;
    } else {
      break;
    }
    at += size;
  }
  return has_other || !has_shader ? SpirvRulesOf::kOtherApi : SpirvRulesOf::kVulkan;
}

}  // namespace assay::core
