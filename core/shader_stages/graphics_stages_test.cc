// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stages of graphics pipelines: features and limits.

#include "core/shader_stages/stage_cases_test.h"

namespace assay::core {
namespace {

const StageText kVertex = {.model = "Vertex"};
const StageText kFragment = {.model = "Fragment"};
const StageText kGeometry = {.model = "Geometry",
                             .modes = Modes("Triangles, Invocations 2, OutputTriangleStrip, OutputVertices 4")};
const StageText kControl = {.model = "TessellationControl"};
const StageText kEvaluation = {.model = "TessellationEvaluation"};
const StageText kMesh = {.model = "MeshEXT"};
const StageText kTask = {.model = "TaskEXT"};

class GraphicsStages : public StageTest {
 protected:
  void Expect(std::string_view id, const std::vector<StageText>& texts,
              std::source_location where = std::source_location::current()) {
    MakeGraphics(texts);
    ExpectStage(id, where);
  }
  // A pipeline of shaders, in the order of stages.
  void MakeGraphics(const std::vector<StageText>& texts) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    bool has_tessellation = false;
    for (const StageText& text : texts) {
      stages.push_back(Stage(text.model, MakeShader(Text(text))));
      has_tessellation |= text.model == "TessellationControl";
    }
    const auto vertex_input = Typed(VkPipelineVertexInputStateCreateInfo{});
    const auto assembly = Typed(VkPipelineInputAssemblyStateCreateInfo{
        .topology = has_tessellation ? VK_PRIMITIVE_TOPOLOGY_PATCH_LIST : VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST});
    const auto tessellation = Typed(VkPipelineTessellationStateCreateInfo{.patchControlPoints = 1});
    const auto viewport = Typed(VkPipelineViewportStateCreateInfo{});
    const auto rasterization = Typed(VkPipelineRasterizationStateCreateInfo{.lineWidth = 1});
    const auto multisample =
        Typed(VkPipelineMultisampleStateCreateInfo{.rasterizationSamples = samples_,
                                                   .sampleShadingEnable = min_sample_shading_ > 0 ? VK_TRUE : VK_FALSE,
                                                   .minSampleShading = min_sample_shading_});
    const VkDynamicState states[] = {VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT};
    const auto dynamic = Typed(VkPipelineDynamicStateCreateInfo{.dynamicStateCount = 2, .pDynamicStates = states});
    const auto blend = Typed(VkPipelineColorBlendStateCreateInfo{});
    const auto rendering = Typed(VkPipelineRenderingCreateInfo{});
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
};

TEST_F(GraphicsStages, Correct) {
  Expect("", {kVertex, kFragment});
  Expect("", {kVertex, kControl, kEvaluation, kFragment});
  Expect("", {kVertex, kGeometry, kFragment});
  Expect("", {Distances(), kFragment});
  Expect("", {kTask, kMesh, kFragment});
}

// Shaders that are correct on another device.
struct DeviceCase {
  const char* rule;
  std::vector<StageText> stages;
  Change configure;
};
void PrintTo(const DeviceCase& row, std::ostream* out) { *out << row.rule; }

class StagesOnDevices : public GraphicsStages, public ::testing::WithParamInterface<DeviceCase> {
  void SetUp() override {}
};

TEST_P(StagesOnDevices, AreReported) {
  GetParam().configure(driver().config());
  MakeDevice();
  Expect(GetParam().rule, GetParam().stages);
}

std::vector<DeviceCase> DeviceCases() {
  using Limits = VkPhysicalDeviceLimits;
  return {
      {"maxClipDistances-00708", {Distances(), kFragment}, Set(&Limits::maxClipDistances, 3)},
      {"maxCullDistances-00709", {Distances(), kFragment}, Set(&Limits::maxCullDistances, 3)},
      {"maxCombinedClipAndCullDistances-00710",
       {Distances(), kFragment},
       Set(&Limits::maxCombinedClipAndCullDistances, 7)},
      {"stage-00713", {kVertex, kControl, kEvaluation, kFragment}, Set(&Limits::maxTessellationPatchSize, 2)},
      {"stage-00714", {kVertex, kGeometry, kFragment}, Set(&Limits::maxGeometryOutputVertices, 3)},
      {"stage-00715", {kVertex, kGeometry, kFragment}, Set(&Limits::maxGeometryShaderInvocations, 1)},
      {"stage-02091", {kMesh, kFragment}, Disable("meshShader")},
      {"stage-02092", {kTask, kMesh, kFragment}, Disable("taskShader")},
  };
}
INSTANTIATE_TEST_SUITE_P(All, StagesOnDevices, ::testing::ValuesIn(DeviceCases()),
                         [](const auto& info) { return absl::StrReplaceAll(info.param.rule, {{"-", "_"}}); });

TEST_F(GraphicsStages, SampleMask) {
  StageText mask = kFragment;
  mask.variables = {{"%mask", "Output", "%words", "BuiltIn SampleMask"}};
  mask.globals = "%words = OpTypeArray %int %u1\n";
  Expect("", {kVertex, mask});
  mask.globals = "%words = OpTypeArray %int %u2\n";
  Expect("maxSampleMaskWords-00711", {kVertex, mask});
}

TEST_F(GraphicsStages, WithoutGeometry) {
  MakeDeviceWithout("geometryShader");
  MakeGraphics({kVertex, kGeometry, kFragment});
  ExpectMessages({"VUID-VkPipelineShaderStageCreateInfo-stage-00704", kModuleCapability});
}

TEST_F(GraphicsStages, WithoutTessellation) {
  MakeDeviceWithout("tessellationShader");
  MakeGraphics({kVertex, kControl, kEvaluation, kFragment});
  ExpectMessages({"VUID-VkPipelineShaderStageCreateInfo-stage-00705",
                  "VUID-VkPipelineShaderStageCreateInfo-stage-00705", kModuleCapability, kModuleCapability,
                  "VUID-VkPipelineInputAssemblyStateCreateInfo-topology-00430"});
}

// A fragment shader that writes an output if an input is small.
StageText Branch(const std::string& capabilities, const std::string& mode, const std::string& built_in,
                 const std::string& type, const std::string& store) {
  return {
      .model = "Fragment",
      .capabilities = capabilities,
      .variables = {{"%out", "Output", type, "BuiltIn " + built_in}, {"%in", "Input", "%v4float", "BuiltIn FragCoord"}},
      .modes = Modes(mode),
      .body = absl::StrCat("%place = OpLoad %v4float %in\n%x = OpCompositeExtract %float %place 0\n"
                           "%is_small = OpFOrdLessThan %bool %x %f1\nOpSelectionMerge %after None\n"
                           "OpBranchConditional %is_small %then %after\n%then = OpLabel\n",
                           store, "OpBranch %after\n%after = OpLabel\n")};
}

TEST_F(GraphicsStages, WrittenDepth) {
  StageText depth = Branch("", "DepthReplacing", "FragDepth", "%float", "OpStore %out %f1\n");
  Expect("stage-06685", {kVertex, depth});
  depth.body += "OpStore %out %f1\n";
  Expect("", {kVertex, depth});
}

// A flag that is set whenever a pipeline writes depths.
TEST_F(GraphicsStages, DepthThatAUniformDecides) {
  StageText depth = Branch("", "DepthReplacing", "FragDepth", "%float", "OpStore %out %f1\n");
  depth.variables[1] = {"%in", "PushConstant", "%flags"};
  depth.decorations = DecorateBlock("%flags");
  depth.globals = "%flags = OpTypeStruct %v4float\n%vector_pointer = OpTypePointer PushConstant %v4float\n";
  depth.body = absl::StrReplaceAll(depth.body, {{"%place = OpLoad %v4float %in\n",
                                                 "%member = OpAccessChain %vector_pointer %in %u0\n"
                                                 "%place = OpLoad %v4float %member\n"}});
  Expect("", {kVertex, depth});
}

TEST_F(GraphicsStages, WrittenStencil) {
  StageText stencil = Branch(Capabilities("StencilExportEXT", "SPV_EXT_shader_stencil_export"),
                             "StencilRefReplacingEXT", "FragStencilRefEXT", "%int", "OpStore %out %i1\n");
  Expect("stage-06686", {kVertex, stencil});
  stencil.body += "OpStore %out %i1\n";
  Expect("", {kVertex, stencil});
}

TEST_F(GraphicsStages, TileReads) {
  MakeDeviceWith({VK_EXT_SHADER_TILE_IMAGE_EXTENSION_NAME});
  StageText tile = {.model = "Fragment",
                    .capabilities = Capabilities("TileImageDepthReadAccessEXT", "SPV_EXT_shader_tile_image"),
                    .body = "%depth = OpDepthAttachmentReadEXT %float\n"};
  const auto expect = [&](const char* id, float least, VkSampleCountFlagBits samples) {
    min_sample_shading_ = least;
    samples_ = samples;
    Expect(id, {kVertex, tile});
  };
  expect("", 0, VK_SAMPLE_COUNT_4_BIT);
  expect("", 1, VK_SAMPLE_COUNT_4_BIT);
  expect("RuntimeSpirv-minSampleShading-08732", 0.5, VK_SAMPLE_COUNT_4_BIT);
  tile.body = "%depth = OpDepthAttachmentReadEXT %float %u1\n";
  expect("", 0, VK_SAMPLE_COUNT_4_BIT);
  expect("", 1, VK_SAMPLE_COUNT_1_BIT);
  expect("RuntimeSpirv-minSampleShading-08731", 1, VK_SAMPLE_COUNT_4_BIT);
}

TEST_F(GraphicsStages, FragmentRegions) {
  MakeDeviceWith({VK_QCOM_RENDER_PASS_SHADER_RESOLVE_EXTENSION_NAME});
  StageText shaded = kFragment;
  for (const bool has_regions : {false, true}) {
    const VkSubpassDescription subpass = {
        .flags = has_regions ? VkSubpassDescriptionFlags{VK_SUBPASS_DESCRIPTION_FRAGMENT_REGION_BIT_QCOM} : 0,
        .pipelineBindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS};
    pass_ = MakeFrom(VkRenderPassCreateInfo{.subpassCount = 1, .pSubpasses = &subpass}, vk.CreateRenderPass,
                     vk.DestroyRenderPass);
    shaded.capabilities = "";
    Expect("", {kVertex, shaded});
    shaded.capabilities = Capabilities("SampleRateShading");
    Expect(has_regions ? "RuntimeSpirv-SampleRateShading-06378" : "", {kVertex, shaded});
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
          .capabilities = Capabilities("MultiViewport"),
          .variables = {{"%chosen", "Output", "%uint", "BuiltIn " + built_in}},
          .modes = Modes("Triangles, Invocations 1, " + mode + ", OutputVertices 6"),
          .body = body};
}

TEST_F(GraphicsStages, PrimitivesOfTwoLayers) {
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
      Make("Geometry", Text(correct));
      Expect("", {kVertex, correct, kFragment});
    }
    for (const StageText& wrong : {Emitting(row.built_in, strip, {"%u0", "%u0", "%u1", ""}),
                                   Emitting(row.built_in, strip, {"%u0", "%u0", "%u0", "", "%u1", "%u1", "%u1", "%u0"}),
                                   Emitting(row.built_in, "OutputLineStrip", {"%u0", "%u1"})}) {
      Expect(row.rule, {kVertex, wrong, kFragment});
      Make("Geometry", Text(wrong));
      ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", row.object_rule));
      ExpectNothing();
    }
  }
}

