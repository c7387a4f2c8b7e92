// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "messages/report/reporter_test.h"
#include "nlohmann/json.hpp"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(Log, IsWrittenWhileThereIsNoCallback) {
  Reporter reporter;
  Listener listener;
  EXPECT_EQ(Logged([&] { EXPECT_FALSE(reporter.Deliver(Text("a"))); }), "Validation Error: a\n");
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("b")); }), "");
  reporter.RemoveMessenger(Messenger(1));
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("c")); }), "Validation Error: c\n");
}

TEST(Log, ACallbackThatFiltersAMessageStillKeepsItFromTheLog) {
  Reporter reporter;
  Listener listener;
  VkDebugUtilsMessengerCreateInfoEXT create_info = listener.CreateInfo();
  create_info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
  reporter.AddMessenger(Messenger(1), create_info);
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("a", Severity::kWarning)); }), "");
}

TEST(Log, Always) {
  Reporter reporter;
  Listener listener;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Configure({.log = ReporterOptions::Log::kAlways});
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("a")); }), "Validation Error: a\n");
  EXPECT_THAT(listener.texts, ElementsAre("a"));
}

TEST(Log, Never) {
  Reporter reporter;
  reporter.Configure({.log = ReporterOptions::Log::kNever});
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kError));
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("a")); }), "");
  EXPECT_EQ(Logged([&] { reporter.Print("asked for"); }), "asked for\n");
}

TEST(Log, FiltersByReportFlags) {
  Reporter reporter;
  reporter.Configure({.log_flags = VK_DEBUG_REPORT_WARNING_BIT_EXT});
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kWarning));
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kError));
  EXPECT_EQ(
      Logged([&] {
        reporter.Deliver(Text("error"));
        reporter.Deliver({.severity = Severity::kWarning, .type = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT});
        reporter.Deliver(Text("warning", Severity::kWarning));
      }),
      "Validation Warning: warning\n");
}

TEST(Log, DefaultIsErrorsAndWarnings) {
  Reporter reporter;
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kError));
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kWarning));
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kInformation));
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kVerbose));
}

TEST(Log, TwoReportersShareAFile) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_log.txt");
  std::ofstream(path) << "from an earlier run\n";
  {
    Reporter first, second;
    first.Configure({.log_filename = path});
    first.Deliver(Text("a"));
    second.Configure({.log_filename = path});
    second.Deliver(Text("b"));
    first.Deliver(Text("c"));
  }
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  EXPECT_EQ(written.str(), "Validation Error: a\nValidation Error: b\nValidation Error: c\n");
}

TEST(Log, AFileThatCannotBeWrittenIsReported) {
  Reporter reporter;
  const std::string logged = Logged([&] {
    reporter.Configure({.log_filename = "/nonexistent/directory/log.txt"});
    reporter.Deliver(Text("a"));
  });
  EXPECT_THAT(
      logged,
      StartsWith("General Warning: [ ASSAY-unwritable-log-file ] | The log file /nonexistent/directory/log.txt"));
  EXPECT_THAT(logged, HasSubstr("\nValidation Error: a\n"));
}

TEST(ApplicationName, GoesBeforeTheText) {
  Reporter reporter;
  reporter.Configure({.rendering = {.application_name = "de\nmo"}});
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("a")); }), "[AppName: de\\nmo] Validation Error: a\n");
}

TEST(Sarif, IsWrittenWithACallbackToo) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_reporter.sarif");
  Reporter reporter;
  Listener listener;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Configure({.sarif_filename = path});
  reporter.Deliver(WithId("ASSAY-a"));
  reporter.Deliver({.severity = Severity::kInformation, .text = "not flagged"});
  reporter.Finish();
  const nlohmann::json run = nlohmann::json::parse(Written(path))["runs"][0];
  EXPECT_EQ(run["results"].size(), 1u);
  EXPECT_EQ(run["tool"]["driver"]["rules"][0]["id"], "ASSAY-a");
}

TEST(Sarif, AFileThatCannotBeWrittenIsReported) {
  Reporter reporter;
  EXPECT_THAT(Logged([&] { reporter.Configure({.sarif_filename = "/nonexistent/a.sarif"}); }),
              HasSubstr("The SARIF file /nonexistent/a.sarif cannot be written (No such file or directory)"));
}

}  // namespace
}  // namespace assay::messages
