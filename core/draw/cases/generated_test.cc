// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Generated commands, through the whole layer: the rules that they have alone, and what their sequences bind and push.
// The rules that they share with draws are tested where those are.

#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/draw/cases/generated_test.h"
#include "gtest/gtest.h"
#include "vk/chain.h"

namespace assay::core {
namespace {

constexpr VkIndirectCommandsLayoutUsageFlagBitsEXT kExplicit =
    VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT;

// One call of each command, which is a correct draw but for what a test changes.
struct GeneratedCall {
  VkIndirectCommandsLayoutEXT sequence = VK_NULL_HANDLE;
  VkIndirectCommandsLayoutNV sequence_nv = VK_NULL_HANDLE;
  VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
  VkShaderStageFlags stages = VK_SHADER_STAGE_VERTEX_BIT;
  VkPipeline pipeline = VK_NULL_HANDLE;
  VkBool32 is_preprocessed = VK_FALSE;
};

class Generated : public GeneratedTest {
 protected:
  void Begin(VkCommandBufferUsageFlags usage = 0, const RenderingOptions& rendering = {},
             const PipelineOptions& pipeline = {}) {
    commands = MakeCommandBuffer();
    test::ValidationTest::Begin(commands, usage);
    BeginRendering(commands, rendering);
    Bind(commands, MakePipeline(pipeline));
  }
  // `rule`: the one that is broken, without the name of the command; "" for none.
  void Expect(const GeneratedCall& call, std::string_view rule) {
    const VkGeneratedCommandsPipelineInfoEXT pipeline = {VK_STRUCTURE_TYPE_GENERATED_COMMANDS_PIPELINE_INFO_EXT,
                                                         nullptr, numbers.generated};
    VkGeneratedCommandsInfoEXT info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_EXT,
                                       .pNext = &pipeline,
                                       .shaderStages = call.stages,
                                       .indirectExecutionSet = call.set,
                                       .indirectCommandsLayout = call.sequence,
                                       .indirectAddress = 4096,
                                       .indirectAddressSize = 64,
                                       .maxSequenceCount = 1,
                                       .maxDrawCount = 1};
    if (call.sequence == VK_NULL_HANDLE) info.indirectCommandsLayout = numbers.sequences[0];
    vk.CmdExecuteGeneratedCommandsEXT(commands, call.is_preprocessed, &info);
    if (!rule.empty()) ExpectMessage(absl::StrCat("VUID-vkCmdExecuteGeneratedCommandsEXT-", rule));
    ExpectNothing();
  }
  void ExpectNv(const GeneratedCall& call, std::string_view rule) {
    const test::Buffer buffer = MakeBuffer(64, VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    const VkIndirectCommandsStreamNV stream = {buffer, 0};
    VkGeneratedCommandsInfoNV info = {.sType = VK_STRUCTURE_TYPE_GENERATED_COMMANDS_INFO_NV,
                                      .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                      .pipeline = call.pipeline,
                                      .indirectCommandsLayout = call.sequence_nv,
                                      .streamCount = 1,
                                      .pStreams = &stream,
                                      .sequencesCount = 1,
                                      .preprocessBuffer = buffer,
                                      .preprocessSize = 64};
    if (call.sequence_nv == VK_NULL_HANDLE) info.indirectCommandsLayout = numbers.sequences_nv[0];
    vk.CmdExecuteGeneratedCommandsNV(commands, call.is_preprocessed, &info);
    if (!rule.empty()) ExpectMessage(absl::StrCat("VUID-vkCmdExecuteGeneratedCommandsNV-", rule));
    ExpectNothing();
  }

  VkCommandBuffer commands = VK_NULL_HANDLE;
};

TEST_F(Generated, Preprocessing) {
  Start();
  Begin();
  const VkIndirectCommandsLayoutEXT is_explicit =
      MakeSequence({Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT)}, kExplicit);
  Expect({}, "");
  Expect({.is_preprocessed = VK_TRUE}, "isPreprocessed-11047");
  Expect({.sequence = is_explicit}, "indirectCommandsLayout-11141");
  Expect({.sequence = is_explicit, .is_preprocessed = VK_TRUE}, "");
  ExpectNv({}, "");
  ExpectNv({.is_preprocessed = VK_TRUE}, "isPreprocessed-02908");
}
TEST_F(Generated, CommandBuffers) {
  Start({.pool_flags = VK_COMMAND_POOL_CREATE_PROTECTED_BIT});
  const ActionCall& draw = CallOf(vk::CommandId::kCmdDraw);
  commands = BeginFor(draw);
  Bind(commands, MakePipeline({}));
  Expect({}, "commandBuffer-11045");
  ExpectNv({}, "commandBuffer-02970");
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Expect({}, "commandBuffer-11143");
  ExpectNv({}, "");
}
TEST_F(Generated, Rendering) {
  Start({.has_density_maps = true});
  Begin(0, {.has_density_map = true}, {.flags = VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT});
  Expect({}, "indirectCommandsLayout-11056");
  ExpectNv({}, "");
}
TEST_F(Generated, Views) {
  Start();
  Begin(0, {.view_mask = 1}, {.view_mask = 1});
  Expect({}, "None-11062");
  ExpectNv({}, "");
}
TEST_F(Generated, TransformFeedback) {
  for (const VkBool32 is_supported : {VK_FALSE, VK_TRUE}) {
    driver().config().adjust_properties = [=](VkBaseOutStructure* properties) {
      using T = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;
      if (properties->sType == vk::kStructureTypeOf<T>)
        reinterpret_cast<T*>(properties)->deviceGeneratedCommandsTransformFeedback = is_supported;
    };
    Start();
    const VkPipeline pipeline = MakeBindable();
    const VkIndirectExecutionSetEXT set = MakeExecutionSet(pipeline);
    const VkIndirectCommandsLayoutEXT chooses = MakeSequence({SetToken(kDrawing), DrawToken()});
    Begin();
    Bind(commands, pipeline);
    Expect({}, "");
    vk.CmdBeginTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    messages.Take();
    if (is_supported == VK_FALSE) {
      Expect({}, "deviceGeneratedCommandsTransformFeedback-11057");
      ExpectNv({}, "None-02910");
    } else {
      Expect({}, "");
      Expect({.sequence = chooses, .set = set}, "indirectExecutionSet-11058");
    }
    vk.CmdEndTransformFeedbackEXT(commands, 0, 0, nullptr, nullptr);
    Destroy();
  }
}
TEST_F(Generated, Stages) {
  driver().config().adjust_properties = [](VkBaseOutStructure* properties) {
    using T = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;
    if (properties->sType == vk::kStructureTypeOf<T>)
      reinterpret_cast<T*>(properties)->supportedIndirectCommandsShaderStages =
          ~VkShaderStageFlags{VK_SHADER_STAGE_GEOMETRY_BIT};
  };
  Start();
  Begin();
  Expect({.stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT},
         "supportedIndirectCommandsShaderStages-11061");
}
TEST_F(Generated, PipelineOfNv) {
  Start();
  Begin();
  const VkPipeline other = MakePipeline({});
  ExpectNv({.pipeline = other}, "pipeline-02909");
  Bind(commands, other);
  ExpectNv({.pipeline = other}, "");
}

// What a sequence binds and pushes by itself need not be bound and pushed before.
TEST_F(Generated, Tokens) {
  Start();
  Add({.stages = VK_SHADER_STAGE_VERTEX_BIT,
       .variables = "%pushed",
       .decorations = "OpMemberDecorate %block 0 Offset 0\nOpDecorate %block Block\n",
       .declarations = "%block = OpTypeStruct %uint\n%pointer = OpTypePointer PushConstant %block\n"
                       "%pushed = OpVariable %pointer PushConstant\n%element = OpTypePointer PushConstant %uint\n",
       .body = "%at = OpAccessChain %element %pushed %zero\n%read = OpLoad %uint %at\n"},
      VK_NULL_HANDLE, 4);
  const VkIndirectCommandsLayoutTokenEXT draw = Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_EXT, 64);
  const VkIndirectCommandsPushConstantTokenEXT range = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 4}};
  const VkIndirectCommandsLayoutEXT pushes =
      MakeSequence({Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, 0, {.pPushConstant = &range}), draw});
  Begin();
  Expect({.sequence = pushes}, "");
  Expect({}, "None-08601");
  // With states of its own nothing is known.
  const VkPipeline pipeline = MakeBindable();
  Bind(commands, pipeline);
  Expect({.sequence = MakeSequence({SetToken(kDrawing), DrawToken()}), .set = MakeExecutionSet(pipeline)}, "");
}
TEST_F(Generated, VertexBuffersOfNv) {
  Start();
  Add({.stages = VK_SHADER_STAGE_VERTEX_BIT,
       .variables = "%in",
       .decorations = "OpDecorate %in Location 0\n",
       .declarations = "%pointer = OpTypePointer Input %uint\n%in = OpVariable %pointer Input\n"},
      VK_NULL_HANDLE);
  Begin(0, {}, {.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}});
  const VkVertexInputBindingDescription2EXT binding = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_BINDING_DESCRIPTION_2_EXT, nullptr, 0, 4, VK_VERTEX_INPUT_RATE_VERTEX, 1};
  const VkVertexInputAttributeDescription2EXT attribute = {
      VK_STRUCTURE_TYPE_VERTEX_INPUT_ATTRIBUTE_DESCRIPTION_2_EXT, nullptr, 0, 0, VK_FORMAT_R32_UINT, 0};
  vk.CmdSetVertexInputEXT(commands, 1, &binding, 1, &attribute);
  ExpectNv({}, "None-04007");
  const VkIndirectCommandsLayoutTokenNV tokens[] = {{.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
                                                     .tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV},
                                                    {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_TOKEN_NV,
                                                     .tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV,
                                                     .offset = 64}};
  const uint32_t stride = 128;
  const VkIndirectCommandsLayoutCreateInfoNV info = {.sType = VK_STRUCTURE_TYPE_INDIRECT_COMMANDS_LAYOUT_CREATE_INFO_NV,
                                                     .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS,
                                                     .tokenCount = 2,
                                                     .pTokens = tokens,
                                                     .streamCount = 1,
                                                     .pStreamStrides = &stride};
  VkIndirectCommandsLayoutNV binds = VK_NULL_HANDLE;
  EXPECT_EQ(vk.CreateIndirectCommandsLayoutNV(device, &info, nullptr, &binds), VK_SUCCESS);
  ExpectNv({.sequence_nv = binds}, "");
  vk.DestroyIndirectCommandsLayoutNV(device, binds, nullptr);
}

TEST_F(Generated, DerivativesOfSubpassShading) {
  Start();
  constexpr VkShaderStageFlagBits kStage = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;
  MakeCompute(VK_PIPELINE_CREATE_DERIVATIVE_BIT, kStage, MakeCompute(VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT, kStage));
  ExpectNothing();
}
TEST_F(Generated, SubpassShadingNeedsItsSubpass) {
  Start();
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2,
                                         .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
  const VkRenderPass pass =
      MakeRenderPass({.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass});
  const ActionCall& call = CallOf(vk::CommandId::kCmdSubpassShadingHUAWEI);
  commands = MakeCommandBuffer();
  test::ValidationTest::Begin(commands);
  Bind(commands, PlainPipelineOf(call), PointOf(call));
  const VkRenderPassBeginInfo info = {.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
                                      .renderPass = pass,
                                      .framebuffer = MakeFramebuffer(pass, {}, 64, 64),
                                      .renderArea = {{0, 0}, {64, 64}}};
  vk.CmdBeginRenderPass(commands, &info, VK_SUBPASS_CONTENTS_INLINE);
  ExpectRule(call, commands, "None-04931");
}

}  // namespace
}  // namespace assay::core
