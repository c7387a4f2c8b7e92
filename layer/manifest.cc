// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "layer/manifest.h"

#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/setting_table.h"
#include "nlohmann/json.hpp"
#include "vk/command_info.h"

namespace assay::layer {
namespace {

using dispatch::SettingInfo;
using dispatch::Settings;
using Json = nlohmann::ordered_json;

// The commands of device extensions, by extension. The loader needs their names in the manifest.
constexpr std::pair<std::string_view, std::string_view> kEntryPoints[] = {
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, "vkDebugMarkerSetObjectTagEXT"},
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, "vkDebugMarkerSetObjectNameEXT"},
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, "vkCmdDebugMarkerBeginEXT"},
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, "vkCmdDebugMarkerEndEXT"},
    {VK_EXT_DEBUG_MARKER_EXTENSION_NAME, "vkCmdDebugMarkerInsertEXT"},
    {VK_EXT_TOOLING_INFO_EXTENSION_NAME, "vkGetPhysicalDeviceToolPropertiesEXT"},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, "vkCreateValidationCacheEXT"},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, "vkDestroyValidationCacheEXT"},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, "vkGetValidationCacheDataEXT"},
    {VK_EXT_VALIDATION_CACHE_EXTENSION_NAME, "vkMergeValidationCachesEXT"},
};

Json Extensions(std::span<const VkExtensionProperties> extensions) {
  Json result = Json::array();
  for (const VkExtensionProperties& extension : extensions) {
    Json entry = {{"name", extension.extensionName}, {"spec_version", absl::StrCat(extension.specVersion)}};
    for (const auto& [name, entry_point] : kEntryPoints) {
      if (name == extension.extensionName) entry["entrypoints"].push_back(entry_point);
    }
    result.push_back(std::move(entry));
  }
  return result;
}

// "message_id_filter" becomes "Message id filter".
std::string Label(std::string_view name) {
  std::string label = absl::StrReplaceAll(name, {{"_", " "}});
  label[0] = absl::ascii_toupper(label[0]);
  return label;
}

Json ListDefault(const std::string& value) {
  Json result = Json::array();
  for (std::string_view element : absl::StrSplit(value, ',', absl::SkipEmpty())) result.push_back(element);
  return result;
}

Json Setting(const SettingInfo& info, const Settings& defaults, std::string_view environment_prefix) {
  const std::string value = FormatSetting(info, defaults);
  Json result = {{"key", info.name},
                 {"env", absl::StrCat(environment_prefix, absl::AsciiStrToUpper(info.name))},
                 {"label", Label(info.name)},
                 {"description", info.description}};
  if (std::holds_alternative<bool Settings::*>(info.member)) {
    result["type"] = "BOOL";
    result["default"] = value == "true";
  } else if (std::holds_alternative<uint32_t Settings::*>(info.member)) {
    result["type"] = "INT";
    result["default"] = defaults.*std::get<uint32_t Settings::*>(info.member);
    result["range"] = {{"min", 0}};
  } else if (std::holds_alternative<std::vector<std::string> Settings::*>(info.member)) {
    result["type"] = "LIST";
    result["default"] = ListDefault(value);
  } else if (std::holds_alternative<dispatch::Flags Settings::*>(info.member)) {
    result["type"] = "FLAGS";
    for (const dispatch::SettingChoice& choice : info.choices) {
      result["flags"].push_back({{"key", choice.name}, {"label", choice.name}, {"description", choice.name}});
    }
    result["default"] = ListDefault(value);
  } else {
    result["type"] = absl::EndsWith(info.name, "_filename") ? "SAVE_FILE"
                     : absl::EndsWith(info.name, "_file")   ? "LOAD_FILE"
                                                            : "STRING";
    result["default"] = value;
  }
  return result;
}

}  // namespace

std::string MakeManifest(dispatch::LoadedAs loaded_as, const std::string& library_path) {
  const dispatch::LayerIdentity& identity = dispatch::GetLayerIdentity(loaded_as);
  const uint32_t version = identity.properties.specVersion;
  Json settings = Json::array();
  const bool is_drop_in = loaded_as == dispatch::LoadedAs::kDropIn;
  const Settings defaults = dispatch::DefaultSettings(loaded_as);
  for (const SettingInfo& info : dispatch::SettingTable()) {
    settings.push_back(Setting(info, defaults, is_drop_in ? "VK_LAYER_" : "VK_ASSAY_"));
  }
  const Json layer = {
      {"name", identity.properties.layerName},
      {"type", "GLOBAL"},
      {"library_path", library_path},
      {"api_version", absl::StrCat(VK_API_VERSION_MAJOR(version), ".", VK_API_VERSION_MINOR(version), ".",
                                   VK_API_VERSION_PATCH(version))},
      {"implementation_version", absl::StrCat(identity.properties.implementationVersion)},
      {"status", "BETA"},
      {"description", identity.properties.description},
      {"platforms", {"LINUX"}},
      {"instance_extensions", Extensions(identity.instance_extensions)},
      {"device_extensions", Extensions(identity.device_extensions)},
      {"features", {{"presets", Json::array()}, {"settings", settings}}},
  };
  return Json{{"file_format_version", "1.2.0"}, {"layer", layer}}.dump(2) + "\n";
}

}  // namespace assay::layer
