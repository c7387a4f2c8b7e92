// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Only some commands run instrumented shaders: gpuav_only_pipelines, gpuav_only_labels, gpuav_only_frames.

#include <cstdint>
#include <utility>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/gpuav_test.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_frag.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

class ChoiceGpuavTest : public GpuavTest {
 protected:
  void SetUp() override {}
  void CreateWith(const char* setting, const char* text, DeviceOptions options = {}) {
    options.other_settings = {{.pLayerName = "VK_LAYER_ASSAY_validation",
                               .pSettingName = setting,
                               .type = VK_LAYER_SETTING_TYPE_STRING_EXT,
                               .valueCount = 1,
                               .pValues = &text}};
    Create(std::move(options));
    // Element 8 is in the buffer, and not in what is bound of it.
    device_.WriteBuffer(set_, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, data_, 0, 32);
    SetIndex(8);
  }
  void BeginRegion(VkCommandBuffer command_buffer, const char* name) {
    const VkDebugUtilsLabelEXT label = {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT, .pLabelName = name};
    device_.vk.CmdBeginDebugUtilsLabelEXT(command_buffer, &label);
  }
  void ExpectOriginal(VkCommandBuffer command_buffer) {
    SubmitAndWait(command_buffer);
    log_.ExpectNothing();
    ExpectWrites(command_buffer);
  }
  void ExpectInstrumented(VkCommandBuffer command_buffer, const char* id = kStorageBounds) {
    SubmitAndWait(command_buffer);
    log_.Expect(id);
    ExpectWrites(command_buffer);
  }

 private:
  // Both write what is there.
  void ExpectWrites(VkCommandBuffer command_buffer) {
    uint32_t& element = static_cast<uint32_t*>(Map(data_))[3];
    element = 0;
    SetIndex(3);
    SubmitAndWait(command_buffer);
    EXPECT_EQ(element, 7u);
    SetIndex(8);
  }
};

TEST_F(ChoiceGpuavTest, PipelinesByName) {
  CreateWith("gpuav_only_pipelines", "writer*");
  const VkPipeline pipeline = MakePipeline();
  ExpectOriginal(RecordDispatch(pipeline));
  device_.SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer of seven");
  ExpectInstrumented(RecordDispatch(pipeline));
}

TEST_F(ChoiceGpuavTest, RegionsOfOneCommandBuffer) {
  CreateWith("gpuav_only_labels", "frame::lights");
  const VkPipeline pipeline = MakePipeline();
  const auto record = [&](const char* label) {
    return device_.Record([&](VkCommandBuffer command_buffer) {
      BeginRegion(command_buffer, "frame");
      BeginRegion(command_buffer, label);
      Dispatch(command_buffer, pipeline);
      device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
      device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
    });
  };
  ExpectOriginal(record("shadows"));
  ExpectInstrumented(record("lights"));
  // Both in turns: one report.
  SubmitAndWait(device_.Record([&](VkCommandBuffer command_buffer) {
    BeginRegion(command_buffer, "frame");
    Dispatch(command_buffer, pipeline);
    BeginRegion(command_buffer, "lights");
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
    device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
    device_.vk.CmdEndDebugUtilsLabelEXT(command_buffer);
  }));
  log_.Expect(kStorageBounds);
  log_.ExpectNothing();
}

TEST_F(ChoiceGpuavTest, FramesThatArePresented) {
  CreateWith("gpuav_only_frames", "1", {.device_extensions = {VK_KHR_SWAPCHAIN_EXTENSION_NAME}});
  if (device_.vk.CreateHeadlessSurfaceEXT == nullptr) GTEST_SKIP() << "the driver has no surfaces without a window";
  const VkPipeline pipeline = MakePipeline();
  const VkSurfaceKHR surface = device_.MakeSurface();
  VkSurfaceCapabilitiesKHR capabilities = {};
  ASSERT_EQ(device_.vk.GetPhysicalDeviceSurfaceCapabilitiesKHR(device_.physical_device, surface, &capabilities),
            VK_SUCCESS);
  const VkSwapchainCreateInfoKHR swapchain_info = {.sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
                                                   .surface = surface,
                                                   .minImageCount = capabilities.minImageCount,
                                                   .imageFormat = VK_FORMAT_B8G8R8A8_UNORM,
                                                   .imageExtent = {16, 16},
                                                   .imageArrayLayers = 1,
                                                   .imageUsage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT,
                                                   .preTransform = capabilities.currentTransform,
                                                   .compositeAlpha = VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR,
                                                   .presentMode = VK_PRESENT_MODE_FIFO_KHR};
  VkSwapchainKHR swapchain = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateSwapchainKHR(device_.device, &swapchain_info, nullptr, &swapchain), VK_SUCCESS);
  device_.Defer(swapchain, [this, swapchain] { device_.vk.DestroySwapchainKHR(device_.device, swapchain, nullptr); });
  const std::vector<VkImage> images = device_.SwapchainImages(swapchain);
  const VkFence fence = device_.MakeFence();
  const auto present = [&] {
    uint32_t index = 0;
    ASSERT_EQ(device_.vk.AcquireNextImageKHR(device_.device, swapchain, UINT64_MAX, VK_NULL_HANDLE, fence, &index),
              VK_SUCCESS);
    EXPECT_EQ(device_.vk.WaitForFences(device_.device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    EXPECT_EQ(device_.vk.ResetFences(device_.device, 1, &fence), VK_SUCCESS);
    SubmitAndWait(device_.Record([&](VkCommandBuffer command_buffer) {
      const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                            .newLayout = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR,
                                            .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                            .image = images[index],
                                            .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1}};
      device_.vk.CmdPipelineBarrier(command_buffer, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                                    VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, 0, 0, nullptr, 0, nullptr, 1, &barrier);
    }));
    const VkPresentInfoKHR info = {.sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
                                   .swapchainCount = 1,
                                   .pSwapchains = &swapchain,
                                   .pImageIndices = &index};
    EXPECT_EQ(device_.vk.QueuePresentKHR(device_.Queue(), &info), VK_SUCCESS);
  };
  const VkCommandBuffer of_first_frame = RecordDispatch(pipeline);
  ExpectOriginal(of_first_frame);
  present();
  ExpectInstrumented(RecordDispatch(pipeline));
  // It runs as it was recorded.
  ExpectOriginal(of_first_frame);
  present();
  ExpectOriginal(RecordDispatch(pipeline));
}

