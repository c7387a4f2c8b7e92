// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SOURCES_H_
#define ASSAY_DISPATCH_SETTINGS_SOURCES_H_

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/system_access.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

// The sources of settings. Each becomes a list of names and texts, which setting_table.h parses.
namespace assay::dispatch {

// A setting as a source has it. Its name may be unknown and its values malformed.
struct RawSetting {
  std::string name;
  std::vector<std::string> values;
  SettingOrigin origin;
  // The name as the source has it, with its prefix: "assay.validate_sync", "VK_ASSAY_VALIDATE_SYNC". Empty where the
  // source has no names of settings.
  std::string key;
  // In VK_EXT_layer_settings.
  std::optional<VkLayerSettingTypeEXT> type = std::nullopt;
};

// The name of a setting in the spelling of a source: "VK_ASSAY_VALIDATE_SYNC" for validate_sync in the environment.
std::string NameInSource(SettingSource source, std::string_view name);

// The path of the settings file; "" when there is none. The path that VK_LAYER_SETTINGS_PATH names is returned even
// when there is no such file.
std::string FindSettingsFile(const SystemAccess& system);

// A name of VK_EXT_validation_features, which is also one of the settings "enables" and "disables", and the one setting
// that it stands for.
struct FeatureName {
  std::string_view name;
  // The setting's name and its value; empty for features without effect here.
  std::string_view setting = {};
  std::string_view value = {};
};
std::span<const FeatureName> FeatureNames();

// Replaces "enables" and "disables" by the settings that their features stand for.
std::vector<RawSetting> ExpandFeatureLists(std::vector<RawSetting> settings, std::vector<messages::Message>* problems);

// The functions below append problems with a source itself to problems: a file that cannot be read, a line or an
// element without a value.

// The settings for this layer in a settings file. path is for origins.
std::vector<RawSetting> ParseSettingsFile(std::string_view contents, std::string_view path,
                                          std::vector<messages::Message>* problems,
                                          LoadedAs loaded_as = LoadedAs::kAssay);
std::vector<RawSetting> FileSettings(const SystemAccess& system, std::vector<messages::Message>* problems,
                                     LoadedAs loaded_as = LoadedAs::kAssay);
// VK_LAYER_ variables come first, then those for the Khronos layer, then those for this one.
std::vector<RawSetting> EnvironmentSettings(const SystemAccess& system, LoadedAs loaded_as = LoadedAs::kAssay);
// VK_EXT_layer_settings. create_info may be null, here and below.
std::vector<RawSetting> LayerSettings(const VkInstanceCreateInfo* create_info, std::vector<messages::Message>* problems,
                                      LoadedAs loaded_as = LoadedAs::kAssay);
// VK_EXT_validation_features.
std::vector<RawSetting> ValidationFeatures(const VkInstanceCreateInfo* create_info);
// VK_EXT_validation_flags.
std::vector<RawSetting> ValidationFlags(const VkInstanceCreateInfo* create_info);

// A message about settings: a general warning.
messages::Message SettingProblem(std::string id, std::string text);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SOURCES_H_
