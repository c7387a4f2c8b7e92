// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dispatch/settings/khronos_settings.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/sources.h"
#include "dispatch/settings/system_access.h"

namespace assay::dispatch {
namespace {

constexpr std::string_view kOwnPrefix = "VK_ASSAY_";
constexpr std::string_view kDropInPrefix = "VK_KHRONOS_VALIDATION_";
// The prefix that users of the Khronos layer know. Variables of the loader and of other layers begin with it too.
constexpr std::string_view kAnyLayersPrefix = "VK_LAYER_";

bool IsKnown(std::string_view name) {
  return FindSetting(name) != nullptr || !WhyWithoutEffect(name).empty() || name == "enables" || name == "disables";
}

void AddAll(const SystemAccess& system, std::string_view prefix, bool only_known, std::vector<RawSetting>& result) {
  for (const auto& [variable, value] : system.Environment()) {
    std::string_view rest = variable;
    if (!absl::ConsumePrefix(&rest, prefix)) continue;
    const std::string name = absl::AsciiStrToLower(rest);
    if (only_known && !IsKnown(name)) continue;
    result.push_back({.name = name,
                      .values = {value},
                      .origin = {SettingSource::kEnvironment, absl::StrCat("environment variable ", variable)},
                      .key = variable});
  }
}

}  // namespace

std::vector<RawSetting> EnvironmentSettings(const SystemAccess& system, LoadedAs loaded_as) {
  std::vector<RawSetting> result;
  AddAll(system, kAnyLayersPrefix, /*only_known=*/true, result);
  if (loaded_as == LoadedAs::kDropIn) AddAll(system, kDropInPrefix, /*only_known=*/false, result);
  AddAll(system, kOwnPrefix, /*only_known=*/false, result);
  return result;
}

}  // namespace assay::dispatch