// What else was set and bound stays when the pipeline is replaced.
TEST_F(ChoiceGpuavTest, DrawsOfOneRenderPassInstance) {
  CreateWith("gpuav_only_labels", "lights");
  const VkPipeline pipeline = device_.MakeGraphicsPipeline(
      layout_, {.vertex = device_.MakeShader(k_full_screen_vert), .fragment = device_.MakeShader(k_read_frag)});
  SetIndex(20);
  SubmitAndWait(RecordRendering([&](VkCommandBuffer commands) {
    device_.vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    device_.SetViewportAndScissor(commands, 16, 16);
    device_.vk.CmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout_, 0, 1, &set_, 0, nullptr);
    device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    BeginRegion(commands, "lights");
    device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    device_.vk.CmdDraw(commands, 3, 1, 0, 0);
    device_.vk.CmdEndDebugUtilsLabelEXT(commands);
    device_.vk.CmdDraw(commands, 3, 1, 0, 0);
  }));
  for (int draw = 0; draw < 2; ++draw) {
    EXPECT_THAT(log_.Expect("VUID-vkCmdDraw-storageBuffers-06936").text, HasSubstr("It happened 256 times"));
  }
  log_.ExpectNothing();
}

// One cache has the original and the instrumented pipeline, and gives to each what is its own.
TEST_F(ChoiceGpuavTest, PipelineCachesDoNotMix) {
  CreateWith("gpuav_only_pipelines", "writer");
  std::vector<uint8_t> data;
  for (int run = 0; run < 2; ++run) {
    const VkPipelineCacheCreateInfo cache_info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
                                                  .initialDataSize = data.size(),
                                                  .pInitialData = data.data()};
    VkPipelineCache cache = VK_NULL_HANDLE;
    ASSERT_EQ(device_.vk.CreatePipelineCache(device_.device, &cache_info, nullptr, &cache), VK_SUCCESS);
    const VkShaderModule shader = device_.MakeShader(k_write_at_comp);
    const VkComputePipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
                                              .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                        .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                                        .module = shader,
                                                        .pName = "main"},
                                              .layout = layout_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    ASSERT_EQ(device_.vk.CreateComputePipelines(device_.device, cache, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
    ExpectOriginal(RecordDispatch(pipeline));
    device_.SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "writer");
    ExpectInstrumented(RecordDispatch(pipeline));
    size_t size = 0;
    EXPECT_EQ(device_.vk.GetPipelineCacheData(device_.device, cache, &size, nullptr), VK_SUCCESS);
    data.resize(size);
    EXPECT_EQ(device_.vk.GetPipelineCacheData(device_.device, cache, &size, data.data()), VK_SUCCESS);
    device_.vk.DestroyPipelineCache(device_.device, cache, nullptr);
  }
}

TEST_F(ChoiceGpuavTest, ShaderObjectsByName) {
  VkPhysicalDeviceShaderObjectFeaturesEXT feature = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT, .shaderObject = VK_TRUE};
  features12_.pNext = &feature;
  CreateWith("gpuav_only_pipelines", "writer", {.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME}});
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = sizeof(k_write_at_comp),
                                      .pCode = k_write_at_comp,
                                      .pName = "main",
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &set_layout_};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateShadersEXT(device_.device, 1, &info, nullptr, &shader), VK_SUCCESS);
  const auto record = [&] {
    return device_.Record([&](VkCommandBuffer command_buffer) {
      const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
      device_.vk.CmdBindShadersEXT(command_buffer, 1, &stage, &shader);
      device_.vk.CmdBindDescriptorSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout_, 0, 1, &set_, 0,
                                       nullptr);
      device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
    });
  };
  ExpectOriginal(record());
  device_.SetName(VK_OBJECT_TYPE_SHADER_EXT, shader, "writer");
  ExpectInstrumented(record(), kObjectStorageBounds);
  device_.vk.DestroyShaderEXT(device_.device, shader, nullptr);
}

}  // namespace
}  // namespace assay::test
