// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which commands run instrumented shaders, by gpuav_only_pipelines, gpuav_only_labels and gpuav_only_frames, over the
// mock driver.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/choice_test.h"
#include "gtest/gtest.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST_F(ChoiceTest, WithoutSettingsThereIsOnePipeline) {
  Create(GpuavDriverTest::Options());
  const size_t before = LivePipelines();
  const VkPipeline pipeline = MakePipeline();
  EXPECT_EQ(LivePipelines(), before + 1);
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "set", "dispatch", "set", "dispatch"));
}

TEST_F(ChoiceTest, PipelinesByTheNameWhenTheyAreBound) {
  CreateWith("gpuav_only_pipelines", "shadow*, blur");
  const VkPipeline pipeline = MakePipeline();
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "blur");
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "other", "set", "dispatch", "set", "dispatch"));
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "blurred");
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
}

TEST_F(ChoiceTest, EachPipelineForItself) {
  CreateWith("gpuav_only_pipelines", "blur");
  const VkPipeline pipeline = MakePipeline();
  const VkPipeline named = MakeComputePipeline(layout_, MakeWriter());
  SetName(VK_OBJECT_TYPE_PIPELINE, named, "blur");
  const VkDescriptorSet set = MakeWrittenSet();
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                Bind(commands, named, set);
                vk.CmdDispatch(commands, 1, 1, 1);
                Bind(commands, pipeline, set);
                vk.CmdDispatch(commands, 1, 1, 1);
                Bind(commands, named, set);
                vk.CmdDispatch(commands, 1, 1, 1);
                // The same again, which binds the application's.
                Bind(commands, named, set);
                vk.CmdDispatch(commands, 1, 1, 1);
              }),
              ElementsAre("original", "other", "set", "dispatch", "original", "dispatch", "original", "other", "set",
                          "dispatch", "original", "other", "set", "dispatch"));
}

TEST_F(ChoiceTest, SecondPipelineGoesWithTheFirst) {
  CreateWith("gpuav_only_pipelines", "blur");
  const size_t before = LivePipelines();
  const VkPipeline pipeline = MakePipeline();
  EXPECT_EQ(LivePipelines(), before + 2);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_MODULE), 1u);
  DestroyNow(pipeline);
  EXPECT_EQ(LivePipelines(), before);
}

TEST_F(ChoiceTest, SecondPipelineOfOneThatIsLeftGoesBeforeTheDevice) {
  CreateWith("gpuav_only_pipelines", "blur");
  const VkPipeline pipeline = MakePipeline();
  CancelDestroy(pipeline);
  const VkPipeline down = dispatch::DriverHandle(pipeline);
  std::vector<VkPipeline> destroyed;
  driver().Observe<vk::DestroyPipeline>([&](const vk::DestroyPipeline& call) { destroyed.push_back(call.pipeline); });
  Destroy();
  driver().SetObserver(nullptr);
  ASSERT_EQ(destroyed.size(), 1u);
  EXPECT_NE(destroyed[0], down);
  ExpectMessage("VUID-vkDestroyDevice-device-05137");
}

TEST_F(ChoiceTest, SecondPipelineThatCannotBeMade) {
  CreateWith("gpuav_only_pipelines", "blur");
  MakeLayout();
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_DEVICE_MEMORY, 1, 1);
  const VkPipeline pipeline = MakeComputePipeline(layout_, MakeWriter());
  EXPECT_THAT(ExpectMessage("ASSAY-gpuav-disabled").text,
              HasSubstr("could not make a pipeline (VK_ERROR_OUT_OF_DEVICE_MEMORY)"));
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "blur");
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
}

TEST_F(ChoiceTest, PipelineThatFailsHasNoSecond) {
  CreateWith("gpuav_only_pipelines", "blur");
  MakeLayout();
  const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                            .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                      .module = MakeWriter(),
                                                      .pName = "main"},
                                            .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  const size_t before = LivePipelines();
  driver().FailNext<vk::CreateComputePipelines>(VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_ERROR_OUT_OF_DEVICE_MEMORY);
  EXPECT_EQ(LivePipelines(), before);
}

