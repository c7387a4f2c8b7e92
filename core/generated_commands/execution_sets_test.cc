// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Indirect execution sets, and writes to them.

#include "core/draw/cases/generated_test.h"

namespace assay::core {
namespace {

using PipelineInfo = VkIndirectExecutionSetPipelineInfoEXT;
using ShaderInfo = VkIndirectExecutionSetShaderInfoEXT;
using PipelineWrite = VkWriteIndirectExecutionSetPipelineEXT;
using ShaderWrite = VkWriteIndirectExecutionSetShaderEXT;

constexpr VkPipelineCreateFlags2 kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
constexpr auto kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr auto kFlag = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT;

class ExecutionSets : public GeneratedTest {
 protected:
  void Start(VkShaderStageFlags supported, bool has_shaders = true) {
    ChangeProperties<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT>([=](auto& limits) {
      limits.maxIndirectPipelineCount = 2;
      limits.maxIndirectShaderObjectCount = has_shaders ? 4 : 0;
      limits.supportedIndirectCommandsShaderStagesPipelineBinding = supported;
      limits.supportedIndirectCommandsShaderStagesShaderBinding = supported;
    });
    DrawTest::Start({.has_shader_objects = true, .extensions = {"VK_EXT_shader_stencil_export"}});
  }
  VkShaderEXT MakeObject(VkShaderStageFlagBits stage, VkShaderCreateFlagsEXT flags = kFlag,
                         const std::vector<VkDescriptorSetLayout>& sets = {}) {
    return MakeShaders({{.stage = stage, .flags = flags, .sets = sets}})[0];
  }
  VkIndirectExecutionSetEXT Make(const ShaderInfo& info) {
    return MakeExecutionSet(VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT, {.pShaderInfo = &info});
  }
  PipelineInfo Pipelines() {
    return {VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT, nullptr, MakeBindable(), 2};
  }
  // Of one shader.
  ShaderInfo Shaders(VkShaderEXT shader) {
    static VkShaderEXT first;
    first = shader;
    return {VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT, nullptr, 1, &first, nullptr, 4};
  }
  ShaderInfo Shaders() { return Shaders(MakeObject(kVertex)); }
  static PipelineWrite Write(uint32_t index, VkPipeline pipeline) {
    return {VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, nullptr, index, pipeline};
  }
  static ShaderWrite Write(uint32_t index, VkShaderEXT shader) {
    return {VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT, nullptr, index, shader};
  }
  // A fragment shader that writes a built-in, or with an empty name an output of its own.
  static ShaderAddition Writes(const std::string& built_in) {
    const bool is_mask = built_in == "SampleMask", is_stencil = built_in == "FragStencilRefEXT";
    const std::string type = is_mask ? "%array" : is_stencil ? "%uint" : "%float";
    return {.stages = VK_SHADER_STAGE_FRAGMENT_BIT,
            .capabilities = is_stencil ? "OpCapability StencilExportEXT\n" : "",
            .extensions = is_stencil ? "OpExtension \"SPV_EXT_shader_stencil_export\"\n" : "",
            .variables = "%out",
            .decorations = "OpDecorate %out " + (built_in.empty() ? "Location 0" : "BuiltIn " + built_in) + "\n",
            .modes = std::string("OpExecutionMode %main OriginUpperLeft\n") +
                     (built_in == "FragDepth" ? "OpExecutionMode %main DepthReplacing\n"
                      : is_stencil            ? "OpExecutionMode %main StencilRefReplacingEXT\n"
                                              : ""),
            .declarations =
                "%float = OpTypeFloat 32\n%one = OpConstant %uint 1\n%array = OpTypeArray %uint %one\n"
                "%null = OpConstantNull " +
                type + "\n%pointer = OpTypePointer Output " + type + "\n%out = OpVariable %pointer Output\n",
            .body = "OpStore %out %null\n"};
  }
  VkDescriptorSetLayout DynamicLayout() {
    return MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_ALL}});
  }
};

