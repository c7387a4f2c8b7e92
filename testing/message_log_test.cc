// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/message_log.h"

#include "gmock/gmock.h"
#include "gtest/gtest-spi.h"
#include "gtest/gtest.h"

namespace assay::test {
namespace {

VkBool32 Send(MessageLog& log, const char* id, const char* text = "") {
  VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "simulate"};
  VkDebugUtilsObjectNameInfoEXT object = {VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, nullptr,
                                          VK_OBJECT_TYPE_BUFFER, 7, "particles"};
  VkDebugUtilsMessengerCallbackDataEXT data = {
      .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
      .pMessageIdName = id,
      .pMessage = text,
      .cmdBufLabelCount = 1,
      .pCmdBufLabels = &label,
      .objectCount = 1,
      .pObjects = &object,
  };
  VkDebugUtilsMessengerCreateInfoEXT info = log.CreateInfo();
  return info.pfnUserCallback(VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                              VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT, &data, info.pUserData);
}

MessageLog& Log() {
  static MessageLog log;
  return log;
}

TEST(MessageLogTest, GivesWhatCame) {
  EXPECT_EQ(Send(Log(), "VUID-a", "is wrong"), VK_FALSE);
  Message message = Log().Expect("VUID-a");
  EXPECT_EQ(message.text, "is wrong");
  EXPECT_EQ(message.severity, VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT);
  ASSERT_EQ(message.objects.size(), 1u);
  EXPECT_EQ(message.objects[0].name, "particles");
  EXPECT_THAT(message.command_buffer_labels, ::testing::ElementsAre("simulate"));
  Log().ExpectNothing();
}

TEST(MessageLogTest, TakesMessagesInOrder) {
  Send(Log(), "VUID-a");
  Send(Log(), "VUID-b");
  Log().Expect("VUID-a");
  Log().Expect("VUID-b");
  Log().ExpectNothing();
}

TEST(MessageLogTest, TakesSeveralInAnyOrder) {
  Send(Log(), "VUID-a");
  Send(Log(), "VUID-b");
  Log().ExpectAll({"VUID-b", "VUID-a"});
}

TEST(MessageLogTest, TakesOneAmongSeveral) {
  Send(Log(), "VUID-a");
  Send(Log(), "VUID-b");
  EXPECT_EQ(Log().ExpectAmong("VUID-b").size(), 2u);
  Log().ExpectNothing();
  Send(Log(), "VUID-a");
  EXPECT_NONFATAL_FAILURE(Log().ExpectAmong("VUID-b"), "expected VUID-b");
}

TEST(MessageLogTest, FailsOnAnotherId) {
  Send(Log(), "VUID-a");
  EXPECT_NONFATAL_FAILURE(Log().Expect("VUID-b"), "expected VUID-b");
}

TEST(MessageLogTest, FailsOnNoMessage) { EXPECT_NONFATAL_FAILURE(Log().Expect("VUID-b"), "no message"); }

TEST(MessageLogTest, FailsOnMoreMessages) {
  Send(Log(), "VUID-a", "surprise");
  EXPECT_NONFATAL_FAILURE(Log().ExpectNothing(), "unexpected VUID-a: surprise");
  Send(Log(), "VUID-a");
  Send(Log(), "VUID-a");
  EXPECT_NONFATAL_FAILURE(Log().ExpectAll({"VUID-a"}), "expected");
}

TEST(MessageLogTest, RemembersTheIdsThatWereExpectedAndCame) {
  using ::testing::Contains;
  using ::testing::Not;
  for (const char* id : {"VUID-one", "VUID-two", "VUID-other", "VUID-taken"}) Send(Log(), id);
  Log().Expect("VUID-one");
  Log().Expect("VUID-two");
  EXPECT_NONFATAL_FAILURE(Log().Expect("VUID-three"), "VUID-other");
  Log().Take();
  Send(Log(), "VUID-four");
  Send(Log(), "VUID-five");
  Log().ExpectAll({"VUID-five", "VUID-four"});
  Send(Log(), "VUID-six");
  EXPECT_NONFATAL_FAILURE(Log().ExpectAll({"VUID-six", "VUID-seven"}), "expected");
  const std::set<std::string> ids = MessageLog::DeliveredIds();
  for (const char* id : {"VUID-one", "VUID-two", "VUID-four", "VUID-five"}) EXPECT_THAT(ids, Contains(id));
  for (const char* id : {"VUID-three", "VUID-other", "VUID-taken", "VUID-six", "VUID-seven"})
    EXPECT_THAT(ids, Not(Contains(id)));
}

TEST(MessageLogTest, ReturnsTheSetResult) {
  MessageLog log;
  log.set_callback_result(VK_TRUE);
  EXPECT_EQ(Send(log, "VUID-a"), VK_TRUE);
}

}  // namespace
}  // namespace assay::test