// What the driver gets for a pipeline with flags and a chain of an application's.
TEST_F(ChoiceTest, SecondPipelineIsMadeApart) {
  CreateWith("gpuav_only_pipelines", "blur");
  MakeLayout();
  struct Down {
    VkPipelineCreateFlags flags;
    bool has_base;
    bool has_feedback;
    bool has_module_of_application;
  };
  std::vector<Down> downs;
  const VkShaderModule shader = MakeWriter();
  VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                      .flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT,
                                      .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                .module = shader,
                                                .pName = "main"},
                                      .layout = layout_,
                                      .basePipelineIndex = -1};
  VkPipeline base = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &base), VK_SUCCESS);
  driver().Observe<vk::CreateComputePipelines>([&](const vk::CreateComputePipelines& call) {
    const VkComputePipelineCreateInfo& info = *call.pCreateInfos;
    downs.push_back({info.flags, info.basePipelineHandle != VK_NULL_HANDLE, info.pNext != nullptr,
                     info.stage.module == dispatch::DriverHandle(shader)});
  });
  VkPipelineCreationFeedback feedback = {};
  const VkPipelineCreationFeedbackCreateInfo chain = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CREATION_FEEDBACK_CREATE_INFO,
                                                      .pPipelineCreationFeedback = &feedback};
  info.pNext = &chain;
  info.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT | VK_PIPELINE_CREATE_FAIL_ON_PIPELINE_COMPILE_REQUIRED_BIT |
               VK_PIPELINE_CREATE_DISPATCH_BASE_BIT;
  info.basePipelineHandle = base;
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  ASSERT_EQ(downs.size(), 2u);
  EXPECT_EQ(downs[0].flags, info.flags);
  EXPECT_TRUE(downs[0].has_base && downs[0].has_feedback && downs[0].has_module_of_application);
  EXPECT_EQ(downs[1].flags, VkPipelineCreateFlags{VK_PIPELINE_CREATE_DISPATCH_BASE_BIT});
  EXPECT_FALSE(downs[1].has_base || downs[1].has_feedback || downs[1].has_module_of_application);
  for (const VkPipeline made : {pipeline, base}) vk.DestroyPipeline(device, made, nullptr);
}

TEST_F(ChoiceTest, RegionsOfCommandBuffers) {
  CreateWith("gpuav_only_labels", "frame::li*");
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  EXPECT_THAT(
      Recorded([&](VkCommandBuffer commands) {
        Bind(commands, pipeline, set);
        BeginRegion(commands, "frame");
        vk.CmdDispatch(commands, 1, 1, 1);
        BeginRegion(commands, "lights");
        vk.CmdDispatch(commands, 1, 1, 1);
        BeginRegion(commands, "within");
        vk.CmdDispatch(commands, 1, 1, 1);
        vk.CmdEndDebugUtilsLabelEXT(commands);
        vk.CmdEndDebugUtilsLabelEXT(commands);
        vk.CmdDispatch(commands, 1, 1, 1);
        vk.CmdEndDebugUtilsLabelEXT(commands);
      }),
      ElementsAre("original", "dispatch", "other", "set", "dispatch", "set", "dispatch", "original", "dispatch"));
}

TEST_F(ChoiceTest, RegionsOfQueuesInWhichRecordingsBegin) {
  CreateWith("gpuav_only_labels", "frame");
  const VkPipeline pipeline = MakePipeline();
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
  const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = "frame"};
  vk.QueueBeginDebugUtilsLabelEXT(Queue(), &label);
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "other", "set", "dispatch", "set", "dispatch"));
  vk.QueueEndDebugUtilsLabelEXT(Queue());
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
}

