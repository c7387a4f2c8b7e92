// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stages of graphics pipelines: features and limits.

#include "core/shader_stages/stage_test.h"

namespace assay::core {
namespace {

class GraphicsStages : public StageTest {
 protected:
  // A pipeline of shaders, in the order of stages.
  void MakeGraphics(const std::vector<StageText>& texts) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    stages.reserve(texts.size());
    for (const StageText& text : texts) stages.push_back(Stage(text.model, MakeShader(Text(text))));
    MakeGraphics(stages);
  }
  void MakeGraphics(const std::vector<VkPipelineShaderStageCreateInfo>& stages) {
    bool has_tessellation = false;
    for (const auto& stage : stages) has_tessellation |= stage.stage == VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
    const VkPipelineVertexInputStateCreateInfo vertex_input = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
        .topology = has_tessellation ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST};
    const VkPipelineTessellationStateCreateInfo tessellation = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO, .patchControlPoints = 1};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    const VkPipelineRasterizationStateCreateInfo rasterization = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO, .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo multisample = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = VK_SAMPLE_COUNT_1_BIT};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = states};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = static_cast<uint32_t>(stages.size()),
                                               .pStages = stages.data(),
                                               .pVertexInputState = &vertex_input,
                                               .pInputAssemblyState = &assembly,
                                               .pTessellationState = has_tessellation ? &tessellation : nullptr,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &rasterization,
                                               .pMultisampleState = &multisample,
                                               .pColorBlendState = &blend,
                                               .pDynamicState = &dynamic,
                                               .layout = Layout()};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  VkPhysicalDeviceLimits& limits() { return driver().config().limits; }
  void ExpectStage(std::string_view rule) {
    ExpectMessage(absl::StrCat("VUID-VkPipelineShaderStageCreateInfo-", rule));
    ExpectNothing();
  }
  const StageText vertex = {.model = "Vertex"};
  const StageText fragment = {.model = "Fragment"};
  const StageText geometry = {.model = "Geometry",
                              .modes =
                                  "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 2\n"
                                  "OpExecutionMode %main OutputTriangleStrip\n"
                                  "OpExecutionMode %main OutputVertices 4\n"};
  const StageText control = {.model = "TessellationControl"};
  const StageText evaluation = {.model = "TessellationEvaluation"};
  const StageText distances = {.model = "Vertex",
                               .capabilities = "OpCapability ClipDistance\nOpCapability CullDistance\n",
                               .interface = "%clip %cull",
                               .decorations =
                                   "OpDecorate %clip BuiltIn ClipDistance\n"
                                   "OpDecorate %cull BuiltIn CullDistance\n",
                               .globals =
                                   "%floats = OpTypeArray %float %u4\n"
                                   "%pointer = OpTypePointer Output %floats\n"
                                   "%clip = OpVariable %pointer Output\n%cull = OpVariable %pointer Output\n"};
};

TEST_F(GraphicsStages, Correct) {
  MakeDevice();
  MakeGraphics({vertex, fragment});
  MakeGraphics({vertex, control, evaluation, fragment});
  MakeGraphics({vertex, geometry, fragment});
  MakeGraphics({distances, fragment});
  ExpectNothing();
}

TEST_F(GraphicsStages, ClipDistances) {
  limits().maxClipDistances = 3;
  MakeDevice();
  MakeGraphics({distances, fragment});
  ExpectStage("maxClipDistances-00708");
}

TEST_F(GraphicsStages, CullDistances) {
  limits().maxCullDistances = 3;
  MakeDevice();
  MakeGraphics({distances, fragment});
  ExpectStage("maxCullDistances-00709");
}

TEST_F(GraphicsStages, CombinedDistances) {
  limits().maxCombinedClipAndCullDistances = 7;
  MakeDevice();
  MakeGraphics({distances, fragment});
  ExpectStage("maxCombinedClipAndCullDistances-00710");
}

TEST_F(GraphicsStages, SampleMask) {
  MakeDevice();
  StageText mask = fragment;
  mask.interface = "%mask";
  mask.decorations = "OpDecorate %mask BuiltIn SampleMask\n";
  const std::string variable = "%pointer = OpTypePointer Output %words\n%mask = OpVariable %pointer Output\n";
  mask.globals = "%words = OpTypeArray %int %u1\n" + variable;
  MakeGraphics({vertex, mask});
  ExpectNothing();
  mask.globals = "%words = OpTypeArray %int %u2\n" + variable;
  MakeGraphics({vertex, mask});
  ExpectStage("maxSampleMaskWords-00711");
}

TEST_F(GraphicsStages, PatchSize) {
  limits().maxTessellationPatchSize = 2;
  MakeDevice();
  MakeGraphics({vertex, control, evaluation, fragment});
  ExpectStage("stage-00713");
}

TEST_F(GraphicsStages, GeometryVertices) {
  limits().maxGeometryOutputVertices = 3;
  MakeDevice();
  MakeGraphics({vertex, geometry, fragment});
  ExpectStage("stage-00714");
}

TEST_F(GraphicsStages, GeometryInvocations) {
  limits().maxGeometryShaderInvocations = 1;
  MakeDevice();
  MakeGraphics({vertex, geometry, fragment});
  ExpectStage("stage-00715");
}

}  // namespace
}  // namespace assay::core
