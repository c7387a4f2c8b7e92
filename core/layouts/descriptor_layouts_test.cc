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

using ::testing::HasSubstr;

constexpr VkImageLayout kReadOnly = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
constexpr VkPipelineBindPoint kCompute = VK_PIPELINE_BIND_POINT_COMPUTE;
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
  void Barrier(VkCommandBuffer commands, VkImageLayout from, VkImageLayout to) {
    PipelineBarrier(commands, BarrierOf(image_, from, to, image_.Range()));
  }
  void UseSet(VkCommandBuffer commands, VkPipelineBindPoint point) {
    vk.CmdBindDescriptorSets(commands, point, layout(), 0, 1, &set_, 0, nullptr);
  }
  // A pipeline, and the set.
  void BindCompute(VkCommandBuffer commands, VkPipeline pipeline) {
    Bind(commands, pipeline, kCompute);
    UseSet(commands, kCompute);
  }
  // Records vkCmdDispatch with the set, after `before`.
  template <class F>
  VkCommandBuffer Dispatch(const F& before) {
    const VkPipeline pipeline = MakeCompute();
    return Record([&](VkCommandBuffer commands) {
      before(commands);
      BindCompute(commands, pipeline);
      vk.CmdDispatch(commands, 1, 1, 1);
    });
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
      const VkPipeline pipeline = PlainPipelineOf(call);
      Record([&](VkCommandBuffer commands) {
        Barrier(commands, kUndefined, actual);
        BeginPass(call, commands);
        vk.CmdBindIndexBuffer(commands, MakeBuffer(64, VK_BUFFER_USAGE_INDEX_BUFFER_BIT), 0, VK_INDEX_TYPE_UINT32);
        Bind(commands, pipeline, PointOf(call));
        UseSet(commands, PointOf(call));
        if (actual == kGeneral) {
          ExpectRule(call, commands, kWrongLayout);
        } else {
          ExpectSilence(call, commands);
        }
        EndPass(call, commands);
      });
    }
  }
}
TEST_F(DescriptorLayouts, Text) {
  StartWithImage();
  Dispatch([&](VkCommandBuffer commands) { Barrier(commands, kUndefined, kGeneral); });
  const std::string text = ExpectMessage("VUID-vkCmdDispatch-None-09600").text;
  EXPECT_THAT(text,
              HasSubstr("The compute shader accesses binding 0 of set 0, whose imageLayout "
                        "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL is not the layout of mip level 0, array layer 0 "
                        "of VkImage 0x"));
  EXPECT_THAT(text, HasSubstr(", which vkCmdPipelineBarrier2() left in VK_IMAGE_LAYOUT_GENERAL."));
}
// A barrier between two equal dispatches.
TEST_F(DescriptorLayouts, ChangesAreSeen) {
  StartWithImage();
  const VkPipeline pipeline = MakeCompute();
  Record([&](VkCommandBuffer commands) {
    Barrier(commands, kUndefined, kReadOnly);
    BindCompute(commands, pipeline);
    for (int i = 0; i < 3; ++i) vk.CmdDispatch(commands, 1, 1, 1);
    ExpectNothing();
    Barrier(commands, kReadOnly, kGeneral);
    vk.CmdDispatch(commands, 1, 1, 1);
    ExpectMessage("VUID-vkCmdDispatch-None-09600");
  });
}

// What a recording expects is compared when it is submitted.
TEST_F(DescriptorLayouts, InSubmissions) {
  StartWithImage();
  const VkCommandBuffer dispatch = Dispatch([](VkCommandBuffer) {});
  ExpectNothing();
  Submit(Queue(), {dispatch});
  EXPECT_THAT(ExpectMessage("VUID-vkCmdDispatch-None-09600").text, HasSubstr("vkCmdDispatch()"));
  ExpectNothing();
  MakeNew();
  const VkCommandBuffer right = Dispatch([](VkCommandBuffer) {});
  Submit(Queue(), {Record([&](VkCommandBuffer commands) { Barrier(commands, kUndefined, kReadOnly); }), right});
  ExpectNothing();
}
TEST_F(DescriptorLayouts, CombinedImageSamplers) {
  Start();
  Use({.is_combined = true, .body = "%value = OpImageSampleExplicitLod %v4 %loaded %null2 Lod %null1"},
      VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER);
  MakeNew();
  WriteImage(set_, 0, type_, view_, kReadOnly, MakeSampler());
  Dispatch([&](VkCommandBuffer commands) { Barrier(commands, kUndefined, kGeneral); });
  ExpectMessage("VUID-VkDescriptorImageInfo-imageLayout-00344");
}

// In a render pass instance, its attachments have the layouts that it says.
TEST_F(DescriptorLayouts, Attachments) {
  StartWithImage();
  const ActionCall& draw = CallOf(vk::CommandId::kCmdDraw);
  const VkPipeline pipeline = PlainPipelineOf(draw);
  Record([&](VkCommandBuffer commands) {
    Barrier(commands, kUndefined, kGeneral);
    BeginRendering(commands, {.color = view_});
    Bind(commands, pipeline);
    UseSet(commands, VK_PIPELINE_BIND_POINT_GRAPHICS);
    ExpectSilence(draw, commands);
    vk.CmdEndRendering(commands);
    BeginRendering(commands);
    ExpectRule(draw, commands, kWrongLayout);
    vk.CmdEndRendering(commands);
  });
}
// Whether the command is executed is known only then.
TEST_F(DescriptorLayouts, ConditionalRendering) {
  StartWithImage({.extensions = {"VK_EXT_conditional_rendering"}});
  const auto condition = Typed(
      VkConditionalRenderingBeginInfoEXT{.buffer = MakeBuffer(64, VK_BUFFER_USAGE_CONDITIONAL_RENDERING_BIT_EXT)});
  const VkPipeline pipeline = MakeCompute();
  Record([&](VkCommandBuffer commands) {
    Barrier(commands, kUndefined, kGeneral);
    BindCompute(commands, pipeline);
    vk.CmdBeginConditionalRenderingEXT(commands, &condition);
    vk.CmdDispatch(commands, 1, 1, 1);
    vk.CmdEndConditionalRenderingEXT(commands);
    ExpectNothing();
    vk.CmdDispatch(commands, 1, 1, 1);
    ExpectMessage("VUID-vkCmdDispatch-None-09600");
  });
}

}  // namespace
}  // namespace assay::core
