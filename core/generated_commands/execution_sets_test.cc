// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Indirect execution sets, and writes to them.

#include "core/draw/cases/draw_test.h"
#include "core/resources/resource_test.h"
#include "testing/shaders.h"

namespace assay::core {
namespace {

using PipelineInfo = VkIndirectExecutionSetPipelineInfoEXT;
using ShaderInfo = VkIndirectExecutionSetShaderInfoEXT;
using PipelineWrite = VkWriteIndirectExecutionSetPipelineEXT;
using ShaderWrite = VkWriteIndirectExecutionSetShaderEXT;

constexpr VkPipelineCreateFlags2 kBindable = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
constexpr VkShaderStageFlags kDrawing = VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT;

class ExecutionSets : public CaseTest<DrawTest> {
 protected:
  void Start(VkShaderStageFlags supported, bool has_shaders = true) {
    driver().config().adjust_properties = [=](VkBaseOutStructure* s) {
      if (s->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEVICE_GENERATED_COMMANDS_PROPERTIES_EXT) return;
      auto& limits = *reinterpret_cast<VkPhysicalDeviceDeviceGeneratedCommandsPropertiesEXT*>(s);
      limits.maxIndirectPipelineCount = 2;
      limits.maxIndirectShaderObjectCount = has_shaders ? 4 : 0;
      limits.supportedIndirectCommandsShaderStagesPipelineBinding = supported;
      limits.supportedIndirectCommandsShaderStagesShaderBinding = supported;
    };
    DrawTest::Start({.has_shader_objects = true});
  }
  VkShaderEXT MakeShaderObject(VkShaderStageFlagBits stage, VkShaderCreateFlagsEXT flags,
                               VkDescriptorSetLayout set = VK_NULL_HANDLE) {
    const std::vector<uint32_t> words = test::AssembleSpirv(ShaderTextOf(stage, {.stages = 0}));
    const VkShaderCreateInfoEXT info = {.sType = VK_STRUCTURE_TYPE_SHADER_CREATE_INFO_EXT,
                                        .flags = flags,
                                        .stage = stage,
                                        .codeType = VK_SHADER_CODE_TYPE_SPIRV_EXT,
                                        .codeSize = words.size() * sizeof(uint32_t),
                                        .pCode = words.data(),
                                        .pName = "main",
                                        .setLayoutCount = set != VK_NULL_HANDLE ? 1u : 0u,
                                        .pSetLayouts = &set};
    VkShaderEXT shader = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateShadersEXT(device, 1, &info, nullptr, &shader), VK_SUCCESS);
    Defer(shader, [=, this] { vk.DestroyShaderEXT(device, shader, nullptr); });
    return shader;
  }
  VkShaderEXT MakeShaderObject(VkShaderStageFlagBits stage) {
    return MakeShaderObject(stage, VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT);
  }
  VkIndirectExecutionSetEXT Make(VkIndirectExecutionSetInfoTypeEXT type, VkIndirectExecutionSetInfoEXT data) {
    const VkIndirectExecutionSetCreateInfoEXT info = {VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_CREATE_INFO_EXT, nullptr,
                                                      type, data};
    VkIndirectExecutionSetEXT set = VK_NULL_HANDLE;
    vk.CreateIndirectExecutionSetEXT(device, &info, nullptr, &set);
    if (set != VK_NULL_HANDLE) Defer(set, [=, this] { vk.DestroyIndirectExecutionSetEXT(device, set, nullptr); });
    return set;
  }
  VkIndirectExecutionSetEXT Make(const PipelineInfo& info) {
    return Make(VK_INDIRECT_EXECUTION_SET_INFO_TYPE_PIPELINES_EXT, {.pPipelineInfo = &info});
  }
  VkIndirectExecutionSetEXT Make(const ShaderInfo& info) {
    return Make(VK_INDIRECT_EXECUTION_SET_INFO_TYPE_SHADER_OBJECTS_EXT, {.pShaderInfo = &info});
  }
  PipelineInfo Pipelines() {
    return {VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_PIPELINE_INFO_EXT, nullptr, MakePipeline({.flags = kBindable}), 2};
  }
  // Of one shader.
  ShaderInfo Shaders() {
    static VkShaderEXT first;
    first = MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT);
    return {.sType = VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_INFO_EXT,
            .shaderCount = 1,
            .pInitialShaders = &first,
            .maxShaderCount = 4};
  }
  VkDescriptorSetLayout DynamicLayout() {
    return MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1, VK_SHADER_STAGE_ALL}});
  }
};

