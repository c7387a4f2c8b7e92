// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SETTINGS_TEST_H_
#define ASSAY_DISPATCH_SETTINGS_SETTINGS_TEST_H_

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "dispatch/settings/fake_system_access.h"
#include "dispatch/settings/settings.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

namespace assay::dispatch {

// The sources of a test, each with one setting.
struct Sources {
  FakeSystemAccess system;
  LoadedAs loaded_as = LoadedAs::kAssay;
  std::string layer_name{kLayerName};
  std::string layer_setting_name;
  std::string layer_setting_value;
  const char* layer_setting_text = nullptr;
  VkLayerSettingEXT layer_setting = {};
  VkLayerSettingsCreateInfoEXT layer_settings = {VK_STRUCTURE_TYPE_LAYER_SETTINGS_CREATE_INFO_EXT, nullptr, 0, nullptr};
  VkInstanceCreateInfo create_info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
  std::vector<messages::Message> problems;

  void SetFile(std::string_view name, std::string_view value) {
    system.files["vk_layer_settings.txt"] = absl::StrCat("assay.", name, " = ", value, "\n");
  }
  void SetEnvironment(std::string_view name, std::string_view value) {
    system.variables[absl::StrCat("VK_ASSAY_", absl::AsciiStrToUpper(name))] = value;
  }
  void SetLayerSetting(std::string_view name, std::string_view value) {
    layer_setting_name = name;
    layer_setting_value = value;
    layer_setting_text = layer_setting_value.c_str();
    layer_setting = {layer_name.c_str(), layer_setting_name.c_str(), VK_LAYER_SETTING_TYPE_STRING_EXT, 1,
                     &layer_setting_text};
    layer_settings.settingCount = 1;
    layer_settings.pSettings = &layer_setting;
    create_info.pNext = &layer_settings;
  }

  Settings Load() { return LoadSettings(&create_info, system, &problems, loaded_as); }
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTINGS_TEST_H_
