// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/settings.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/sources.h"

namespace assay::dispatch {
namespace {

using messages::EscapeName;

messages::Message UnknownSetting(const RawSetting& raw) {
  const std::string_view nearest = NearestSetting(raw.name);
  messages::Message problem = SettingProblem(
      "ASSAY-unknown-setting", absl::StrCat("The setting ", EscapeName(NameInSource(raw.origin.source, raw.name)), " (",
                                            EscapeName(raw.origin.where), ") is not known; it is ignored."));
  if (!nearest.empty()) {
    problem.fix = absl::StrCat("Perhaps ", NameInSource(raw.origin.source, nearest), " is meant.");
  }
  return problem;
}

messages::Message KhronosOnlySetting(const RawSetting& raw) {
  messages::Message problem = SettingProblem(
      "ASSAY-unsupported-setting",
      absl::StrCat("The setting ", NameInSource(raw.origin.source, raw.name), " (", EscapeName(raw.origin.where),
                   ") is one of the Khronos layer and has no effect in this one."));
  problem.severity = messages::Severity::kInformation;
  return problem;
}

messages::Message MalformedSetting(const RawSetting& raw, std::string_view expected) {
  return SettingProblem(
      "ASSAY-malformed-setting",
      absl::StrCat("The setting ", NameInSource(raw.origin.source, raw.name), " (", EscapeName(raw.origin.where),
                   ") has the value \"", EscapeName(absl::StrJoin(raw.values, ",")),
                   "\", which is ignored. Expected is ", expected, "."));
}

void Apply(std::vector<RawSetting> source, Settings& settings, std::vector<messages::Message>* problems) {
  for (const RawSetting& raw : ExpandFeatureLists(std::move(source), problems)) {
    const SettingInfo* info = FindSetting(raw.name);
    std::string expected;
    if (info == nullptr && IsKhronosOnlySetting(raw.name)) {
      problems->push_back(KhronosOnlySetting(raw));
    } else if (info == nullptr) {
      problems->push_back(UnknownSetting(raw));
    } else if (!ParseSetting(*info, raw.values, &settings, &expected)) {
      problems->push_back(MalformedSetting(raw, expected));
    } else {
      settings.origins.insert_or_assign(std::string(info->name), raw.origin);
    }
  }
}

}  // namespace

Settings LoadSettings(const VkInstanceCreateInfo* create_info, const SystemAccess& system,
                      std::vector<messages::Message>* problems, LoadedAs loaded_as) {
  Settings settings;
  Apply(FileSettings(system, problems, loaded_as), settings, problems);
  Apply(EnvironmentSettings(system, loaded_as), settings, problems);
  Apply(LayerSettings(create_info, problems, loaded_as), settings, problems);
  Apply(ValidationFeatures(create_info), settings, problems);
  Apply(ValidationFlags(create_info), settings, problems);
  return settings;
}

Settings LoadSettings(const VkInstanceCreateInfo* create_info, std::vector<messages::Message>* problems,
                      LoadedAs loaded_as) {
  return LoadSettings(create_info, ProcessSystemAccess(), problems, loaded_as);
}

messages::ReporterOptions ToReporterOptions(const Settings& settings, std::string_view application_name) {
  using Log = messages::ReporterOptions::Log;
  messages::ReporterOptions options;
  options.log = settings.debug_action.Has(kActionLogMessage) ? Log::kAlways
                : settings.debug_action.Has(kActionCallback) ? Log::kWithoutCallbacks
                                                             : Log::kNever;
  options.log_flags = settings.report_flags.bits;
  options.log_filename = settings.log_filename;
  options.break_on_message = settings.debug_action.Has(kActionBreak);
  options.fail_call = settings.debug_action.Has(kActionFailCall);
  options.muted_ids = settings.message_id_filter;
  options.duplicate_message_limit = settings.enable_message_limit ? settings.duplicate_message_limit : 0;
  options.fold_messages = settings.fold_messages;
  options.rendering.json = settings.message_format_json;
  if (settings.message_format_display_application_name) options.rendering.application_name = application_name;
  options.sarif_filename = settings.sarif_filename;
  options.suppression_file = settings.suppression_file;
  return options;
}

std::string DescribeSettings(const Settings& settings) {
  std::string text = absl::StrCat("# Settings of ", kLayerName);
  for (const SettingInfo& info : SettingTable()) {
    absl::StrAppend(&text, "\nassay.", info.name, " = ", EscapeName(FormatSetting(info, settings)), "  # ",
                    EscapeName(settings.OriginOf(info.name).where));
  }
  return text;
}

}  // namespace assay::dispatch
