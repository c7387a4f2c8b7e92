// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/sinks/json.h"

#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "nlohmann/json.hpp"
#include "testing/golden_file.h"

namespace assay::messages {
namespace {

Message WithEverything() {
  return {.severity = Severity::kWarning,
          .type = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
          .id = "VUID-vkCmdCopyBuffer-size-00115",
          .location = "vkCmdCopyBuffer(): pRegions[0].size",
          .text = "(4096) is larger than what is left of srcBuffer VkBuffer 0x12[staging].",
          .specification = "The size member of each element of pRegions must be less.",
          .related_ids = {"VUID-vkCmdCopyBuffer-size-00116"},
          .fix = "Copy at most\n1024 bytes.",
          .note = "This is the last one.",
          .objects = {{VK_OBJECT_TYPE_COMMAND_BUFFER, 0xa500000100000005}, {VK_OBJECT_TYPE_BUFFER, 0x12}},
          .queue_labels = {{"frame 7", {0, 0.5f, 0, 1}}},
          .command_buffer_labels = {{"shadows"}, {"cascade 0"}},
          .properties = {{"region", Properties{{"index", uint64_t{0}}, {"size", uint64_t{1} << 40}}},
                         {"flags", std::vector<PropertyValue>{"A|B", uint64_t{2}, Properties{}}}}};
}

TEST(FormatJson, Everything) {
  EXPECT_TRUE(test::MatchesGolden("messages/sinks/goldens/everything.json",
                                  FormatJson(WithEverything(), {{"", "staging"}}, "demo") + "\n"));
}

TEST(FormatJson, EmptyMembersAreLeftOut) {
  EXPECT_EQ(FormatJson({.text = "A text."}, {}), R"({"severity":"error","types":["validation"],"text":"A text."})");
}

// Every single byte and every pair of bytes, as a name and as a label: valid JSON, one line, ASCII; and if they are
// UTF-8, the very same after parsing.
TEST(FormatJson, AnyBytes) {
  for (int first = 0; first < 256; ++first) {
    std::string name;
    for (int second = 0; second < 256; ++second) {
      name += {static_cast<char>(first), static_cast<char>(second), '"', '\\'};
    }
    const Message message = {.text = name, .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}, .command_buffer_labels = {{name}}};
    const std::string json = FormatJson(message, {{name}});
    for (char c : json) EXPECT_TRUE(c >= 0x20 && c < 0x7f);
    const nlohmann::json parsed = nlohmann::json::parse(json, nullptr, false);
    ASSERT_FALSE(parsed.is_discarded()) << first;
    EXPECT_NE(parsed["objects"][0]["name"].get<std::string>(), "");
  }
}

TEST(FormatJson, PropertiesAreInTheirOrder) {
  const Message message = {.text = "a",
                           .properties = {{"z", "last"}, {"a", Properties{{"m", "\"\n"}, {"b", uint64_t{7}}}}}};
  EXPECT_EQ(FormatJson(message, {}), R"({"severity":"error","types":["validation"],"text":"a",)"
                                     R"("properties":{"z":"last","a":{"m":"\"\n","b":7}}})");
}

TEST(FormatJson, Utf8IsKept) {
  const std::string name = "Schatten № 1 – 影 🌒 \"\\\n\x1b\x7f";
  const Message message = {.objects = {{VK_OBJECT_TYPE_BUFFER, 1}}};
  EXPECT_EQ(nlohmann::json::parse(FormatJson(message, {{name}}))["objects"][0]["name"], name);
  EXPECT_EQ(nlohmann::json::parse(FormatJson(message, {{"caf\xe9"}}))["objects"][0]["name"], "caf\ufffd");
}

}  // namespace
}  // namespace assay::messages
