// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/setting_table.h"

#include <algorithm>
#include <string>
#include <vector>

#include "dispatch/settings/khronos_settings.h"
#include "gtest/gtest.h"

namespace assay::dispatch {
namespace {

TEST(SettingTable, IsSortedWithoutDuplicates) {
  EXPECT_EQ(std::ranges::adjacent_find(SettingTable(), std::ranges::greater_equal{}, &SettingInfo::name),
            SettingTable().end());
}

TEST(SettingTable, RowsAreComplete) {
  for (const SettingInfo& info : SettingTable()) {
    EXPECT_EQ(FindSetting(info.name), &info);
    EXPECT_EQ(info.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_"), info.name.npos) << info.name;
    EXPECT_TRUE(info.description.ends_with('.')) << info.name;
    EXPECT_EQ(std::holds_alternative<Flags Settings::*>(info.member), !info.choices.empty()) << info.name;
  }
}

struct AnyMember {
  template <class T>
  operator T() const;
};

// The number of members of an aggregate.
template <class T, class... Members>
constexpr size_t MemberCount() {
  if constexpr (requires { T{Members{}..., AnyMember{}}; }) {
    return MemberCount<T, Members..., AnyMember>();
  } else {
    return sizeof...(Members);
  }
}

// every_setting_test.cc tests every row in every source. So this makes it test every member.
TEST(SettingTable, HasEveryMemberButTheOrigins) { EXPECT_EQ(SettingTable().size(), MemberCount<Settings>() - 1); }

TEST(SettingTable, FormattedDefaultsParseBack) {
  for (const SettingInfo& info : SettingTable()) {
    const std::vector<std::string> values = {FormatSetting(info, Settings())};
    Settings settings;
    std::string expected;
    EXPECT_TRUE(ParseSetting(info, values, &settings, &expected)) << info.name;
    EXPECT_EQ(FormatSetting(info, settings), values[0]) << info.name;
  }
}

TEST(SettingTable, UnknownNames) {
  EXPECT_EQ(FindSetting("validate_snyc"), nullptr);
  EXPECT_EQ(FindSetting(""), nullptr);
  EXPECT_EQ(FindSetting("zzz"), nullptr);
  EXPECT_EQ(NearestSetting("validate_snyc"), "validate_sync");
  EXPECT_EQ(NearestSetting("nothing_like_it_at_all"), "");
}

// Whether the values parse. A setting must keep its value when they do not.
bool Parses(std::string_view name, std::vector<std::string> values, Settings* settings) {
  std::string expected;
  const SettingInfo& info = *FindSetting(name);
  const std::string before = FormatSetting(info, *settings);
  if (ParseSetting(info, values, settings, &expected)) return true;
  EXPECT_EQ(FormatSetting(info, *settings), before);
  EXPECT_NE(expected, "");
  return false;
}

TEST(ParseSetting, Bool) {
  Settings settings;
  for (std::string no : {"false", "FALSE", "0", "off", "no"}) {
    settings.validate_sync = true;
    EXPECT_TRUE(Parses("validate_sync", {no}, &settings));
    EXPECT_FALSE(settings.validate_sync);
  }
  for (std::string yes : {"true", "True", "1", "on", "yes"}) {
    settings.validate_sync = false;
    EXPECT_TRUE(Parses("validate_sync", {yes}, &settings));
    EXPECT_TRUE(settings.validate_sync);
  }
  for (std::string wrong : {"", "2", "maybe", "true,false"}) EXPECT_FALSE(Parses("validate_sync", {wrong}, &settings));
  EXPECT_FALSE(Parses("validate_sync", {}, &settings));
  EXPECT_FALSE(Parses("validate_sync", {"true", "true"}, &settings));
}

TEST(ParseSetting, Flags) {
  Settings settings;
  EXPECT_TRUE(Parses("report_flags", {" error , perf,"}, &settings));
  EXPECT_EQ(settings.report_flags.bits, VK_DEBUG_REPORT_ERROR_BIT_EXT | VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT);
  EXPECT_TRUE(Parses("report_flags", {"info", "WARN,verbose"}, &settings));
  EXPECT_EQ(settings.report_flags.bits,
            VK_DEBUG_REPORT_INFORMATION_BIT_EXT | VK_DEBUG_REPORT_WARNING_BIT_EXT | VK_DEBUG_REPORT_DEBUG_BIT_EXT);
  EXPECT_TRUE(Parses("report_flags", {""}, &settings));
  EXPECT_EQ(settings.report_flags.bits, 0u);
  EXPECT_FALSE(Parses("report_flags", {"error,oops"}, &settings));
}

TEST(ParseSetting, FlagsSuggestTheNearestName) {
  Settings settings;
  std::string expected;
  const std::vector<std::string> values = {"eror"};
  EXPECT_FALSE(ParseSetting(*FindSetting("report_flags"), values, &settings, &expected));
  EXPECT_EQ(expected,
            "a list of error, warn, perf, info, verbose, debug; there is no \"eror\", perhaps error is meant");
}

TEST(ParseSetting, Number) {
  Settings settings;
  EXPECT_TRUE(Parses("duplicate_message_limit", {"0"}, &settings));
  EXPECT_EQ(settings.duplicate_message_limit, 0u);
  EXPECT_TRUE(Parses("duplicate_message_limit", {" 4294967295 "}, &settings));
  EXPECT_EQ(settings.duplicate_message_limit, 4294967295u);
  for (std::string wrong : {"", "-1", "4294967296", "ten", "1,2", "1.5"}) {
    EXPECT_FALSE(Parses("duplicate_message_limit", {wrong}, &settings)) << wrong;
  }
  EXPECT_FALSE(Parses("duplicate_message_limit", {}, &settings));
  EXPECT_FALSE(Parses("duplicate_message_limit", {"1", "2"}, &settings));
}

TEST(ParseSetting, List) {
  Settings settings;
  EXPECT_TRUE(Parses("message_id_filter", {"a, b;c,", "d"}, &settings));
  EXPECT_EQ(settings.message_id_filter, (std::vector<std::string>{"a", "b", "c", "d"}));
  EXPECT_TRUE(Parses("message_id_filter", {}, &settings));
  EXPECT_TRUE(settings.message_id_filter.empty());
}

TEST(ParseSetting, TwoNamesOfOneFlag) {
  Settings settings;
  EXPECT_TRUE(Parses("report_flags", {"debug"}, &settings));
  EXPECT_EQ(FormatSetting(*FindSetting("report_flags"), settings), "verbose");
}

TEST(SettingTable, KhronosOnlySettingsAreNotInTheTable) {
  EXPECT_NE(WhyWithoutEffect("check_query"), "");
  EXPECT_NE(WhyWithoutEffect("validate_gpu_based"), "");
  EXPECT_EQ(WhyWithoutEffect("gpuav"), "");
  for (const SettingInfo& info : SettingTable()) EXPECT_EQ(WhyWithoutEffect(info.name), "") << info.name;
}

TEST(ParseSetting, Text) {
  Settings settings;
  EXPECT_TRUE(Parses("log_filename", {"/tmp/a,b #1.txt"}, &settings));
  EXPECT_EQ(settings.log_filename, "/tmp/a,b #1.txt");
  EXPECT_TRUE(Parses("log_filename", {""}, &settings));
  EXPECT_EQ(settings.log_filename, "");
  EXPECT_FALSE(Parses("log_filename", {}, &settings));
}

}  // namespace
}  // namespace assay::dispatch
