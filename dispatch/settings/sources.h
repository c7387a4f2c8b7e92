// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SOURCES_H_
#define ASSAY_DISPATCH_SETTINGS_SOURCES_H_

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/system_access.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

// The sources of settings, each made into the same list of names and texts, which setting_table.h understands.
namespace assay::dispatch {

// A setting as a source has it: neither its name nor its values need be any good.
struct RawSetting {
  std::string name;
  std::vector<std::string> values;
  SettingOrigin origin;
};

// Whether a source has spelling of its own for names; gives "VK_ASSAY_VALIDATE_SYNC" for validate_sync in the
// environment.
std::string NameInSource(SettingSource source, std::string_view name);

// The path of the settings file; "" when there is none. A path that VK_LAYER_SETTINGS_PATH gives is returned though
// there be no file.
std::string FindSettingsFile(const SystemAccess& system);

// A name of VK_EXT_validation_features, which is also one of the settings "enables" and "disables", and the one setting
// that it stands for.
struct FeatureName {
  std::string_view name;
  // The setting's name and what it becomes; empty for features that have nothing to act on here.
  std::string_view setting = {};
  std::string_view value = {};
};
std::span<const FeatureName> FeatureNames();

// Replaces "enables" and "disables" by the settings that the features named stand for.
std::vector<RawSetting> ExpandFeatureLists(std::vector<RawSetting> settings, std::vector<messages::Message>* problems);

// What follows appends to problems what is wrong with a source as such: a file that cannot be read, a line or an
// element that has no value.

// The lines of a settings file that are this layer's. path is for origins.
std::vector<RawSetting> ParseSettingsFile(std::string_view contents, std::string_view path,
                                          std::vector<messages::Message>* problems,
                                          LoadedAs loaded_as = LoadedAs::kAssay);
std::vector<RawSetting> FileSettings(const SystemAccess& system, std::vector<messages::Message>* problems,
                                     LoadedAs loaded_as = LoadedAs::kAssay);
// Settings for any layer come first, then those for the Khronos layer, then those for this one.
std::vector<RawSetting> EnvironmentSettings(const SystemAccess& system, LoadedAs loaded_as = LoadedAs::kAssay);
// create_info may be null, here and below.
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
