// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "messages/report/reporter_test.h"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

TEST(Messenger, ReceivesEverything) {
  Reporter reporter;
  const ObjectRef buffer{VK_OBJECT_TYPE_BUFFER, 0x12};
  reporter.SetName(buffer, "odd\nname");
  Listener listener;
  int calls = 0;
  listener.action = [&calls](const VkDebugUtilsMessengerCallbackDataEXT* data) {
    ++calls;
    EXPECT_EQ(data->sType, VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT);
    EXPECT_EQ(data->pNext, nullptr);
    EXPECT_EQ(data->flags, 0u);
    EXPECT_STREQ(data->pMessageIdName, "ASSAY-test");
    EXPECT_EQ(data->messageIdNumber, MessageIdNumber("ASSAY-test"));
    ASSERT_EQ(data->objectCount, 2u);
    EXPECT_EQ(data->pObjects[0].sType, VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT);
    EXPECT_EQ(data->pObjects[0].objectType, VK_OBJECT_TYPE_BUFFER);
    EXPECT_EQ(data->pObjects[0].objectHandle, 0x12u);
    EXPECT_STREQ(data->pObjects[0].pObjectName, "odd\nname");
    EXPECT_EQ(data->pObjects[1].pObjectName, nullptr);
    ASSERT_EQ(data->queueLabelCount, 1u);
    EXPECT_STREQ(data->pQueueLabels[0].pLabelName, "frame");
    ASSERT_EQ(data->cmdBufLabelCount, 2u);
    EXPECT_STREQ(data->pCmdBufLabels[0].pLabelName, "inner");
    EXPECT_STREQ(data->pCmdBufLabels[1].pLabelName, "outer");
    EXPECT_EQ(data->pCmdBufLabels[1].color[3], 0.5f);
  };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_FALSE(reporter.Deliver({.id = "ASSAY-test",
                                 .location = "vkCmdDraw(): vertexCount",
                                 .text = "(0) is odd.",
                                 .objects = {buffer, {VK_OBJECT_TYPE_COMMAND_BUFFER, 0x34}},
                                 .queue_labels = {{"frame"}},
                                 .command_buffer_labels = {{"outer", {0, 0, 0, 0.5f}}, {"inner"}}}));
  EXPECT_EQ(calls, 1);
  EXPECT_THAT(listener.texts, ElementsAre("vkCmdDraw(): vertexCount (0) is odd."));
}

TEST(Messenger, ReceivesNullForAbsentParts) {
  Reporter reporter;
  Listener listener;
  listener.action = [](const VkDebugUtilsMessengerCallbackDataEXT* data) {
    EXPECT_EQ(data->pMessageIdName, nullptr);
    EXPECT_EQ(data->messageIdNumber, 0);
    EXPECT_EQ(data->objectCount + data->queueLabelCount + data->cmdBufLabelCount, 0u);
    EXPECT_EQ(data->pObjects, nullptr);
  };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Deliver({});
  EXPECT_THAT(listener.texts, ElementsAre(""));
}

TEST(Messenger, FiltersBySeverityAndType) {
  Reporter reporter;
  Listener listener;
  VkDebugUtilsMessengerCreateInfoEXT create_info = listener.CreateInfo();
  create_info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT;
  create_info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  reporter.AddMessenger(Messenger(1), create_info);
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kWarning));
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kError));

  const VkDebugUtilsMessageTypeFlagsEXT performance = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
  reporter.Deliver({.severity = Severity::kError, .type = performance, .text = "severity"});
  reporter.Deliver({.severity = Severity::kWarning, .text = "type"});
  reporter.Deliver({.severity = Severity::kWarning, .type = performance, .text = "both"});
  EXPECT_THAT(listener.texts, ElementsAre("both"));
}

TEST(Messenger, AnyMessengerCanSkipTheCall) {
  Reporter reporter;
  Listener first, second;
  first.answer = VK_TRUE;
  reporter.AddMessenger(Messenger(1), first.CreateInfo());
  reporter.AddMessenger(Messenger(2), second.CreateInfo());
  EXPECT_TRUE(reporter.Deliver(Text("a")));
  reporter.RemoveMessenger(Messenger(1));
  EXPECT_FALSE(reporter.Deliver(Text("b")));
  EXPECT_THAT(first.texts, ElementsAre("a"));
  EXPECT_THAT(second.texts, ElementsAre("a", "b"));
}

