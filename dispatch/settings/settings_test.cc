// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/settings.h"

#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "dispatch/settings/fake_system_access.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/sources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using Log = messages::ReporterOptions::Log;

// A value that is no default, for every setting of the table.
std::string OtherValue(const SettingInfo& info) {
  if (std::holds_alternative<bool Settings::*>(info.member))
    return FormatSetting(info, {}) == "true" ? "false" : "true";
  if (std::holds_alternative<Flags Settings::*>(info.member)) {
    return absl::StrCat(info.choices[0].name, ",", info.choices[2].name);
  }
  if (std::holds_alternative<uint32_t Settings::*>(info.member)) return "4294967295";
  if (std::holds_alternative<std::vector<std::string> Settings::*>(info.member)) return "VUID-a*,-12";
  return "/some/where else.txt";
}

// The sources as a test can set them, each with one setting.
struct Sources {
  FakeSystemAccess system;
  LoadedAs loaded_as = LoadedAs::kAssay;
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
  // name must be null-terminated and outlive this.
  void SetLayerSetting(std::string_view name, std::string_view value) {
    layer_setting_value = value;
    layer_setting_text = layer_setting_value.c_str();
    layer_setting = {kLayerName.data(), name.data(), VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &layer_setting_text};
    layer_settings.settingCount = 1;
    layer_settings.pSettings = &layer_setting;
    create_info.pNext = &layer_settings;
  }

  Settings Load() { return LoadSettings(&create_info, system, &problems, loaded_as); }
};

TEST(LoadSettings, Defaults) {
  FakeSystemAccess system;
  std::vector<messages::Message> problems;
  const Settings settings = LoadSettings(nullptr, system, &problems);
  EXPECT_TRUE(settings.unique_handles);
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.report_flags.bits, VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT);
  EXPECT_EQ(settings.log_filename, "stdout");
  EXPECT_FALSE(settings.print_settings);
  EXPECT_EQ(settings.OriginOf("validate_sync").source, SettingSource::kDefault);
  EXPECT_THAT(problems, IsEmpty());
}

class EverySetting : public testing::TestWithParam<SettingInfo> {
 protected:
  void ExpectSetBy(SettingSource source, const std::string& where) {
    const Settings settings = sources_.Load();
    EXPECT_EQ(FormatSetting(info_, settings), value_);
    EXPECT_EQ(settings.OriginOf(info_.name).source, source);
    EXPECT_EQ(settings.OriginOf(info_.name).where, where);
    EXPECT_EQ(settings.origins.size(), 1u);
    EXPECT_THAT(sources_.problems, IsEmpty());
  }

  const SettingInfo& info_ = GetParam();
  const std::string value_ = OtherValue(info_);
  Sources sources_;
};

TEST_P(EverySetting, InTheFile) {
  sources_.SetFile(info_.name, value_);
  ExpectSetBy(SettingSource::kFile, "vk_layer_settings.txt:1");
}

TEST_P(EverySetting, InTheEnvironment) {
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.SetEnvironment(info_.name, value_);
  ExpectSetBy(SettingSource::kEnvironment,
              absl::StrCat("environment variable VK_ASSAY_", absl::AsciiStrToUpper(info_.name)));
}

TEST_P(EverySetting, InLayerSettings) {
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.SetEnvironment(info_.name, FormatSetting(info_, {}));
  sources_.SetLayerSetting(info_.name, value_);
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

// What the Khronos layer's users have. Our own name counts more.
TEST_P(EverySetting, InTheEnvironmentForAnyLayer) {
  const std::string variable = absl::StrCat("VK_LAYER_", absl::AsciiStrToUpper(info_.name));
  sources_.SetFile(info_.name, FormatSetting(info_, {}));
  sources_.system.variables[variable] = value_;
  ExpectSetBy(SettingSource::kEnvironment, absl::StrCat("environment variable ", variable));
  sources_.system.variables[variable] = FormatSetting(info_, {});
  sources_.SetEnvironment(info_.name, value_);
  ExpectSetBy(SettingSource::kEnvironment,
              absl::StrCat("environment variable VK_ASSAY_", absl::AsciiStrToUpper(info_.name)));
}

TEST_P(EverySetting, AsTheKhronosLayersInTheFile) {
  sources_.system.files["vk_layer_settings.txt"] = absl::StrCat("khronos_validation.", info_.name, " = ", value_);
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kFile, "vk_layer_settings.txt:1");
}

