// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/settings_types.h"

#include <string_view>

namespace assay::dispatch {

SettingOrigin Settings::OriginOf(std::string_view name) const {
  const auto found = origins.find(name);
  return found == origins.end() ? SettingOrigin() : found->second;
}

Settings DefaultSettings(LoadedAs loaded_as) {
  Settings settings;
  if (loaded_as == LoadedAs::kDropIn) {
    settings.validate_sync = false;
    settings.report_flags = {VK_DEBUG_REPORT_ERROR_BIT_EXT};
  }
  return settings;
}

}  // namespace assay::dispatch
