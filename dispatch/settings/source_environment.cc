// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "dispatch/settings/host.h"
#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/sources.h"

namespace assay::dispatch {

std::vector<RawSetting> EnvironmentSettings(const Host& host) {
  std::vector<RawSetting> result;
  for (const auto& [variable, value] : host.Environment()) {
    std::string_view name = variable;
    if (!absl::ConsumePrefix(&name, "VK_ASSAY_")) continue;
    result.push_back({.name = absl::AsciiStrToLower(name),
                      .values = {value},
                      .origin = {SettingSource::kEnvironment, absl::StrCat("environment variable ", variable)}});
  }
  return result;
}

}  // namespace assay::dispatch
