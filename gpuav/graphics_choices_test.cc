// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Which commands run instrumented shaders, for graphics pipelines, their libraries, ray tracing pipelines, shader
// objects and commands that forbid that something else is bound, over the mock driver.

#include <cstdint>
#include <vector>

#include "gmock/gmock.h"
#include "gpuav/choice_test.h"
#include "gtest/gtest.h"
#include "testing/shaders.h"
#include "vk/chain.h"
#include "vk/commands.h"

namespace assay::gpuav {
namespace {

using ::testing::ElementsAre;

class GraphicsChoiceTest : public ChoiceTest {
 protected:
  test::DeviceOptions OptionsWith(const char* setting, const char* text) {
    test::DeviceOptions options = ChoiceTest::OptionsWith(setting, text);
    for (const char* check : {"validate_core", "stateless_param", "object_lifetime"}) {
      options.settings.emplace_back(check, false);
    }
    return options;
  }
  // Its vertex shader fetches an attribute, which it checks.
  VkPipeline MakeFetching() { return MakeGraphicsPipeline(MakeLayout(), {.vertex_bindings = 1}); }
  void BindGraphics(VkCommandBuffer commands, VkPipeline pipeline) {
    known_.push_back(reinterpret_cast<uint64_t>(dispatch::DriverHandle(pipeline)));
    vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  }
};

TEST_F(GraphicsChoiceTest, DrawsByRegion) {
  Create(OptionsWith("gpuav_only_labels", "lights"));
  const VkPipeline pipeline = MakeFetching();
  EXPECT_EQ(LivePipelines(), 2u);
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BindGraphics(commands, pipeline);
                vk.CmdDraw(commands, 3, 1, 0, 0);
                BeginRegion(commands, "lights");
                vk.CmdDraw(commands, 3, 1, 0, 0);
                vk.CmdEndDebugUtilsLabelEXT(commands);
                vk.CmdDraw(commands, 3, 1, 0, 0);
              }),
              ElementsAre("original", "draw", "other", "set", "draw", "original", "draw"));
}

// While transform feedback is active, nothing may be bound.
TEST_F(GraphicsChoiceTest, TransformFeedbackKeepsWhatIsBoundBefore) {
  test::DeviceOptions options = OptionsWith("gpuav_only_labels", "lights");
  options.device_extensions = {VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME};
  Create(options);
  const VkPipeline pipeline = MakeFetching();
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BindGraphics(commands, pipeline);
                vk.CmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
                BeginRegion(commands, "lights");
                vk.CmdDraw(commands, 3, 1, 0, 0);
                vk.CmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
                vk.CmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
                vk.CmdDraw(commands, 3, 1, 0, 0);
                vk.CmdEndDebugUtilsLabelEXT(commands);
                vk.CmdDraw(commands, 3, 1, 0, 0);
                vk.CmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
                vk.CmdDraw(commands, 3, 1, 0, 0);
              }),
              ElementsAre("original", "begin feedback", "draw", "other", "begin feedback", "set", "draw", "set", "draw",
                          "original", "draw"));
}

TEST_F(GraphicsChoiceTest, LinkedPipelinesAreOfLibrariesOfTheirKind) {
  test::DeviceOptions options = OptionsWith("gpuav_only_pipelines", "blur");
  options.device_extensions = {VK_KHR_PIPELINE_LIBRARY_EXTENSION_NAME, VK_EXT_GRAPHICS_PIPELINE_LIBRARY_EXTENSION_NAME};
  Create(options);
  std::vector<VkPipeline> linked;
  driver().Observe<vk::CreateGraphicsPipelines>([&](const vk::CreateGraphicsPipelines& call) {
    const auto* info = vk::FindInChain<VkPipelineLibraryCreateInfoKHR>(call.pCreateInfos->pNext);
    if (info != nullptr) linked.push_back(info->pLibraries[0]);
  });
  const VkGraphicsPipelineLibraryCreateInfoEXT part = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_LIBRARY_CREATE_INFO_EXT,
      .flags = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT};
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                 .module = MakeShader(test::VertexShader(1)),
                                                 .pName = "main"};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
  VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                       .pNext = &part,
                                       .flags = VK_PIPELINE_CREATE_LIBRARY_BIT_KHR,
                                       .stageCount = 1,
                                       .pStages = &stage,
                                       .pViewportState = &viewport,
                                       .pRasterizationState = &rasterization,
                                       .layout = MakeLayout()};
  VkPipeline library = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &library), VK_SUCCESS);
  EXPECT_EQ(LivePipelines(), 2u);
  const VkPipelineLibraryCreateInfoKHR libraries = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, .libraryCount = 1, .pLibraries = &library};
  info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO, .pNext = &libraries, .layout = layout_};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
  ASSERT_EQ(linked.size(), 2u);
  EXPECT_EQ(linked[0], dispatch::DriverHandle(library));
  EXPECT_NE(linked[1], dispatch::DriverHandle(library));
  vk.DestroyPipeline(device, library, nullptr);
  EXPECT_EQ(LivePipelines(), 2u);
  SetName(VK_OBJECT_TYPE_PIPELINE, pipeline, "blur");
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BindGraphics(commands, pipeline);
                vk.CmdDraw(commands, 3, 1, 0, 0);
              }),
              ElementsAre("original", "other", "set", "draw"));
  vk.DestroyPipeline(device, pipeline, nullptr);
  EXPECT_EQ(LivePipelines(), 0u);
}

