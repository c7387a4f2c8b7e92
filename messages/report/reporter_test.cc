// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "nlohmann/json.hpp"

namespace assay::messages {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr VkDebugUtilsMessageSeverityFlagsEXT kAllSeverities =
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_VERBOSE_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT |
    VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
constexpr VkDebugUtilsMessageTypeFlagsEXT kAllTypes = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT |
                                                      VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                                                      VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;

// What an application has: a callback that keeps the texts and does something.
struct Listener {
  std::vector<std::string> texts;
  VkBool32 answer = VK_FALSE;
  std::function<void(const VkDebugUtilsMessengerCallbackDataEXT*)> action;

  static VkBool32 VKAPI_PTR Call(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* user_data) {
    auto& listener = *static_cast<Listener*>(user_data);
    listener.texts.push_back(data->pMessage);
    if (listener.action) listener.action(data);
    return listener.answer;
  }

  VkDebugUtilsMessengerCreateInfoEXT CreateInfo() {
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
            .messageSeverity = kAllSeverities,
            .messageType = kAllTypes,
            .pfnUserCallback = Call,
            .pUserData = this};
  }
};

// The same for the older interface.
struct ReportListener {
  struct Received {
    VkDebugReportFlagsEXT flags;
    VkDebugReportObjectTypeEXT type;
    uint64_t object;
    int32_t code;
    std::string prefix;
    std::string text;
  };
  std::vector<Received> received;
  VkBool32 answer = VK_FALSE;

  static VkBool32 VKAPI_PTR Call(VkDebugReportFlagsEXT flags, VkDebugReportObjectTypeEXT type, uint64_t object, size_t,
                                 int32_t code, const char* prefix, const char* text, void* user_data) {
    auto& listener = *static_cast<ReportListener*>(user_data);
    listener.received.push_back({flags, type, object, code, prefix, text});
    return listener.answer;
  }

  VkDebugReportCallbackCreateInfoEXT CreateInfo(VkDebugReportFlagsEXT flags) {
    return {.sType = VK_STRUCTURE_TYPE_DEBUG_REPORT_CALLBACK_CREATE_INFO_EXT,
            .flags = flags,
            .pfnCallback = Call,
            .pUserData = this};
  }
};

VkDebugUtilsMessengerEXT Messenger(uint64_t value) { return reinterpret_cast<VkDebugUtilsMessengerEXT>(value); }
VkDebugReportCallbackEXT ReportCallback(uint64_t value) { return reinterpret_cast<VkDebugReportCallbackEXT>(value); }

Message Text(std::string text, Severity severity = Severity::kError) {
  return {.severity = severity, .text = std::move(text)};
}

// What the reporter logs while f runs.
template <class F>
std::string Logged(F f) {
  testing::internal::CaptureStdout();
  f();
  return testing::internal::GetCapturedStdout();
}

