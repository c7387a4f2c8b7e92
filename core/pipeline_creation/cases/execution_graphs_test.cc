// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Pipelines of execution graphs.

#include "core/draw/cases/shader_texts.h"
#include "core/resources/resource_test.h"

namespace assay::core {
namespace {

using Info = VkExecutionGraphPipelineCreateInfoAMDX;

constexpr VkShaderStageFlagBits kCompute = VK_SHADER_STAGE_COMPUTE_BIT;
constexpr VkPipelineCreateFlags2 kInGraph = VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX;

class ExecutionGraphs : public ResourceTest {
 protected:
  VkPipelineShaderStageCreateInfo Stage(const void* next, VkShaderStageFlagBits stage = kCompute) const {
    return {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, next, 0, stage, shader_, "main"};
  }
  VkPipeline Make(const Info& info) {
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateExecutionGraphPipelinesAMDX(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    if (pipeline != VK_NULL_HANDLE) Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }
  VkPipeline MakeLibrary(VkPipelineCreateFlags2 flags, VkPipelineLayout layout,
                         VkShaderStageFlagBits stage = kCompute) {
    const auto own = test::Of<VkPipelineCreateFlags2CreateInfo>(flags | VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR);
    const auto info = test::Typed(VkComputePipelineCreateInfo{
        .pNext = &own, .stage = Stage(nullptr, stage), .layout = layout, .basePipelineIndex = -1});
    VkPipeline pipeline = VK_NULL_HANDLE;
    EXPECT_EQ(vk.CreateComputePipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline), VK_SUCCESS);
    Defer(pipeline, [=, this] { vk.DestroyPipeline(device, pipeline, nullptr); });
    return pipeline;
  }

  VkPipelineLayout layout_ = VK_NULL_HANDLE;
  VkShaderModule shader_ = VK_NULL_HANDLE;
};

TEST_F(ExecutionGraphs, CreateInfos) {
  std::set<std::string> without = {"deviceGeneratedCommands", "shaderMeshEnqueue"};
  for (const char* kind : {"AccelerationStructure", "InlineUniformBlock", "SampledImage", "StorageBuffer",
                           "StorageImage", "StorageTexelBuffer", "UniformBuffer", "UniformTexelBuffer"}) {
    without.insert(std::string("descriptorBinding") + kind + "UpdateAfterBind");
  }
  driver().config().limits.maxPerStageResources = 2;
  Start({}, without);
  layout_ = MakePipelineLayout({});
  shader_ = MakeShader(ShaderTextOf(kCompute, {}));
  const VkPipelineShaderStageNodeCreateInfoAMDX nodes[] = {
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX, nullptr, "first", 0},
      {VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_NODE_CREATE_INFO_AMDX, nullptr, "first", 1}};
  const VkPipelineShaderStageCreateInfo stages[] = {Stage(&nodes[0]), Stage(&nodes[1])},
                                        same[] = {Stage(&nodes[0]), Stage(&nodes[0])};
  const Info correct = {.sType = VK_STRUCTURE_TYPE_EXECUTION_GRAPH_PIPELINE_CREATE_INFO_AMDX,
                        .stageCount = 2,
                        .pStages = stages,
                        .layout = layout_,
                        .basePipelineIndex = -1};
  Info may_derive = correct;
  may_derive.flags = VK_PIPELINE_CREATE_ALLOW_DERIVATIVES_BIT;
  const VkPipeline base = Make(may_derive), plain = Make(correct);
  const VkPipelineLayout large =
      MakePipelineLayout({MakeSetLayout({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3, VK_SHADER_STAGE_COMPUTE_BIT}})});
  const VkPipelineLayout one = MakePipelineLayout({MakeSetLayout({{}})}),
                         other = MakePipelineLayout({MakeSetLayout({{.count = 2}})});
  const VkPipeline library = MakeLibrary(kInGraph, one), without_flag = MakeLibrary(0, one),
                   of_other = MakeLibrary(kInGraph, other),
                   shading = MakeLibrary(0, one, VK_SHADER_STAGE_SUBPASS_SHADING_BIT_HUAWEI),
                   graphics = MakeGraphicsPipeline(layout_);
  const auto derive = [](Info& i, VkPipeline from, int32_t index) {
    i.flags = VK_PIPELINE_CREATE_DERIVATIVE_BIT;
    i.basePipelineHandle = from;
    i.basePipelineIndex = index;
  };
  VkPipelineLibraryCreateInfoKHR libraries = {VK_STRUCTURE_TYPE_PIPELINE_LIBRARY_CREATE_INFO_KHR, nullptr, 1};
  const auto link = [&](Info& i, const VkPipeline& of) {
    libraries.pLibraries = &of;
    i.pLibraryInfo = &libraries;
    i.layout = one;
  };
  messages.Take();
  Run<Info>("VkExecutionGraphPipelineCreateInfoAMDX", correct,
            {{"", [&](Info& i) { derive(i, base, -1); }},
             {"flags-07984", [&](Info& i) { derive(i, VK_NULL_HANDLE, -1); }},
             {"flags-07984", [&](Info& i) { derive(i, library, -1); }},
             {"flags-07985", [&](Info& i) { derive(i, VK_NULL_HANDLE, 1); }},
             {"flags-07986", [&](Info& i) { derive(i, base, 0); }},
             {"vkCreateExecutionGraphPipelinesAMDX-flags-09125", [&](Info& i) { derive(i, VK_NULL_HANDLE, 0); }},
             {"vkCreateExecutionGraphPipelinesAMDX-flags-09126", [&](Info& i) { derive(i, plain, -1); }},
             {"flags-09008", [](Info& i) { i.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV; }},
             {"layout-09132", [&](Info& i) { i.layout = large; }},
             {"None-09134", [&](Info& i) { i.pStages = same; }},
             {"", [&](Info& i) { link(i, library); }},
             {"pLibraryInfo-09133", [&](Info& i) { link(i, shading); }},
             {"pLibraryInfo-10181", [&](Info& i) { link(i, without_flag); }},
             {"pLibraryInfo-09131", [&](Info& i) { link(i, of_other); }},
             {"shaderMeshEnqueue-10182", [&](Info& i) { link(i, graphics); }}},
            [this](const Info& info) { Make(info); });
}

}  // namespace
}  // namespace assay::core
