// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Whether fixed functions suit the attachments of a draw: for every draw, through the whole layer.

#include <string>
#include <string_view>
#include <vector>

#include "core/draw/cases/attachments_test.h"

namespace assay::core {
namespace {

void WriteDepth(const test::Functions& vk, VkCommandBuffer commands) {
  vk.CmdSetDepthTestEnable(commands, VK_TRUE);
  vk.CmdSetDepthWriteEnable(commands, VK_TRUE);
}
void WriteStencil(const test::Functions& vk, VkCommandBuffer commands) {
  constexpr VkStencilFaceFlags kFaces = VK_STENCIL_FACE_FRONT_AND_BACK;
  vk.CmdSetStencilTestEnable(commands, VK_TRUE);
  vk.CmdSetStencilWriteMask(commands, kFaces, 1);
  vk.CmdSetStencilOp(commands, kFaces, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE, VK_STENCIL_OP_REPLACE,
                     VK_COMPARE_OP_ALWAYS);
}
const PipelineOptions kSetsDepth = {
    .dynamic = {VK_DYNAMIC_STATE_DEPTH_TEST_ENABLE, VK_DYNAMIC_STATE_DEPTH_WRITE_ENABLE}};
const PipelineOptions kSetsStencil = {.dynamic = {VK_DYNAMIC_STATE_STENCIL_TEST_ENABLE,
                                                  VK_DYNAMIC_STATE_STENCIL_WRITE_MASK, VK_DYNAMIC_STATE_STENCIL_OP}};

TEST_F(Attachments, ReadOnlyLayouts) {
  Start();
  const auto layouts = [](VkImageLayout depth, VkImageLayout stencil) {
    return RenderingOptions{.depth_layout = depth, .stencil_layout = stencil};
  };
  const auto both =
      layouts(VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL);
  const auto depth = layouts(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL,
                             VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_STENCIL_ATTACHMENT_OPTIMAL);
  const auto stencil = layouts(VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL,
                               VK_IMAGE_LAYOUT_DEPTH_ATTACHMENT_STENCIL_READ_ONLY_OPTIMAL);
  const auto apart = layouts(VK_IMAGE_LAYOUT_DEPTH_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_STENCIL_READ_ONLY_OPTIMAL);
  const auto any = layouts(VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL, VK_IMAGE_LAYOUT_READ_ONLY_OPTIMAL);
  RunCases({
      {"imageView-06172", kSetsDepth, both, WriteDepth},
      {"imageView-06173", kSetsStencil, both, WriteStencil},
      {"imageView-06174", kSetsDepth, depth, WriteDepth},
      {nullptr, kSetsStencil, depth, WriteStencil},
      {"imageView-06175", kSetsStencil, stencil, WriteStencil},
      {nullptr, kSetsDepth, stencil, WriteDepth},
      {"imageView-06176", kSetsDepth, apart, WriteDepth},
      {"imageView-06177", kSetsStencil, apart, WriteStencil},
      {"None-06886", kSetsDepth, any, WriteDepth},
      {"None-06887", kSetsStencil, any, WriteStencil},
      // Only tests.
      {nullptr, kSetsDepth, both,
       [](const test::Functions& vk, VkCommandBuffer commands) {
         vk.CmdSetDepthTestEnable(commands, VK_TRUE);
         vk.CmdSetDepthWriteEnable(commands, VK_FALSE);
       }},
      {nullptr, kSetsStencil, both,
       [](const test::Functions& vk, VkCommandBuffer commands) {
         WriteStencil(vk, commands);
         vk.CmdSetStencilWriteMask(commands, VK_STENCIL_FACE_FRONT_AND_BACK, 0);
       }},
  });
}

TEST_F(Attachments, Samples) {
  Start();
  const PipelineOptions sets_samples = {.dynamic = {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT}};
  const auto set_four = [](const test::Functions& vk, VkCommandBuffer commands) {
    vk.CmdSetRasterizationSamplesEXT(commands, kFour);
  };
  PipelineOptions without_color = sets_samples;
  without_color.colors = {VK_FORMAT_UNDEFINED};
  PipelineOptions with_stencil = without_color;
  with_stencil.depth = VK_FORMAT_UNDEFINED;
  const RenderingOptions four = {.color = MakeAttachment(kColor, kFour), .depth = MakeAttachment(kDepth, kFour)};
  PipelineOptions mixed = {.mixed_samples = kFour};
  PipelineOptions mixed_depth = mixed;
  mixed_depth.colors = {VK_FORMAT_UNDEFINED};
  PipelineOptions mixed_stencil = mixed_depth;
  mixed_stencil.depth = VK_FORMAT_UNDEFINED;
  RunCases({
      {"multisampledRenderToSingleSampled-07285", {}, four},
      {"multisampledRenderToSingleSampled-07285", sets_samples, {}, set_four},
      {nullptr, sets_samples, four, set_four},
      {"multisampledRenderToSingleSampled-07286", without_color, {.has_color = false}, set_four},
      {"multisampledRenderToSingleSampled-07287", with_stencil, {.has_color = false, .has_depth = false}, set_four},
      {nullptr, mixed, four},
      {"colorAttachmentCount-06185", mixed, {}},
      {"pDepthAttachment-06186", mixed_depth, {.has_color = false}},
      {"pStencilAttachment-06187", mixed_stencil, {.has_color = false, .has_depth = false}},
  });
}
TEST_F(Attachments, SamplesOfShaders) {
  Start({.has_shader_objects = true, .has_mixed_samples = false});
  RunShaders(nullptr, {}, [](const test::Functions&, VkCommandBuffer) {});
  RunShaders("None-08644", {}, [](const test::Functions& vk, VkCommandBuffer commands) {
    vk.CmdSetRasterizationSamplesEXT(commands, kFour);
    const VkSampleMask mask = 1;
    vk.CmdSetSampleMaskEXT(commands, kFour, &mask);
  });
}

TEST_F(Attachments, RenderPasses) {
  Start({.has_mixed_samples = false});
  VkAttachmentDescription2 attachments[2];
  for (size_t i = 0; i < 2; ++i) {
    attachments[i] = {.sType = VK_STRUCTURE_TYPE_ATTACHMENT_DESCRIPTION_2,
                      .format = i == 0 ? kColor : kDepth,
                      .samples = VK_SAMPLE_COUNT_1_BIT,
                      .loadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                      .stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
                      .finalLayout = VK_IMAGE_LAYOUT_GENERAL};
  }
  const auto reference = [](uint32_t attachment, VkImageLayout layout, VkImageAspectFlags aspects) {
    return VkAttachmentReference2{VK_STRUCTURE_TYPE_ATTACHMENT_REFERENCE_2, nullptr, attachment, layout, aspects};
  };
  const auto color = reference(0, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_ASPECT_COLOR_BIT);
  const auto depth = reference(1, VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
                               VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT);
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .colorAttachmentCount = 1,
                                         .pColorAttachments = &color,
                                         .pDepthStencilAttachment = &depth};
  const VkRenderPass pass = MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2,
                                            .attachmentCount = 2,
                                            .pAttachments = attachments,
                                            .subpassCount = 1,
                                            .pSubpasses = &subpass});
  const VkRenderPassBeginInfo begin = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
      .renderPass = pass,
      .framebuffer = MakeFramebuffer(pass, {MakeAttachment(kColor), MakeAttachment(kDepth)}, 64, 64),
      .renderArea = {{0, 0}, {64, 64}}};
  const auto set_four = [](const test::Functions& vk, VkCommandBuffer commands) {
    vk.CmdSetRasterizationSamplesEXT(commands, kFour);
  };
  const PipelineOptions sets_samples = {.dynamic = {VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT}};
  for (const AttachmentCase& row :
       {AttachmentCase{nullptr, {}}, AttachmentCase{"None-06886", kSetsDepth, {}, WriteDepth},
        AttachmentCase{"None-06887", kSetsStencil, {}, WriteStencil},
        AttachmentCase{"multisampledRenderToSingleSampled-07284", sets_samples, {}, set_four}}) {
    for (const ActionCall& call : ActionCalls()) {
      if (call.point != DrawRecording::kGraphics) continue;
      SCOPED_TRACE(std::string(call.name) + " " + (row.rule != nullptr ? row.rule : "correct"));
      PipelineOptions options = row.pipeline;
      options.stages = StagesOf(call);
      options.render_pass = pass;
      const VkCommandBuffer commands = BeginFor(call);
      vk.CmdEndRendering(commands);
      vk.CmdBeginRenderPass(commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
      Bind(commands, MakePipeline(options));
      if (row.set) row.set(vk, commands);
      ExpectCase(call, commands, row.rule);
      vk.CmdEndRenderPass(commands);
      End(commands);
      ExpectNothing();
    }
  }
}

