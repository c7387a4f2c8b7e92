// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path must not accept of a graphics pipeline, whose states may be ignored, dynamic or in a chain.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "gtest/gtest.h"
#include "stateless/check/fast_path_test.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

// Any structure that the implementation ignores.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uint64_t{8});
}

// A pipeline without a render pass, whose states tests change.
class PipelineFastPath : public FastPathTest {
 protected:
  void SetUp() override {
    FastPathTest::SetUp();
    stages_[0].module = MakeShader(test::VertexShader(0));
    stages_[1].module = MakeShader(test::FragmentShader(1));
    create_.layout = MakePipelineLayout({});
  }
  VkResult CreatePipeline() {
    rendering_.colorAttachmentCount = static_cast<uint32_t>(formats_.size());
    rendering_.pColorAttachmentFormats = formats_.data();
    dynamic_.dynamicStateCount = static_cast<uint32_t>(states_.size());
    dynamic_.pDynamicStates = states_.data();
    VkPipeline pipeline = VK_NULL_HANDLE;
    const VkResult result = vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &create_, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    return result;
  }
  void ExpectMistakeInPipeline(std::string_view id) {
    ExpectMistake(id, [&] { return CreatePipeline(); });
  }

  std::array<VkPipelineShaderStageCreateInfo, 2> stages_ = {
      {{.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_VERTEX_BIT,
        .pName = "main"},
       {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
        .stage = VK_SHADER_STAGE_FRAGMENT_BIT,
        .pName = "main"}}};
  VkPipelineVertexInputStateCreateInfo input_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
  VkPipelineInputAssemblyStateCreateInfo assembly_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
  VkPipelineViewportStateCreateInfo viewport_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO, .viewportCount = 1, .scissorCount = 1};
  VkPipelineRasterizationStateCreateInfo rasterization_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
  VkPipelineMultisampleStateCreateInfo multisample_ = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO, .rasterizationSamples = VK_SAMPLE_COUNT_4_BIT};
  VkPipelineDepthStencilStateCreateInfo depth_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
  VkPipelineColorBlendAttachmentState attachment_ = {.colorWriteMask = 0xf};
  VkPipelineColorBlendStateCreateInfo blend_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                .attachmentCount = 1,
                                                .pAttachments = &attachment_};
  std::vector<VkDynamicState> states_ = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo dynamic_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
  std::vector<VkFormat> formats_ = {VK_FORMAT_R8G8B8A8_UNORM};
  VkPipelineRenderingCreateInfo rendering_ = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
  VkGraphicsPipelineCreateInfo create_ = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                          .pNext = &rendering_,
                                          .stageCount = 2,
                                          .pStages = stages_.data(),
                                          .pVertexInputState = &input_,
                                          .pInputAssemblyState = &assembly_,
                                          .pViewportState = &viewport_,
                                          .pRasterizationState = &rasterization_,
                                          .pMultisampleState = &multisample_,
                                          .pDepthStencilState = &depth_,
                                          .pColorBlendState = &blend_,
                                          .pDynamicState = &dynamic_};
};
class NegativePipelineFastPath : public PipelineFastPath {};
class PositivePipelineFastPath : public PipelineFastPath {};

TEST_F(PositivePipelineFastPath, Complete) { EXPECT_EQ(CreatePipeline(), VK_SUCCESS); }
TEST_F(NegativePipelineFastPath, LimitOfALink) {
  VkPhysicalDeviceProperties properties;
  vk.GetPhysicalDeviceProperties(physical_device, &properties);
  formats_.resize(properties.limits.maxColorAttachments + 1, VK_FORMAT_R8G8B8A8_UNORM);
  ExpectMistakeInPipeline("VUID-VkPipelineRenderingCreateInfo-colorAttachmentCount-09533");
}
TEST_F(NegativePipelineFastPath, ValueOfAStateThatIsRead) {
  rasterization_.frontFace = static_cast<VkFrontFace>(100);
  ExpectMistakeInPipeline("VUID-VkPipelineRasterizationStateCreateInfo-frontFace-parameter");
}

