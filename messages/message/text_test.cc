// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/message/text.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "testing/golden_file.h"

namespace assay::messages {
namespace {

Message CopyPastEnd() {
  return {
      .id = "VUID-vkCmdCopyBuffer-size-00115",
      .location = "vkCmdCopyBuffer(): pRegions[0].size",
      .text = "(4096) is larger than what is left of srcBuffer VkBuffer 0x12[staging] (1024 bytes from srcOffset 0).",
      .specification =
          "The size member of each element of pRegions must be less than or equal to the size of srcBuffer "
          "minus srcOffset",
      .fix = "Copy at most 1024 bytes.",
      .objects = {{VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}, {VK_OBJECT_TYPE_BUFFER, 0x12}}};
}

// pMessage and the log entry, one after the other.
std::string Both(const Message& message, const std::vector<std::string>& names) {
  return FormatText(message) + "\n\n" + FormatLogEntry(message, names) + "\n";
}

TEST(Text, Error) {
  EXPECT_TRUE(test::MatchesGolden("messages/message/goldens/error.txt", Both(CopyPastEnd(), {"frame", "staging"})));
}

TEST(Text, RelatedIds) {
  Message message = CopyPastEnd();
  message.related_ids = {"VUID-vkCmdCopyBuffer-size-00116", "VUID-vkCmdCopyBuffer-size-00117"};
  EXPECT_NE(FormatText(message).find(
                "00115)\nSee also: VUID-vkCmdCopyBuffer-size-00116, VUID-vkCmdCopyBuffer-size-00117\nTo fix: Copy"),
            std::string::npos);
}

TEST(Text, Labels) {
  Message message = CopyPastEnd();
  message.queue_labels = {{"frame 7"}};
  message.command_buffer_labels = {{"shadows"}, {"cascade 0"}};
  EXPECT_TRUE(test::MatchesGolden("messages/message/goldens/labels.txt", Both(message, {"", ""})));
}

TEST(Text, WholeCommand) {
  const Message message = {.id = "VUID-vkCmdDraw-None-08606",
                           .location = "vkCmdDraw()",
                           .text = "No graphics pipeline is bound in VkCommandBuffer 0x34.",
                           .objects = {{VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}}};
  EXPECT_TRUE(test::MatchesGolden("messages/message/goldens/whole_command.txt", Both(message, {""})));
}

TEST(Text, NothingButText) {
  const Message message = {.severity = Severity::kInformation,
                           .type = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
                           .text = "The layer is on."};
  EXPECT_TRUE(test::MatchesGolden("messages/message/goldens/nothing_but_text.txt", Both(message, {})));
}

TEST(Text, PerformanceWarningWithCode) {
  const Message message = {
      .severity = Severity::kWarning,
      .type = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
      .id = "ASSAY-wide-barrier",
      .location = "vkCmdPipelineBarrier2(): pDependencyInfo.pMemoryBarriers[0].srcStageMask",
      .text = "(VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) is wider than what it waits for (VK_PIPELINE_STAGE_2_COPY_BIT).",
      .fix = "const VkMemoryBarrier2 barrier = {\n    .srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,\n};",
      .objects = {{VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}}};
  EXPECT_TRUE(test::MatchesGolden("messages/message/goldens/performance_warning.txt", Both(message, {"frame"})));
}

TEST(Text, OddNames) {
  Message message = CopyPastEnd();
  message.command_buffer_labels = {{"100 % [done] > \xff"}, {"two\nlines"}};
  EXPECT_TRUE(
      test::MatchesGolden("messages/message/goldens/odd_names.txt", Both(message, {"a\nb\x1b[31m", "%s%n ] | 影"})));
}

}  // namespace
}  // namespace assay::messages
