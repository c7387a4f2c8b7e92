// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stages of graphics pipelines: features and limits.

#include <string>
#include <vector>

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
        .rasterizationSamples = samples_,
        .sampleShadingEnable = min_sample_shading_ > 0 ? VK_TRUE : VK_FALSE,
        .minSampleShading = min_sample_shading_};
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 2,
                                                      .pDynamicStates = states};
    const VkPipelineColorBlendStateCreateInfo blend = {.sType =
                                                           VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = pass_ == VK_NULL_HANDLE ? &rendering : nullptr,
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
                                               .layout = Layout(),
                                               .renderPass = pass_};
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
  }
  VkSampleCountFlagBits samples_ = VK_SAMPLE_COUNT_1_BIT;
  // 0 without sample shading.
  float min_sample_shading_ = 0;
  // Null for dynamic rendering.
  VkRenderPass pass_ = VK_NULL_HANDLE;

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

TEST_F(GraphicsStages, WithoutGeometry) {
  driver().config().disabled_features.insert("geometryShader");
  MakeDevice();
  MakeGraphics({vertex, geometry, fragment});
  ExpectMessages({"VUID-VkPipelineShaderStageCreateInfo-stage-00704", "VUID-VkShaderModuleCreateInfo-pCode-08740"});
}

TEST_F(GraphicsStages, WithoutTessellation) {
  driver().config().disabled_features.insert("tessellationShader");
  MakeDevice();
  MakeGraphics({vertex, control, evaluation, fragment});
  ExpectMessages({"VUID-VkPipelineShaderStageCreateInfo-stage-00705",
                  "VUID-VkPipelineShaderStageCreateInfo-stage-00705", "VUID-VkShaderModuleCreateInfo-pCode-08740",
                  "VUID-VkShaderModuleCreateInfo-pCode-08740",
                  "VUID-VkPipelineInputAssemblyStateCreateInfo-topology-00430"});
}

TEST_F(GraphicsStages, Meshes) {
  const StageText mesh = {.model = "MeshEXT"};
  const StageText task = {.model = "TaskEXT"};
  MakeDevice();
  MakeGraphics({task, mesh, fragment});
  ExpectNothing();
}

TEST_F(GraphicsStages, WithoutMeshes) {
  driver().config().disabled_features.insert("meshShader");
  MakeDevice();
  MakeGraphics({StageText{.model = "MeshEXT"}, fragment});
  ExpectStage("stage-02091");
}

TEST_F(GraphicsStages, WithoutTasks) {
  driver().config().disabled_features.insert("taskShader");
  MakeDevice();
  MakeGraphics({StageText{.model = "TaskEXT"}, StageText{.model = "MeshEXT"}, fragment});
  ExpectStage("stage-02092");
}

// A fragment shader that writes an output if an input is small.
StageText Branch(const std::string& capabilities, const std::string& mode, const std::string& built_in,
                 const std::string& type, const std::string& store) {
  return {
      .model = "Fragment",
      .capabilities = capabilities,
      .interface = "%out %in",
      .modes = absl::StrCat("OpExecutionMode %main ", mode, "\n"),
      .decorations = absl::StrCat("OpDecorate %out BuiltIn ", built_in, "\nOpDecorate %in BuiltIn FragCoord\n"),
      .globals = absl::StrCat("%out_pointer = OpTypePointer Output ", type,
                              "\n%out = OpVariable %out_pointer Output\n%in_pointer = OpTypePointer Input %v4float\n"
                              "%in = OpVariable %in_pointer Input\n%i1 = OpConstant %int 1\n"),
      .body = absl::StrCat("%place = OpLoad %v4float %in\n%x = OpCompositeExtract %float %place 0\n"
                           "%is_small = OpFOrdLessThan %bool %x %f1\nOpSelectionMerge %after None\n"
                           "OpBranchConditional %is_small %then %after\n%then = OpLabel\n",
                           store, "OpBranch %after\n%after = OpLabel\n")};
}

TEST_F(GraphicsStages, WrittenDepth) {
  MakeDevice();
  StageText depth = Branch("", "DepthReplacing", "FragDepth", "%float", "OpStore %out %f1\n");
  MakeGraphics({vertex, depth});
  ExpectStage("stage-06685");
  depth.body += "OpStore %out %f1\n";
  MakeGraphics({vertex, depth});
  ExpectNothing();
}

