// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <cstdint>
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

TEST(Deduplication, TheFirstOfEachCauseIsDelivered) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "shadows");
  for (int i = 0; i < 5; ++i) {
    reporter.Deliver(OfCause(1));
    reporter.Deliver(OfCause(2));
    reporter.Deliver(OfCause(0, "ASSAY-b"));
  }
  bool skip = false;
  EXPECT_TRUE(reporter.CountIfDuplicate(1, &skip));
  EXPECT_FALSE(skip);
  EXPECT_FALSE(reporter.CountIfDuplicate(0, &skip));
  EXPECT_FALSE(reporter.CountIfDuplicate(3, &skip));
  EXPECT_EQ(listener.texts.size(), 2u + 5u);
  listener.texts.clear();
  reporter.Finish();
  EXPECT_THAT(listener.texts,
              ElementsAre("Messages that were not shown, since they say again what one that was shown says, and "
                          "fold_messages is true: 5 of ASSAY-a at vkCmdDraw(), VkBuffer 0x1[shadows]; 4 of ASSAY-a at "
                          "vkCmdDraw(), VkBuffer 0x1[shadows]."));
}

TEST(Deduplication, FewCausesAreReportedOneByOne) {
  Reporter reporter;
  Listener listener;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 2; ++i) {
    for (uint64_t cause = 1; cause <= 40; ++cause) reporter.Deliver(OfCause(cause));
  }
  listener.texts.clear();
  reporter.Finish();
  EXPECT_THAT(listener.texts, ElementsAre(HasSubstr("VkBuffer 0x1; 8 of 8 other causes.")));
}

TEST(Deduplication, CanBeOff) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({.fold_messages = false});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 3; ++i) reporter.Deliver(OfCause(1));
  bool skip = false;
  EXPECT_FALSE(reporter.CountIfDuplicate(1, &skip));
  reporter.Finish();
  EXPECT_EQ(listener.texts.size(), 3u);
}

TEST(Deduplication, DoesNotCountForTheLimit) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({.duplicate_message_limit = 2});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 3; ++i) reporter.Deliver(OfCause(1));
  for (int i = 0; i < 3; ++i) reporter.Deliver(OfCause(2));
  for (int i = 0; i < 3; ++i) reporter.Deliver(OfCause(3));
  EXPECT_THAT(listener.texts, ElementsAre("vkCmdDraw(): a", HasSubstr("the last message of this id")));
  listener.texts.clear();
  reporter.Finish();
  EXPECT_THAT(listener.texts, ElementsAre(HasSubstr("duplicate_message_limit is 2: 3 of ASSAY-a."),
                                          HasSubstr("true: 2 of ASSAY-a at ")));
}

TEST(Deduplication, TheFirstDecidesWhetherAllSkip) {
  Reporter reporter;
  Listener listener;
  listener.answer = VK_TRUE;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_TRUE(reporter.Deliver(OfCause(1)));
  listener.answer = VK_FALSE;
  EXPECT_FALSE(reporter.Deliver(OfCause(2)));
  EXPECT_TRUE(reporter.Deliver(OfCause(1)));
  EXPECT_FALSE(reporter.Deliver(OfCause(2)));
  bool skip = false;
  EXPECT_TRUE(reporter.CountIfDuplicate(1, &skip));
  EXPECT_TRUE(skip);
}

TEST(Deduplication, ErrorsStillFailTheirCalls) {
  Reporter reporter;
  Listener listener;
  reporter.Configure({.fail_call = true});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(reporter.Deliver(OfCause(1)));
  bool skip = false;
  EXPECT_TRUE(reporter.CountIfDuplicate(1, &skip));
  EXPECT_TRUE(skip);
  EXPECT_EQ(listener.texts.size(), 1u);
}

TEST(Deduplication, OnlyOfDeliveredMessages) {
  const std::string path = absl::StrCat(testing::TempDir(), "/assay_folding.json");
  std::ofstream(path) << R"({"suppressions": [{"id": "ASSAY-known", "reason": "Issue 1."}]})";
  Reporter reporter;
  Listener listener;
  reporter.Configure({.log = ReporterOptions::Log::kNever, .muted_ids = {"ASSAY-muted"}, .suppression_file = path});
  reporter.Deliver(OfCause(1));
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  for (int i = 0; i < 2; ++i) {
    reporter.Deliver(OfCause(2, "ASSAY-muted"));
    reporter.Deliver(OfCause(3, "ASSAY-known"));
  }
  bool skip = false;
  for (uint64_t cause : {1, 2, 3}) EXPECT_FALSE(reporter.CountIfDuplicate(cause, &skip));
  reporter.Deliver(OfCause(1));
  EXPECT_EQ(listener.texts.size(), 1u);
}

TEST(Deduplication, CountsCanBeMutedAndAreInTheProperties) {
  Reporter reporter;
  Listener listener;
  for (bool muted : {true, false}) {
    reporter.Configure({.log = ReporterOptions::Log::kAlways, .rendering = {.json = true}});
    if (muted) reporter.Configure({.muted_ids = {"ASSAY-folded-*"}});
    for (int i = 0; i < 3; ++i) Logged([&] { reporter.Deliver(OfCause(1)); });
    const std::string logged = Logged([&] { reporter.Finish(); });
    if (muted) {
      EXPECT_EQ(logged, "");
      continue;
    }
    const nlohmann::json parsed = nlohmann::json::parse(logged, nullptr, false);
    EXPECT_EQ(parsed["properties"]["folded"][0]["count"], 2);
    EXPECT_EQ(parsed["properties"]["folded"][0]["id"], "ASSAY-a");
  }
}

}  // namespace
}  // namespace assay::messages
