// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SETTING_TABLE_H_
#define ASSAY_DISPATCH_SETTINGS_SETTING_TABLE_H_

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "dispatch/settings/settings_types.h"

// The table of all settings. The type of a setting is that of its member.
namespace assay::dispatch {

// A name that may be listed in a setting of flags.
struct SettingChoice {
  std::string_view name;
  // 0 for a name without effect.
  uint32_t bits;
};

using SettingMember = std::variant<bool Settings::*, uint32_t Settings::*, Flags Settings::*, std::string Settings::*,
                                   std::vector<std::string> Settings::*>;

struct SettingInfo {
  // Lower case, words joined by '_'.
  std::string_view name;
  SettingMember member;
  // One sentence.
  std::string_view description;
  // For flags.
  std::span<const SettingChoice> choices = {};
};

// Sorted by name.
std::span<const SettingInfo> SettingTable();

// The setting of that name, or null.
const SettingInfo* FindSetting(std::string_view name);

// The name of the known setting that name was most likely meant to be; empty when none is near.
std::string_view NearestSetting(std::string_view name);

// Sets info's member of settings to the values and returns true. False when the values are malformed: settings stay as
// they are, and expected describes correct values ("true or false"). values are those of VK_EXT_layer_settings as text,
// or the one text of another source. A list may come as several values, as one value with commas, or both.
bool ParseSetting(const SettingInfo& info, std::span<const std::string> values, Settings* settings,
                  std::string* expected);

// The value as ParseSetting() would read it back.
std::string FormatSetting(const SettingInfo& info, const Settings& settings);

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTING_TABLE_H_
