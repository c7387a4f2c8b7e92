// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/report/report.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "messages/report/reporter.h"
#include "vk/command_info.h"
#include "vk/vuid.h"

namespace assay::messages {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

struct Received {
  std::string id;
  std::string text;
  VkBool32 answer = VK_FALSE;
  int count = 0;
};

VkBool32 VKAPI_PTR Receive(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                           const VkDebugUtilsMessengerCallbackDataEXT* data, void* user_data) {
  auto& received = *static_cast<Received*>(user_data);
  received.id = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
  received.text = data->pMessage;
  ++received.count;
  return received.answer;
}

class ReportTest : public testing::Test {
 protected:
  ReportTest() {
    const VkDebugUtilsMessengerCreateInfoEXT create_info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = Receive,
        .pUserData = &received_};
    reporter_.AddMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(1), create_info);
  }

  Received received_;
  Reporter reporter_;
  const vk::CommandId command_ = *vk::FindCommand("vkCmdCopyBuffer");
};

TEST_F(ReportTest, ErrorHasTheRegistrysSentence) {
  Report report(reporter_, command_);
  report.Error(vk::Vuid("VUID-vkCmdCopyBuffer-size-00115"), {{VK_OBJECT_TYPE_BUFFER, 0x12}},
               report.location().Dot("pRegions", 2).Dot("size"), "(4096) is larger than 1024.", "Copy less.");
  EXPECT_EQ(received_.id, "VUID-vkCmdCopyBuffer-size-00115");
  EXPECT_THAT(received_.text, StartsWith("vkCmdCopyBuffer(): pRegions[2].size (4096) is larger than 1024.\n"
                                         "The Vulkan specification states: "));
  EXPECT_THAT(received_.text, HasSubstr("must be less than or equal to"));
  EXPECT_THAT(received_.text, EndsWith("#VUID-vkCmdCopyBuffer-size-00115)\nTo fix: Copy less."));
  EXPECT_FALSE(report.skip());
}

TEST_F(ReportTest, SkipIsKept) {
  Report report(reporter_, command_);
  const auto error = [&] { report.Error(vk::Vuid("VUID-vkCmdCopyBuffer-size-00115"), {}, report.location(), "a"); };
  EXPECT_FALSE(report.skip());
  received_.answer = VK_TRUE;
  error();
  EXPECT_TRUE(report.skip());
  received_.answer = VK_FALSE;
  error();
  EXPECT_TRUE(report.skip());
  EXPECT_EQ(received_.count, 2);
}

TEST_F(ReportTest, DeliverFillsInTheCommand) {
  Report report(reporter_, command_);
  report.Deliver({.id = "SYNC-HAZARD-WRITE-AFTER-WRITE", .text = "A hazard."});
  EXPECT_EQ(received_.text, "vkCmdCopyBuffer(): A hazard.");
  report.Deliver({.location = "vkQueueSubmit(): pSubmits[0]", .text = "has a hazard."});
  EXPECT_EQ(received_.text, "vkQueueSubmit(): pSubmits[0] has a hazard.");
}

TEST_F(ReportTest, AnErrorWithoutAnEnabledSinkIsNotDelivered) {
  reporter_.RemoveMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(1));
  reporter_.Configure({.log = ReporterOptions::Log::kNever});
  Report report(reporter_, command_);
  report.Error(vk::Vuid("VUID-vkCmdCopyBuffer-size-00115"), {}, report.location(), "a");
  EXPECT_EQ(received_.count, 0);
  EXPECT_FALSE(report.skip());
}

TEST_F(ReportTest, OverTheLimitTheCallStillFails) {
  reporter_.Configure({.fail_call = true, .duplicate_message_limit = 2});
  for (int i = 0; i < 5; ++i) {
    Report report(reporter_, command_);
    report.Error(vk::Vuid("VUID-vkCmdCopyBuffer-size-00115"), {}, report.location(), "a");
    EXPECT_TRUE(report.skip());
  }
  EXPECT_EQ(received_.count, 2);
  EXPECT_THAT(received_.text, HasSubstr("the last message of this id"));
}

TEST_F(ReportTest, ADuplicateStillFailsTheCall) {
  reporter_.Configure({.fail_call = true});
  for (int i = 0; i < 3; ++i) {
    Report report(reporter_, command_);
    EXPECT_EQ(report.CountIfDuplicate(1), i != 0);
    EXPECT_EQ(report.skip(), i != 0);
    if (i == 0) report.Deliver({.text = "a", .cause = 1});
    EXPECT_TRUE(report.skip());
  }
  EXPECT_EQ(received_.count, 1);
}

}  // namespace
}  // namespace assay::messages
