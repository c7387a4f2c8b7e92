// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "dispatch/settings/settings_types.h"
#include "dispatch/settings/sources.h"
#include "dispatch/settings/system_access.h"
#include "messages/messages.h"

namespace assay::dispatch {
namespace {

constexpr std::string_view kFileName = "vk_layer_settings.txt";
// The second one follows from the layer's name. Tools that write settings files for any layer use it.
constexpr std::string_view kPrefixes[] = {"assay.", "assay_validation."};
constexpr std::string_view kDropInPrefix = "khronos_validation.";

// The value of an environment variable; "" when there is none.
std::string GetVariable(const SystemAccess& system, std::string_view name) {
  for (const auto& [variable, value] : system.Environment()) {
    if (variable == name) return value;
  }
  return "";
}

std::string DataHome(const SystemAccess& system) {
  std::string data_home = GetVariable(system, "XDG_DATA_HOME");
  if (!data_home.empty()) return data_home;
  const std::string home = GetVariable(system, "HOME");
  return home.empty() ? "" : absl::StrCat(home, "/.local/share");
}

// The line without its comment. A comment begins with a '#' at the beginning or after white space; a '#' in a path does
// not begin one.
std::string_view WithoutComment(std::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || absl::ascii_isspace(line[i - 1]))) return line.substr(0, i);
  }
  return line;
}

bool ConsumeLayerPrefix(std::string_view* line, LoadedAs loaded_as) {
  for (std::string_view prefix : kPrefixes) {
    if (absl::ConsumePrefix(line, prefix)) return true;
  }
  return loaded_as == LoadedAs::kDropIn && absl::ConsumePrefix(line, kDropInPrefix);
}

}  // namespace

std::string FindSettingsFile(const SystemAccess& system) {
  const std::string chosen = GetVariable(system, "VK_LAYER_SETTINGS_PATH");
  if (!chosen.empty()) {
    return system.Kind(chosen) == SystemAccess::FileKind::kDirectory ? absl::StrCat(chosen, "/", kFileName) : chosen;
  }
  std::vector<std::string> candidates = {std::string(kFileName)};
  const std::string data_home = DataHome(system);
  if (!data_home.empty()) candidates.push_back(absl::StrCat(data_home, "/vulkan/settings.d/", kFileName));
  for (const std::string& candidate : candidates) {
    if (system.Kind(candidate) == SystemAccess::FileKind::kFile) return candidate;
  }
  return "";
}

std::vector<RawSetting> ParseSettingsFile(std::string_view contents, std::string_view path,
                                          std::vector<messages::Message>* problems, LoadedAs loaded_as) {
  std::vector<RawSetting> result;
  absl::ConsumePrefix(&contents, "\xef\xbb\xbf");
  int number = 0;
  for (std::string_view line : absl::StrSplit(contents, '\n')) {
    ++number;
    line = absl::StripAsciiWhitespace(WithoutComment(line));
    const std::string_view whole = line;
    if (!ConsumeLayerPrefix(&line, loaded_as)) continue;
    const std::string where = absl::StrCat(path, ":", number);
    const size_t equals = line.find('=');
    const std::string_view name = absl::StripAsciiWhitespace(line.substr(0, equals));
    if (equals == line.npos || name.empty()) {
      problems->push_back(SettingProblem("ASSAY-malformed-setting",
                                         absl::StrCat("The line assay.", messages::EscapeName(line), " (", where,
                                                      equals == line.npos ? ") has no value" : ") has no name",
                                                      "; it is ignored. Expected is assay.NAME = VALUE.")));
      continue;
    }
    result.push_back({.name = std::string(name),
                      .values = {std::string(absl::StripAsciiWhitespace(line.substr(equals + 1)))},
                      .origin = {SettingSource::kFile, where},
                      .key = std::string(absl::StripAsciiWhitespace(whole.substr(0, whole.find('='))))});
  }
  return result;
}

std::vector<RawSetting> FileSettings(const SystemAccess& system, std::vector<messages::Message>* problems,
                                     LoadedAs loaded_as) {
  const std::string path = FindSettingsFile(system);
  if (path.empty()) return {};
  std::string contents, error;
  if (!system.ReadFile(path, &contents, &error)) {
    problems->push_back(SettingProblem(
        "ASSAY-unreadable-settings-file",
        absl::StrCat("The settings file ", path, " cannot be read (", error, "); its settings are ignored.")));
    return {};
  }
  return ParseSettingsFile(contents, path, problems, loaded_as);
}

}  // namespace assay::dispatch
