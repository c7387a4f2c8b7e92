// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// VK_EXT_validation_features, VK_EXT_validation_flags, and the settings "enables" and "disables", which name the same
// features.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/sources.h"
#include "messages/messages.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

constexpr FeatureName kNames[] = {
    {"VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT", "gpuav_enable", "true"},
    {"VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT", "gpuav_reserve_binding_slot", "true"},
    {"VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT"},
    {"VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT", "printf_enable", "true"},
    {"VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT", "validate_sync", "true"},
    {"VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_ARM"},
    {"VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_AMD"},
    {"VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_IMG"},
    {"VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_NVIDIA"},
    {"VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_ALL"},
    {"VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT", "check_shaders", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT", "thread_safety", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT", "stateless_param", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT", "object_lifetime", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT", "validate_core", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT", "unique_handles", "false"},
    {"VK_VALIDATION_FEATURE_DISABLE_SHADER_VALIDATION_CACHE_EXT", "check_shaders_caching", "false"},
    {"VALIDATION_CHECK_DISABLE_COMMAND_BUFFER_STATE", "check_command_buffer", "false"},
    {"VALIDATION_CHECK_DISABLE_IMAGE_LAYOUT_VALIDATION", "check_image_layout", "false"},
    {"VALIDATION_CHECK_DISABLE_QUERY_VALIDATION"},
    {"VALIDATION_CHECK_DISABLE_OBJECT_IN_USE", "check_object_in_use", "false"},
};
// The feature that stands for all of kAllChecks.
constexpr std::string_view kDisableAll = "VK_VALIDATION_FEATURE_DISABLE_ALL_EXT";
constexpr std::string_view kAllChecks[] = {"thread_safety", "stateless_param", "object_lifetime", "validate_core",
                                           "validate_sync"};

std::string_view NameOf(VkValidationFeatureEnableEXT feature) {
  switch (feature) {
    case VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT:
      return "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT";
    case VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT:
      return "VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT";
    case VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT:
      return "VK_VALIDATION_FEATURE_ENABLE_BEST_PRACTICES_EXT";
    case VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT:
      return "VK_VALIDATION_FEATURE_ENABLE_DEBUG_PRINTF_EXT";
    case VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT:
      return "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT";
    default:
      return "";
  }
}

std::string_view NameOf(VkValidationFeatureDisableEXT feature) {
  switch (feature) {
    case VK_VALIDATION_FEATURE_DISABLE_ALL_EXT:
      return kDisableAll;
    case VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT";
    case VK_VALIDATION_FEATURE_DISABLE_SHADER_VALIDATION_CACHE_EXT:
      return "VK_VALIDATION_FEATURE_DISABLE_SHADER_VALIDATION_CACHE_EXT";
    default:
      return "";
  }
}

// Adds the setting that the feature stands for. False when there is no such feature.
bool AddFeature(std::string_view name, const SettingOrigin& origin, std::vector<RawSetting>& result) {
  if (name == kDisableAll) {
    for (std::string_view check : kAllChecks)
      result.push_back({.name = std::string(check), .values = {"false"}, .origin = origin});
    return true;
  }
  const auto found = std::ranges::find(kNames, name, &FeatureName::name);
  if (found == std::end(kNames)) return false;
  if (!found->setting.empty()) {
    result.push_back({.name = std::string(found->setting), .values = {std::string(found->value)}, .origin = origin});
  }
  return true;
}

}  // namespace

std::span<const FeatureName> FeatureNames() { return kNames; }

std::vector<RawSetting> ExpandFeatureLists(std::vector<RawSetting> settings, std::vector<messages::Message>* problems) {
  std::vector<RawSetting> result;
  for (RawSetting& raw : settings) {
    if (raw.name != "enables" && raw.name != "disables") {
      result.push_back(std::move(raw));
      continue;
    }
    for (const std::string& value : raw.values) {
      for (std::string_view name : absl::StrSplit(value, absl::ByAnyChar(",;:"))) {
        name = absl::StripAsciiWhitespace(name);
        if (name.empty() || AddFeature(name, raw.origin, result)) continue;
        problems->push_back(
            SettingProblem("ASSAY-malformed-setting",
                           absl::StrCat("The setting ", NameInSource(raw.origin.source, raw.name), " (",
                                        messages::EscapeName(raw.origin.where), ") has \"", messages::EscapeName(name),
                                        "\", which is not known; it is ignored. Expected are names such as "
                                        "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT.")));
      }
    }
  }
  return result;
}

std::vector<RawSetting> ValidationFeatures(const VkInstanceCreateInfo* create_info) {
  std::vector<RawSetting> result;
  if (create_info == nullptr) return result;
  const SettingOrigin origin = {SettingSource::kValidationFeatures, "VkValidationFeaturesEXT"};
  for (const auto* link = vk::FindInChain<VkValidationFeaturesEXT>(create_info->pNext); link != nullptr;
       link = vk::FindInChain<VkValidationFeaturesEXT>(link->pNext)) {
    // A feature that is both disabled and enabled ends up enabled. Engines disable much, and enable what they look at.
    for (uint32_t i = 0; link->pDisabledValidationFeatures != nullptr && i < link->disabledValidationFeatureCount;
         ++i) {
      AddFeature(NameOf(link->pDisabledValidationFeatures[i]), origin, result);
    }
    for (uint32_t i = 0; link->pEnabledValidationFeatures != nullptr && i < link->enabledValidationFeatureCount; ++i) {
      AddFeature(NameOf(link->pEnabledValidationFeatures[i]), origin, result);
    }
  }
  return result;
}

std::vector<RawSetting> ValidationFlags(const VkInstanceCreateInfo* create_info) {
  std::vector<RawSetting> result;
  if (create_info == nullptr) return result;
  const SettingOrigin origin = {SettingSource::kValidationFlags, "VkValidationFlagsEXT"};
  for (const auto* link = vk::FindInChain<VkValidationFlagsEXT>(create_info->pNext); link != nullptr;
       link = vk::FindInChain<VkValidationFlagsEXT>(link->pNext)) {
    for (uint32_t i = 0; link->pDisabledValidationChecks != nullptr && i < link->disabledValidationCheckCount; ++i) {
      if (link->pDisabledValidationChecks[i] == VK_VALIDATION_CHECK_ALL_EXT) AddFeature(kDisableAll, origin, result);
      if (link->pDisabledValidationChecks[i] == VK_VALIDATION_CHECK_SHADERS_EXT)
        AddFeature(NameOf(VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT), origin, result);
    }
  }
  return result;
}

}  // namespace assay::dispatch