TEST_F(PositivePipelineFastPath, TessellationWithoutItsStages) {
  create_.pTessellationState = Garbage<VkPipelineTessellationStateCreateInfo>();
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
}
TEST_F(NegativePipelineFastPath, StatesOfRasterization) {
  multisample_.rasterizationSamples = static_cast<VkSampleCountFlagBits>(3);
  ExpectMistakeInPipeline("VUID-VkPipelineMultisampleStateCreateInfo-rasterizationSamples-parameter");
}
TEST_F(PositivePipelineFastPath, StatesOfDiscardedRasterization) {
  rasterization_.rasterizerDiscardEnable = VK_TRUE;
  multisample_.rasterizationSamples = static_cast<VkSampleCountFlagBits>(3);
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
  create_.pViewportState = Garbage<VkPipelineViewportStateCreateInfo>();
  create_.pMultisampleState = Garbage<VkPipelineMultisampleStateCreateInfo>();
  create_.pDepthStencilState = Garbage<VkPipelineDepthStencilStateCreateInfo>();
  create_.pColorBlendState = Garbage<VkPipelineColorBlendStateCreateInfo>();
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
}
TEST_F(NegativePipelineFastPath, BlendingOfAttachments) {
  blend_.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  ExpectMistakeInPipeline("VUID-VkPipelineColorBlendStateCreateInfo-sType-sType");
}
TEST_F(PositivePipelineFastPath, BlendingWithoutAttachments) {
  create_.pNext = nullptr;
  create_.pDepthStencilState = Garbage<VkPipelineDepthStencilStateCreateInfo>();
  create_.pColorBlendState = Garbage<VkPipelineColorBlendStateCreateInfo>();
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
}
TEST_F(NegativePipelineFastPath, SampleMask) {
  multisample_.pSampleMask = Garbage<VkSampleMask>();
  ExpectMistakeInPipeline("VUID-VkPipelineMultisampleStateCreateInfo-pSampleMask-parameter");
}
TEST_F(PositivePipelineFastPath, SampleMask) {
  multisample_.pSampleMask = nullptr;
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
  const VkSampleMask mask = 0xf;
  multisample_.pSampleMask = &mask;
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
}
TEST_F(NegativePipelineFastPath, DynamicStateThatDoesNotExist) {
  states_.push_back(static_cast<VkDynamicState>(100));
  ExpectMistakeInPipeline("VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-parameter");
}
TEST_F(NegativePipelineFastPath, DynamicStateTwice) {
  states_.push_back(VK_DYNAMIC_STATE_SCISSOR);
  ExpectMistakeInPipeline("VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442");
}

// A dynamic state whose extension is enabled. It also needs a feature.
class DynamicStateFastPath : public PipelineFastPath {
 protected:
  explicit DynamicStateFastPath(VkBool32 has_feature) {
    features_.extendedDynamicState2LogicOp = has_feature;
    states_.push_back(VK_DYNAMIC_STATE_LOGIC_OP_EXT);
  }
  test::DeviceOptions Options() override {
    test::DeviceOptions options = FastPathTest::Options();
    options.device_extensions = {VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME};
    options.features = &features_;
    return options;
  }

 private:
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT};
};
class NegativeDynamicStateFastPath : public DynamicStateFastPath {
 protected:
  NegativeDynamicStateFastPath() : DynamicStateFastPath(VK_FALSE) {}
};
class PositiveDynamicStateFastPath : public DynamicStateFastPath {
 protected:
  PositiveDynamicStateFastPath() : DynamicStateFastPath(VK_TRUE) {}
};

TEST_F(NegativeDynamicStateFastPath, WithoutItsFeature) {
  ExpectMistakeInPipeline("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04869");
  create_.pNext = nullptr;
  ExpectMistakeInPipeline("VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04869");
}
TEST_F(NegativeDynamicStateFastPath, TwiceWithoutItsFeature) {
  states_.push_back(VK_DYNAMIC_STATE_LOGIC_OP_EXT);
  SkipCalls skip(*this);
  EXPECT_EQ(CreatePipeline(), VK_ERROR_VALIDATION_FAILED_EXT);
  ExpectMessages({"VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04869",
                  "VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442"});
}
TEST_F(PositiveDynamicStateFastPath, WithItsFeature) {
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
  create_.pNext = nullptr;
  EXPECT_EQ(CreatePipeline(), VK_SUCCESS);
}

}  // namespace
}  // namespace assay::stateless