TEST(Messenger, WithoutAFunctionIsIgnored) {
  Reporter reporter;
  Listener listener;
  VkDebugUtilsMessengerCreateInfoEXT create_info = listener.CreateInfo();
  create_info.pfnUserCallback = nullptr;
  reporter.AddMessenger(Messenger(1), create_info);
  EXPECT_THAT(Logged([&] { reporter.Deliver(Text("a")); }), HasSubstr("a"));
}

TEST(Messenger, MayNameObjectsAndAddAndRemoveMessengersFromWithin) {
  Reporter reporter;
  Listener listener, added;
  listener.action = [&](const VkDebugUtilsMessengerCallbackDataEXT*) {
    reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "named");
    reporter.AddMessenger(Messenger(2), added.CreateInfo());
    reporter.RemoveMessenger(Messenger(1));
  };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Deliver(Text("a"));
  reporter.Deliver(Text("b"));
  EXPECT_EQ(reporter.Name({VK_OBJECT_TYPE_BUFFER, 1}), "named");
  EXPECT_THAT(listener.texts, ElementsAre("a"));
  EXPECT_THAT(added.texts, ElementsAre("b"));
}

TEST(Messenger, RemovedFromWithinAnotherIsNotCalled) {
  Reporter reporter;
  Listener first, second;
  first.action = [&](const VkDebugUtilsMessengerCallbackDataEXT*) { reporter.RemoveMessenger(Messenger(2)); };
  reporter.AddMessenger(Messenger(1), first.CreateInfo());
  reporter.AddMessenger(Messenger(2), second.CreateInfo());
  reporter.Deliver(Text("a"));
  EXPECT_THAT(second.texts, IsEmpty());
}

TEST(Messenger, DoesNotReceiveMessagesThatItCaused) {
  Reporter reporter;
  Listener listener;
  listener.action = [&](const VkDebugUtilsMessengerCallbackDataEXT*) { reporter.Deliver(Text("caused")); };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  const std::string logged = Logged([&] { reporter.Deliver(Text("first")); });
  EXPECT_THAT(listener.texts, ElementsAre("first"));
  EXPECT_EQ(logged, "Validation Error: caused\n");
}

TEST(Messenger, ReceivesMessagesThatAnotherCaused) {
  Reporter reporter;
  Listener first, second;
  const auto cause = [&](const VkDebugUtilsMessengerCallbackDataEXT*) { reporter.Deliver(Text("caused")); };
  first.action = cause;
  second.action = cause;
  reporter.AddMessenger(Messenger(1), first.CreateInfo());
  reporter.AddMessenger(Messenger(2), second.CreateInfo());
  Logged([&] { reporter.Deliver(Text("a")); });
  EXPECT_THAT(first.texts, ElementsAre("a", "caused"));
  EXPECT_THAT(second.texts, ElementsAre("caused", "a"));
}

TEST(Messenger, MayThrow) {
  Reporter reporter;
  Listener listener;
  listener.action = [](const VkDebugUtilsMessengerCallbackDataEXT*) { throw 1; };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_ANY_THROW(reporter.Deliver(Text("a")));
  EXPECT_ANY_THROW(reporter.Deliver(Text("b")));
  EXPECT_THAT(listener.texts, ElementsAre("a", "b"));
}

