// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Layouts of images that shaders access through descriptors, for every command that runs shaders, through the whole
// layer.

#include <string>
#include <string_view>

#include "core/descriptors/bound_test.h"
#include "core/layouts/layout_test.h"
#include "gmock/gmock.h"

namespace assay::core {
namespace {

constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr std::string_view kWrongLayout = "None-09600";

class DescriptorLayouts : public BoundTest {
 protected:
  void StartWithImage(const StartOptions& options = {}) {
    Start(options);
    Use({.body = "%value = OpImageFetch %v4 %loaded %at Lod %zero"}, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE);
    MakeNew();
  }
  // Another image, in another set.
  void MakeNew() {
    image_ =
        MakeImage(kFormat, 64, 64,
                  VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    view_ = MakeView(image_);
    set_ = MakeSet(set_layout_);
    WriteImage(set_, 0, type_, view_, kReadOnly, MakeSampler());
  }
  // Of what is recorded.
  void Barrier(VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(commands_, BarrierOf(image_, from, to, image_.Range()));
  }
  // Begins to record the command, with its pipeline and the set: with the image in that layout, unless it is
  // VK_IMAGE_LAYOUT_UNDEFINED.
  void BeginIn(VkImageLayout actual, const ActionCall& call = CallOf(vk::CommandId::kCmdDispatch)) {
    BeginWith(call);
    if (actual != kUndefined) Barrier(kUndefined, actual);
    BeginPass();
    BindPlain();
    BindSet(set_);
  }
  // Without a layout.
  VkCommandBuffer RecordDispatch() {
    BeginIn(kUndefined);
    ExpectSilence();
    End(commands_);
    return commands_;
  }

  test::Image image_;
  VkImageView view_ = VK_NULL_HANDLE;
  VkDescriptorSet set_ = VK_NULL_HANDLE;
};

// The image is in another layout, and then in the right one.
TEST_F(DescriptorLayouts, InRecordings) {
  StartWithImage();
  for (const ActionCall& call : ActionCalls()) {
    SCOPED_TRACE(std::string(call.name));
    for (const VkImageLayout actual : {kGeneral, kReadOnly}) {
      BeginIn(actual, call);
      vk.CmdBindIndexBuffer(commands_, MakeBuffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0, VK_INDEX_TYPE_UINT32);
      ExpectRule(actual == kGeneral ? kWrongLayout : "");
      EndFor();
    }
  }
}
TEST_F(DescriptorLayouts, Text) {
  StartWithImage();
  BeginIn(kGeneral);
  ExpectTexts(kWrongLayout, {"The compute shader accesses binding 0 of set 0, whose imageLayout "
                             "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL is not the layout of mip level 0, array layer 0 "
                             "of VkImage 0x",
                             ", which vkCmdPipelineBarrier2() left in VK_IMAGE_LAYOUT_GENERAL."});
}
// A barrier between two equal dispatches.
TEST_F(DescriptorLayouts, ChangesAreSeen) {
  StartWithImage();
  BeginIn(kReadOnly);
  for (int i = 0; i < 3; ++i) ExpectSilence();
  Barrier(kReadOnly, kGeneral);
  ExpectRule(kWrongLayout);
}

// What a recording expects is compared when it is submitted.
TEST_F(DescriptorLayouts, InSubmissions) {
  StartWithImage();
  Submit(Queue(), {RecordDispatch()});
  EXPECT_THAT(ExpectMessage("VUID-vkCmdDispatch-None-09600").text, ::testing::HasSubstr("vkCmdDispatch()"));
  ExpectNothing();
  MakeNew();
  const VkImageMemoryBarrier2 barrier = BarrierOf(image_, kUndefined, kReadOnly, image_.Range());
  Submit(Queue(), {Record([&](VkCommandBuffer commands) { PipelineBarrier(commands, barrier); }), RecordDispatch()});
  ExpectNothing();
}
TEST_F(DescriptorLayouts, CombinedImageSamplers) {
  Use({.is_combined = true, .body = "%value = OpImageSampleExplicitLod %v4 %loaded %null2 Lod %null1"},
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  MakeNew();
  BeginIn(kGeneral);
  Run();
  ExpectMessage("VUID-VkDescriptorImageInfo-imageLayout-00344");
}

// In a render pass instance, its attachments have the layouts that it says.
TEST_F(DescriptorLayouts, Attachments) {
  StartWithImage();
  BeginWith(CallOf(vk::CommandId::kCmdDraw));
  Barrier(kUndefined, kGeneral);
  BeginRendering(commands_, {.color = view_});
  BindPlain();
  BindSet(set_);
  ExpectSilence();
  RenderInstead({});
  ExpectRule(kWrongLayout);
  EndFor();
}
// Whether the command is executed is known only then.
TEST_F(DescriptorLayouts, ConditionalRendering) {
  StartWithImage({.extensions = {"VK_EXT_conditional_rendering"}});
  const auto condition = Typed(
      VkConditionalRenderingBeginInfoEXT{.buffer = MakeBuffer(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT)});
  BeginIn(kGeneral);
  vk.CmdBeginConditionalRenderingEXT(commands_, &condition);
  ExpectSilence();
  vk.CmdEndConditionalRenderingEXT(commands_);
  ExpectRule(kWrongLayout);
}

}  // namespace
}  // namespace assay::core
