// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The render pass instance of a command buffer, of dynamic rendering.

#include <cstdint>
#include <vector>

#include "state/hooks/state_test.h"

namespace assay::state {
namespace {

constexpr VkImageLayout kGeneral = VK_IMAGE_LAYOUT_GENERAL;
constexpr VkFormat kFormat = VK_FORMAT_R8G8B8A8_UNORM;

class DynamicRenderingState : public StateTest {
 protected:
  static const RenderPassInstance& Scope(VkCommandBuffer commands) { return DeviceState::Get(commands)->rendering; }
  VkCommandBuffer Begun() {
    VkCommandBuffer commands = MakeCommandBuffer();
    Begin(commands);
    return commands;
  }
  VkImageView MakeTarget() { return MakeView(MakeImage(kFormat, 16, 16)); }
};

VkRenderingAttachmentInfo AttachmentInfo(VkImageView view) {
  return {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
          .imageView = view,
          .imageLayout = kGeneral,
          .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
          .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
}

TEST_F(DynamicRenderingState, Attachments) {
  VkImageView color = MakeTarget(), resolve = MakeTarget(), depth = MakeView(MakeImage(VK_FORMAT_D32_SFLOAT, 16, 16));
  VkImageView rate_view = MakeView(MakeImage(VK_FORMAT_R8_UINT, 16, 16));
  VkRenderingAttachmentInfo colors[] = {AttachmentInfo(VK_NULL_HANDLE), AttachmentInfo(color)};
  colors[1].resolveMode = VK_RESOLVE_MODE_AVERAGE_BIT;
  colors[1].resolveImageView = resolve;
  colors[1].resolveImageLayout = kGeneral;
  VkRenderingAttachmentInfo depth_info = AttachmentInfo(depth);
  // Without a resolve mode there is no resolve attachment, whatever the other members are.
  depth_info.resolveImageView = resolve;
  VkRenderingFragmentShadingRateAttachmentInfoKHR rate = {
      VK_STRUCTURE_TYPE_RENDERING_FRAGMENT_SHADING_RATE_ATTACHMENT_INFO_KHR, nullptr, rate_view, kGeneral, {8, 16}};
  VkRenderingInfo info = {VK_STRUCTURE_TYPE_RENDERING_INFO,
                          &rate,
                          VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
                          {{1, 2}, {3, 4}},
                          5,
                          0,
                          2,
                          colors,
                          &depth_info,
                          nullptr};
  VkCommandBuffer commands = Begun();
  vk.CmdBeginRendering(commands, &info);
  const RenderPassInstance& scope = Scope(commands);
  EXPECT_EQ(scope.kind(), RenderPassInstance::Kind::kDynamic);
  EXPECT_EQ(scope.layer_count(), 5u);
  EXPECT_EQ(scope.render_area().offset.y, 2);
  EXPECT_EQ(scope.contents(), VK_SUBPASS_CONTENTS_SECONDARY_COMMAND_BUFFERS);
  const DynamicRendering& dynamic = scope.dynamic();
  EXPECT_NE(dynamic.flags & VK_RENDERING_SUSPENDING_BIT, 0u);
  ASSERT_EQ(dynamic.colors.size(), 2u);
  EXPECT_FALSE(dynamic.colors[0].view);
  EXPECT_EQ(dynamic.colors[0].format, VK_FORMAT_UNDEFINED);
  EXPECT_EQ(dynamic.colors[1].view.get(), StateOf<ImageView>(color));
  EXPECT_EQ(dynamic.colors[1].load_op, VK_ATTACHMENT_LOAD_OP_LOAD);
  EXPECT_EQ(dynamic.colors[1].store_op, VK_ATTACHMENT_STORE_OP_STORE);
  EXPECT_EQ(dynamic.colors[1].resolve_view.get(), StateOf<ImageView>(resolve));
  EXPECT_EQ(dynamic.depth.format, VK_FORMAT_D32_SFLOAT);
  EXPECT_FALSE(dynamic.depth.resolve_view);
  EXPECT_FALSE(dynamic.stencil.view);
  EXPECT_EQ(scope.color_count(), 2u);
  EXPECT_EQ(scope.ColorAttachment(0), nullptr);
  EXPECT_EQ(scope.ColorAttachment(1), StateOf<ImageView>(color));
  EXPECT_EQ(scope.DepthAttachment(), StateOf<ImageView>(depth));
  EXPECT_EQ(scope.StencilAttachment(), nullptr);
  EXPECT_EQ(dynamic.fragment_shading_rate.get(), StateOf<ImageView>(rate_view));
  EXPECT_EQ(dynamic.shading_rate_texel_size.width, 8u);
  vk.CmdEndRendering(commands);
  EXPECT_FALSE(scope.is_active());
  EXPECT_TRUE(scope.dynamic().colors.empty());
}
// Beginning the same again allocates nothing.
TEST_F(DynamicRenderingState, KeepsItsMemory) {
  const std::vector<VkRenderingAttachmentInfo> colors(8, AttachmentInfo(VK_NULL_HANDLE));
  const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                .renderArea = {{0, 0}, {16, 16}},
                                .layerCount = 1,
                                .colorAttachmentCount = static_cast<uint32_t>(colors.size()),
                                .pColorAttachments = colors.data()};
  VkCommandBuffer commands = Begun();
  vk.CmdBeginRendering(commands, &info);
  const DynamicRendering& dynamic = Scope(commands).dynamic();
  EXPECT_EQ(dynamic.colors.size(), colors.size());
  vk.CmdEndRendering(commands);
  EXPECT_TRUE(dynamic.colors.empty());
  EXPECT_GE(dynamic.colors.capacity(), colors.size());
}
TEST_F(DynamicRenderingState, LocationsAndInputIndices) {
  VkRenderingAttachmentInfo colors[] = {AttachmentInfo(MakeTarget()), AttachmentInfo(MakeTarget())};
  VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                          .renderArea = {{0, 0}, {16, 16}},
                          .layerCount = 1,
                          .viewMask = 3,
                          .colorAttachmentCount = 2,
                          .pColorAttachments = colors};
  const uint32_t locations[] = {VK_ATTACHMENT_UNUSED, 0};
  VkRenderingAttachmentLocationInfo location_info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO, nullptr, 2,
                                                     locations};
  const uint32_t indices[] = {7, VK_ATTACHMENT_UNUSED}, depth_index = 4;
  VkRenderingInputAttachmentIndexInfo index_info = {
      VK_STRUCTURE_TYPE_RENDERING_INPUT_ATTACHMENT_INDEX_INFO, nullptr, 2, indices, &depth_index, nullptr};
  VkCommandBuffer commands = Begun();
  // Outside of a render pass instance they have no effect.
  vk.CmdSetRenderingAttachmentLocations(commands, &location_info);
  vk.CmdSetRenderingInputAttachmentIndices(commands, &index_info);
  vk.CmdBeginRendering(commands, &info);
  const DynamicRendering& dynamic = Scope(commands).dynamic();
  EXPECT_EQ(Scope(commands).view_mask(), 3u);
  EXPECT_EQ(dynamic.ColorAtLocation(1), 1u);
  EXPECT_EQ(dynamic.ColorAtLocation(2), VK_ATTACHMENT_UNUSED);
  EXPECT_EQ(dynamic.color_input_indices[1], 1u);
  EXPECT_TRUE(dynamic.depth_input_has_no_index);
  const uint32_t version = Scope(commands).version();
  vk.CmdSetRenderingAttachmentLocations(commands, &location_info);
  vk.CmdSetRenderingInputAttachmentIndices(commands, &index_info);
  EXPECT_NE(Scope(commands).version(), version);
  EXPECT_EQ(dynamic.ColorAtLocation(0), 1u);
  EXPECT_EQ(dynamic.ColorAtLocation(1), VK_ATTACHMENT_UNUSED);
  EXPECT_EQ(dynamic.color_input_indices[0], 7u);
  EXPECT_EQ(dynamic.depth_input_index, 4u);
  EXPECT_FALSE(dynamic.depth_input_has_no_index);
  EXPECT_TRUE(dynamic.stencil_input_has_no_index);
  vk.CmdEndRendering(commands);
  // The attachments are loaded again.
  VkMemoryBarrier between = {VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT,
                             VK_ACCESS_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_COLOR_ATTACHMENT_WRITE_BIT};
  vk.CmdPipelineBarrier(commands, VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT,
                        VK_PIPELINE_STAGE_COLOR_ATTACHMENT_OUTPUT_BIT, 0, 1, &between, 0, nullptr, 0, nullptr);
  vk.CmdBeginRendering(commands, &info);
  EXPECT_EQ(dynamic.ColorAtLocation(0), 0u);
  EXPECT_EQ(dynamic.color_input_indices[0], 0u);
}
TEST_F(DynamicRenderingState, SecondaryInherits) {
  const VkFormat formats[] = {kFormat, VK_FORMAT_UNDEFINED};
  const uint32_t locations[] = {1, 0};
  VkRenderingAttachmentLocationInfo location_info = {VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_LOCATION_INFO, nullptr, 2,
                                                     locations};
  VkCommandBufferInheritanceRenderingInfo rendering = {VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_RENDERING_INFO,
                                                       &location_info,
                                                       VK_RENDERING_CONTENTS_SECONDARY_COMMAND_BUFFERS_BIT,
                                                       4,
                                                       2,
                                                       formats,
                                                       VK_FORMAT_D32_SFLOAT,
                                                       VK_FORMAT_UNDEFINED,
                                                       VK_SAMPLE_COUNT_4_BIT};
  const VkCommandBufferInheritanceInfo inheritance = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
                                                      .pNext = &rendering};
  const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                          .flags = VK_COMMAND_BUFFER_USAGE_RENDER_PASS_CONTINUE_BIT,
                                          .pInheritanceInfo = &inheritance};
  VkCommandBuffer commands = MakeCommandBuffer(0, VK_COMMAND_BUFFER_LEVEL_SECONDARY);
  EXPECT_EQ(vk.BeginCommandBuffer(commands, &begin), VK_SUCCESS);
  const RenderPassInstance& scope = Scope(commands);
  EXPECT_EQ(scope.kind(), RenderPassInstance::Kind::kDynamic);
  EXPECT_TRUE(scope.is_inherited());
  EXPECT_EQ(scope.view_mask(), 4u);
  ASSERT_EQ(scope.dynamic().colors.size(), 2u);
  EXPECT_EQ(scope.dynamic().colors[0].format, kFormat);
  EXPECT_FALSE(scope.dynamic().colors[0].view);
  EXPECT_EQ(scope.dynamic().depth.format, VK_FORMAT_D32_SFLOAT);
  EXPECT_EQ(scope.dynamic().ColorAtLocation(0), 1u);
  EXPECT_EQ(scope.dynamic().inherited_samples, VkSampleCountFlags{VK_SAMPLE_COUNT_4_BIT});
  // In itself it records commands.
  EXPECT_EQ(scope.contents(), VK_SUBPASS_CONTENTS_INLINE);
}

}  // namespace
}  // namespace assay::state
