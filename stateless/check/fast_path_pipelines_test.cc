// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What the fast path must not accept of a graphics pipeline, whose states may be ignored, dynamic or in a chain.

#include <cstdint>
#include <functional>
#include <string_view>

#include "gtest/gtest.h"
#include "stateless/check/fast_path_test.h"
#include "stateless/test_cases/graphics_pipeline_states.h"
#include "vk/vulkan.h"

namespace assay::stateless {
namespace {

// Any structure that the implementation ignores.
template <class T>
const T* Garbage() {
  return reinterpret_cast<const T*>(uint64_t{8});
}

class PipelineFastPath : public FastPathTest {
 protected:
  using Pipeline = GraphicsPipelineStates;
  void SetUp() override {}
  // A correct pipeline with one change.
  void Try(std::string_view id, const std::function<void(Pipeline&)>& change) {
    Pipeline pipeline(*this, 0);
    change(pipeline);
    Expect(id, [&] { return pipeline.Create(); });
  }
};

TEST_F(PipelineFastPath, States) {
  Create(OptionsWith({}));
  VkPhysicalDeviceProperties properties;
  vk.GetPhysicalDeviceProperties(physical_device, &properties);
  const VkSampleMask mask = 0xf;
  const auto set_wrong_samples = [](Pipeline& p) {
    p.multisample.rasterizationSamples = static_cast<VkSampleCountFlagBits>(3);
  };
  Try("", [](Pipeline&) {});
  Try("VUID-VkPipelineRenderingCreateInfo-colorAttachmentCount-09533",
      [&](Pipeline& p) { p.formats.resize(properties.limits.maxColorAttachments + 1, VK_FORMAT_R8G8B8A8_UNORM); });
  Try("VUID-VkPipelineRasterizationStateCreateInfo-frontFace-parameter",
      [](Pipeline& p) { p.rasterization.frontFace = static_cast<VkFrontFace>(100); });
  // Without the stages of tessellation.
  Try("", [](Pipeline& p) { p.create.pTessellationState = Garbage<VkPipelineTessellationStateCreateInfo>(); });
  Try("VUID-VkPipelineMultisampleStateCreateInfo-rasterizationSamples-parameter", set_wrong_samples);
  for (const bool is_garbage : {false, true}) {
    Try("", [&](Pipeline& p) {
      set_wrong_samples(p);
      p.rasterization.rasterizerDiscardEnable = VK_TRUE;
      if (!is_garbage) return;
      p.create.pViewportState = Garbage<VkPipelineViewportStateCreateInfo>();
      p.create.pMultisampleState = Garbage<VkPipelineMultisampleStateCreateInfo>();
      p.create.pDepthStencilState = Garbage<VkPipelineDepthStencilStateCreateInfo>();
      p.create.pColorBlendState = Garbage<VkPipelineColorBlendStateCreateInfo>();
    });
  }
  Try("VUID-VkPipelineColorBlendStateCreateInfo-sType-sType",
      [](Pipeline& p) { p.blend.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO; });
  // Without attachments.
  Try("", [](Pipeline& p) {
    p.create.pNext = nullptr;
    p.create.pDepthStencilState = Garbage<VkPipelineDepthStencilStateCreateInfo>();
    p.create.pColorBlendState = Garbage<VkPipelineColorBlendStateCreateInfo>();
  });
  Try("VUID-VkPipelineMultisampleStateCreateInfo-pSampleMask-parameter",
      [](Pipeline& p) { p.multisample.pSampleMask = Garbage<VkSampleMask>(); });
  Try("", [&](Pipeline& p) { p.multisample.pSampleMask = &mask; });
  Try("VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-parameter",
      [](Pipeline& p) { p.states.push_back(static_cast<VkDynamicState>(100)); });
  Try("VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442",
      [](Pipeline& p) { p.states.push_back(VK_DYNAMIC_STATE_SCISSOR); });
}

// A dynamic state whose extension is enabled. It also needs a feature.
TEST_F(PipelineFastPath, DynamicState) {
  constexpr char kId[] = "VUID-VkGraphicsPipelineCreateInfo-pDynamicStates-04869";
  const auto add_state = [](Pipeline& p) { p.states.push_back(VK_DYNAMIC_STATE_LOGIC_OP_EXT); };
  for (const bool has_feature : {false, true}) {
    auto features =
        Typed(VkPhysicalDeviceExtendedDynamicState2FeaturesEXT{.extendedDynamicState2LogicOp = has_feature});
    Create(OptionsWith({VK_EXT_EXTENDED_DYNAMIC_STATE_2_EXTENSION_NAME}, &features));
    Try(has_feature ? "" : kId, add_state);
    Try(has_feature ? "" : kId, [&](Pipeline& p) {
      add_state(p);
      p.create.pNext = nullptr;
    });
    if (!has_feature) {
      Pipeline twice(*this, 0);
      twice.states.resize(4, VK_DYNAMIC_STATE_LOGIC_OP_EXT);
      const SkipCalls skip(*this);
      EXPECT_EQ(twice.Create(), VK_ERROR_VALIDATION_FAILED_EXT);
      ExpectMessages({kId, "VUID-VkPipelineDynamicStateCreateInfo-pDynamicStates-01442"});
    }
    Destroy();
  }
}

}  // namespace
}  // namespace assay::stateless