TEST_F(ExecutionSets, Pipelines) {
  Start(kDrawing);
  const PipelineInfo correct = Pipelines();
  const VkPipeline compute = MakeCompute(), rays = MakeRayTracing(), plain = MakePipeline({});
  Add({.stages = VK_SHADER_STAGE_VERTEX_BIT,
       .variables = "%used",
       .decorations = "OpDecorate %used DescriptorSet 0\nOpDecorate %used Binding 0\nOpDecorate %block Block\n"
                      "OpMemberDecorate %block 0 Offset 0\n",
       .declarations = "%block = OpTypeStruct %uint\n%pointer = OpTypePointer Uniform %block\n"
                       "%used = OpVariable %pointer Uniform\n%element = OpTypePointer Uniform %uint\n",
       .body = "%at = OpAccessChain %element %used %zero\n%read = OpLoad %uint %at\n"},
      DynamicLayout());
  const VkPipeline dynamic = MakeBindable();
  Run<PipelineInfo>(
      "VkIndirectExecutionSetPipelineInfoEXT", correct,
      {{"supportedIndirectCommandsShaderStagesPipelineBinding-11015", [&](auto& i) { i.initialPipeline = compute; }},
       {"supportedIndirectCommandsShaderStagesPipelineBinding-11017", [&](auto& i) { i.initialPipeline = rays; }},
       {"initialPipeline-11153", [&](auto& i) { i.initialPipeline = plain; }},
       {"initialPipeline-11019", [&](auto& i) { i.initialPipeline = dynamic; }},
       {"maxPipelineCount-11018", [](auto& i) { i.maxPipelineCount = 0; }},
       {"maxPipelineCount-11018", [](auto& i) { i.maxPipelineCount = 3; }}},
      [this](const PipelineInfo& info) { MakeExecutionSet(info); });
}
TEST_F(ExecutionSets, Unsupported) {
  Start(kVertex, false);
  MakeExecutionSet(Pipelines());
  ExpectMessage(
      "VUID-VkIndirectExecutionSetPipelineInfoEXT-supportedIndirectCommandsShaderStagesPipelineBinding-11016");
  Make(Shaders());
  ExpectMessage("VUID-VkIndirectExecutionSetCreateInfoEXT-maxIndirectShaderObjectCount-11014");
}
TEST_F(ExecutionSets, Shaders) {
  Start(kDrawing);
  const VkShaderEXT two[] = {MakeObject(kVertex), MakeObject(kVertex)},
                    compute = MakeObject(VK_SHADER_STAGE_COMPUTE_BIT), plain = MakeObject(kVertex, 0);
  const VkDescriptorSetLayout dynamic = DynamicLayout();
  const auto layouts = test::Of<VkIndirectExecutionSetShaderLayoutInfoEXT>(1, &dynamic);
  Run<ShaderInfo>(
      "VkIndirectExecutionSetShaderInfoEXT", Shaders(),
      {{"stage-11023", [&](auto& i) { i.shaderCount = 2, i.pInitialShaders = two; }},
       {"pInitialShaders-11020", [&](auto& i) { i.pInitialShaders = &compute; }},
       {"pInitialShaders-11154", [&](auto& i) { i.pInitialShaders = &plain; }},
       {"VkIndirectExecutionSetShaderLayoutInfoEXT-pSetLayouts-11024", [&](auto& i) { i.pSetLayoutInfos = &layouts; }}},
      [this](const ShaderInfo& info) { Make(info); });
}
TEST_F(ExecutionSets, WrittenPipelines) {
  using Writes = std::vector<PipelineWrite>;
  Start(kDrawing);
  VkIndirectExecutionSetEXT set = MakeExecutionSet(Pipelines());
  const VkIndirectExecutionSetEXT shaders = Make(Shaders());
  const VkPipeline good = MakeBindable(), plain = MakePipeline({}),
                   discards = MakePipeline({.is_discarded = true, .flags = kBindable}),
                   tall = MakePipeline({.stages = Stages::kAllVertex, .flags = kBindable});
  const auto make = [&](const ShaderAddition& addition, uint32_t push_constants = 0) {
    Add(addition, VK_NULL_HANDLE, push_constants);
    return MakeBindable();
  };
  const auto writing = [&](const char* built_in) { return make(ExecutionSets::Writes(built_in)); };
  Run<Writes>("vkUpdateIndirectExecutionSetPipelineEXT", {Write(0, good), Write(1, good)},
              {{"executionSetWriteCount-11037", [&](auto& w) { w.push_back(Write(0, good)); }},
               {"pExecutionSetWrites-11042", [&](auto& w) { w[1].index = 0; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-index-11026", [&](auto& w) { w[1].index = 2; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11027", [&](auto& w) { w[1].pipeline = plain; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11030", [&](auto& w) { w[1].pipeline = tall; }},
               {"initialPipeline-11152", [&](auto& w) { w[1].pipeline = discards; }},
               {"initialPipeline-11098", [&](auto& w) { w[1].pipeline = writing("FragDepth"); }},
               {"initialPipeline-11086", [&](auto& w) { w[1].pipeline = writing("SampleMask"); }},
               {"initialPipeline-11085", [&](auto& w) { w[1].pipeline = writing("FragStencilRefEXT"); }},
               {"initialPipeline-11147", [&](auto& w) { w[1].pipeline = writing(""); }},
               {"None-11039", [&](auto& w) { w[1].pipeline = make({}, 4); }},
               {"indirectExecutionSet-11035", [&](auto&) { set = shaders; }}},
              [&](const Writes& w) {
                vk.UpdateIndirectExecutionSetPipelineEXT(device, set, static_cast<uint32_t>(w.size()), w.data());
              });
}
TEST_F(ExecutionSets, WrittenShaders) {
  using Writes = std::vector<ShaderWrite>;
  Start(kDrawing);
  constexpr auto kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
  const VkDescriptorSetLayout one = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL}}),
                              two = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 2, VK_SHADER_STAGE_ALL}});
  const auto writing = [&](const char* built_in) {
    Add(ExecutionSets::Writes(built_in), one);
    return MakeObject(kFragment, kFlag, {one});
  };
  VkIndirectExecutionSetEXT set = Make(Shaders(MakeObject(kFragment, kFlag, {one})));
  const VkIndirectExecutionSetEXT pipelines = MakeExecutionSet(Pipelines());
  const VkShaderEXT good = MakeObject(kFragment, kFlag, {one}), plain = MakeObject(kFragment, 0, {one}),
                    vertex = MakeObject(kVertex), other = MakeObject(kFragment, kFlag, {two});
  Run<Writes>("vkUpdateIndirectExecutionSetShaderEXT", {Write(0, good), Write(1, good)},
              {{"pExecutionSetWrites-11043", [&](auto& w) { w[1].index = 0; }},
               {"VkWriteIndirectExecutionSetShaderEXT-index-11031", [&](auto& w) { w[1].index = 4; }},
               {"VkWriteIndirectExecutionSetShaderEXT-shader-11032", [&](auto& w) { w[1].shader = plain; }},
               {"VkWriteIndirectExecutionSetShaderEXT-pInitialShaders-11033", [&](auto& w) { w[1].shader = vertex; }},
               {"FragDepth-11054", [&](auto& w) { w[1].shader = writing("FragDepth"); }},
               {"SampleMask-11050", [&](auto& w) { w[1].shader = writing("SampleMask"); }},
               {"StencilExportEXT-11003", [&](auto& w) { w[1].shader = writing("FragStencilRefEXT"); }},
               {"None-11148", [&](auto& w) { w[1].shader = writing(""); }},
               {"pExecutionSetWrites-11140", [&](auto& w) { w[1].shader = other; }},
               {"indirectExecutionSet-11041", [&](auto&) { set = pipelines; }}},
              [&](const Writes& w) {
                vk.UpdateIndirectExecutionSetShaderEXT(device, set, static_cast<uint32_t>(w.size()), w.data());
              });
}

}  // namespace
}  // namespace assay::core
