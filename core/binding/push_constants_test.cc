// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// For which stages push constants are set, by both forms of the command.

#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
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
    const VkPipelineLayoutCreateInfo info = {.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                             .pushConstantRangeCount = 3,
                                             .pPushConstantRanges = ranges};
    ASSERT_EQ(vk.CreatePipelineLayout(device, &info, nullptr, &layout_), VK_SUCCESS);
    Defer(layout_, [this] { vk.DestroyPipelineLayout(device, layout_, nullptr); });
    commands_ = MakeCommandBuffer();
    Begin(commands_);
  }
  void PushOld(VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    vk.CmdPushConstants(commands_, layout_, stages, offset, size, data_);
  }
  void PushNew(VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    const VkPushConstantsInfo info = {.sType = VK_STRUCTURE_TYPE_PUSH_CONSTANTS_INFO,
                                      .layout = layout_,
                                      .stageFlags = stages,
                                      .offset = offset,
                                      .size = size,
                                      .pValues = data_};
    vk.CmdPushConstants2(commands_, &info);
  }
  void ExpectSilence(VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    PushOld(stages, offset, size);
    PushNew(stages, offset, size);
    ExpectNothing();
  }
  void ExpectOf(std::string_view rule, VkShaderStageFlags stages, uint32_t offset, uint32_t size) {
    PushOld(stages, offset, size);
    ExpectMessage(absl::StrCat("VUID-vkCmdPushConstants-", rule));
    PushNew(stages, offset, size);
    ExpectMessage(absl::StrCat("VUID-VkPushConstantsInfo-", rule));
    ExpectNothing();
  }

  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkCommandBuffer commands_ = VK_NULL_HANDLE;
  const uint8_t data_[128] = {};
};

TEST_F(PushConstants, StagesOfTheRanges) {
  ExpectSilence(kCompute, 0, 64);
  ExpectSilence(kCompute, 60, 4);
  ExpectSilence(kVertex, 64, 32);
  ExpectSilence(kVertex | kFragment, 96, 32);
}

TEST_F(PushConstants, NegativeStageWithoutRange) {
  ExpectOf("offset-01795", kVertex, 0, 4);
  ExpectOf("offset-01795", kCompute | kVertex, 0, 64);
  // The first bytes have no fragment shader.
  ExpectOf("offset-01795", kVertex | kFragment, 64, 64);
  ExpectOf("offset-01795", kCompute, 32, 64);
}

TEST_F(PushConstants, NegativeRangeWithAnotherStage) {
  ExpectOf("offset-01796", kVertex, 96, 4);
  // The last bytes have a fragment shader, too.
  ExpectOf("offset-01796", kVertex, 64, 64);
}

}  // namespace
}  // namespace assay::core
