// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Settings about messages, with real calls: the limit, failing calls, labels.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::layer {
namespace {

class ReportingTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options;
    options.settings = {{"enable_message_limit", true}};
    options.other_settings = {
        {options.layer_name, "duplicate_message_limit", VK_LAYER_SETTING_TYPE_UINT32_EXT, 1, &limit_},
        {options.layer_name, "debug_action", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &action_}};
    return options;
  }

  const uint32_t limit_ = 2;
  const char* action_ = "ASSAY_ACTION_FAIL_CALL";
  static constexpr const char* kVuid = "VUID-vkCreateBuffer-pCreateInfo-parameter";
};

TEST_F(ReportingTest, CallsFailAlsoOverTheLimit) {
  size_t reached = 0;
  driver().Observe<vk::CreateBuffer>([&reached](const vk::CreateBuffer&) { ++reached; });
  VkBuffer buffer = VK_NULL_HANDLE;
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(vk.CreateBuffer(device, nullptr, nullptr, &buffer), VK_ERROR_VALIDATION_FAILED_EXT);
  }
  EXPECT_EQ(reached, 0u);
  ExpectMessage(kVuid);
  const test::Message last = ExpectMessage(kVuid);
  EXPECT_NE(last.text.find("This is the last message of this id"), std::string::npos);
  ExpectNothing();
  Destroy();
  const test::Message count = ExpectMessage("ASSAY-message-limit");
  EXPECT_NE(count.text.find(std::string("3 of ") + kVuid), std::string::npos);
}

}  // namespace
}  // namespace assay::layer
