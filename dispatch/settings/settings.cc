// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/settings.h"

#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "dispatch/settings/khronos_settings.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/sources.h"
#include "vk/enum_to_string.h"

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

messages::Message SettingWithoutEffect(const RawSetting& raw, std::string_view why) {
  messages::Message problem = SettingProblem(
      "ASSAY-unsupported-setting",
      absl::StrCat("The setting ", NameInSource(raw.origin.source, raw.name), " (", EscapeName(raw.origin.where),
                   ") is one of the Khronos layer and has no effect here, because ", why, "."));
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

// The type that VK_EXT_layer_settings has for a setting; the vulkan configurator writes lists and flags as strings.
VkLayerSettingTypeEXT LayerSettingType(const SettingInfo& info) {
  if (std::holds_alternative<bool Settings::*>(info.member)) return VK_LAYER_SETTING_TYPE_BOOL32_EXT;
  if (std::holds_alternative<uint32_t Settings::*>(info.member)) return VK_LAYER_SETTING_TYPE_UINT32_EXT;
  return VK_LAYER_SETTING_TYPE_STRING_EXT;
}

bool IsInteger(VkLayerSettingTypeEXT type) {
  return type == VK_LAYER_SETTING_TYPE_INT32_EXT || type == VK_LAYER_SETTING_TYPE_INT64_EXT ||
         type == VK_LAYER_SETTING_TYPE_UINT32_EXT || type == VK_LAYER_SETTING_TYPE_UINT64_EXT;
}

// Whether a source gave the setting in its own type. Every source but VK_EXT_layer_settings has text, and there text is
// right for every setting, and every type of integer for a number.
bool HasTypeOf(const RawSetting& raw, const SettingInfo& info) {
  if (!raw.type.has_value() || *raw.type == VK_LAYER_SETTING_TYPE_STRING_EXT) return true;
  const VkLayerSettingTypeEXT own = LayerSettingType(info);
  return *raw.type == own || (own == VK_LAYER_SETTING_TYPE_UINT32_EXT && IsInteger(*raw.type));
}

messages::Message OtherType(const RawSetting& raw, const SettingInfo& info) {
  return SettingProblem("ASSAY-setting-type",
                        absl::StrCat("The setting ", raw.name, " (", EscapeName(raw.origin.where), ") has the type ",
                                     vk::ToString(*raw.type), ". Its type is ", vk::ToString(LayerSettingType(info)),
                                     ". The value counts all the same."));
}

// Reports the keys that a source sets more than once.
void ReportRepeated(const std::vector<RawSetting>& source, std::vector<messages::Message>* problems) {
  std::map<std::string_view, const RawSetting*> last;
  for (const RawSetting& raw : source) {
    if (raw.key.empty()) continue;
    const RawSetting*& previous = last[raw.key];
    if (previous != nullptr) {
      problems->push_back(
          SettingProblem("ASSAY-repeated-setting",
                         absl::StrCat("The setting ", EscapeName(raw.key), " (", EscapeName(previous->origin.where),
                                      ") is set again (", EscapeName(raw.origin.where), "). The last value counts.")));
    }
    previous = &raw;
  }
}

// without_effect has the settings without effect that were reported.
void Apply(std::vector<RawSetting> source, Settings& settings, std::set<std::string, std::less<>>& without_effect,
           std::vector<messages::Message>* problems) {
  ReportRepeated(source, problems);
  for (const RawSetting& raw : ExpandFeatureLists(std::move(source), problems)) {
    const SettingInfo* info = FindSetting(raw.name);
    std::string expected;
    const std::string_view why = WhyWithoutEffect(raw.name);
    if (!why.empty()) {
      if (without_effect.insert(raw.name).second) problems->push_back(SettingWithoutEffect(raw, why));
    } else if (info == nullptr) {
      problems->push_back(UnknownSetting(raw));
    } else if (!ParseSetting(*info, raw.values, &settings, &expected)) {
      problems->push_back(MalformedSetting(raw, expected));
    } else {
      if (!HasTypeOf(raw, *info)) problems->push_back(OtherType(raw, *info));
      settings.origins.insert_or_assign(std::string(info->name), raw.origin);
    }
  }
}

// Settings that stand for others.
void ApplyPresets(Settings& settings) {
  if (settings.gpuav_debug_disable_all) settings.gpuav_enable = false;
  if (!settings.printf_only_preset) return;
  settings.printf_enable = true;
  for (bool Settings::* const check : {&Settings::stateless_param, &Settings::thread_safety, &Settings::object_lifetime,
                                       &Settings::validate_core, &Settings::validate_sync, &Settings::gpuav_enable}) {
    settings.*check = false;
  }
}

}  // namespace

Settings LoadSettings(const VkInstanceCreateInfo* create_info, const SystemAccess& system,
                      std::vector<messages::Message>* problems, LoadedAs loaded_as) {
  Settings settings = DefaultSettings(loaded_as);
  std::set<std::string, std::less<>> without_effect;
  const auto apply = [&](std::vector<RawSetting> source) {
    Apply(std::move(source), settings, without_effect, problems);
  };
  apply(FileSettings(system, problems, loaded_as));
  apply(EnvironmentSettings(system, loaded_as));
  apply(LayerSettings(create_info, problems, loaded_as));
  apply(ValidationFeatures(create_info));
  apply(ValidationFlags(create_info));
  ApplyPresets(settings);
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
