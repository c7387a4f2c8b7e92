// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_
#define ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "vk/vulkan.h"

// The settings as values; settings.h says where they come from.
namespace assay::dispatch {

inline constexpr std::string_view kLayerName = "VK_LAYER_ASSAY_validation";

// A set of named bits; the names are in the setting's row.
struct Flags {
  uint32_t bits = 0;

  bool Has(uint32_t bit) const { return (bits & bit) != 0; }
  friend bool operator==(const Flags&, const Flags&) = default;
};

enum DebugAction : uint32_t {
  kActionLogMessage = 1,
  kActionCallback = 2,
  kActionBreak = 4,
};

enum class SettingSource : uint8_t { kDefault, kFile, kEnvironment, kLayerSettings };

struct SettingOrigin {
  SettingSource source = SettingSource::kDefault;
  // In words, for people: "default", "/home/me/vk_layer_settings.txt:3", "environment variable VK_ASSAY_VALIDATE_SYNC".
  std::string where = "default";
};

struct Settings {
  bool unique_handles = true;
  bool validate_sync = true;
  // VkDebugReportFlagBitsEXT.
  Flags report_flags = {VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT};
  // DebugAction.
  Flags debug_action = {kActionCallback};
  std::string log_filename = "stdout";
  bool print_settings = false;

  // Where each setting that is not at its default was set, by name.
  std::map<std::string, SettingOrigin, std::less<>> origins;

  SettingOrigin OriginOf(std::string_view name) const;
};

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_SETTINGS_SETTINGS_TYPES_H_
