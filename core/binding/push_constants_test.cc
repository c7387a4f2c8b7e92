// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// For which stages push constants are set, by both forms of the command.

#include <string_view>

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr VkShaderStageFlags kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr VkShaderStageFlags kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr VkShaderStageFlags kCompute = VK_SHADER_STAGE_COMPUTE_BIT;

class PushConstants : public test::ValidationTest {
 protected:
  // The first 64 bytes are for compute shaders, those from 64 on for vertex shaders, those from 96 on also for fragment
  // shaders.
  void SetUp() override {
    ValidationTest::SetUp();
    const VkPushConstantRange ranges[] = {{kCompute, 0, 64}, {kVertex, 64, 64}, {kFragment, 96, 32}};
    const VkPipelineLayoutCreateInfo info = {.pushConstantRangeCount = 3, .pPushConstantRanges = ranges};
    layout_ = MakeFrom(info, vk.CreatePipelineLayout, vk.DestroyPipelineLayout);
    Begin(commands_ = MakeCommandBuffer());
  }
  // With both forms of the command; `rule` is empty for what is right.
  void Push(std::string_view rule, VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    SCOPED_TRACE(rule);
    vk.CmdPushConstants(commands_, layout_, stages, offset, size, data_);
    ExpectAlone("vkCmdPushConstants", rule);
    const auto info = test::Of<VkPushConstantsInfo>(layout_, stages, offset, size, data_);
    vk.CmdPushConstants2(commands_, &info);
    ExpectAlone("VkPushConstantsInfo", rule);
  }

  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  const uint8_t data_[128] = {};
};

TEST_F(PushConstants, StagesOfTheRanges) {
  Push("", kCompute, 0, 64);
  Push("", kCompute, 60, 4);
  Push("", kVertex, 64, 32);
  Push("", kVertex | kFragment, 96, 32);
}

TEST_F(PushConstants, NegativeStageWithoutRange) {
  Push("offset-01795", kVertex, 0, 4);
  Push("offset-01795", kCompute | kVertex, 0, 64);
  // The first bytes have no fragment shader.
  Push("offset-01795", kVertex | kFragment, 64, 64);
  Push("offset-01795", kCompute, 32, 64);
}

TEST_F(PushConstants, NegativeRangeWithAnotherStage) {
  Push("offset-01796", kVertex, 96, 4);
  // The last bytes have a fragment shader, too.
  Push("offset-01796", kVertex, 64, 64);
}

}  // namespace
}  // namespace assay::core
