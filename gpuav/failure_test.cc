// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// When something of ours cannot be made: the message holds no lock, and nothing false is reported, over the mock
// driver.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <future>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/driver_test.h"
#include "gtest/gtest.h"
#include "testing/fixture.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::HasSubstr;

constexpr uint32_t kAlways = 1'000'000;

class GpuavFailureTest : public GpuavDriverTest {
 protected:
  // Calls `answer` whenever the message about a failure comes.
  void Answer(std::function<void()> answer) {
    answer_ = std::move(answer);
    const VkDebugUtilsMessengerCreateInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = &GpuavFailureTest::Callback,
        .pUserData = this,
    };
    VkDebugUtilsMessengerEXT messenger = VK_NULL_HANDLE;
    ASSERT_EQ(vk.CreateDebugUtilsMessengerEXT(instance, &info, nullptr, &messenger), VK_SUCCESS);
    Defer(messenger, [this, messenger] { vk.DestroyDebugUtilsMessengerEXT(instance, messenger, nullptr); });
  }
  int answers() const { return answers_; }

  // A deadlock cannot be left, so that it ends the test.
  static void RunWithin(std::chrono::seconds limit, const std::function<void()>& function) {
    std::promise<void> done;
    std::future<void> future = done.get_future();
    std::thread thread([&] {
      function();
      done.set_value();
    });
    if (future.wait_for(limit) != std::future_status::ready) {
      std::fputs("A call did not return: a callback waits for a lock.\n", stderr);
      std::_Exit(1);
    }
    thread.join();
  }

  VkCommandBuffer Dispatch(VkPipeline pipeline, VkDescriptorSet set) {
    return Record([&](VkCommandBuffer commands) {
      vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
      vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set, 0, nullptr);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  }

  // The reserved set and the offset that a recording binds last.
  using Bound = std::pair<VkDescriptorSet, uint32_t>;
  Bound BoundBy(VkPipeline pipeline, VkDescriptorSet set) {
    Bound bound = {};
    driver().Observe<vk::CmdBindDescriptorSets>([&](const vk::CmdBindDescriptorSets& call) {
      if (call.dynamicOffsetCount != 0) bound = {call.pDescriptorSets[0], call.pDynamicOffsets[0]};
    });
    Dispatch(pipeline, set);
    driver().SetObserver({});
    return bound;
  }

 private:
  static VKAPI_ATTR VkBool32 VKAPI_CALL Callback(VkDebugUtilsMessageSeverityFlagBitsEXT,
                                                 VkDebugUtilsMessageTypeFlagsEXT,
                                                 const VkDebugUtilsMessengerCallbackDataEXT* data, void* test) {
    auto& self = *static_cast<GpuavFailureTest*>(test);
    if (std::string_view(data->pMessageIdName) == "ASSAY-gpuav-disabled") {
      ++self.answers_;
      self.answer_();
    }
    return VK_FALSE;
  }

  std::function<void()> answer_;
  int answers_ = 0;
};

TEST_F(GpuavFailureTest, CallbackMayAskForCompletion) {
  const VkCommandBuffer commands = RecordDispatch(MakePipeline());
  const VkFence fence = MakeFence();
  Answer([&] { EXPECT_EQ(vk.GetFenceStatus(device, fence), VK_NOT_READY); });
  driver().FailNext<vk::CreateFence>(VK_ERROR_OUT_OF_HOST_MEMORY);
  RunWithin(std::chrono::seconds(60), [&] { EXPECT_EQ(Submit(Queue(), {commands}), VK_SUCCESS); });
  EXPECT_EQ(answers(), 1);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text, HasSubstr("could not make a fence"));
  EXPECT_EQ(vk.QueueWaitIdle(Queue()), VK_SUCCESS);
}

TEST_F(GpuavFailureTest, CallbackMayFreeWhatRecordingsHave) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  const VkCommandBuffer other = Dispatch(pipeline, set);
  Answer([&] { EXPECT_EQ(vk.ResetCommandBuffer(other, 0), VK_SUCCESS); });
  driver().FailNext<vk::AllocateMemory>(VK_ERROR_OUT_OF_DEVICE_MEMORY, kAlways);
  RunWithin(std::chrono::seconds(60), [&] {
    for (int i = 0; i < 200 && answers() == 0; ++i) Dispatch(pipeline, set);
  });
  EXPECT_EQ(answers(), 1);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text, HasSubstr("could not make memory"));
}

TEST_F(GpuavFailureTest, CallbackMayRecord) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  Answer([&] { Dispatch(pipeline, set); });
  driver().FailNext<vk::CreateDescriptorPool>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  // The test makes no pools here, so that it is one of ours.
  RunWithin(std::chrono::seconds(60), [&] {
    for (int i = 0; i < 200 && answers() == 0; ++i) Dispatch(pipeline, set);
  });
  EXPECT_EQ(answers(), 1);
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text, HasSubstr("could not make descriptor sets"));
}

TEST_F(GpuavFailureTest, SetWithoutTableIsNotChecked) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet whole = MakeWrittenSet();
  // Too large for the tables that there are.
  constexpr uint32_t kMany = 1u << 16;
  const VkDescriptorSetLayout large =
      MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, kMany, VK_SHADER_STAGE_COMPUTE_BIT}});
  const VkPipelineLayout large_layout = MakePipelineLayout({large});
  const VkPipeline other = MakeComputePipeline(large_layout, MakeWriter());
  driver().FailNext<vk::AllocateMemory>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  const VkDescriptorSet lacking = MakeSet(large);
  ExpectMessage("ASSAY-gpuav-disabled");
  WriteBuffer(lacking, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, MakeBuffer(64));
  const Bound checked = BoundBy(pipeline, whole);
  layout_ = large_layout;
  const Bound first = BoundBy(other, lacking);
  const Bound second = BoundBy(other, lacking);
  // All such recordings share a place where nothing is kept.
  EXPECT_NE(first.first, VK_NULL_HANDLE);
  EXPECT_EQ(first, second);
  EXPECT_NE(first.first, checked.first);
}

TEST_F(GpuavFailureTest, SetThatIsYoungerThanAFailureIsNotChecked) {
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet before = MakeWrittenSet();
  driver().FailNext<vk::CreateShaderModule>(VK_ERROR_OUT_OF_HOST_MEMORY, 1, 1);
  const VkShaderModule shader = MakeWriter();
  MakeComputePipeline(layout_, shader);
  ExpectMessage("ASSAY-gpuav-disabled");
  const VkDescriptorSet behind = MakeWrittenSet();
  EXPECT_NE(BoundBy(pipeline, before).first, BoundBy(pipeline, behind).first);
  EXPECT_EQ(BoundBy(pipeline, behind), BoundBy(pipeline, behind));
}

}  // namespace
}  // namespace assay::gpuav
