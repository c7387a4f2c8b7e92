// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include <string>
#include <vector>

#include "dispatch/settings/fake_system_access.h"
#include "dispatch/settings/sources.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(FindSettingsFile, ReturnsNothingWithoutAFile) {
  FakeSystemAccess system;
  EXPECT_EQ(FindSettingsFile(system), "");
  system.directories.insert("vk_layer_settings.txt");
  EXPECT_EQ(FindSettingsFile(system), "");
}

TEST(FindSettingsFile, ReturnsTheFirstThatExists) {
  FakeSystemAccess system;
  system.variables = {{"HOME", "/home/me"}};
  system.files["/home/me/.local/share/vulkan/settings.d/vk_layer_settings.txt"];
  EXPECT_EQ(FindSettingsFile(system), "/home/me/.local/share/vulkan/settings.d/vk_layer_settings.txt");

  system.variables["XDG_DATA_HOME"] = "/data";
  EXPECT_EQ(FindSettingsFile(system), "");
  system.files["/data/vulkan/settings.d/vk_layer_settings.txt"];
  EXPECT_EQ(FindSettingsFile(system), "/data/vulkan/settings.d/vk_layer_settings.txt");

  system.files["vk_layer_settings.txt"];
  EXPECT_EQ(FindSettingsFile(system), "vk_layer_settings.txt");

  system.variables["VK_LAYER_SETTINGS_PATH"] = "/chosen";
  EXPECT_EQ(FindSettingsFile(system), "/chosen");
  system.directories.insert("/chosen");
  EXPECT_EQ(FindSettingsFile(system), "/chosen/vk_layer_settings.txt");
}

// "NAME=VALUE@WHERE" for each setting.
std::vector<std::string> Parse(std::string_view contents, std::vector<messages::Message>* problems) {
  std::vector<std::string> result;
  for (const RawSetting& raw : ParseSettingsFile(contents, "file", problems)) {
    EXPECT_EQ(raw.origin.source, SettingSource::kFile);
    result.push_back(raw.name + "=" + raw.values.at(0) + "@" + raw.origin.where);
  }
  return result;
}

TEST(ParseSettingsFile, LinesOfThisLayer) {
  std::vector<messages::Message> problems;
  EXPECT_THAT(Parse("# A comment\n"
                    "assay.validate_sync = false # another\r\n"
                    "\n"
                    "  assay.log_filename=/tmp/a#b=c.txt  \n"
                    "khronos_validation.validate_sync = maybe\n"
                    "khronos_validation nonsense\n"
                    "assay_validation.report_flags = error,warn\n"
                    "assay.debug_action =",
                    &problems),
              ElementsAre("validate_sync=false@file:2", "log_filename=/tmp/a#b=c.txt@file:4",
                          "report_flags=error,warn@file:7", "debug_action=@file:8"));
  EXPECT_THAT(problems, IsEmpty());
}

TEST(ParseSettingsFile, ByteOrderMark) {
  std::vector<messages::Message> problems;
  EXPECT_THAT(Parse("\xef\xbb\xbf"
                    "assay.a = b",
                    &problems),
              ElementsAre("a=b@file:1"));
}

TEST(ParseSettingsFile, ALineWithoutAValue) {
  std::vector<messages::Message> problems;
  EXPECT_THAT(Parse("assay.validate_sync false\nassay.unique_handles = true", &problems),
              ElementsAre("unique_handles=true@file:2"));
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].id, "ASSAY-malformed-setting");
  EXPECT_EQ(problems[0].text,
            "The line assay.validate_sync false (file:1) has no value; it is ignored. Expected is assay.NAME = VALUE.");
}

TEST(ParseSettingsFile, AnyBytes) {
  std::vector<messages::Message> problems;
  EXPECT_THAT(Parse(std::string_view("\0\xff\n=\n#\nassay.\nassay.=\nassay.\x1b=\0", 31), &problems),
              ElementsAre(testing::StartsWith("\x1b=")));
  EXPECT_EQ(problems.size(), 2u);
}

TEST(FileSettings, AFileThatCannotBeReadIsReportedOnce) {
  FakeSystemAccess system;
  system.variables["VK_LAYER_SETTINGS_PATH"] = "/chosen";
  std::vector<messages::Message> problems;
  EXPECT_THAT(FileSettings(system, &problems), IsEmpty());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].id, "ASSAY-unreadable-settings-file");
  EXPECT_EQ(problems[0].text,
            "The settings file /chosen cannot be read (No such file or directory); its settings are ignored.");

  problems.clear();
  system.variables.clear();
  system.forbidden.insert("vk_layer_settings.txt");
  EXPECT_THAT(FileSettings(system, &problems), IsEmpty());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text,
            "The settings file vk_layer_settings.txt cannot be read (Permission denied); its settings are ignored.");
}

TEST(ParseSettingsFile, LineWithoutName) {
  std::vector<messages::Message> problems;
  EXPECT_TRUE(ParseSettingsFile("assay. = 1\n", "f", &problems).empty());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].text, "The line assay. = 1 (f:1) has no name; it is ignored. Expected is assay.NAME = VALUE.");
}

}  // namespace
}  // namespace assay::dispatch