// The application keeps handles of its shader groups.
TEST_F(GraphicsChoiceTest, RayTracingPipelinesAreMadeOnce) {
  test::DeviceOptions options = OptionsWith("gpuav_only_pipelines", "blur");
  options.device_extensions = {VK_KHR_RAY_TRACING_PIPELINE_EXTENSION_NAME, VK_KHR_ACCELERATION_STRUCTURE_EXTENSION_NAME,
                               VK_KHR_DEFERRED_HOST_OPERATIONS_EXTENSION_NAME};
  Create(options);
  const VkShaderModule shader = MakeWriter();
  bool has_other_module = false;
  driver().Observe<vk::CreateRayTracingPipelinesKHR>([&](const vk::CreateRayTracingPipelinesKHR& call) {
    has_other_module = call.pCreateInfos->pStages[0].module != dispatch::DriverHandle(shader);
  });
  const VkPipelineShaderStageCreateInfo stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                 .stage = VK_SHADER_STAGE_RAYGEN_BIT_KHR,
                                                 .module = shader,
                                                 .pName = "main"};
  const VkRayTracingPipelineCreateInfoKHR info = {.sType = VK_STRUCTURE_TYPE_RAY_TRACING_PIPELINE_CREATE_INFO_KHR,
                                                  .stageCount = 1,
                                                  .pStages = &stage,
                                                  .layout = MakeLayout()};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(vk.CreateRayTracingPipelinesKHR(device, VK_NULL_HANDLE, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  EXPECT_TRUE(has_other_module);
  EXPECT_EQ(LivePipelines(), 1u);
  const VkStridedDeviceAddressRegionKHR region = {};
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                vk.CmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_RAY_TRACING_KHR, pipeline);
                vk.CmdTraceRaysKHR(commands, &region, &region, &region, &region, 1, 1, 1);
              }),
              ElementsAre("other", "set"));
  vk.DestroyPipeline(device, pipeline, nullptr);
}

TEST_F(GraphicsChoiceTest, GeneratedCommandsRunTheApplicationsPipeline) {
  test::DeviceOptions options = OptionsWith("gpuav_only_labels", "lights");
  options.device_extensions = {VK_EXT_DEVICE_GENERATED_COMMANDS_EXTENSION_NAME, VK_KHR_MAINTENANCE_5_EXTENSION_NAME};
  Create(options);
  const VkPipeline pipeline = MakePipeline();
  const VkDescriptorSet set = MakeWrittenSet();
  const VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT};
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BeginRegion(commands, "lights");
                Bind(commands, pipeline, set);
                vk.CmdDispatch(commands, 1, 1, 1);
                vk.CmdExecuteGeneratedCommandsEXT(commands, VK_FALSE, &info);
                vk.CmdDispatch(commands, 1, 1, 1);
                vk.CmdPreprocessGeneratedCommandsEXT(commands, &info, commands);
                vk.CmdDispatch(commands, 1, 1, 1);
                vk.CmdEndDebugUtilsLabelEXT(commands);
              }),
              ElementsAre("original", "other", "set", "dispatch", "original", "execute", "other", "set", "dispatch",
                          "original", "preprocess", "other", "set", "dispatch"));
}