// A flag that is set whenever a pipeline writes depths.
TEST_F(GraphicsStages, DepthThatAUniformDecides) {
  MakeDevice();
  StageText depth = Branch("", "DepthReplacing", "FragDepth", "%float", "OpStore %out %f1\n");
  depth.decorations = absl::StrReplaceAll(
      depth.decorations,
      {{"OpDecorate %in BuiltIn FragCoord\n", "OpDecorate %flags Block\nOpMemberDecorate %flags 0 Offset 0\n"}});
  depth.globals = absl::StrReplaceAll(
      depth.globals,
      {{"%in_pointer = OpTypePointer Input %v4float\n%in = OpVariable %in_pointer Input\n",
        "%flags = OpTypeStruct %v4float\n%flags_pointer = OpTypePointer PushConstant %flags\n"
        "%in_pointer = OpTypePointer PushConstant %v4float\n%in = OpVariable %flags_pointer PushConstant\n"}});
  depth.body = absl::StrReplaceAll(depth.body, {{"%place = OpLoad %v4float %in\n",
                                                 "%member = OpAccessChain %in_pointer %in %u0\n"
                                                 "%place = OpLoad %v4float %member\n"}});
  MakeGraphics({vertex, depth});
  ExpectNothing();
}

TEST_F(GraphicsStages, WrittenStencil) {
  MakeDevice();
  StageText stencil = Branch("OpCapability StencilExportEXT\nOpExtension \"SPV_EXT_shader_stencil_export\"\n",
                             "StencilRefReplacingEXT", "FragStencilRefEXT", "%int", "OpStore %out %i1\n");
  MakeGraphics({vertex, stencil});
  ExpectStage("stage-06686");
  stencil.body += "OpStore %out %i1\n";
  MakeGraphics({vertex, stencil});
  ExpectNothing();
}

TEST_F(GraphicsStages, TileReads) {
  extensions.push_back(VK_EXT_SHADER_TILE_IMAGE_EXTENSION_NAME);
  feature_structs.emplace_back("VkPhysicalDeviceShaderTileImageFeaturesEXT");
  MakeDevice();
  StageText tile = {.model = "Fragment",
                    .capabilities =
                        "OpCapability TileImageDepthReadAccessEXT\n"
                        "OpExtension \"SPV_EXT_shader_tile_image\"\n",
                    .body = "%depth = OpDepthAttachmentReadEXT %float\n"};
  const auto expect = [&](float least, VkSampleCountFlagBits samples, const char* rule) {
    min_sample_shading_ = least;
    samples_ = samples;
    MakeGraphics({vertex, tile});
    if (rule != nullptr) ExpectMessage(absl::StrCat("VUID-RuntimeSpirv-minSampleShading-", rule));
    ExpectNothing();
  };
  expect(0, VK_SAMPLE_COUNT_4_BIT, nullptr);
  expect(1, VK_SAMPLE_COUNT_4_BIT, nullptr);
  expect(0.5, VK_SAMPLE_COUNT_4_BIT, "08732");
  tile.body = "%depth = OpDepthAttachmentReadEXT %float %u1\n";
  expect(0, VK_SAMPLE_COUNT_4_BIT, nullptr);
  expect(1, VK_SAMPLE_COUNT_1_BIT, nullptr);
  expect(1, VK_SAMPLE_COUNT_4_BIT, "08731");
}

TEST_F(GraphicsStages, FragmentRegions) {
  extensions.push_back(VK_QCOM_RENDER_PASS_SHADER_RESOLVE_EXTENSION_NAME);
  MakeDevice();
  StageText shaded = fragment;
  for (const bool has_regions : {false, true}) {
    const VkSubpassDescription subpass = {
        .flags = has_regions ? VkSubpassDescriptionFlags{VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM} : 0,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    const VkRenderPassCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO, .subpassCount = 1, .pSubpasses = &subpass};
    EXPECT_EQ(vk.CreateRenderPass(device, &info, nullptr, &pass_), VK_SUCCESS);
    shaded.capabilities = "";
    MakeGraphics({vertex, shaded});
    ExpectNothing();
    shaded.capabilities = "OpCapability SampleRateShading\n";
    MakeGraphics({vertex, shaded});
    if (has_regions) ExpectMessage("VUID-RuntimeSpirv-SampleRateShading-06378");
    ExpectNothing();
    vk.DestroyRenderPass(device, pass_, nullptr);
  }
}

// A geometry shader that writes a built-in before each vertex; a value of "" ends a strip.
StageText Emitting(const std::string& built_in, const std::string& mode, const std::vector<std::string>& values) {
  std::string body;
  for (const std::string& value : values) {
    absl::StrAppend(&body,
                    value.empty() ? "OpEndPrimitive\n" : absl::StrCat("OpStore %chosen ", value, "\nOpEmitVertex\n"));
  }
  return {.model = "Geometry",
          .capabilities = "OpCapability MultiViewport\n",
          .interface = "%chosen",
          .modes = absl::StrCat("OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
                                "OpExecutionMode %main ",
                                mode, "\nOpExecutionMode %main OutputVertices 6\n"),
          .decorations = absl::StrCat("OpDecorate %chosen BuiltIn ", built_in, "\n"),
          .globals = "%chosen_pointer = OpTypePointer Output %uint\n%chosen = OpVariable %chosen_pointer Output\n",
          .body = body};
}

