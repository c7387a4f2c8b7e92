// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What is reported of shaders' records, over the mock driver.

#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/watched_test.h"
#include "gtest/gtest.h"
#include "nlohmann/json.hpp"
#include "testing/fixture.h"

namespace assay::gpuav {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;

constexpr char kStorageBounds[] = "VUID-vkCmdDispatch-storageBuffers-06936";

class RecordsTest : public WatchedTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = WatchedTest::Options();
    options.settings.emplace_back("enable_message_limit", true);
    options.settings.emplace_back("fold_messages", true);
    return options;
  }
};

TEST_F(RecordsTest, LimitOfACommand) {
  const VkCommandBuffer commands = RecordTwo(MakePipeline(), "frame");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  for (uint32_t i = 1; i <= 11; ++i) WriteFault(commands, i);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  for (int i = 0; i < 8; ++i) ExpectMessage(kStorageBounds);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-command-limit").text,
              HasSubstr("vkCmdDispatch(): Its shaders have 3 more faults in VkCommandBuffer "));
  // In the next frame, all of it was said.
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  for (uint32_t i = 1; i <= 11; ++i) WriteFault(commands, i);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  ExpectNothing();
  Destroy();
  ExpectMessage("ASSAY-folded-messages");
}

class AllRecordsTest : public WatchedTest {
  test::DeviceOptions Options() override {
    test::DeviceOptions options = WatchedTest::Options();
    options.settings.emplace_back("enable_message_limit", false);
    options.settings.emplace_back("message_format_json", true);
    return options;
  }
};

TEST_F(AllRecordsTest, NoLimitWithoutTheSetting) {
  const VkCommandBuffer commands = RecordTwo(MakePipeline(), "frame");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  for (uint32_t i = 1; i <= 11; ++i) WriteFault(commands, i);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  for (int i = 0; i < 11; ++i) ExpectMessage(kStorageBounds);
  ExpectNothing();
}

TEST_F(AllRecordsTest, ValuesAreForPrograms) {
  const VkCommandBuffer commands = RecordTwo(MakePipeline(), "frame");
  driver().config().hold_work = true;
  EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS);
  WriteFault(commands, 7);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  const json properties = json::parse(ExpectMessage(kStorageBounds).text)["properties"];
  EXPECT_EQ(properties["command"], "vkCmdDispatch");
  EXPECT_EQ(properties["position"], 3);
  EXPECT_EQ(properties["stage"], "compute");
  EXPECT_EQ(properties["entry_point"], "main");
  EXPECT_EQ(properties["instruction"], 7);
  EXPECT_EQ(properties["stage_words"], json({0, 0, 0, 0}));
  EXPECT_EQ(properties["fault"], json({{"set", 0}, {"binding", 0}, {"index", 0}, {"access_end", 68}, {"range", 64}}));
  EXPECT_EQ(properties["shader_module"]["type"], "VkShaderModule");
}

}  // namespace
}  // namespace assay::gpuav
