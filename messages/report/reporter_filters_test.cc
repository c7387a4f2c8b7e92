// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <fstream>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "messages/message/object_ref.h"
#include "messages/report/report.h"
#include "messages/report/reporter_test.h"
#include "nlohmann/json.hpp"
#include "vk/vuid.h"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Limit, TheLastOneHasANoteAndTheRestAreCounted) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({.duplicate_message_limit = 2});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 5; ++i) reporter.Deliver(WithId("ASSAY-b"));
  for (int i = 0; i < 3; ++i) reporter.Deliver(WithId("ASSAY-a"));
  reporter.Deliver(WithId("ASSAY-c"));
  EXPECT_THAT(
      listener.texts,
      ElementsAre("a",
                  "a\nNote: This is the last message of this id that is shown, since duplicate_message_limit is "
                  "2; further ones are counted.",
                  "a", HasSubstr("the last message"), "a"));
  listener.texts.clear();
  reporter.Finish();
  EXPECT_THAT(listener.texts, ElementsAre("Messages that were not shown, since duplicate_message_limit is 2: 1 of "
                                          "ASSAY-a, 3 of ASSAY-b."));
}

TEST(Limit, OnlyDeliveredMessagesCount) {
  Reporter reporter;
  reporter.Configure({.log = ReporterOptions::Log::kNever, .duplicate_message_limit = 1});
  for (int i = 0; i < 3; ++i) reporter.Deliver(WithId("ASSAY-a"));
  Listener listener;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Deliver(WithId("ASSAY-a"));
  EXPECT_EQ(listener.texts.size(), 1u);
}

TEST(Limit, WithoutFilteredMessagesThereIsNoSummary) {
  Reporter reporter;
  reporter.Configure({.duplicate_message_limit = 2});
  EXPECT_EQ(Logged([&] { reporter.Finish(); }), "");
}

TEST(Muted, AreNotDelivered) {
  Reporter reporter;
  Listener listener;
  listener.answer = VK_TRUE;
  reporter.Configure({.fail_call = true, .muted_ids = {"ASSAY-a*", "0xe4d96472"}});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_FALSE(reporter.Deliver(WithId("ASSAY-abc")));
  EXPECT_FALSE(reporter.Deliver(WithId("SYNC-HAZARD-READ-AFTER-WRITE")));
  EXPECT_THAT(listener.texts, IsEmpty());
  EXPECT_TRUE(reporter.Deliver(WithId("ASSAY-b")));
  reporter.Finish();
  EXPECT_EQ(listener.texts.size(), 1u);
}

TEST(SuppressionFile, SuppressesAndReportsUnusedEntries) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_suppressions.json");
  const std::string sarif = absl::StrCat(testing::TempDir(), "/assay_suppressed.sarif");
  std::ofstream(path) << R"({"suppressions": [{"object": "legacy", "reason": "Issue 1."},
                                              {"id": "ASSAY-unseen", "reason": "Issue 2."}]})";
  Reporter reporter;
  Listener listener;
  listener.answer = VK_TRUE;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Configure({.fail_call = true, .sarif_filename = sarif, .suppression_file = path});
  reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "legacy");
  EXPECT_FALSE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}}));
  EXPECT_TRUE(reporter.Deliver({.id = "ASSAY-a", .text = "b", .objects = {{VK_OBJECT_TYPE_BUFFER, 2}}}));
  reporter.Finish();
  EXPECT_THAT(listener.texts, ElementsAre("b", HasSubstr("(id ASSAY-unseen)")));
  const nlohmann::json results = nlohmann::json::parse(Written(sarif))["runs"][0]["results"];
  ASSERT_EQ(results.size(), 3u);
  EXPECT_EQ(results[0]["suppressions"][0]["justification"], "Issue 1.");
  EXPECT_FALSE(results[1].contains("suppressions"));
}

// A message that the user has accepted skips no call, however it is stopped otherwise.
TEST(SuppressionFile, SuppressedMessagesSkipNoCall) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_suppressed_skips.json");
  std::ofstream(path) << R"({"suppressions": [{"object": "legacy", "reason": "Issue 1."}]})";
  const ObjectRef legacy = {VK_OBJECT_TYPE_BUFFER, 1};
  const ObjectRef other = {VK_OBJECT_TYPE_BUFFER, 2};
  Reporter reporter;
  Listener listener;
  reporter.SetName(legacy, "legacy");
  reporter.Configure(
      {.log = ReporterOptions::Log::kNever, .fail_call = true, .duplicate_message_limit = 1, .suppression_file = path});
  // Without a sink.
  EXPECT_FALSE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {legacy}}));
  EXPECT_TRUE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {other}}));
  // Over the limit.
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {other}}));
  EXPECT_FALSE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {legacy}}));
  // The same without a composed message: only one that is composed can be suppressed.
  constexpr auto kSize = vk::Vuid("VUID-vkCmdCopyBuffer-size-00115");
  for (int i = 0; i < 3; ++i) {
    Report report(reporter, vk::CommandId::kCmdCopyBuffer);
    report.Error(kSize, {other}, report.location(), "is too large.");
    EXPECT_TRUE(report.skip());
  }
  Report report(reporter, vk::CommandId::kCmdCopyBuffer);
  report.Error(kSize, {legacy}, report.location(), "is too large.");
  EXPECT_FALSE(report.skip());
  EXPECT_EQ(listener.texts.size(), 2u);
}

// The first message of a cause is not suppressed; a later one of the same cause is.
TEST(SuppressionFile, SuppressedDuplicatesSkipNoCall) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_suppressed_duplicates.json");
  std::ofstream(path) << R"({"suppressions": [{"object": "legacy", "reason": "Issue 1."}]})";
  Reporter reporter;
  Listener listener;
  reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "legacy");
  reporter.Configure({.fail_call = true, .suppression_file = path});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_TRUE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {{VK_OBJECT_TYPE_BUFFER, 2}}, .cause = 7}));
  bool skip = false;
  EXPECT_FALSE(reporter.CountIfDuplicate(7, &skip));
  EXPECT_FALSE(reporter.Deliver({.id = "ASSAY-a", .text = "a", .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}, .cause = 7}));
  EXPECT_EQ(listener.texts.size(), 1u);
}

TEST(FailCall, ErrorsSkipTheCall) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({.log = ReporterOptions::Log::kNever, .fail_call = true, .duplicate_message_limit = 1});
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kError));
  EXPECT_TRUE(reporter.Deliver(WithId("ASSAY-a")));
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(reporter.Deliver(WithId("ASSAY-a")));
  EXPECT_EQ(listener.texts.size(), 1u);
  EXPECT_FALSE(reporter.Deliver({.severity = Severity::kWarning, .text = "a"}));
}

}  // namespace
}  // namespace assay::messages
