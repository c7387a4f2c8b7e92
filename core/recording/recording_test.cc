// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Command rules as an application meets them.

#include "gtest/gtest.h"
#include "testing/fixture.h"

namespace assay::core {
namespace {

class NegativeRecording : public test::ValidationTest {
  test::DeviceOptions Options() override { return {.settings = {{"validate_core", true}, {"validate_sync", false}}}; }
};
class PositiveRecording : public NegativeRecording {};

TEST_F(NegativeRecording, AfterEnd) {
  VkCommandBuffer commands = Record([](VkCommandBuffer) {});
  vk.CmdSetLineWidth(commands, 1.0f);
  EXPECT_NE(ExpectMessage("VUID-vkCmdSetLineWidth-commandBuffer-recording").text.find("is in the executable state."),
            std::string::npos);
}

TEST_F(PositiveRecording, InAndOut) {
  VkRenderingInfo rendering = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO, .renderArea = {{}, {1, 1}}, .layerCount = 1};
  Record([&](VkCommandBuffer commands) {
    for (int i = 0; i < 2; ++i) {
      vk.CmdBeginRendering(commands, &rendering);
      vk.CmdSetLineWidth(commands, 1.0f);
      vk.CmdEndRendering(commands);
    }
  });
}

}  // namespace
}  // namespace assay::core
