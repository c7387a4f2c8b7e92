// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/sources.h"
#include "messages/messages.h"
#include "vk/chain.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

template <class T>
std::span<const T> Elements(const VkLayerSettingEXT& setting) {
  return {static_cast<const T*>(setting.pValues), setting.valueCount};
}

template <class T>
std::vector<std::string> NumbersAsText(const VkLayerSettingEXT& setting) {
  std::vector<std::string> result;
  for (T value : Elements<T>(setting)) result.push_back(absl::StrCat(value));
  return result;
}

std::vector<std::string> BoolsAsText(const VkLayerSettingEXT& setting) {
  std::vector<std::string> result;
  for (VkBool32 value : Elements<VkBool32>(setting)) result.push_back(value != VK_FALSE ? "true" : "false");
  return result;
}

// Nothing when one of the strings is null.
std::optional<std::vector<std::string>> StringsAsText(const VkLayerSettingEXT& setting) {
  std::vector<std::string> result;
  for (const char* value : Elements<const char*>(setting)) {
    if (value == nullptr) return std::nullopt;
    result.push_back(value);
  }
  return result;
}

// Nothing when the values cannot be read.
std::optional<std::vector<std::string>> ValuesAsText(const VkLayerSettingEXT& setting) {
  if (setting.valueCount != 0 && setting.pValues == nullptr) return std::nullopt;
  switch (setting.type) {
    case VK_LAYER_SETTING_TYPE_BOOL32_EXT:
      return BoolsAsText(setting);
    case VK_LAYER_SETTING_TYPE_INT32_EXT:
      return NumbersAsText<int32_t>(setting);
    case VK_LAYER_SETTING_TYPE_INT64_EXT:
      return NumbersAsText<int64_t>(setting);
    case VK_LAYER_SETTING_TYPE_UINT32_EXT:
      return NumbersAsText<uint32_t>(setting);
    case VK_LAYER_SETTING_TYPE_UINT64_EXT:
      return NumbersAsText<uint64_t>(setting);
    case VK_LAYER_SETTING_TYPE_FLOAT32_EXT:
      return NumbersAsText<float>(setting);
    case VK_LAYER_SETTING_TYPE_FLOAT64_EXT:
      return NumbersAsText<double>(setting);
    case VK_LAYER_SETTING_TYPE_STRING_EXT:
      return StringsAsText(setting);
    default:
      return std::nullopt;
  }
}

bool IsForThisLayer(const VkLayerSettingEXT& setting, LoadedAs loaded_as) {
  if (setting.pLayerName == nullptr) return false;
  return setting.pLayerName == kLayerName || (loaded_as == LoadedAs::kDropIn && setting.pLayerName == kDropInName);
}

void AddSetting(const VkLayerSettingEXT& setting, std::vector<RawSetting>& result,
                std::vector<messages::Message>* problems) {
  const std::string name = setting.pSettingName != nullptr ? setting.pSettingName : "";
  std::optional<std::vector<std::string>> values = ValuesAsText(setting);
  if (name.empty() || !values.has_value()) {
    problems->push_back(SettingProblem(
        "ASSAY-malformed-setting",
        absl::StrCat("A VkLayerSettingEXT for ", setting.pLayerName, " (pSettingName ",
                     name.empty() ? "empty" : messages::EscapeName(name), ", type ", static_cast<int>(setting.type),
                     ", valueCount ", setting.valueCount, ") has no name or no readable values; it is ignored.")));
    return;
  }
  result.push_back({.name = name,
                    .values = *std::move(values),
                    .origin = {SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT"},
                    .key = absl::StrCat(setting.pLayerName, ".", name),
                    .type = setting.type});
}

}  // namespace

std::vector<RawSetting> LayerSettings(const VkInstanceCreateInfo* create_info, std::vector<messages::Message>* problems,
                                      LoadedAs loaded_as) {
  std::vector<RawSetting> result;
  if (create_info == nullptr) return result;
  const auto* link = vk::FindInChain<VkLayerSettingsCreateInfoEXT>(create_info->pNext);
  for (; link != nullptr; link = vk::FindInChain<VkLayerSettingsCreateInfoEXT>(link->pNext)) {
    if (link->pSettings == nullptr) continue;
    for (const VkLayerSettingEXT& setting : std::span(link->pSettings, link->settingCount)) {
      if (IsForThisLayer(setting, loaded_as)) AddSetting(setting, result, problems);
    }
  }
  return result;
}

}  // namespace assay::dispatch
