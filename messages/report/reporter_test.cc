// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/reporter.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <string>

#include "gtest/gtest.h"
#include "messages/message/message.h"
#include "messages/report/reporter_test.h"
#include "nlohmann/json.hpp"

namespace assay::messages {
namespace {

TEST(Json, IsDeliveredToAllSinks) {
  Reporter reporter;
  Listener listener;
  ReportListener report_listener;
  reporter.Configure({.log = ReporterOptions::Log::kAlways, .rendering = {.json = true, .application_name = "demo"}});
  reporter.AddMessenger(Messenger(1), listener.CreateInfo());
  reporter.AddReportCallback(ReportCallback(1), report_listener.CreateInfo(VK_DEBUG_REPORT_ERROR_BIT_EXT));
  reporter.SetName({VK_OBJECT_TYPE_BUFFER, 1}, "\xff\"\n\x1b");
  const std::string logged = Logged(
      [&] { reporter.Deliver({.id = "ASSAY-a", .text = "two\nlines", .objects = {{VK_OBJECT_TYPE_BUFFER, 1}}}); });
  EXPECT_EQ(std::ranges::count(logged, '\n'), 1);
  const nlohmann::json parsed = nlohmann::json::parse(logged, nullptr, false);
  EXPECT_EQ(parsed["text"], "two\nlines");
  EXPECT_EQ(parsed["application"], "demo");
  EXPECT_EQ(parsed["objects"][0]["name"], "\ufffd\"\n\x1b");
  EXPECT_EQ(listener.texts.at(0) + "\n", logged);
  EXPECT_EQ(report_listener.received.at(0).text + "\n", logged);
}

TEST(Labels, OfQueueAndCommandBufferAreAdded) {
  Reporter reporter;
  const ObjectRef queue = {VK_OBJECT_TYPE_QUEUE, 1}, commands = {VK_OBJECT_TYPE_COMMAND_BUFFER, 2};
  reporter.labels().Begin(queue, "frame", {});
  reporter.labels().Begin(commands, "shadows", {});
  reporter.labels().Begin(commands, "cascade", {});
  EXPECT_EQ(Logged([&] { reporter.Deliver({.text = "a", .objects = {commands, queue}}); }),
            "Validation Error: VkCommandBuffer 0x2, VkQueue 0x1 | a\n    Queue labels: frame\n"
            "    Command buffer labels: shadows::cascade\n");
  EXPECT_EQ(
      Logged([&] { reporter.Deliver({.text = "a", .objects = {commands}, .command_buffer_labels = {{"given"}}}); }),
      "Validation Error: VkCommandBuffer 0x2 | a\n    Command buffer labels: given\n");
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

}  // namespace
}  // namespace assay::messages
