// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/settings.h"

#include <vector>

#include "dispatch/settings/fake_system_access.h"
#include "dispatch/settings/settings_test.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/messages.h"
#include "vk/vulkan.h"

namespace assay::dispatch {
namespace {

using ::testing::IsEmpty;

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

TEST(LoadSettings, AMalformedValueKeepsTheLowerSources) {
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

TEST(LoadSettings, LaterLinesOverrideEarlierOnes) {
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

TEST(LoadSettings, TheDropInHasTheKhronosLayersDefaults) {
  Sources sources;
  EXPECT_TRUE(sources.Load().validate_sync);
  EXPECT_TRUE(sources.Load().report_flags.Has(VK_DEBUG_REPORT_WARNING_BIT_EXT));
  sources.loaded_as = LoadedAs::kDropIn;
  EXPECT_FALSE(sources.Load().validate_sync);
  EXPECT_EQ(sources.Load().report_flags, Flags{VK_DEBUG_REPORT_ERROR_BIT_EXT});
  sources.system.variables = {{"VK_LAYER_VALIDATE_SYNC", "1"}};
  EXPECT_TRUE(sources.Load().validate_sync);
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(LoadSettings, RepeatedKeysAreReported) {
  Sources sources;
  sources.system.files["vk_layer_settings.txt"] =
      "assay.thread_safety = false\nassay.validate_sync = false\nassay.thread_safety = true\n";
  EXPECT_TRUE(sources.Load().thread_safety);
  ASSERT_EQ(sources.problems.size(), 1u);
  EXPECT_EQ(sources.problems[0].id, "ASSAY-repeated-setting");
  EXPECT_EQ(
      sources.problems[0].text,
      "The setting assay.thread_safety (vk_layer_settings.txt:1) is set again (vk_layer_settings.txt:3). The last "
      "value counts.");
}

// One file for both layers, and variables that override one another.
TEST(LoadSettings, OneSettingUnderSeveralKeysIsNotRepeated) {
  Sources sources;
  sources.loaded_as = LoadedAs::kDropIn;
  sources.system.files["vk_layer_settings.txt"] =
      "khronos_validation.validate_sync = true\nassay.validate_sync = false\n";
  sources.system.variables = {{"VK_LAYER_VALIDATE_SYNC", "0"}, {"VK_ASSAY_VALIDATE_SYNC", "1"}};
  EXPECT_TRUE(sources.Load().validate_sync);
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(LoadSettings, LayerSettingOfAnotherType) {
  Sources sources;
  sources.SetLayerSetting("validate_sync", "");
  const uint32_t off = 0;
  sources.layer_setting.pValues = &off;
  sources.layer_setting.type = VK_LAYER_SETTING_TYPE_UINT32_EXT;
  EXPECT_FALSE(sources.Load().validate_sync);
  ASSERT_EQ(sources.problems.size(), 1u);
  EXPECT_EQ(sources.problems[0].id, "ASSAY-setting-type");
  EXPECT_EQ(
      sources.problems[0].text,
      "The setting validate_sync (VkLayerSettingsCreateInfoEXT) has the type VK_LAYER_SETTING_TYPE_UINT32_EXT. Its "
      "type is VK_LAYER_SETTING_TYPE_BOOL32_EXT. The value counts all the same.");
}

// Programs write numbers as they come.
TEST(LoadSettings, EveryTypeOfIntegerIsRightForANumber) {
  Sources sources;
  sources.SetLayerSetting("duplicate_message_limit", "");
  const int32_t limit = 3;
  sources.layer_setting.pValues = &limit;
  sources.layer_setting.type = VK_LAYER_SETTING_TYPE_INT32_EXT;
  EXPECT_EQ(sources.Load().duplicate_message_limit, 3u);
  EXPECT_THAT(sources.problems, IsEmpty());
}

TEST(LoadSettings, SettingsOfTheKhronosLayerAloneAreNoWarning) {
  Sources sources;
  sources.loaded_as = LoadedAs::kDropIn;
  sources.system.files["vk_layer_settings.txt"] = "khronos_validation.gpuav_max_buffer_device_addresses = 9\n";
  sources.system.variables = {{"VK_LAYER_CHECK_QUERY", "1"}, {"VK_LAYER_PATH", "/x"}, {"VK_LAYER_OTHER", "1"}};
  EXPECT_TRUE(sources.Load().origins.empty());
  ASSERT_EQ(sources.problems.size(), 2u);
  EXPECT_EQ(sources.problems[0].text,
            "The setting assay.gpuav_max_buffer_device_addresses (vk_layer_settings.txt:1) is one of the Khronos layer "
            "and has no effect here, because there may be any number of buffers with addresses.");
  for (const messages::Message& problem : sources.problems) {
    EXPECT_EQ(problem.id, "ASSAY-unsupported-setting");
    EXPECT_EQ(problem.severity, messages::Severity::kInformation);
  }
}

TEST(LoadSettings, SettingWithoutEffectIsReportedOnce) {
  Sources sources;
  sources.system.files["vk_layer_settings.txt"] = "assay.check_query = false\n";
  sources.system.variables = {{"VK_LAYER_CHECK_QUERY", "0"}, {"VK_ASSAY_CHECK_QUERY", "0"}};
  sources.Load();
  EXPECT_EQ(sources.problems.size(), 1u);
}

}  // namespace
}  // namespace assay::dispatch