class ShaderObjectChoiceTest : public GraphicsChoiceTest {
 protected:
  void CreateWith(const char* setting, const char* text) {
    test::DeviceOptions options = OptionsWith(setting, text);
    options.device_extensions = {VK_EXT_SHADER_OBJECT_EXTENSION_NAME};
    feature_.shaderObject = VK_TRUE;
    options.features = &feature_;
    Create(options);
    MakeLayout();
  }
  VkShaderEXT MakeObject(VkShaderStageFlagBits stage, const std::vector<uint32_t>& words) {
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = words.size() * 4,
                                        .pCode = words.data(),
                                        .pName = "main",
                                        .setLayoutCount = 1,
                                        .pSetLayouts = &set_layout_};
    VkShaderEXT shader = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
    Defer(shader, [this, shader] { vk.DestroyShaderEXT(device, shader, nullptr); });
    known_.push_back(reinterpret_cast<uint64_t>(dispatch::DriverHandle(shader)));
    return shader;
  }
  VkShaderEXT MakeCompute() {
    return MakeObject(VK_SHADER_STAGE_COMPUTE_BIT, test::AssembleSpirv(test::ComputeShader({.writes = {0}})));
  }
  void BindOne(VkCommandBuffer commands, VkShaderStageFlagBits stage, VkShaderEXT shader) {
    vk.CmdBindShadersEXT(commands, 1, &stage, &shader);
  }

  VkPhysicalDeviceShaderObjectFeaturesEXT feature_ = {.sType =
                                                          VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
};

// Here the application's is the one that is instrumented.
TEST_F(ShaderObjectChoiceTest, ByName) {
  CreateWith("gpuav_only_pipelines", "blur");
  const VkShaderEXT shader = MakeCompute();
  const auto record = [&] {
    return Recorded([&](VkCommandBuffer commands) {
      BindOne(commands, VK_SHADER_STAGE_COMPUTE_BIT, shader);
      vk.CmdDispatch(commands, 1, 1, 1);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
  };
  EXPECT_THAT(record(), ElementsAre("original", "other", "dispatch", "dispatch"));
  SetName(VK_OBJECT_TYPE_SHADER_EXT, shader, "blur");
  EXPECT_THAT(record(), ElementsAre("original", "set", "dispatch", "set", "dispatch"));
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_EXT), 2u);
  DestroyNow(shader);
  EXPECT_EQ(driver().LiveObjects(VK_OBJECT_TYPE_SHADER_EXT), 0u);
}

TEST_F(ShaderObjectChoiceTest, ByRegionAndStageByStage) {
  CreateWith("gpuav_only_labels", "lights");
  const VkShaderEXT vertex = MakeObject(VK_SHADER_STAGE_VERTEX_BIT, test::AssembleSpirv(test::VertexShader(1)));
  const VkShaderEXT fragment = MakeObject(VK_SHADER_STAGE_FRAGMENT_BIT, test::AssembleSpirv(test::FragmentShader(1)));
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BindOne(commands, VK_SHADER_STAGE_VERTEX_BIT, vertex);
                BindOne(commands, VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
                vk.CmdDraw(commands, 3, 1, 0, 0);
                // All are bound anew, since this is the application's, and the other stage's is not.
                BindOne(commands, VK_SHADER_STAGE_FRAGMENT_BIT, fragment);
                vk.CmdDraw(commands, 3, 1, 0, 0);
                BeginRegion(commands, "lights");
                vk.CmdDraw(commands, 3, 1, 0, 0);
                vk.CmdEndDebugUtilsLabelEXT(commands);
                vk.CmdDraw(commands, 3, 1, 0, 0);
              }),
              ElementsAre("original", "original", "other", "draw", "original", "other", "draw", "original", "set",
                          "draw", "other", "draw"));
}

TEST_F(ShaderObjectChoiceTest, WithoutAnOriginalItRunsInstrumented) {
  CreateWith("gpuav_only_pipelines", "blur");
  const VkShaderEXT shader = MakeCompute();
  driver().FailNext<vk::CreateShadersEXT>(VK_ERROR_OUT_OF_HOST_MEMORY);
  EXPECT_THAT(Recorded([&](VkCommandBuffer commands) {
                BindOne(commands, VK_SHADER_STAGE_COMPUTE_BIT, shader);
                vk.CmdDispatch(commands, 1, 1, 1);
              }),
              ElementsAre("original", "original", "set", "dispatch"));
  ExpectMessage("ASSAY-gpuav-disabled");
}

}  // namespace
}  // namespace assay::gpuav
