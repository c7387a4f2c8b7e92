// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The commands of dynamic rendering that reads its attachments.

#include "testing/fixture.h"

namespace assay::core {
namespace {

constexpr uint32_t kSwapped[] = {1, 0};
constexpr uint32_t kTwice[] = {1, 1};
constexpr uint32_t kOne = 1;

class LocalRead : public test::ValidationTest {
 protected:
  // The commands in a render pass report these ids.
  void Render(const std::vector<std::string>& ids, const std::function<void(VkCommandBuffer)>& commands) {
    Record([&](VkCommandBuffer command_buffer) {
      const VkRenderingAttachmentInfo none = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
      const VkRenderingAttachmentInfo colors[] = {none, none};
      const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                    .renderArea = {{0, 0}, {16, 16}},
                                    .layerCount = 1,
                                    .colorAttachmentCount = 2,
                                    .pColorAttachments = colors};
      vk.CmdBeginRendering(command_buffer, &info);
      ExpectNothing();
      SkipCalls skip(*this);
      commands(command_buffer);
      ExpectMessages(ids);
      skip.End();
      vk.CmdEndRendering(command_buffer);
    });
    ExpectNothing();
  }
  void SetLocations(VkCommandBuffer command_buffer, const uint32_t* locations) {
    const VkRenderingAttachmentLocationInfo info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO, nullptr, 2,
                                                    locations};
    vk.CmdSetRenderingAttachmentLocations(command_buffer, &info);
  }
  void SetIndices(VkCommandBuffer command_buffer, const uint32_t* colors, const uint32_t* depth) {
    const VkRenderingInputAttachmentIndexInfo info = {VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO, nullptr,
                                                      2, colors, depth};
    vk.CmdSetRenderingInputAttachmentIndices(command_buffer, &info);
  }
};

TEST_F(LocalRead, Correct) {
  Render({}, [&](VkCommandBuffer command_buffer) {
    SetLocations(command_buffer, kSwapped);
    SetIndices(command_buffer, kSwapped, nullptr);
  });
}
TEST_F(LocalRead, Locations) {
  Render({"VUID-VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09513"},
         [&](VkCommandBuffer command_buffer) { SetLocations(command_buffer, kTwice); });
}
TEST_F(LocalRead, Indices) {
  Render({"VUID-VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09523"},
         [&](VkCommandBuffer command_buffer) { SetIndices(command_buffer, kSwapped, &kOne); });
}

}  // namespace
}  // namespace assay::core