TEST_F(ExecutionSets, Pipelines) {
  Start(kDrawing);
  const auto create = [this](const PipelineInfo& info) { Make(info); };
  PipelineInfo correct = Pipelines();
  const VkPipeline compute = MakeCompute(), rays = MakeRayTracing(), plain = MakePipeline({});
  Add({}, DynamicLayout());
  const VkPipeline dynamic = MakePipeline({.flags = kBindable});
  Run("VkIndirectExecutionSetPipelineInfoEXT", correct,
      {{"supportedIndirectCommandsShaderStagesPipelineBinding-11015", [&](auto& i) { i.initialPipeline = compute; }},
       {"supportedIndirectCommandsShaderStagesPipelineBinding-11017", [&](auto& i) { i.initialPipeline = rays; }},
       {"initialPipeline-11153", [&](auto& i) { i.initialPipeline = plain; }},
       {"initialPipeline-11019", [&](auto& i) { i.initialPipeline = dynamic; }},
       {"maxPipelineCount-11018", [](auto& i) { i.maxPipelineCount = 0; }},
       {"maxPipelineCount-11018", [](auto& i) { i.maxPipelineCount = 3; }}},
      create);
}
TEST_F(ExecutionSets, Unsupported) {
  Start(VK_SHADER_STAGE_VERTEX_BIT, false);
  Make(Pipelines());
  ExpectMessage(
      "VUID-VkIndirectExecutionSetPipelineInfoEXT-supportedIndirectCommandsShaderStagesPipelineBinding-11016");
  Make(Shaders());
  ExpectMessage("VUID-VkIndirectExecutionSetCreateInfoEXT-maxIndirectShaderObjectCount-11014");
}
TEST_F(ExecutionSets, Shaders) {
  Start(kDrawing);
  const ShaderInfo correct = Shaders();
  const VkShaderEXT two[] = {MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT), MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT)},
                    compute = MakeShaderObject(VK_SHADER_STAGE_COMPUTE_BIT),
                    plain = MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT, 0);
  const VkDescriptorSetLayout dynamic = DynamicLayout();
  const VkIndirectExecutionSetShaderLayoutInfoEXT layouts = {
      VK_STRUCTURE_TYPE_INDIRECT_EXECUTION_SET_SHADER_LAYOUT_INFO_EXT, nullptr, 1, &dynamic};
  Run<ShaderInfo>(
      "VkIndirectExecutionSetShaderInfoEXT", correct,
      {{"stage-11023", [&](auto& i) { i.shaderCount = 2, i.pInitialShaders = two; }},
       {"pInitialShaders-11020", [&](auto& i) { i.pInitialShaders = &compute; }},
       {"pInitialShaders-11154", [&](auto& i) { i.pInitialShaders = &plain; }},
       {"VkIndirectExecutionSetShaderLayoutInfoEXT-pSetLayouts-11024", [&](auto& i) { i.pSetLayoutInfos = &layouts; }}},
      [this](const ShaderInfo& info) { Make(info); });
}
TEST_F(ExecutionSets, WrittenPipelines) {
  Start(kDrawing);
  VkIndirectExecutionSetEXT set = Make(Pipelines());
  const VkIndirectExecutionSetEXT shaders = Make(Shaders());
  const VkPipeline plain = MakePipeline({}),
                   discards = MakePipeline({.is_discarded = true, .flags = kBindable});
  std::vector<PipelineWrite> writes;
  const auto write = [](uint32_t index, VkPipeline pipeline) {
    return PipelineWrite{VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_PIPELINE_EXT, nullptr, index, pipeline};
  };
  const VkPipeline good = MakePipeline({.flags = kBindable}),
                   tall = MakePipeline({.stages = Stages::kAllVertex, .flags = kBindable});
  Add({}, MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL}}), 4);
  const VkPipeline other = MakePipeline({.flags = kBindable});
  using Writes = std::vector<PipelineWrite>;
  Run<Writes>("vkUpdateIndirectExecutionSetPipelineEXT", {write(0, good), write(1, good)},
              {{"executionSetWriteCount-11037", [&](auto& w) { w.push_back(write(0, good)); }},
               {"pExecutionSetWrites-11042", [&](auto& w) { w[1].index = 0; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-index-11026", [&](auto& w) { w[1].index = 2; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11027", [&](auto& w) { w[1].pipeline = plain; }},
               {"VkWriteIndirectExecutionSetPipelineEXT-pipeline-11030", [&](auto& w) { w[1].pipeline = tall; }},
               {"initialPipeline-11152", [&](auto& w) { w[1].pipeline = discards; }},
               {"None-11039", [&](auto& w) { w[1].pipeline = other; }},
               {"indirectExecutionSet-11035", [&](auto&) { set = shaders; }}},
              [&](const Writes& w) {
                vk.UpdateIndirectExecutionSetPipelineEXT(device, set, static_cast<uint32_t>(w.size()), w.data());
              });
}
TEST_F(ExecutionSets, WrittenShaders) {
  Start(kDrawing);
  VkIndirectExecutionSetEXT set = Make(Shaders());
  const VkIndirectExecutionSetEXT pipelines = Make(Pipelines());
  const VkShaderEXT good = MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT),
                    plain = MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT, 0),
                    fragment = MakeShaderObject(VK_SHADER_STAGE_FRAGMENT_BIT);
  const auto write = [](uint32_t index, VkShaderEXT shader) {
    return ShaderWrite{VK_STRUCTURE_TYPE_WRITE_INDIRECT_EXECUTION_SET_SHADER_EXT, nullptr, index, shader};
  };
  using Writes = std::vector<ShaderWrite>;
  Run<Writes>("vkUpdateIndirectExecutionSetShaderEXT", {write(0, good), write(1, good)},
              {{"pExecutionSetWrites-11043", [&](auto& w) { w[1].index = 0; }},
               {"VkWriteIndirectExecutionSetShaderEXT-index-11031", [&](auto& w) { w[1].index = 4; }},
               {"VkWriteIndirectExecutionSetShaderEXT-shader-11032", [&](auto& w) { w[1].shader = plain; }},
               {"VkWriteIndirectExecutionSetShaderEXT-pInitialShaders-11033", [&](auto& w) { w[1].shader = fragment; }},
               {"indirectExecutionSet-11041", [&](auto&) { set = pipelines; }}},
              [&](const Writes& w) {
                vk.UpdateIndirectExecutionSetShaderEXT(device, set, static_cast<uint32_t>(w.size()), w.data());
              });
  const VkDescriptorSetLayout one = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 1, VK_SHADER_STAGE_ALL}}),
                              two = MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_SAMPLER, 2, VK_SHADER_STAGE_ALL}});
  constexpr auto kFlag = VK_SHADER_CREATE_INDIRECT_BINDABLE_BIT_EXT;
  const VkShaderEXT first = MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT, kFlag, one);
  ShaderInfo info = Shaders();
  info.pInitialShaders = &first;
  const ShaderWrite wrong = write(0, MakeShaderObject(VK_SHADER_STAGE_VERTEX_BIT, kFlag, two));
  vk.UpdateIndirectExecutionSetShaderEXT(device, Make(info), 1, &wrong);
  ExpectMessage("VUID-vkUpdateIndirectExecutionSetShaderEXT-pExecutionSetWrites-11140");
}

}  // namespace
}  // namespace assay::core
