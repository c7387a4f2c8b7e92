// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stages of graphics pipelines: features and limits.

#include "core/pipelines/pipeline_setup.h"
#include "core/shader_stages/stage_test.h"

namespace assay::core {
namespace {

const StageText kGeometry = {.model = "Geometry",
                             .modes = Modes("Triangles, Invocations 2, OutputTriangleStrip, OutputVertices 4")};

class GraphicsStages : public StageTest {
 protected:
  // Without attachments and vertex input.
  GraphicsStages() {
    setup_.info.pVertexInputState = &setup_.no_input;
    setup_.info.pDepthStencilState = nullptr;
    setup_.rendering.colorAttachmentCount = setup_.blend.attachmentCount = 0;
    setup_.tessellation.patchControlPoints = 1;
  }
  // Makes a pipeline of shaders, in the order of stages.
  void Expect(std::string_view id, const std::vector<StageText>& texts,
              std::source_location where = std::source_location::current()) {
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    setup_.assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    for (const StageText& text : texts) {
      stages.push_back(Stage(text.model, MakeShader(Text(text))));
      if (text.model == "TessellationControl") setup_.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
    }
    setup_.info.stageCount = static_cast<uint32_t>(stages.size());
    setup_.info.pStages = stages.data();
    setup_.info.layout = Layout();
    VkPipeline pipeline = VK_NULL_HANDLE;
    vk.CreateGraphicsPipelines(device, VK_NULL_HANDLE, 1, &setup_.info, nullptr, &pipeline);
    vk.DestroyPipeline(device, pipeline, nullptr);
    ExpectStage(id, where);
  }
  // For dynamic rendering, unless it gets a render pass.
  PipelineSetup setup_;
};

TEST_F(GraphicsStages, Correct) {
  Expect("", {kVertex, kFragment});
  Expect("", {kVertex, kControl, kEvaluation, kFragment});
  Expect("", {kVertex, kGeometry, kFragment});
  Expect("", {Distances(), kFragment});
  Expect("", {kTask, kMesh, kFragment});
}

// Shaders that are correct on another device.
TEST_F(GraphicsStages, OnDevices) {
  using Limits = VkPhysicalDeviceLimits;
  struct Row {
    const char* rule;
    std::vector<StageText> stages;
    Change configure;
  };
  const Row rows[] = {
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
  for (const Row& row : rows) {
    SCOPED_TRACE(row.rule);
    driver().config() = test::MockConfig();
    row.configure(driver().config());
    MakeDevice();
    Expect(row.rule, row.stages);
  }
}

TEST_F(GraphicsStages, SampleMask) {
  StageText mask = kFragment;
  mask.variables = {{"%mask", "Output", "%words", "BuiltIn SampleMask"}};
  mask.globals = "%words = OpTypeArray %int %u1\n";
  Expect("", {kVertex, mask});
  mask.globals = "%words = OpTypeArray %int %u2\n";
  Expect("maxSampleMaskWords-00711", {kVertex, mask});
}

// The output is written if an input is small, and then in any case.
TEST_F(GraphicsStages, WrittenOutputs) {
  const auto expect = [&](const char* rule, const StageText& shader, const char* store) {
    StageText fragment = Branching(shader, store);
    Expect(rule, {kVertex, fragment});
    fragment.body += store;
    Expect("", {kVertex, fragment});
  };
  expect("stage-06685", WithDepth(), "OpStore %depth %f1\n");
  expect("stage-06686",
         {.model = "Fragment",
          .capabilities = Capabilities("StencilExportEXT", "SPV_EXT_shader_stencil_export"),
          .variables = {{"%stencil", "Output", "%int", "BuiltIn FragStencilRefEXT"}},
          .modes = Modes("StencilRefReplacingEXT")},
         "OpStore %stencil %i1\n");
}

// A flag that is set whenever a pipeline writes depths.
TEST_F(GraphicsStages, DepthThatAUniformDecides) {
  StageText depth = WithBuffer("%v4float", Branching(WithDepth(), "OpStore %depth %f1\n"), "PushConstant", "");
  depth.variables.erase(depth.variables.begin() + 1);
  depth.body = absl::StrReplaceAll(depth.body, {{"%place = OpLoad %v4float %in\n",
                                                 "%member = OpAccessChain %member_pointer %buffer %u0\n"
                                                 "%place = OpLoad %v4float %member\n"}});
  Expect("", {kVertex, depth});
}

TEST_F(GraphicsStages, TileReads) {
  MakeDeviceWith({VK_EXT_SHADER_TILE_IMAGE_EXTENSION_NAME});
  StageText tile = {.model = "Fragment",
                    .capabilities = Capabilities("TileImageDepthReadAccessEXT", "SPV_EXT_shader_tile_image"),
                    .body = "%depth = OpDepthAttachmentReadEXT %float\n"};
  const auto expect = [&](const char* id, float least, VkSampleCountFlagBits samples) {
    setup_.samples.minSampleShading = least;
    setup_.samples.sampleShadingEnable = least > 0 ? VK_TRUE : VK_FALSE;
    setup_.samples.rasterizationSamples = samples;
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
    setup_.info.renderPass = MakeFrom(VkRenderPassCreateInfo{.subpassCount = 1, .pSubpasses = &subpass},
                                      vk.CreateRenderPass, vk.DestroyRenderPass);
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
  constexpr const char* kRows[][3] = {{"Layer", "stage-02596", "pCode-08456"},
                                      {"ViewportIndex", "stage-02597", "pCode-08457"}};
  for (const auto& [built_in, rule, object_rule] : kRows) {
    const std::string strip = "OutputTriangleStrip";
    for (const StageText& correct : {Emitting(built_in, strip, {"%u0", "%u0", "%u0", "", "%u1", "%u1", "%u1", ""}),
                                     // Without a third vertex there is no triangle.
                                     Emitting(built_in, strip, {"%u0", "%u1", "", "%u1", "%u1", "%u1"}),
                                     Emitting(built_in, "OutputPoints", {"%u0", "%u1", "%u2"})}) {
      Make("Geometry", Text(correct));
      Expect("", {kVertex, correct, kFragment});
    }
    for (const StageText& wrong : {Emitting(built_in, strip, {"%u0", "%u0", "%u1", ""}),
                                   Emitting(built_in, strip, {"%u0", "%u0", "%u0", "", "%u1", "%u1", "%u1", "%u0"}),
                                   Emitting(built_in, "OutputLineStrip", {"%u0", "%u1"})}) {
      Expect(rule, {kVertex, wrong, kFragment});
      Make("Geometry", Text(wrong));
      ExpectMessage(absl::StrCat("VUID-VkShaderCreateInfoEXT-", object_rule));
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
  setup_.info.renderPass = MakeRenderPass(Typed(VkRenderPassCreateInfo2{.subpassCount = 1, .pSubpasses = &subpass}));
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
