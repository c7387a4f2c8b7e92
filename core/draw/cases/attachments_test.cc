// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether fixed functions suit the attachments of a draw: for every draw, through the whole layer.

#include <string_view>
#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

constexpr VkDynamicState kDepthTest = VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE;
constexpr VkDynamicState kDepthCompareOp = VK_DYNAMIC_STATE_DEPTH_COMPARE_OP;
constexpr VkDynamicState kDepthWrite = VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE;
constexpr VkDynamicState kStencilTest = VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE;

SetFunction TestDepth(VkBool32 writes) { return Both(Sets(kDepthTest, VK_TRUE), Sets(kDepthWrite, writes)); }
SetFunction WriteStencil(uint32_t mask = 1) {
  constexpr VkStencilFaceFlags kFaces = VK_STENCIL_FACE_FRONT_AND_BACK;
  constexpr VkStencilOp kReplace = VK_STENCIL_OP_REPLACE;
  return Both(Sets(kStencilTest, VK_TRUE), Both(Calls(&test::Functions::CmdSetStencilWriteMask, kFaces, mask),
                                                Calls(&test::Functions::CmdSetStencilOp, kFaces, kReplace, kReplace,
                                                      kReplace, VK_COMPARE_OP_ALWAYS)));
}
SetFunction SetMask(VkSampleCountFlagBits samples) {
  static constexpr VkSampleMask kMask = 1;
  return Calls(&test::Functions::CmdSetSampleMaskEXT, samples, &kMask);
}
const PipelineOptions kSetsDepth = {.dynamic = {kDepthTest, kDepthWrite}};
const PipelineOptions kSetsDepthAndCompareOp = {.dynamic = {kDepthTest, kDepthWrite, kDepthCompareOp}};
const PipelineOptions kSetsStencil = {
    .dynamic = {kStencilTest, VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_OP}};

