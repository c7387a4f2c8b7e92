// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path must not accept of a graphics pipeline, whose states may be ignored, dynamic or in a chain.

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "stateless/check/fast_path_test.h"
#include "stateless/test_cases/graphics_pipeline_states.h"
#include "testing/shaders.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

// Any structure that the implementation ignores.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uint64_t{8});
}

class PipelineFastPath : public FastPathTest, protected GraphicsPipelineStates {
 protected:
  void SetUp() override {
    FastPathTest::SetUp();
    stages_[0].module = MakeShader(test::VertexShader(0));
    stages_[1].module = MakeShader(test::FragmentShader(1));
    create_.layout = MakePipelineLayout({});
  }
  VkResult CreatePipeline() { return GraphicsPipelineStates::CreatePipeline(vk, device); }
  void ExpectMistakeInPipeline(std::string_view id) {
    ExpectMistake(id, [&] { return CreatePipeline(); });
  }
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
template <VkBool32 kHasFeature>
class DynamicStateFastPath : public PipelineFastPath {
 protected:
  DynamicStateFastPath() { states_.push_back(VK_DYNAMIC_STATE_LOGIC_OP_EXT); }
  test::DeviceOptions Options() override {
    return OptionsWith({VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME}, &features_);
  }

 private:
  VkPhysicalDeviceExtendedDynamicState2FeaturesEXT features_ = {
      .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_EXTENDED_DYNAMIC_STATE_2_FEATURES_EXT,
      .extendedDynamicState2LogicOp = kHasFeature};
};
using NegativeDynamicStateFastPath = DynamicStateFastPath<VK_FALSE>;
using PositiveDynamicStateFastPath = DynamicStateFastPath<VK_TRUE>;

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