TEST(Messenger, IsGivenEverything) {
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

TEST(Messenger, IsGivenNullForWhatIsNotThere) {
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

TEST(Messenger, WithoutAFunctionIsNone) {
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

TEST(Messenger, MayLeaveByAnException) {
  Reporter reporter;
  Listener listener;
  listener.action = [](const VkDebugUtilsMessengerCallbackDataEXT*) { throw 1; };
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  EXPECT_ANY_THROW(reporter.Deliver(Text("a")));
  EXPECT_ANY_THROW(reporter.Deliver(Text("b")));
  EXPECT_THAT(listener.texts, ElementsAre("a", "b"));
}

TEST(ReportCallback, IsGivenEverything) {
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

TEST(ReportCallback, PerformanceWarningsAreTheirOwnFlag) {
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

TEST(Log, IsThereWhileNoCallbackIs) {
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

Message WithId(std::string id, std::string text = "a") { return {.id = std::move(id), .text = std::move(text)}; }

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

Message OfCause(uint64_t cause, std::string id = "ASSAY-a") {
  return {.id = std::move(id),
          .location = "vkCmdDraw()",
          .text = "a",
          .objects = {{VK_OBJECT_TYPE_BUFFER, 1}},
          .cause = cause};
}

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

TEST(Deduplication, TheCountsCanBeMutedAndAreThereForPrograms) {
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

TEST(Json, IsDeliveredToAllSinks) {
  Reporter reporter;
  Listener listener;
  ReportListener report_listener;
  reporter.Configure({.log = ReporterOptions::Log::kAlways, .rendering = {.json = true, .application_name = "demo"}});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.AddReportCallback(ReportCallback(1), report_listener.CreateInfo(VK_DEBUG_REPORT_ERROR_BIT_EXT));
  reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "\xff\"\n\x1b");
  const std::string logged = Logged([&] {
    reporter.Deliver({.id = "ASSAY-a", .text = "two\nlines", .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}});
  });
  EXPECT_EQ(std::ranges::count(logged, '\n'), 1);
  const nlohmann::json parsed = nlohmann::json::parse(logged, nullptr, false);
  EXPECT_EQ(parsed["text"], "two\nlines");
  EXPECT_EQ(parsed["application"], "demo");
  EXPECT_EQ(parsed["objects"][0]["name"], "\ufffd\"\n\x1b");
  EXPECT_EQ(listener.texts.at(0) + "\n", logged);
  EXPECT_EQ(report_listener.received.at(0).text + "\n", logged);
}

TEST(ApplicationName, GoesBeforeTheText) {
  Reporter reporter;
  reporter.Configure({.rendering = {.application_name = "de\nmo"}});
  EXPECT_EQ(Logged([&] { reporter.Deliver(Text("a")); }), "[AppName: de\\nmo] Validation Error: a\n");
}

TEST(Labels, OfQueueAndCommandBufferAreAdded) {
  Reporter reporter;
  const ObjectRef queue = {VK_OBJECT_TYPE_QUEUE, 1}, commands = {VK_OBJECT_TYPE_COMMAND_BUFFER, 2};
  reporter.labels().Begin(queue, {"frame"});
  reporter.labels().Begin(commands, {"shadows"});
  reporter.labels().Begin(commands, {"cascade"});
  EXPECT_EQ(Logged([&] {
              reporter.Deliver({.text = "a", .objects = {commands, queue}});
            }),
            "Validation Error: VkCommandBuffer 0x2, VkQueue 0x1 | a\n    Queue labels: frame\n"
            "    Command buffer labels: shadows > cascade\n");
  EXPECT_EQ(
      Logged([&] { reporter.Deliver({.text = "a", .objects = {commands}, .command_buffer_labels = {{"given"}}}); }),
      "Validation Error: VkCommandBuffer 0x2 | a\n    Command buffer labels: given\n");
}

std::string Written(const std::string& path) {
  std::stringstream written;
  written << std::ifstream(path).rdbuf();
  return written.str();
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

std::atomic<int> traps = 0;

TEST(Break, AfterADeliveredMessage) {
  Reporter reporter;
  Listener listener;
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.Configure({.break_on_message = true});
  const auto previous = std::signal(SIGTRAP, [](int) { ++traps; });
  reporter.Deliver({.type = VK_DEBUG_UTILS_MESSAGE_TYPE_DEVICE_ADDRESS_BINDING_BIT_EXT});
  EXPECT_EQ(traps, 0);
  reporter.Deliver(Text("a"));
  EXPECT_EQ(traps, 1);
  std::signal(SIGTRAP, previous);
}

TEST(Names, AreInDescriptions) {
  Reporter reporter;
  const ObjectRef buffer{VK_OBJECT_TYPE_BUFFER, 0x12};
  EXPECT_EQ(reporter.Describe(buffer), "VkBuffer 0x12");
  reporter.SetName(buffer, "staging");
  EXPECT_EQ(reporter.Describe(buffer), "VkBuffer 0x12[staging]");
  reporter.RemoveName(buffer);
  EXPECT_EQ(reporter.Describe(buffer), "VkBuffer 0x12");
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
