// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Generated commands, through the whole layer: the rules that they have alone, and what their sequences bind and push.
// The rules that they share with draws are tested where those are.

#include <string_view>
#include <vector>

#include "core/draw/cases/generated_test.h"
#include "gtest/gtest.h"

namespace assay::core {
namespace {

constexpr VkIndirectCommandsLayoutUsageFlagBitsEXT kExplicit =
    VK_INDIRECT_COMMANDS_LAYOUT_USAGE_EXPLICIT_PREPROCESS_BIT_EXT;

using Limits = VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT;

class Generated : public GeneratedTest {
 protected:
  // Starts a plain device if there is none.
  void Begin(VkCommandBufferUsageFlags usage = 0, const RenderingOptions& rendering = {},
             const PipelineOptions& pipeline = {}) {
    if (device == VK_NULL_HANDLE) Start();
    BeginWith(CallOf(vk::CommandId::kCmdDraw), usage);
    BeginRendering(commands_, rendering);
    Bind(MakePipeline(pipeline));
  }
  // A correct draw but for what `call` changes. `rule`: the one that is broken, without the name of the command; "" for
  // none.
  void Expect(const GeneratedCall& call, std::string_view rule,
              vk::CommandId command = vk::CommandId::kCmdExecuteGeneratedCommandsEXT) {
    numbers.call = call;
    ExpectRule(CallOf(command), rule);
  }
  void ExpectNv(const GeneratedCall& call, std::string_view rule) {
    Expect(call, rule, vk::CommandId::kCmdExecuteGeneratedCommandsNV);
  }
  void Expect(const GeneratedCall& call, std::string_view rule, std::string_view rule_nv) {
    Expect(call, rule);
    ExpectNv(call, rule_nv);
  }
};

TEST_F(Generated, Preprocessing) {
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
  BeginFor(CallOf(vk::CommandId::kCmdDraw));
  BindPlain();
  Expect({}, "commandBuffer-11045", "commandBuffer-02970");
  Begin(VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT);
  Expect({}, "commandBuffer-11143", "");
}
TEST_F(Generated, Rendering) {
  Start({.has_density_maps = true});
  Begin(0, {.has_density_map = true}, {.flags = VK_PIPELINE_CREATE_RENDERING_FRAGMENT_DENSITY_MAP_ATTACHMENT_BIT_EXT});
  Expect({}, "indirectCommandsLayout-11056", "");
}
TEST_F(Generated, Views) {
  Begin(0, {.view_mask = 1}, {.view_mask = 1});
  Expect({}, "None-11062", "");
}
TEST_F(Generated, TransformFeedback) {
  for (const VkBool32 is_supported : {VK_FALSE, VK_TRUE}) {
    ChangeProperties<Limits>([=](Limits& limits) { limits.deviceGeneratedCommandsTransformFeedback = is_supported; });
    Start();
    const VkPipeline pipeline = MakeBindable();
    const VkIndirectExecutionSetEXT set = MakeExecutionSet(pipeline);
    const VkIndirectCommandsLayoutEXT chooses = MakeSequence({SetToken(kDrawing), DrawToken()});
    Begin();
    Bind(pipeline);
    Expect({}, "");
    vk.CmdBeginTransformFeedbackEXT(commands_, 0, 0, nullptr, nullptr);
    messages.Take();
    if (is_supported == VK_FALSE) {
      Expect({}, "deviceGeneratedCommandsTransformFeedback-11057", "None-02910");
    } else {
      Expect({}, "");
      Expect({.sequence = chooses, .set = set}, "indirectExecutionSet-11058");
    }
    vk.CmdEndTransformFeedbackEXT(commands_, 0, 0, nullptr, nullptr);
  }
}
TEST_F(Generated, Stages) {
  ChangeProperties<Limits>([](Limits& limits) {
    limits.supportedIndirectCommandsShaderStages = ~VkShaderStageFlags{VK_SHADER_STAGE_GEOMETRY_BIT};
  });
  Begin();
  Expect({.stages = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_GEOMETRY_BIT},
         "supportedIndirectCommandsShaderStages-11061");
}
TEST_F(Generated, PipelineOfNv) {
  Begin();
  const VkPipeline other = MakePipeline({});
  ExpectNv({.pipeline = other}, "pipeline-02909");
  Bind(other);
  ExpectNv({.pipeline = other}, "");
}

// What a sequence binds and pushes by itself need not be bound and pushed before.
TEST_F(Generated, Tokens) {
  Start();
  Add({.stages = VK_SHADER_STAGE_VERTEX_BIT,
       .decorations = DecorateBlock("%block"),
       .declarations = "%block = OpTypeStruct %uint\n%element = OpTypePointer PushConstant %uint\n",
       .globals = {{"%pushed", "PushConstant", "%block"}},
       .body = "%at = OpAccessChain %element %pushed %zero\n%read = OpLoad %uint %at\n"},
      VK_NULL_HANDLE, 4);
  const VkIndirectCommandsPushConstantTokenEXT range = {{VK_SHADER_STAGE_VERTEX_BIT, 0, 4}};
  const VkIndirectCommandsLayoutEXT pushes = MakeSequence(
      {Token(VK_INDIRECT_COMMANDS_TOKEN_TYPE_PUSH_CONSTANT_EXT, 0, {.pPushConstant = &range}), DrawToken()});
  Begin();
  Expect({.sequence = pushes}, "");
  Expect({}, "None-08601");
  // With states of its own nothing is known.
  const VkPipeline pipeline = MakeBindable();
  Bind(pipeline);
  Expect({.sequence = MakeSequence({SetToken(kDrawing), DrawToken()}), .set = MakeExecutionSet(pipeline)}, "");
}
TEST_F(Generated, VertexBuffersOfNv) {
  Start();
  Add({.stages = VK_SHADER_STAGE_VERTEX_BIT, .globals = {{"%in", "Input", "%uint", "Location 0"}}});
  Begin(0, {}, {.dynamic = {VK_DYNAMIC_STATE_VERTEX_INPUT_EXT}});
  const auto binding = Typed<VkVertexInputBindingDescription2EXT>({.stride = 4, .divisor = 1});
  const auto attribute = Typed<VkVertexInputAttributeDescription2EXT>({.format = VK_FORMAT_R32_UINT});
  vk.CmdSetVertexInputEXT(commands_, 1, &binding, 1, &attribute);
  ExpectNv({}, "None-04007");
  ExpectNv({.sequence_nv = MakeSequenceNv({{.tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_VERTEX_BUFFER_NV},
                                           {.tokenType = VK_INDIRECT_COMMANDS_TOKEN_TYPE_DRAW_NV, .offset = 64}})},
           "");
}

TEST_F(Generated, DerivativesOfSubpassShading) {
  Start();
  constexpr VkShaderStageFlagBits kStage = VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI;
  MakeCompute(VK_PIPELINE_CREATE_DERIVATIVE_BIT, kStage, MakeCompute(VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT, kStage));
  ExpectNothing();
}
TEST_F(Generated, SubpassShadingNeedsItsSubpass) {
  Start();
  const VkRenderPass pass = MakeEmptyPass();
  BeginWith(CallOf(vk::CommandId::kCmdSubpassShadingHUAWEI));
  BindPlain();
  BeginRenderPass(commands_, pass, MakeFramebuffer(pass, {}, 64, 64));
  ExpectRule("None-04931");
}

}  // namespace
}  // namespace assay::core
