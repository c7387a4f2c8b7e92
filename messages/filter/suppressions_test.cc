// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/suppressions.h"

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Optional;

struct Parsed {
  std::shared_ptr<Suppressions> suppressions;
  std::vector<Message> problems;
};

Parsed Parse(std::string_view entries) {
  Parsed parsed;
  parsed.suppressions = Suppressions::Parse(absl::StrCat("{\"suppressions\": [", entries, "]}"), "file.json",
                                            "2026-06-15", &parsed.problems);
  return parsed;
}

std::vector<std::string> Texts(const std::vector<Message>& messages) {
  std::vector<std::string> texts;
  texts.reserve(messages.size());
  for (const Message& message : messages) texts.push_back(message.id + ": " + message.text);
  return texts;
}

TEST(Suppressions, ById) {
  const Parsed parsed = Parse(R"({"id": "SYNC-*", "reason": "known"}, {"id": "0x5c0ec5d6", "reason": "number"})");
  EXPECT_THAT(parsed.problems, IsEmpty());
  EXPECT_THAT(parsed.suppressions->Find({.id = "SYNC-a"}, {}), Optional(std::string_view("known")));
  EXPECT_EQ(parsed.suppressions->Find({.id = "VUID-a"}, {}), std::nullopt);
  EXPECT_EQ(parsed.suppressions->Find({}, {}), std::nullopt);
}

TEST(Suppressions, ByObjectName) {
  const Parsed parsed = Parse(R"({"object": "legacy*", "reason": "known"})");
  const Message message = {.objects = {{VK_OBJECT_TYPE_BUFFER, 1}, {VK_OBJECT_TYPE_BUFFER, 2}}};
  EXPECT_TRUE(parsed.suppressions->Find(message, {{"a", "legacy \"map\""}}).has_value());
  EXPECT_FALSE(parsed.suppressions->Find(message, {{"a", "not legacy"}}).has_value());
  EXPECT_FALSE(parsed.suppressions->Find(message, {{"", ""}}).has_value());
}

TEST(Suppressions, ByLabel) {
  const Parsed parsed = Parse(R"({"label": "ui", "reason": "known"})");
  EXPECT_TRUE(parsed.suppressions->Find({.queue_labels = {{"frame"}, {"ui"}}}, {}).has_value());
  EXPECT_TRUE(parsed.suppressions->Find({.command_buffer_labels = {{"ui"}, {"button"}}}, {}).has_value());
  EXPECT_FALSE(parsed.suppressions->Find({.command_buffer_labels = {{"gui"}}}, {}).has_value());
}

TEST(Suppressions, AllConditionsMustMatch) {
  const Parsed parsed = Parse(R"({"id": "A", "object": "b", "label": "c", "reason": "known"})");
  const Message message = {.id = "A", .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}, .queue_labels = {{"c"}}};
  EXPECT_TRUE(parsed.suppressions->Find(message, {{"b"}}).has_value());
  EXPECT_FALSE(parsed.suppressions->Find(message, {{"x"}}).has_value());
  Message other = message;
  other.queue_labels.clear();
  EXPECT_FALSE(parsed.suppressions->Find(other, {{"b"}}).has_value());
  other = message;
  other.id = "B";
  EXPECT_FALSE(parsed.suppressions->Find(other, {{"b"}}).has_value());
}

TEST(Suppressions, UnusedOnesAreReported) {
  const Parsed parsed = Parse(R"({"id": "A", "reason": "a"}, {"id": "B", "object": "o", "reason": "b"})");
  parsed.suppressions->Find({.id = "A"}, {});
  EXPECT_THAT(Texts(parsed.suppressions->ReportUnused()),
              ElementsAre("ASSAY-unused-suppression: The entry suppressions[1] (id B, object o) of file.json has "
                          "suppressed nothing in this run."));
}

TEST(Suppressions, ExpiredOnesAreReportedAndDoNotApply) {
  const Parsed parsed = Parse(R"({"id": "A", "reason": "old\n", "expires": "2026-06-14"},
                                 {"id": "B", "reason": "today", "expires": "2026-06-15"})");
  EXPECT_FALSE(parsed.suppressions->Find({.id = "A"}, {}).has_value());
  EXPECT_TRUE(parsed.suppressions->Find({.id = "B"}, {}).has_value());
  EXPECT_THAT(Texts(parsed.problems),
              ElementsAre("ASSAY-expired-suppression: The entry suppressions[0] (id A) of file.json expired on "
                          "2026-06-14; it suppresses nothing any more. Its reason is: old\\n"));
  EXPECT_THAT(parsed.suppressions->ReportUnused(), IsEmpty());
}

TEST(Suppressions, MalformedEntriesAreReported) {
  const Parsed parsed = Parse(R"(1, {"id": "A"}, {"reason": "r"}, {"id": 1, "reason": "r"},
                                 {"id": "A", "reason": "r", "until": "x"},
                                 {"id": "A", "reason": "r", "expires": "tomorrow"},
                                 // A comment.
                                 {"id": "A", "reason": "right"})");
  EXPECT_THAT(
      Texts(parsed.problems),
      ElementsAre(HasSubstr("suppressions[0] of file.json is not an object; it is ignored."),
                  HasSubstr("[1] of file.json has no \"reason\";"),
                  HasSubstr("[2] of file.json has none of \"id\", \"object\" and \"label\";"),
                  HasSubstr("[3] of file.json has a \"id\" that is not a string;"),
                  HasSubstr("[4] of file.json has \"until\", which is not one of id, object, label, reason, expires;"),
                  HasSubstr("[5] of file.json has \"expires\": \"tomorrow\", which is not a date")));
  EXPECT_THAT(parsed.suppressions->Find({.id = "A"}, {}), Optional(std::string_view("right")));
}

TEST(Suppressions, UnreadableFilesAreReported) {
  for (std::string_view contents : {"", "[]", "{\"suppressions\": 1}", "{", "\xff"}) {
    std::vector<Message> problems;
    EXPECT_TRUE(Suppressions::Parse(contents, "f", "2026-06-15", &problems)->empty());
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].id, "ASSAY-malformed-suppression");
  }
}

TEST(Suppressions, Load) {
  const std::string path = absl::StrCat(testing::TempDir(), "/suppressions.json");
  std::ofstream(path) << R"({"suppressions": [{"id": "A", "reason": "r", "expires": "2020-01-01"},
                                              {"id": "B", "reason": "r", "expires": "9999-12-31"}]})";
  std::vector<Message> problems;
  EXPECT_TRUE(Suppressions::Load(path, &problems)->Find({.id = "B"}, {}).has_value());
  ASSERT_EQ(problems.size(), 1u);
  EXPECT_EQ(problems[0].id, "ASSAY-expired-suppression");
  EXPECT_TRUE(Suppressions::Load("/nonexistent", &problems)->empty());
  ASSERT_EQ(problems.size(), 2u);
  EXPECT_EQ(problems[1].text,
            "The suppression file /nonexistent cannot be read (No such file or directory); nothing is suppressed.");
}

}  // namespace
}  // namespace assay::messages
