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
#include "vk/vulkan.h"

namespace assay::gpuav {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

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

// Their shaders may run while another pipeline is bound.
class BindableRecordsTest : public WatchedTest {
 protected:
  test::DeviceOptions Options() override {
    test::DeviceOptions options = WatchedTest::Options();
    options.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME};
    options.features = &generated_;
    options.settings.emplace_back("validate_core", false);
    options.settings.emplace_back("stateless_param", false);
    options.settings.emplace_back("object_lifetime", false);
    return options;
  }
  void SetUp() override {
    WatchedTest::SetUp();
    const VkPipelineCreateFlags2CreateInfo flags = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATE_FLAGS_2_CREATE_INFO,
                                                    .flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT};
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .pNext = &flags,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = MakeWriter(),
                                                        .pName = "main"},
                                              .layout = MakeLayout()};
    ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &bindable_), VK_SUCCESS);
    SetName(VK_OBJECT_TYPE_PIPELINE, bindable_, "bindable");
    const VkPipeline bound = MakeComputePipeline(layout_, MakeWriter());
    SetName(VK_OBJECT_TYPE_PIPELINE, bound, "bound");
    commands_ = RecordTwo(bound, "frame");
    driver().config().hold_work = true;
    EXPECT_EQ(Submit(Queue(), {commands_}), VK_SUCCESS);
    // It names the first shader.
    WriteFault(commands_, 7);
  }

  VkPhysicalDeviceDeviceGeneratedCommandsFeaturesEXT generated_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_FEATURES_EXT,
      .deviceGeneratedCommands = VK_TRUE};
  VkPipeline bindable_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
};

TEST_F(BindableRecordsTest, PipelineIsThatOfTheShader) {
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  const std::string text = ExpectMessage(kStorageBounds).text;
  EXPECT_THAT(text, HasSubstr("[bindable]"));
  EXPECT_THAT(text, Not(HasSubstr("[bound]")));
  vk.DestroyPipeline(device, bindable_, nullptr);
}

TEST_F(BindableRecordsTest, PipelineThatIsGoneIsNotNamed) {
  vk.DestroyPipeline(device, bindable_, nullptr);
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
  EXPECT_THAT(ExpectMessage(kStorageBounds).text, Not(HasSubstr(" in VkPipeline ")));
}

}  // namespace
}  // namespace assay::gpuav