TEST(ReportCallback, ReceivesEverything) {
  Reporter reporter;
  ReportListener listener;
  listener.answer = VK_TRUE;
  reporter.AddReportCallback(ReportCallback(1), listener.CreateInfo(VK_DEBUG_REPORT_ERROR_BIT_EXT));
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kError));
  EXPECT_FALSE(reporter.IsEnabledFor(Severity::kWarning));
  EXPECT_TRUE(reporter.Deliver({.id = "ASSAY-test", .text = "A text.", .objects = {{VK_OBJECT_TYPE_BUFFER, 0x12}}}));
  ASSERT_EQ(listener.received.size(), 1u);
  const ReportListener::Received& received = listener.received.front();
  EXPECT_EQ(received.flags, static_cast<VkDebugReportFlagsEXT>(VK_DEBUG_REPORT_ERROR_BIT_EXT));
  EXPECT_EQ(received.type, VK_DEBUG_REPORT_OBJECT_TYPE_BUFFER_EXT);
  EXPECT_EQ(received.object, 0x12u);
  EXPECT_EQ(received.code, MessageIdNumber("ASSAY-test"));
  EXPECT_EQ(received.prefix, "Assay");
  EXPECT_EQ(received.text, "Validation Error: [ ASSAY-test ] | VkBuffer 0x12 | A text.");
}

TEST(ReportCallback, PerformanceWarningsHaveTheirOwnFlag) {
  Reporter reporter;
  ReportListener listener;
  reporter.AddReportCallback(ReportCallback(1), listener.CreateInfo(VK_DEBUG_REPORT_PERFORMANCE_WARNING_BIT_EXT));
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kWarning));
  reporter.Deliver(Text("plain", Severity::kWarning));
  EXPECT_THAT(listener.received, IsEmpty());
  reporter.Deliver({.severity = Severity::kWarning, .type = VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT});
  ASSERT_EQ(listener.received.size(), 1u);
  EXPECT_EQ(listener.received[0].type, VK_DEBUG_REPORT_OBJECT_TYPE_UNKNOWN_EXT);
  reporter.RemoveReportCallback(ReportCallback(1));
  EXPECT_TRUE(reporter.IsEnabledFor(Severity::kError));
}

TEST(CreateInfoSinks, AreCalledWhileActive) {
  Reporter reporter;
  Listener first, second;
  ReportListener third;
  VkDebugUtilsMessengerCreateInfoEXT first_info = first.CreateInfo();
  VkDebugUtilsMessengerCreateInfoEXT second_info = second.CreateInfo();
  VkDebugReportCallbackCreateInfoEXT third_info = third.CreateInfo(VK_DEBUG_REPORT_ERROR_BIT_EXT);
  const VkValidationFeaturesEXT unrelated = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT, .pNext = &third_info};
  second_info.pNext = &unrelated;
  first_info.pNext = &second_info;
  reporter.AddCreateInfoSinks(&first_info);
  reporter.Deliver(Text("creating"));
  reporter.SetCreateInfoSinksActive(false);
  const std::string logged = Logged([&] { reporter.Deliver(Text("between")); });
  reporter.SetCreateInfoSinksActive(true);
  reporter.Deliver(Text("destroying"));
  EXPECT_THAT(first.texts, ElementsAre("creating", "destroying"));
  EXPECT_THAT(second.texts, ElementsAre("creating", "destroying"));
  EXPECT_EQ(third.received.size(), 2u);
  EXPECT_EQ(logged, "Validation Error: between\n");
}

VkBool32 VKAPI_PTR Count(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                         const VkDebugUtilsMessengerCallbackDataEXT*, void* user_data) {
  ++*static_cast<std::atomic<int>*>(user_data);
  return VK_FALSE;
}

TEST(Threads, DeliverWhileMessengersComeAndGo) {
  Reporter reporter;
  Listener listener;
  std::atomic<int> calls = 0;
  VkDebugUtilsMessengerCreateInfoEXT create_info = listener.CreateInfo();
  create_info.pfnUserCallback = Count;
  create_info.pUserData = &calls;
  reporter.AddMessenger(Messenger(1), create_info);
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back([&reporter] {
      for (int i = 0; i < 500; ++i) {
        EXPECT_TRUE(reporter.IsEnabledFor(Severity::kError));
        reporter.Deliver(Text("a"));
      }
    });
  }
  for (int i = 0; i < 500; ++i) {
    reporter.AddMessenger(Messenger(2), create_info);
    reporter.RemoveMessenger(Messenger(2));
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_GE(calls, 2000);
}

}  // namespace
}  // namespace assay::messages