TEST_F(GraphicsStages, PrimitivesOfTwoLayers) {
  MakeDevice();
  struct Row {
    const char* built_in;
    const char* rule;
    const char* object_rule;
  };
  for (const Row& row :
       {Row{"Layer", "stage-02596", "pCode-08456"}, Row{"ViewportIndex", "stage-02597", "pCode-08457"}}) {
    const std::string strip = "OutputTriangleStrip";
    for (const StageText& correct : {Emitting(row.built_in, strip, {"%u0", "%u0", "%u0", "", "%u1", "%u1", "%u1", ""}),
                                     // Without a third vertex there is no triangle.
                                     Emitting(row.built_in, strip, {"%u0", "%u1", "", "%u1", "%u1", "%u1"}),
                                     Emitting(row.built_in, "OutputPoints", {"%u0", "%u1", "%u2"})}) {
      MakeGraphics({vertex, correct, fragment});
      Make("Geometry", Text(correct));
      ExpectNothing();
    }
    for (const StageText& wrong : {Emitting(row.built_in, strip, {"%u0", "%u0", "%u1", ""}),
                                   Emitting(row.built_in, strip, {"%u0", "%u0", "%u0", "", "%u1", "%u1", "%u1", "%u0"}),
                                   Emitting(row.built_in, "OutputLineStrip", {"%u0", "%u1"})}) {
      MakeGraphics({vertex, wrong, fragment});
      ExpectStage(row.rule);
      Make("Geometry", Text(wrong));
      ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", row.object_rule));
      ExpectNothing();
    }
  }
}

TEST_F(GraphicsStages, PrimitivesOfUnknownLayers) {
  MakeDevice();
  StageText unknown = Emitting("Layer", "OutputTriangleStrip", {"%u0", "%u0", "%u0", ""});
  // One vertex has no value of its own, the other one that only the shader knows.
  unknown.interface += " %private";
  unknown.globals += "%private_pointer = OpTypePointer Private %uint\n%private = OpVariable %private_pointer Private\n";
  unknown.body =
      "OpStore %chosen %u0\nOpEmitVertex\nOpEmitVertex\n%value = OpLoad %uint %private\n"
      "OpStore %chosen %value\nOpEmitVertex\nOpEndPrimitive\n";
  MakeGraphics({vertex, unknown, fragment});
  ExpectNothing();
}

TEST_F(GraphicsStages, ViewportMasksOfViews) {
  extensions.push_back(VK_NVX_MULTIVIEW_PER_VIEW_ATTRIBUTES_EXTENSION_NAME);
  extensions.push_back(VK_NV_VIEWPORT_ARRAY_2_EXTENSION_NAME);
  MakeDevice();
  const VkSubpassDescription2 subpass = {.sType = VK_STRUCTURE_TYPE_SUBPASS_DESCRIPTION_2, .viewMask = 0b101};
  const VkRenderPassCreateInfo2 info = {
      .sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO_2, .subpassCount = 1, .pSubpasses = &subpass};
  ASSERT_EQ(vk.CreateRenderPass2(device, &info, nullptr, &pass_), VK_SUCCESS);
  for (const char* length : {"%u3", "%u2"}) {
    MakeGraphics({{.model = "Vertex",
                   .capabilities = "OpCapability ShaderViewportIndexLayerEXT\nOpCapability ShaderViewportMaskNV\n"
                                   "OpCapability PerViewAttributesNV\nOpCapability MultiView\n"
                                   "OpExtension \"SPV_EXT_shader_viewport_index_layer\"\n"
                                   "OpExtension \"SPV_NV_viewport_array2\"\n"
                                   "OpExtension \"SPV_NVX_multiview_per_view_attributes\"\n",
                   .interface = "%masks",
                   .decorations = "OpDecorate %masks BuiltIn ViewportMaskPerViewNV\n",
                   .globals = absl::StrCat("%array = OpTypeArray %int ", length,
                                           "\n%masks_pointer = OpTypePointer Output %array\n"
                                           "%masks = OpVariable %masks_pointer Output\n")},
                  fragment});
    if (length == std::string("%u2")) ExpectMessage("VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04416");
    ExpectNothing();
  }
  vk.DestroyRenderPass(device, pass_, nullptr);
}

}  // namespace
}  // namespace assay::core
