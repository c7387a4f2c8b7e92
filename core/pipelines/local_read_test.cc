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
  // In a render pass, the commands for these locations and indices report the id, or nothing if it is empty. Neither is
  // called for null.
  void Render(std::string_view id, const uint32_t* locations, const uint32_t* colors, const uint32_t* depth) {
    SCOPED_TRACE(id);
    Record([&](VkCommandBuffer command_buffer) {
      const VkRenderingAttachmentInfo none = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
      const VkRenderingAttachmentInfo targets[] = {none, none};
      const auto info = test::Typed(VkRenderingInfo{
          .renderArea = {{0, 0}, {16, 16}}, .layerCount = 1, .colorAttachmentCount = 2, .pColorAttachments = targets});
      vk.CmdBeginRendering(command_buffer, &info);
      ExpectNothing();
      SkipCalls skip(*this);
      const auto at = test::Of<VkRenderingAttachmentLocationInfo>(2, locations);
      if (locations != nullptr) vk.CmdSetRenderingAttachmentLocations(command_buffer, &at);
      const auto inputs = test::Of<VkRenderingInputAttachmentIndexInfo>(2, colors, depth);
      if (colors != nullptr) vk.CmdSetRenderingInputAttachmentIndices(command_buffer, &inputs);
      ExpectAlone(id);
      skip.End();
      vk.CmdEndRendering(command_buffer);
    });
    ExpectNothing();
  }
};

TEST_F(LocalRead, LocationsAndIndices) {
  Render("", kSwapped, kSwapped, nullptr);
  Render("VUID-VkRenderingAttachmentLocationInfo-pColorAttachmentLocations-09513", kTwice, nullptr, nullptr);
  Render("VUID-VkRenderingInputAttachmentIndexInfo-pColorAttachmentInputIndices-09523", nullptr, kSwapped, &kOne);
}

}  // namespace
}  // namespace assay::core