TEST_F(Attachments, SampleMasks) {
  Start();
  const auto set_one = [](const test::Functions& vk, VkCommandBuffer commands) {
    const VkSampleMask mask = 1;
    vk.CmdSetSampleMaskEXT(commands, VK_SAMPLE_COUNT_1_BIT, &mask);
  };
  const auto set_both = [=](const test::Functions& vk, VkCommandBuffer commands) {
    set_one(vk, commands);
    vk.CmdSetRasterizationSamplesEXT(commands, kFour);
  };
  const auto set_four = [](const test::Functions& vk, VkCommandBuffer commands) {
    const VkSampleMask mask = 1;
    vk.CmdSetSampleMaskEXT(commands, kFour, &mask);
  };
  const RenderingOptions four = {.color = MakeAttachment(kColor, kFour), .depth = MakeAttachment(kDepth, kFour)};
  const PipelineOptions sets_mask = {.dynamic = {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT}, .samples = kFour};
  RunCases({
      {"samples-07472", sets_mask, four, set_one},
      {nullptr, sets_mask, four, set_four},
      {"samples-07473",
       {.dynamic = {VK_DYNAMIC_STATE_SAMPLE_MASK_EXT, VK_DYNAMIC_STATE_RASTERIZATION_SAMPLES_EXT}},
       four,
       set_both},
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
  const auto blend = [](const test::Functions& vk, VkCommandBuffer commands) {
    const VkBool32 enable = VK_TRUE;
    vk.CmdSetColorBlendEnableEXT(commands, 0, 1, &enable);
  };
  const PipelineOptions blends = {.has_blend_constants = true, .colors = {VK_FORMAT_R8G8_UNORM}};
  const PipelineOptions sets = {.dynamic = {VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT}, .colors = {VK_FORMAT_R8G8_UNORM}};
  RunCases({
      {"blendEnable-04727", blends, linear},
      {nullptr, blends, optimal},
      {"pColorBlendEnables-07470", sets, linear, blend},
      {nullptr, sets, optimal, blend},
  });
  RunShaders("None-08643", linear, blend);
  RunShaders(nullptr, optimal, blend);
}

constexpr VkBool32 kBlends[] = {VK_TRUE, VK_TRUE};
constexpr VkColorBlendEquationEXT kEquations[2] = {};
constexpr VkColorBlendAdvancedEXT kAdvanced[2] = {};
constexpr VkColorComponentFlags kMasks[2] = {};

TEST_F(Attachments, StatesOfAllAttachments) {
  Start();
  const RenderingOptions two = {.second = MakeAttachment(kColor)};
  const auto with = [](std::vector<VkDynamicState> states) {
    return PipelineOptions{.dynamic = std::move(states), .colors = {kColor, kColor}};
  };
  constexpr VkDynamicState kEnables = VK_DYNAMIC_STATE_COLOR_BLEND_ENABLE_EXT;
  struct Row {
    const char* rule;
    PipelineOptions pipeline;
    // Sets the states from an attachment on.
    void (*set)(const test::Functions& vk, VkCommandBuffer commands, uint32_t first);
  };
  const Row rows[] = {
      {"firstAttachment-07476", with({kEnables}),
       [](const test::Functions& vk, VkCommandBuffer commands, uint32_t first) {
         vk.CmdSetColorBlendEnableEXT(commands, first, 2 - first, kBlends);
       }},
      {"firstAttachment-07477", with({kEnables, VK_DYNAMIC_STATE_COLOR_BLEND_EQUATION_EXT}),
       [](const test::Functions& vk, VkCommandBuffer commands, uint32_t first) {
         vk.CmdSetColorBlendEnableEXT(commands, 0, 2, kBlends);
         vk.CmdSetColorBlendEquationEXT(commands, first, 2 - first, kEquations);
       }},
      {"firstAttachment-07478", with({VK_DYNAMIC_STATE_COLOR_WRITE_MASK_EXT}),
       [](const test::Functions& vk, VkCommandBuffer commands, uint32_t first) {
         vk.CmdSetColorWriteMaskEXT(commands, first, 2 - first, kMasks);
       }},
      {"firstAttachment-07479", with({kEnables, VK_DYNAMIC_STATE_COLOR_BLEND_ADVANCED_EXT}),
       [](const test::Functions& vk, VkCommandBuffer commands, uint32_t first) {
         vk.CmdSetColorBlendEnableEXT(commands, 0, 2, kBlends);
         vk.CmdSetColorBlendAdvancedEXT(commands, first, 2 - first, kAdvanced);
       }},
      {"attachmentCount-07750", with({VK_DYNAMIC_STATE_COLOR_WRITE_ENABLE_EXT}),
       [](const test::Functions& vk, VkCommandBuffer commands, uint32_t first) {
         vk.CmdSetColorWriteEnableEXT(commands, 2 - first, kBlends);
       }},
  };
  for (const Row& row : rows) {
    const auto from = [&](uint32_t first) {
      return [=, set = row.set](const test::Functions& vk, VkCommandBuffer commands) { set(vk, commands, first); };
    };
    RunCases({{row.rule, row.pipeline, two, from(1)}, {nullptr, row.pipeline, two, from(0)}});
  }
}
TEST_F(Attachments, StatesOfAllAttachmentsForShaders) {
  Start({.has_shader_objects = true});
  const RenderingOptions two = {.second = MakeAttachment(kColor)};
  struct Row {
    const char* rule;
    uint32_t enables = 2;
    uint32_t equations = 2;
    uint32_t masks = 2;
    uint32_t write_enables = 2;
  };
  for (const Row& row : {Row{"rasterizerDiscardEnable-09417", 1}, Row{"rasterizerDiscardEnable-09418", 2, 1},
                         Row{"rasterizerDiscardEnable-09419", 2, 2, 1}, Row{"None-08647", 2, 2, 2, 1}, Row{nullptr}}) {
    // SetAll() has set those of the first attachment.
    RunShaders(row.rule, two, [&](const test::Functions& vk, VkCommandBuffer commands) {
      vk.CmdSetColorBlendEnableEXT(commands, 0, row.enables, kBlends);
      vk.CmdSetColorBlendEquationEXT(commands, 0, row.equations, kEquations);
      vk.CmdSetColorWriteMaskEXT(commands, 0, row.masks, kMasks);
      vk.CmdSetColorWriteEnableEXT(commands, row.write_enables, kBlends);
    });
  }
}

TEST_F(Attachments, WithoutFormats) {
  Start({.has_unused_attachments = true});
  const auto without = [](PipelineOptions options) {
    options.depth = options.stencil = VK_FORMAT_UNDEFINED;
    return options;
  };
  RunCases({
      {"pDepthAttachment-08964", without(kSetsDepth), {}, WriteDepth},
      {nullptr, without(kSetsDepth), {.has_depth = false}, WriteDepth},
      {"pStencilAttachment-08965", without(kSetsStencil), {}, WriteStencil},
      {nullptr, without(kSetsStencil), {.has_stencil = false}, WriteStencil},
  });
}
// The outputs of fragment shaders are known with synchronization validation.
TEST_F(Attachments, WithoutColorFormats) {
  Start({.validates_sync = true, .has_unused_attachments = true});
  ShaderAddition output;
  output.stages = VK_SHADER_STAGE_FRAGMENT_BIT;
  output.variables = "%output";
  output.decorations = "OpDecorate %output Location 0\n";
  output.declarations =
      "%float = OpTypeFloat 32\n%color = OpTypeVector %float 4\n%pointer = OpTypePointer Output %color\n"
      "%output = OpVariable %pointer Output\n%white = OpConstantNull %color\n";
  output.body = "OpStore %output %white\n";
  Add(output, VK_NULL_HANDLE);
  RunCases({
      {"pColorAttachments-08963", {.colors = {VK_FORMAT_UNDEFINED}}},
      {nullptr, {.colors = {VK_FORMAT_UNDEFINED}}, {.has_color = false}},
      {nullptr, {}},
  });
}

}  // namespace
}  // namespace assay::core