TEST_F(GraphicsStages, PrimitivesOfUnknownLayers) {
  StageText unknown = Emitting("Layer", "OutputTriangleStrip", {"%u0", "%u0", "%u0", ""});
  // One vertex has no value of its own, the other one that only the shader knows.
  unknown.variables.push_back({"%private", "Private", "%uint"});
  unknown.body =
      "OpStore %chosen %u0\nOpEmitVertex\nOpEmitVertex\n%value = OpLoad %uint %private\n"
      "OpStore %chosen %value\nOpEmitVertex\nOpEndPrimitive\n";
  Expect("", {kVertex, unknown, kFragment});
}

TEST_F(GraphicsStages, ViewportMasksOfViews) {
  MakeDeviceWith({VK_NVX_MULTIVIEW_PER_VIEW_ATTRIBUTES_EXTENSION_NAME, VK_NV_VIEWPORT_ARRAY_2_EXTENSION_NAME});
  const auto subpass = Typed(VkSubpassDescription2{.viewMask = 0b101});
  pass_ = MakeRenderPass(Typed(VkRenderPassCreateInfo2{.subpassCount = 1, .pSubpasses = &subpass}));
  StageText masks = kVertex;
  masks.capabilities = Capabilities(
      "ShaderViewportIndexLayerEXT, ShaderViewportMaskNV, PerViewAttributesNV, MultiView",
      "SPV_EXT_shader_viewport_index_layer, SPV_NV_viewport_array2, SPV_NVX_multiview_per_view_attributes");
  masks.variables = {{"%masks", "Output", "%array", "BuiltIn ViewportMaskPerViewNV"}};
  masks.globals = "%array = OpTypeArray %int %u3\n";
  Expect("", {masks, kFragment});
  masks.globals = "%array = OpTypeArray %int %u2\n";
  Expect("ViewportMaskPerViewNV-ViewportMaskPerViewNV-04416", {masks, kFragment});
}

}  // namespace
}  // namespace assay::core