TEST_F(Attachments, ReadOnlyLayouts) {
  Start();
  const auto layouts = [](VkImageLayout depth, VkImageLayout stencil) {
    return RenderingOptions{.depth_layout = depth, .stencil_layout = stencil};
  };
  const auto same = [&](VkImageLayout layout) { return layouts(layout, layout); };
  const auto both = same(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
  const auto depth = same(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
  const auto stencil = same(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL);
  const auto apart = layouts(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
  const auto any = same(VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
  RunCases({
      // Only tests are right.
      {"imageView-06172", kSetsDepth, both, TestDepth(VK_TRUE), TestDepth(VK_FALSE)},
      {"imageView-06172", kSetsDepthAndCompareOp, both,
       Both(TestDepth(VK_TRUE), Sets(kDepthCompareOp, VK_COMPARE_OP_EQUAL)),
       Both(TestDepth(VK_TRUE), Sets(kDepthCompareOp, VK_COMPARE_OP_NEVER))},
      {"imageView-06173", kSetsStencil, both, WriteStencil(), WriteStencil(0)},
      {"imageView-06174", kSetsDepth, depth, TestDepth(VK_TRUE)},
      {"", kSetsStencil, depth, WriteStencil()},
      {"imageView-06175", kSetsStencil, stencil, WriteStencil()},
      {"", kSetsDepth, stencil, TestDepth(VK_TRUE)},
      {"imageView-06176", kSetsDepth, apart, TestDepth(VK_TRUE)},
      {"imageView-06177", kSetsStencil, apart, WriteStencil()},
      {"None-06886", kSetsDepth, any, TestDepth(VK_TRUE)},
      {"None-06887", kSetsStencil, any, WriteStencil()},
  });
}

TEST_F(Attachments, Samples) {
  Start();
  const SetFunction set_four = Sets(kSamples, kFour);
  const std::vector<VkFormat> no_color = {VK_FORMAT_UNDEFINED};
  const PipelineOptions sets_samples = {.dynamic = {kSamples}};
  const PipelineOptions without_color = {.dynamic = {kSamples}, .colors = no_color};
  const PipelineOptions with_stencil = {.dynamic = {kSamples}, .colors = no_color, .depth = VK_FORMAT_UNDEFINED};
  const RenderingOptions four = {.color = MakeAttachment(kColor, kFour), .depth = MakeAttachment(kDepth, kFour)};
  const PipelineOptions mixed = {.mixed_samples = kFour};
  RunCases({
      {"multisampledRenderToSingleSampled-07285", {}, four},
      {"multisampledRenderToSingleSampled-07285", sets_samples, {}, set_four},
      {"", sets_samples, four, set_four},
      {"multisampledRenderToSingleSampled-07286", without_color, {.has_color = false}, set_four},
      {"multisampledRenderToSingleSampled-07287", with_stencil, {.has_color = false, .has_depth = false}, set_four},
      {"", mixed, four},
      {"colorAttachmentCount-06185", mixed, {}},
      {"pDepthAttachment-06186", {.colors = no_color, .mixed_samples = kFour}, {.has_color = false}},
      {"pStencilAttachment-06187",
       {.colors = no_color, .depth = VK_FORMAT_UNDEFINED, .mixed_samples = kFour},
       {.has_color = false, .has_depth = false}},
  });
}
TEST_F(Attachments, SamplesOfShaders) {
  Start({.has_shader_objects = true, .has_mixed_samples = false});
  RunShaders("", {}, nullptr);
  RunShaders("None-08644", {}, Both(Sets(kSamples, kFour), SetMask(kFour)));
}

TEST_F(Attachments, RenderPasses) {
  Start({.has_mixed_samples = false});
  const VkRenderPass pass = MakePass({kColor, kDepth}, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, 1);
  const std::vector<VkImageView> views = {MakeAttachment(kColor), MakeAttachment(kDepth)};
  const std::vector<AttachmentCase> cases = {
      {"", {}},
      {"None-06886", kSetsDepth, {}, TestDepth(VK_TRUE)},
      {"None-06887", kSetsStencil, {}, WriteStencil()},
      {"multisampledRenderToSingleSampled-07284", {.dynamic = {kSamples}}, {}, Sets(kSamples, kFour)},
  };
  for (const AttachmentCase& row : cases) {
    SCOPED_TRACE(row.rule.empty() ? "correct" : row.rule);
    RecordEachIn(pass, views, DrawRecording::kGraphics, [&] {
      PipelineOptions options = row.pipeline;
      options.render_pass = pass;
      BindWith(options);
      if (row.set) row.set(vk, commands_);
      ExpectRule(row.rule);
    });
  }
}

TEST_F(Attachments, SampleMasks) {
  Start();
  const RenderingOptions four = {.color = MakeAttachment(kColor, kFour), .depth = MakeAttachment(kDepth, kFour)};
  const PipelineOptions sets_mask = {.dynamic = {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT}, .samples = kFour};
  const PipelineOptions sets_both = {.dynamic = {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, kSamples}};
  RunCases({
      {"samples-07472", sets_mask, four, SetMask(VK_SAMPLE_COUNT_1_BIT), SetMask(kFour)},
      {"samples-07473", sets_both, four, Both(SetMask(VK_SAMPLE_COUNT_1_BIT), Sets(kSamples, kFour))},
  });
}

TEST_F(Attachments, Blending) {
  // Linear images cannot blend.
  driver().config().formats[VK_FORMAT_R8G8_UNORM] = {
      .linearTilingFeatures = VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT,
      .optimalTilingFeatures =
          VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BIT | VK_FORMAT_FEATURE_2_COLOR_ATTACHMENT_BLEND_BIT};
  Start({.has_shader_objects = true});
  const RenderingOptions linear = {
      .color = MakeAttachment(VK_FORMAT_R8G8_UNORM, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_TILING_LINEAR)};
  const RenderingOptions optimal = {.color = MakeAttachment(VK_FORMAT_R8G8_UNORM)};
  const SetFunction blend = Sets(kEnables, VK_TRUE);
  const PipelineOptions blends = {.has_blend_constants = true, .colors = {VK_FORMAT_R8G8_UNORM}};
  const PipelineOptions sets = {.dynamic = {kEnables}, .colors = {VK_FORMAT_R8G8_UNORM}};
  RunCases({
      {"blendEnable-04727", blends, linear},
      {"", blends, optimal},
      {"pColorBlendEnables-07470", sets, linear, blend},
      {"", sets, optimal, blend},
  });
  RunShaders("None-08643", linear, blend);
  RunShaders("", optimal, blend);
}

constexpr VkDynamicState kWrites = VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT;

// Sets a state of some attachments; switches are on.
void SetSome(const test::Functions& vk, VkCommandBuffer commands, VkDynamicState state, uint32_t first,
             uint32_t count) {
  constexpr VkBool32 kTrue[] = {VK_TRUE, VK_TRUE};
  constexpr VkColorBlendEquationEXT kPlain[2] = {};
  constexpr VkColorBlendAdvancedEXT kPlainAdvanced[2] = {};
  constexpr VkColorComponentFlags kNone[2] = {};
  if (state == kEnables) vk.CmdSetColorBlendEnableEXT(commands, first, count, kTrue);
  if (state == kEquations) vk.CmdSetColorBlendEquationEXT(commands, first, count, kPlain);
  if (state == kAdvanced) vk.CmdSetColorBlendAdvancedEXT(commands, first, count, kPlainAdvanced);
  if (state == kMasks) vk.CmdSetColorWriteMaskEXT(commands, first, count, kNone);
  if (state == kWrites) vk.CmdSetColorWriteEnableEXT(commands, count, kTrue);
}

TEST_F(Attachments, StatesOfAllAttachments) {
  Start({.has_shader_objects = true});
  const RenderingOptions two = {.second = MakeAttachment(kColor)};
  const struct {
    std::string_view of_pipelines;
    std::string_view of_shaders;
    // The rules are those of the last one.
    std::vector<VkDynamicState> states;
  } rows[] = {{"firstAttachment-07476", "rasterizerDiscardEnable-09417", {kEnables}},
              {"firstAttachment-07477", "rasterizerDiscardEnable-09418", {kEnables, kEquations}},
              {"firstAttachment-07478", "rasterizerDiscardEnable-09419", {kMasks}},
              {"firstAttachment-07479", "", {kEnables, kAdvanced}},
              {"attachmentCount-07750", "None-08647", {kWrites}}};
  for (const auto& [of_pipelines, of_shaders, states] : rows) {
    const auto from = [&states = states](uint32_t first) {
      return [=](auto& vk, auto commands) {
        if (states.size() == 2) SetSome(vk, commands, kEnables, 0, 2);
        SetSome(vk, commands, states.back(), first, 2 - first);
      };
    };
    // SetAll() has set those of the first attachment.
    const auto without_second_of = [](VkDynamicState one) {
      return [=](auto& vk, auto commands) {
        for (const VkDynamicState state : {kEnables, kEquations, kMasks, kWrites})
          SetSome(vk, commands, state, 0, state == one ? 1 : 2);
      };
    };
    RunCases({{of_pipelines, {.dynamic = states, .colors = {kColor, kColor}}, two, from(1), from(0)}});
    if (of_shaders.empty()) continue;
    RunShaders(of_shaders, two, without_second_of(states.back()), without_second_of(VK_DYNAMIC_STATE_MAX_ENUM));
  }
}

TEST_F(Attachments, WithoutFormats) {
  Start({.has_unused_attachments = true});
  const auto without = [](PipelineOptions options) {
    options.depth = options.stencil = VK_FORMAT_UNDEFINED;
    return options;
  };
  RunCases({
      {"pDepthAttachment-08964", without(kSetsDepth), {}, TestDepth(VK_TRUE)},
      {"", without(kSetsDepth), {.has_depth = false}, TestDepth(VK_TRUE)},
      {"pStencilAttachment-08965", without(kSetsStencil), {}, WriteStencil()},
      {"", without(kSetsStencil), {.has_stencil = false}, WriteStencil()},
  });
}
// The outputs of fragment shaders are known with synchronization validation.
TEST_F(Attachments, WithoutColorFormats) {
  Start({.validates_sync = true, .has_unused_attachments = true});
  AddOutput(4, 0);
  RunCases({
      {"pColorAttachments-08963", {.colors = {VK_FORMAT_UNDEFINED}}},
      {"", {.colors = {VK_FORMAT_UNDEFINED}}, {.has_color = false}},
      {"", {}},
  });
}

}  // namespace
}  // namespace assay::core
