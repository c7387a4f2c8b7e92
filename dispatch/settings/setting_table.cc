// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/setting_table.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/nearest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

constexpr SettingChoice kReportFlags[] = {
    {"error", VK_DEBUG_REPORT_ERROR_BIT_EXT},
    {"warn", VK_DEBUG_REPORT_WARNING_BIT_EXT},
    {"perf", VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT},
    {"info", VK_DEBUG_REPORT_INFORMATION_BIT_EXT},
    {"verbose", VK_DEBUG_REPORT_DEBUG_BIT_EXT},
};

constexpr SettingChoice kDebugActions[] = {
    {"VK_DBG_LAYER_ACTION_LOG_MSG", kActionLogMessage},
    {"VK_DBG_LAYER_ACTION_CALLBACK", kActionCallback},
    {"VK_DBG_LAYER_ACTION_BREAK", kActionBreak},
    {"VK_DBG_LAYER_ACTION_IGNORE", 0},
};

constexpr SettingInfo kSettings[] = {
    {"debug_action", &Settings::debug_action,
     "What happens with a message: logged always (LOG_MSG), logged while the application has no callback (CALLBACK), a "
     "debugger stops (BREAK), "
     "none of these (IGNORE). The application's callbacks are called in any case.",
     kDebugActions},
    {"log_filename", &Settings::log_filename, "Where messages are logged: stdout, stderr, or the path of a file."},
    {"print_settings", &Settings::print_settings, "Whether vkCreateInstance logs every setting with where it was set."},
    {"report_flags", &Settings::report_flags, "Which messages are logged.", kReportFlags},
    {"unique_handles", &Settings::unique_handles,
     "Whether the application is given handles of the layer's own, by which a stale one is recognised."},
    {"validate_sync", &Settings::validate_sync, "Whether missing synchronization is looked for."},
};

// The members of a std::variant's visitor, one for each type of setting.
template <class... Fs>
struct Overloaded : Fs... {
  using Fs::operator()...;
};

std::optional<bool> ParseBool(std::string_view text) {
  for (std::string_view yes : {"true", "1", "on", "yes"}) {
    if (absl::EqualsIgnoreCase(text, yes)) return true;
  }
  for (std::string_view no : {"false", "0", "off", "no"}) {
    if (absl::EqualsIgnoreCase(text, no)) return false;
  }
  return std::nullopt;
}

std::string ExpectedChoices(const SettingInfo& info, std::string_view wrong) {
  std::vector<std::string_view> names;
  for (const SettingChoice& choice : info.choices) names.push_back(choice.name);
  const std::string_view nearest = Nearest(wrong, names);
  return absl::StrCat("a list of ", absl::StrJoin(names, ", "), wrong.empty() ? "" : "; there is no \"", wrong,
                      wrong.empty() ? "" : "\"",
                      nearest.empty() ? "" : absl::StrCat(", perhaps ", nearest, " is meant"));
}

// Null when the setting has no such choice.
const SettingChoice* FindChoice(const SettingInfo& info, std::string_view name) {
  const auto found = std::ranges::find_if(
      info.choices, [name](const SettingChoice& choice) { return absl::EqualsIgnoreCase(choice.name, name); });
  return found == info.choices.end() ? nullptr : &*found;
}

bool ParseFlags(const SettingInfo& info, std::span<const std::string> values, Flags* flags, std::string* expected) {
  Flags result;
  for (const std::string& value : values) {
    for (std::string_view name : absl::StrSplit(value, ',')) {
      name = absl::StripAsciiWhitespace(name);
      if (name.empty()) continue;
      const SettingChoice* choice = FindChoice(info, name);
      if (choice == nullptr) {
        *expected = ExpectedChoices(info, name);
        return false;
      }
      result.bits |= choice->bits;
    }
  }
  *flags = result;
  return true;
}

}  // namespace

std::span<const SettingInfo> SettingTable() { return kSettings; }

const SettingInfo* FindSetting(std::string_view name) {
  const auto found = std::ranges::lower_bound(kSettings, name, {}, &SettingInfo::name);
  return found == std::end(kSettings) || found->name != name ? nullptr : &*found;
}

std::string_view NearestSetting(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SettingInfo& info : kSettings) names.push_back(info.name);
  return Nearest(name, names);
}

bool ParseSetting(const SettingInfo& info, std::span<const std::string> values, Settings* settings,
                  std::string* expected) {
  return std::visit(
      Overloaded{
          [&](bool Settings::*member) {
            const std::optional<bool> parsed = values.size() == 1 ? ParseBool(values[0]) : std::nullopt;
            if (parsed.has_value()) settings->*member = *parsed;
            *expected = "true or false";
            return parsed.has_value();
          },
          [&](Flags Settings::*member) { return ParseFlags(info, values, &(settings->*member), expected); },
          [&](std::string Settings::*member) {
            if (values.size() == 1) settings->*member = values[0];
            *expected = "one text";
            return values.size() == 1;
          },
      },
      info.member);
}

std::string FormatSetting(const SettingInfo& info, const Settings& settings) {
  return std::visit(Overloaded{
                        [&](bool Settings::*member) { return std::string(settings.*member ? "true" : "false"); },
                        [&](Flags Settings::*member) {
                          std::vector<std::string_view> names;
                          for (const SettingChoice& choice : info.choices) {
                            if ((settings.*member).Has(choice.bits)) names.push_back(choice.name);
                          }
                          return absl::StrJoin(names, ",");
                        },
                        [&](std::string Settings::*member) { return settings.*member; },
                    },
                    info.member);
}

}  // namespace assay::dispatch
