// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Graphics pipelines and shader objects that have their descriptors in descriptor buffers.

#include <cstdint>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "testing/gpu/descriptor_buffer_test.h"
#include "testing/gpu/shaders/full_screen_vert.h"
#include "testing/gpu/shaders/read_frag.h"
#include "testing/gpu/shaders/write_at_comp.h"

namespace assay::test {
namespace {

using ::testing::HasSubstr;

TEST_F(DescriptorBufferGpuavTest, GraphicsPipeline) {
  const VkDescriptorSetLayout set = MakeWriterSet();
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const VkPipelineShaderStageCreateInfo stages[] = {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_VERTEX_BIT,
                                                     .module = device_.MakeShader(k_full_screen_vert),
                                                     .pName = "main"},
                                                    {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                     .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                     .module = device_.MakeShader(k_read_frag),
                                                     .pName = "main"}};
  const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                          VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  const VkPipelineRasterizationStateCreateInfo rasterization = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
  const VkPipelineColorBlendAttachmentState attachment = {.colorWriteMask = 0xf};
  const VkPipelineColorBlendStateCreateInfo blend = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                     .attachmentCount = 1,
                                                     .pAttachments = &attachment};
  const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  const VkPipelineDynamicStateCreateInfo dynamic = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO, .dynamicStateCount = 2, .pDynamicStates = states};
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                   .colorAttachmentCount = 1,
                                                   .pColorAttachmentFormats = &format};
  const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                             .pNext = &rendering,
                                             .flags = VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT,
                                             .stageCount = 2,
                                             .pStages = stages,
                                             .pVertexInputState = &input,
                                             .pInputAssemblyState = &assembly,
                                             .pViewportState = &viewport,
                                             .pRasterizationState = &rasterization,
                                             .pMultisampleState = &samples,
                                             .pColorBlendState = &blend,
                                             .pDynamicState = &dynamic,
                                             .layout = layout};
  VkPipeline pipeline = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateGraphicsPipelines(device_.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
            VK_SUCCESS);
  device_.Defer(pipeline, [this, pipeline] { device_.vk.DestroyPipeline(device_.device, pipeline, nullptr); });
  const Buffer descriptors = MakeWritten(set);
  const VkCommandBuffer commands = RecordRendering([&](VkCommandBuffer command_buffer) {
    device_.vk.CmdBindPipeline(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    BindSets(command_buffer, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, {descriptors});
    device_.SetViewportAndScissor(command_buffer, 16, 16);
    device_.vk.CmdDraw(command_buffer, 3, 1, 0, 0);
  });
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  EXPECT_THAT(log_.Expect("VUID-vkCmdDraw-storageBuffers-06936").text, HasSubstr("It happened 256 times"));
}

class DescriptorBufferShaderObjectGpuavTest : public DescriptorBufferGpuavTest {
 protected:
  void SetUp() override {
    shader_object_.shaderObject = VK_TRUE;
    descriptor_buffer_.pNext = &shader_object_;
    CreateWith({.device_extensions = {VK_EXT_DESCRIPTOR_BUFFER_EXTENSION_NAME, VK_EXT_SHADER_OBJECT_EXTENSION_NAME}});
  }
  VkPhysicalDeviceShaderObjectFeaturesEXT shader_object_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_OBJECT_FEATURES_EXT};
};

TEST_F(DescriptorBufferShaderObjectGpuavTest, ComputeShader) {
  const VkDescriptorSetLayout set = MakeWriterSet();
  const VkPipelineLayout layout = device_.MakePipelineLayout({set});
  const VkShaderStageFlagBits stage = VK_SHADER_STAGE_COMPUTE_BIT;
  const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                      .stage = stage,
                                      .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                      .codeSize = sizeof(k_write_at_comp),
                                      .pCode = k_write_at_comp,
                                      .pName = "main",
                                      .setLayoutCount = 1,
                                      .pSetLayouts = &set};
  VkShaderEXT shader = VK_NULL_HANDLE;
  ASSERT_EQ(device_.vk.CreateShadersEXT(device_.device, 1, &info, nullptr, &shader), VK_SUCCESS);
  device_.Defer(shader, [this, shader] { device_.vk.DestroyShaderEXT(device_.device, shader, nullptr); });
  const Buffer descriptors = MakeWritten(set);
  const VkCommandBuffer commands = device_.Record([&](VkCommandBuffer command_buffer) {
    device_.vk.CmdBindShadersEXT(command_buffer, 1, &stage, &shader);
    BindSets(command_buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, {descriptors});
    device_.vk.CmdDispatch(command_buffer, 1, 1, 1);
  });
  SetIndex(15);
  SubmitAndWait(commands);
  log_.ExpectNothing();
  SetIndex(16);
  SubmitAndWait(commands);
  log_.Expect(kObjectStorageBounds);
}

}  // namespace
}  // namespace assay::test