TEST_F(ChoiceTest, FramesThatAreSubmittedWithABoundary) {
  test::DeviceOptions options = OptionsWith("gpuav_only_frames", "1-2");
  options.device_extensions = {VK_EXT_FRAME_BOUNDARY_EXTENSION_NAME};
  VkPhysicalDeviceFrameBoundaryFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAME_BOUNDARY_FEATURES_EXT, .frameBoundary = VK_TRUE};
  options.features = &feature;
  Create(options);
  const VkPipeline pipeline = MakePipeline();
  const auto end_frame = [&](uint64_t id, VkFrameBoundaryFlagsEXT flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT) {
    const VkFrameBoundaryEXT boundary = {.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT, .flags = flags, .frameID = id};
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .pNext = &boundary};
    EXPECT_EQ(vk.QueueSubmit(Queue(), 1, &info, VK_NULL_HANDLE), VK_SUCCESS);
  };
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "dispatch", "dispatch"));
  end_frame(70, 0);
  EXPECT_EQ(RecordedWith(pipeline).size(), 3u);
  end_frame(70);
  end_frame(70);
  EXPECT_THAT(RecordedWith(pipeline), ElementsAre("original", "other", "set", "dispatch", "set", "dispatch"));
  end_frame(71);
  EXPECT_EQ(RecordedWith(pipeline).size(), 6u);
  end_frame(72);
  EXPECT_EQ(RecordedWith(pipeline).size(), 3u);
}

TEST_F(ChoiceTest, FramesThatArePresented) {
  test::DeviceOptions options = OptionsWith("gpuav_only_frames", "1");
  options.device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME};
  options.settings.emplace_back("validate_core", false);
  Create(options);
  const VkPipeline pipeline = MakePipeline();
  const VkSwapchainKHR swapchain = MakeSwapchain(MakeSurface());
  const VkSemaphore acquired = MakeSemaphore();
  for (const size_t commands : {3, 6, 3}) {
    uint32_t image = 0;
    EXPECT_EQ(vk.AcquireNextImageKHR(device, swapchain, UINT64_MAX, acquired, VK_NULL_HANDLE, &image), VK_SUCCESS);
    EXPECT_EQ(RecordedWith(pipeline).size(), commands);
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .waitSemaphoreCount = 1,
                                   .pWaitSemaphores = &acquired,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain,
                                   .pImageIndices = &image};
    EXPECT_EQ(vk.QueuePresentKHR(Queue(), &info), VK_SUCCESS);
  }
}

TEST_F(ChoiceTest, MalformedFrames) {
  CreateWith("gpuav_only_frames", "1..4");
  EXPECT_THAT(ExpectMessage("ASSAY-malformed-setting").text, HasSubstr("gpuav_only_frames has the value \"1..4\""));
  EXPECT_THAT(RecordedWith(MakePipeline()), ElementsAre("original", "set", "dispatch", "set", "dispatch"));
}

TEST_F(ChoiceTest, AllSettingsTogether) {
  test::DeviceOptions options = OptionsWith("gpuav_only_labels", "lights");
  const char* const name = "blur";
  options.other_settings.push_back(
      {"VK_LAYER_ASSAY_validation", "gpuav_only_pipelines", VK_LAYER_SETTING_TYPE_STRING_EXT, 1, &name});
  Create(options);
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  const auto record = [&] {
    return Recorded([&](VkCommandBuffer commands) {
      Bind(commands, pipeline, set);
      vk.CmdDispatch(commands, 1, 1, 1);
      BeginRegion(commands, "lights");
      vk.CmdDispatch(commands, 1, 1, 1);
      vk.CmdEndDebugUtilsLabelEXT(commands);
    });
  };
  EXPECT_THAT(record(), ElementsAre("original", "dispatch", "dispatch"));
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "blur");
  EXPECT_THAT(record(), ElementsAre("original", "dispatch", "other", "set", "dispatch"));
}

TEST_F(ChoiceTest, ParametersAreReadWhereShadersAreChosen) {
  CreateWith("gpuav_only_labels", "lights");
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  const VkBuffer buffer = MakeBuffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
  const auto record = [&](const char* label) {
    return Recorded([&](VkCommandBuffer commands) {
      Bind(commands, pipeline, set);
      BeginRegion(commands, label);
      vk.CmdDispatchIndirect(commands, buffer, 0);
      vk.CmdEndDebugUtilsLabelEXT(commands);
    });
  };
  EXPECT_THAT(record("shadows"), ElementsAre("original", "dispatch indirect"));
  EXPECT_THAT(record("lights"), ElementsAre("original", "other", "set", "dispatch indirect", "copy"));
}

}  // namespace
}  // namespace assay::gpuav