TEST_P(EverySetting, AsTheKhronosLayersInTheEnvironment) {
  const std::string variable = absl::StrCat("VK_KHRONOS_VALIDATION_", absl::AsciiStrToUpper(info_.name));
  sources_.system.variables[variable] = value_;
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kEnvironment, absl::StrCat("environment variable ", variable));
}

TEST_P(EverySetting, AsTheKhronosLayersInLayerSettings) {
  sources_.SetLayerSetting(info_.name, value_);
  sources_.layer_setting.pLayerName = kDropInName.data();
  EXPECT_TRUE(sources_.Load().origins.empty());
  sources_.loaded_as = LoadedAs::kDropIn;
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

// In VkLayerSettingTypeEXT's type for it, not as text.
TEST_P(EverySetting, InLayerSettingsOfItsOwnType) {
  sources_.SetLayerSetting(info_.name, value_);
  const VkBool32 flag = value_ == "true" ? VK_TRUE : VK_FALSE;
  const uint32_t number = 4294967295;
  std::vector<std::string> elements;
  std::vector<const char*> texts;
  if (std::holds_alternative<bool Settings::*>(info_.member)) {
    sources_.layer_setting.type = VK_LAYER_SETTING_TYPE_BOOL32_EXT;
    sources_.layer_setting.pValues = &flag;
  } else if (std::holds_alternative<uint32_t Settings::*>(info_.member)) {
    sources_.layer_setting.type = VK_LAYER_SETTING_TYPE_UINT32_EXT;
    sources_.layer_setting.pValues = &number;
  } else if (!std::holds_alternative<std::string Settings::*>(info_.member)) {
    elements = absl::StrSplit(value_, ',');
    for (const std::string& element : elements) texts.push_back(element.c_str());
    sources_.layer_setting.valueCount = static_cast<uint32_t>(texts.size());
    sources_.layer_setting.pValues = texts.data();
  }
  ExpectSetBy(SettingSource::kLayerSettings, "VkLayerSettingsCreateInfoEXT");
}

TEST_P(EverySetting, ChangesNoOther) {
  const Settings defaults;
  Settings settings;
  std::string expected;
  ASSERT_TRUE(ParseSetting(info_, std::vector<std::string>{value_}, &settings, &expected));
  for (const SettingInfo& other : SettingTable()) {
    EXPECT_EQ(FormatSetting(other, settings) != FormatSetting(other, defaults), other.name == info_.name) << other.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Table, EverySetting, testing::ValuesIn(SettingTable().begin(), SettingTable().end()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(LoadSettings, AnUnknownNameSuggestsTheNearest) {
  Sources sources;
  sources.SetFile("validate_snyc", "false");
  sources.SetEnvironment("report_flag", "error");
  sources.SetLayerSetting("something_else", "1");
  EXPECT_TRUE(sources.Load().origins.empty());
  ASSERT_EQ(sources.problems.size(), 3u);
  for (const messages::Message& problem : sources.problems) {
    EXPECT_EQ(problem.id, "ASSAY-unknown-setting");
    EXPECT_EQ(problem.severity, messages::Severity::kWarning);
  }
  EXPECT_EQ(sources.problems[0].text,
            "The setting assay.validate_snyc (vk_layer_settings.txt:1) is not known; it is ignored.");
  EXPECT_EQ(sources.problems[0].fix, "Perhaps assay.validate_sync is meant.");
  EXPECT_EQ(sources.problems[1].fix, "Perhaps VK_ASSAY_REPORT_FLAGS is meant.");
  EXPECT_EQ(sources.problems[2].text,
            "The setting something_else (VkLayerSettingsCreateInfoEXT) is not known; it is ignored.");
  EXPECT_EQ(sources.problems[2].fix, "");
}

TEST(LoadSettings, AMalformedValueKeepsThatOfALowerSource) {
  Sources sources;
  sources.SetFile("validate_sync", "false");
  sources.SetEnvironment("validate_sync", "may\nbe");
  const Settings settings = sources.Load();
  EXPECT_FALSE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("validate_sync").source, SettingSource::kFile);
  ASSERT_EQ(sources.problems.size(), 1u);
  EXPECT_EQ(sources.problems[0].id, "ASSAY-malformed-setting");
  EXPECT_EQ(sources.problems[0].text,
            "The setting VK_ASSAY_VALIDATE_SYNC (environment variable VK_ASSAY_VALIDATE_SYNC) has the value "
            "\"may\\nbe\", which "
            "is ignored. Expected is true or false.");
}

TEST(LoadSettings, LaterLinesGoBeforeEarlierOnes) {
  Sources sources;
  sources.system.files["vk_layer_settings.txt"] = "assay.validate_sync = false\nassay.validate_sync = true\n";
  const Settings settings = sources.Load();
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("validate_sync").where, "vk_layer_settings.txt:2");
}

TEST(LoadSettings, OnlyCompleteNamesInTheEnvironment) {
  Sources sources;
  sources.system.variables = {{"VK_VALIDATE_SYNC", "false"}, {"XVK_ASSAY_VALIDATE_SYNC", "false"}};
  EXPECT_TRUE(sources.Load().validate_sync);
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(ValidationFeatures, CountMoreThanLayerSettings) {
  Sources sources;
  sources.SetLayerSetting("thread_safety", "true");
  const VkValidationFeatureDisableEXT disabled[] = {
      VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT,    VK_VALIDATION_FEATURE_DISABLE_API_PARAMETERS_EXT,
      VK_VALIDATION_FEATURE_DISABLE_OBJECT_LIFETIMES_EXT, VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT,
      VK_VALIDATION_FEATURE_DISABLE_UNIQUE_HANDLES_EXT,   VK_VALIDATION_FEATURE_DISABLE_SHADERS_EXT};
  const VkValidationFeaturesEXT features = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .disabledValidationFeatureCount = std::size(disabled),
                                            .pDisabledValidationFeatures = disabled};
  sources.layer_settings.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_FALSE(settings.thread_safety || settings.stateless_param || settings.object_lifetime ||
               settings.validate_core || settings.unique_handles);
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("thread_safety").source, SettingSource::kValidationFeatures);
  EXPECT_EQ(settings.OriginOf("thread_safety").where, "VkValidationFeaturesEXT");
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(ValidationFeatures, WhatIsEnabledIsNotDisabled) {
  Sources sources;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationFeatureDisableEXT disabled = VK_VALIDATION_FEATURE_DISABLE_ALL_EXT;
  const VkValidationFeaturesEXT features = {
      VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, &enabled, 1, &disabled};
  sources.create_info.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_FALSE(settings.validate_core);
  const VkValidationFeaturesEXT null_arrays = {
      VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, nullptr, 1, nullptr, 1, nullptr};
  sources.create_info.pNext = &null_arrays;
  EXPECT_TRUE(sources.Load().origins.empty());
}

TEST(ValidationFlags, CountMoreThanValidationFeatures) {
  Sources sources;
  const VkValidationFeatureEnableEXT enabled = VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
  const VkValidationCheckEXT checks[] = {VK_VALIDATION_CHECK_SHADERS_EXT, VK_VALIDATION_CHECK_ALL_EXT};
  VkValidationFlagsEXT flags = {VK_STRUCTURE_TYPE_VALIDATION_FLAGS_EXT, nullptr, 2, checks};
  const VkValidationFeaturesEXT features = {VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, &flags, 1, &enabled, 0, nullptr};
  sources.create_info.pNext = &features;
  const Settings settings = sources.Load();
  EXPECT_FALSE(settings.validate_sync || settings.validate_core || settings.stateless_param ||
               settings.object_lifetime || settings.thread_safety);
  EXPECT_EQ(settings.OriginOf("validate_sync").source, SettingSource::kValidationFlags);
  flags.disabledValidationCheckCount = 1;
  EXPECT_TRUE(sources.Load().validate_core);
}

TEST(FeatureLists, StandForSettings) {
  Sources sources;
  sources.system.files["vk_layer_settings.txt"] =
      "assay.validate_sync = false\n"
      "assay.enables = "
      "VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,VALIDATION_CHECK_ENABLE_VENDOR_SPECIFIC_ALL\n";
  sources.system.variables["VK_LAYER_DISABLES"] =
      "VK_VALIDATION_FEATURE_DISABLE_CORE_CHECKS_EXT:VK_VALIDATION_FEATURE_DISABLE_THREAD_SAFETY_EXT";
  Settings settings = sources.Load();
  EXPECT_TRUE(settings.validate_sync);
  EXPECT_EQ(settings.OriginOf("validate_sync").where, "vk_layer_settings.txt:2");
  EXPECT_FALSE(settings.validate_core || settings.thread_safety);
  EXPECT_EQ(settings.OriginOf("validate_core").where, "environment variable VK_LAYER_DISABLES");
  EXPECT_THAT(sources.problems, IsEmpty());
  sources.SetLayerSetting("disables", "VK_VALIDATION_FEATURE_DISABLE_ALL_EXT,oops");
  settings = sources.Load();
  EXPECT_FALSE(settings.validate_sync || settings.stateless_param);
  ASSERT_EQ(sources.problems.size(), 1u);
  EXPECT_EQ(sources.problems[0].id, "ASSAY-malformed-setting");
}

// Each name that stands for a setting, in each source that has lists of names.
class EveryFeatureName : public testing::TestWithParam<FeatureName> {
 protected:
  void ExpectSetBy(SettingSource source) {
    const Settings settings = sources_.Load();
    EXPECT_EQ(FormatSetting(*FindSetting(feature_.setting), settings), feature_.value);
    EXPECT_EQ(settings.OriginOf(feature_.setting).source, source);
    EXPECT_EQ(settings.origins.size(), 1u);
    EXPECT_THAT(sources_.problems, IsEmpty());
  }

  const FeatureName& feature_ = GetParam();
  const std::string list_ = feature_.value == "true" ? "enables" : "disables";
  const std::string opposite_ = feature_.value == "true" ? "false" : "true";
  Sources sources_;
};

TEST_P(EveryFeatureName, InTheFile) {
  sources_.SetFile(list_, feature_.name);
  ExpectSetBy(SettingSource::kFile);
}

TEST_P(EveryFeatureName, InTheEnvironment) {
  sources_.SetFile(feature_.setting, opposite_);
  sources_.SetEnvironment(list_, feature_.name);
  ExpectSetBy(SettingSource::kEnvironment);
}

TEST_P(EveryFeatureName, InLayerSettings) {
  sources_.SetFile(feature_.setting, opposite_);
  sources_.SetEnvironment(feature_.setting, opposite_);
  sources_.SetLayerSetting(list_, feature_.name);
  ExpectSetBy(SettingSource::kLayerSettings);
}

std::vector<FeatureName> NamesOfSettings() {
  std::vector<FeatureName> names(FeatureNames().begin(), FeatureNames().end());
  std::erase_if(names, [](const FeatureName& feature) { return feature.setting.empty(); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Names, EveryFeatureName, testing::ValuesIn(NamesOfSettings()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(LoadSettings, WhatOnlyTheKhronosLayerHasIsNoWarning) {
  Sources sources;
  sources.loaded_as = LoadedAs::kDropIn;
  sources.system.files["vk_layer_settings.txt"] = "khronos_validation.gpuav_enable = false\n";
  sources.system.variables = {{"VK_LAYER_PRINTF_ENABLE", "1"}, {"VK_LAYER_PATH", "/x"}, {"VK_LAYER_OTHER", "1"}};
  EXPECT_TRUE(sources.Load().origins.empty());
  ASSERT_EQ(sources.problems.size(), 2u);
  for (const messages::Message& problem : sources.problems) {
    EXPECT_EQ(problem.id, "ASSAY-unsupported-setting");
    EXPECT_EQ(problem.severity, messages::Severity::kInformation);
  }
}

TEST(ToReporterOptions, MessageLimit) {
  Settings settings;
  EXPECT_EQ(ToReporterOptions(settings).duplicate_message_limit, 10u);
  settings.enable_message_limit = false;
  EXPECT_EQ(ToReporterOptions(settings).duplicate_message_limit, 0u);
}

TEST(ToReporterOptions, ApplicationName) {
  Settings settings;
  EXPECT_EQ(ToReporterOptions(settings, "demo").rendering.application_name, "");
  settings.message_format_display_application_name = true;
  EXPECT_EQ(ToReporterOptions(settings, "demo").rendering.application_name, "demo");
}

TEST(ToReporterOptions, WhenToLogFollowsFromTheAction) {
  const auto log = [](uint32_t actions) {
    Settings settings;
    settings.debug_action = {actions};
    return ToReporterOptions(settings).log;
  };
  EXPECT_EQ(ToReporterOptions({}).log, Log::kWithoutCallbacks);
  EXPECT_EQ(log(kActionLogMessage), Log::kAlways);
  EXPECT_EQ(log(kActionLogMessage | kActionCallback), Log::kAlways);
  EXPECT_EQ(log(0), Log::kNever);
  EXPECT_EQ(log(kActionBreak), Log::kNever);
}

TEST(ToReporterOptions, TheRestIsTakenOver) {
  Settings settings;
  settings.report_flags = {VK_DEBUG_REPORT_DEBUG_BIT_EXT};
  settings.log_filename = "a";
  settings.debug_action = {kActionBreak | kActionFailCall};
  settings.message_id_filter = {"b"};
  settings.message_format_json = true;
  settings.fold_messages = false;
  settings.sarif_filename = "c";
  settings.suppression_file = "d";
  const messages::ReporterOptions options = ToReporterOptions(settings);
  EXPECT_EQ(options.log_flags, static_cast<VkDebugReportFlagsEXT>(VK_DEBUG_REPORT_DEBUG_BIT_EXT));
  EXPECT_EQ(options.log_filename, "a");
  EXPECT_TRUE(options.break_on_message);
  EXPECT_TRUE(options.fail_call);
  EXPECT_EQ(options.muted_ids, std::vector<std::string>{"b"});
  EXPECT_TRUE(options.rendering.json);
  EXPECT_FALSE(options.fold_messages);
  EXPECT_TRUE(ToReporterOptions({}).fold_messages);
  EXPECT_EQ(options.sarif_filename, "c");
  EXPECT_EQ(options.suppression_file, "d");
  EXPECT_FALSE(ToReporterOptions({}).break_on_message);
}

TEST(DescribeSettings, NamesValuesAndOrigins) {
  Sources sources;
  sources.SetFile("validate_sync", "false");
  sources.SetEnvironment("log_filename", "a\tb");
  const std::string text = DescribeSettings(sources.Load());
  EXPECT_THAT(text, StartsWith("# Settings of VK_LAYER_ASSAY_validation\nassay.debug_action = "));
  EXPECT_THAT(text, HasSubstr("\nassay.log_filename = a\\tb  # environment variable VK_ASSAY_LOG_FILENAME\n"));
  EXPECT_THAT(text, HasSubstr("\nassay.report_flags = error,warn  # default\n"));
  EXPECT_THAT(text, HasSubstr("\nassay.validate_sync = false  # vk_layer_settings.txt:1"));
  for (const SettingInfo& info : SettingTable()) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("\nassay.", info.name, " = ")));
  }
}

}  // namespace
}  // namespace assay::dispatch
