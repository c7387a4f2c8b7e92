// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Settings as the options of a reporter, and as text.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "dispatch/settings/setting_table.h"
#include "dispatch/settings/settings.h"
#include "dispatch/settings/settings_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;
using Log = messages::ReporterOptions::Log;

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

TEST(ToReporterOptions, TheActionDecidesWhenToLog) {
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

TEST(ToReporterOptions, TheDefaultActionLogsWhileThereIsNoCallback) {
  for (const auto& [action, expected] : {std::pair("VK_DBG_LAYER_ACTION_DEFAULT", Log::kWithoutCallbacks),
                                         std::pair("VK_DBG_LAYER_ACTION_IGNORE", Log::kNever)}) {
    Settings settings;
    std::string error;
    const std::string values[] = {action};
    ASSERT_TRUE(ParseSetting(*FindSetting("debug_action"), values, &settings, &error)) << error;
    EXPECT_EQ(ToReporterOptions(settings).log, expected) << action;
  }
}

TEST(ToReporterOptions, OtherSettingsAreCopied) {
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
  EXPECT_THAT(text, StartsWith("# Settings of VK_LAYER_ASSAY_validation\nassay.check_command_buffer = "));
  EXPECT_THAT(text, HasSubstr("\nassay.log_filename = a\\tb  # environment variable VK_ASSAY_LOG_FILENAME\n"));
  EXPECT_THAT(text, HasSubstr("\nassay.report_flags = error,warn  # default\n"));
  EXPECT_THAT(text, HasSubstr("\nassay.validate_sync = false  # vk_layer_settings.txt:1"));
  for (const SettingInfo& info : SettingTable()) {
    EXPECT_THAT(text, HasSubstr(absl::StrCat("\nassay.", info.name, " = ")));
  }
}

}  // namespace
}  // namespace assay::dispatch
