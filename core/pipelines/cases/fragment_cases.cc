// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"
#include "core/pipelines/cases/shader_texts.h"

namespace assay::core {
namespace {

constexpr char kEarlyTests[] = "OpExecutionMode %main EarlyFragmentTests\n";

void TestEarly(Setup& w, VkPipelineDepthStencilStateCreateFlags flags) {
  w.Enable("VK_EXT_rasterization_order_attachment_access");
  w.UseRenderPass(VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
                  VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT);
  w.UseDepth();
  w.depth.flags = flags;
  w.texts[kFragment] = FragmentText({.modes = kEarlyTests});
}
// Reads the depth or stencil of the fragment's pixel; with early tests, as the specification asks of such shaders.
Setup& ReadTile(Setup& w, std::string_view capability, std::string_view instruction,
                std::string_view modes = kEarlyTests) {
  w.Enable("VK_EXT_shader_tile_image");
  w.UseDepth();
  const std::string capabilities = std::string(capability) + "OpExtension \"SPV_EXT_shader_tile_image\"\n";
  w.texts[kFragment] = FragmentText({.capabilities = capabilities, .modes = modes, .body = instruction});
  return w;
}
constexpr char kTileDepth[] = "OpCapability TileImageDepthReadAccessEXT\n";
constexpr char kTileStencil[] = "OpCapability TileImageStencilReadAccessEXT\n";
constexpr char kReadDepth[] = "%read = OpDepthAttachmentReadEXT %float\n";
constexpr char kReadStencil[] = "%read = OpStencilAttachmentReadEXT %uint\n";

// A fragment shader with an input of type int or vec4.
std::string InputText(std::string_view capabilities, std::string_view decorations, std::string_view type,
                      std::string_view body = "%loaded = OpLoad %int %in\n") {
  const std::string variables =
      "%in_ptr = OpTypePointer Input %" + std::string(type) + "\n%in = OpVariable %in_ptr Input\n";
  return FragmentText({.capabilities = capabilities,
                       .interface = "%in",
                       .decorations = decorations,
                       .variables = variables,
                       .body = body});
}
constexpr char kLocation[] = "OpDecorate %in Location 0\n";
constexpr char kPrimitiveId[] = "OpDecorate %in BuiltIn PrimitiveId\nOpDecorate %in Flat\n";
Setup& ReadPrimitiveId(Setup& w) {
  w.texts[kFragment] = InputText("OpCapability Geometry\n", kPrimitiveId, "int");
  return w;
}

// Reads an input attachment of set 0.
void ReadInput(Setup& w, std::string_view index) {
  w.layout.sets = {kFragment};
  w.layout.type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  const std::string decorations =
      "OpDecorate %input DescriptorSet 0\nOpDecorate %input Binding 0\nOpDecorate %input InputAttachmentIndex " +
      std::string(index) + "\n";
  w.texts[kFragment] = FragmentText({.capabilities = "OpCapability InputAttachment\n",
                                     .interface = "%input",
                                     .decorations = decorations,
                                     .variables = "%image = OpTypeImage %float SubpassData 0 0 0 2 Unknown\n"
                                                  "%image_ptr = OpTypePointer UniformConstant %image\n"
                                                  "%input = OpVariable %image_ptr UniformConstant\n"
                                                  "%ivec2 = OpTypeVector %int 2\n"
                                                  "%origin = OpConstantComposite %ivec2 %i0 %i0\n",
                                     .body = "%loaded = OpLoad %image %input\n"
                                             "%texel = OpImageRead %vec4 %loaded %origin\n"});
}

// Nodes of VK_AMDX_shader_enqueue, which are mesh shaders.
void UseEnqueue(Setup& w, VkPipelineCreateFlags2 flags) {
  w.Enable("VK_AMDX_shader_enqueue");
  if (flags != 0) SetFlags2(w, flags);
  w.UseMeshShader();
  w.texts[kMesh] =
      MeshText({.capabilities = "OpCapability ShaderEnqueueAMDX\nOpExtension \"SPV_AMDX_shader_enqueue\"\n",
                .modes = kMeshTriangles});
}

constexpr char kBlockArray[] = R"(
    %block = OpTypeStruct %vec4
    %blocks = OpTypeArray %block %u1
    %blocks_ptr = OpTypePointer Uniform %blocks
    %uniforms = OpVariable %blocks_ptr Uniform
    %part_ptr = OpTypePointer Uniform %vec4
)";
constexpr char kBlockDecorations[] = R"(
    OpDecorate %uniforms DescriptorSet 0
    OpDecorate %uniforms Binding 0
    OpDecorate %block Block
    OpMemberDecorate %block 0 Offset 0
)";
constexpr char kReadBlock[] = "%part = OpAccessChain %part_ptr %uniforms %i0 %i0\n%loaded = OpLoad %vec4 %part\n";

Setup& ReadBlock(Setup& w) {
  w.layout.sets = {kFragment};
  w.texts[kFragment] = FragmentText(
      {.interface = "%uniforms", .decorations = kBlockDecorations, .variables = kBlockArray, .body = kReadBlock});
  return w;
}
// A library without multisample state, whose shader reads a vector.
void ReadVector(Setup& w, std::string_view capabilities, std::string_view decorations) {
  BeLibrary(w, kFragmentPart).info.pMultisampleState = nullptr;
  w.texts[kFragment] =
      InputText(capabilities, kLocation + std::string(decorations), "vec4", "%loaded = OpLoad %vec4 %in\n");
}

constexpr PipelineCase kCases[] = {
    {"flags-06591", [](Setup& w) { TestEarly(w, kDepthAccess); }},
    Correct([](Setup& w) { TestEarly(w, 0); }),
    {"pStages-08711", [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth).depth.depthWriteEnable = VK_TRUE; }},
    Correct([](Setup& w) { ReadTile(w, kTileDepth, kReadDepth); }),
    {"pStages-08712", [](Setup& w) { ReadTile(w, kTileStencil, kReadStencil).depth.back.writeMask = 1; }},
    Correct([](Setup& w) { ReadTile(w, kTileStencil, kReadStencil); }),
    {"renderPass-08710", [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth, "").UseRenderPass(); }},
    {"Input-06632", [](Setup& w) { ReadVector(w, "OpCapability SampleRateShading\n", "OpDecorate %in Sample\n"); }},
    Correct([](Setup& w) { ReadVector(w, "", ""); }),
    {"sampleLocationsEnable-01524",
     [](Setup& w) {
       UseGrid(LimitLocations(w, VK_SAMPLE_COUNT_1_BIT), {1, 1});
       w.BeLibrary(kFragmentPart | kOutputPart);
       w.texts[kFragment] = InputText("OpCapability InterpolationFunction\n", kLocation, "vec4",
                                      "%between = OpExtInst %vec4 %glsl InterpolateAtSample %in %i0\n");
     }},
    {"pStages-00740", [](Setup& w) { ReadPrimitiveId(w).AddStage(kGeometry, GeometryText(kTriangleStrip)); }},
    Correct([](Setup& w) {
      ReadPrimitiveId(w).AddStage(kGeometry,
                                  GeometryOutputText("OpDecorate %out BuiltIn PrimitiveId\n", "int", kTriangleStrip));
    }),
    Correct([](Setup& w) { ReadPrimitiveId(w); }),
    {"PrimitiveId-06264", [](Setup& w) { ReadPrimitiveId(UseMeshShader(w)); }},

    {"renderPass-06038", [](Setup& w) { w.UseRenderPass(), w.has_unused_input = true, ReadInput(w, "0"); }},
    {"renderPass-09652", [](Setup& w) { ReadInput(w, "1"); }},
    Correct([](Setup& w) { ReadInput(w, "0"); }),
    {"renderPass-06061",
     [](Setup& w) {
       Without(w, {"dynamicRenderingLocalRead"}).texts[kFragment] =
           FragmentText({.capabilities = "OpCapability InputAttachment\n"});
     }},

    {"shaderMeshEnqueue-10187",
     [](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kVertexPart), w.Disable("shaderMeshEnqueue"); }},
    {"flags-10188", [](Setup& w) { UseEnqueue(w, 0); }},
    {"pStages-10189", [](Setup& w) { UseEnqueue(w, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR), w.BeLibrary(kVertexPart); }},
    Correct([](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kVertexPart); }),

    {"None-10391", [](Setup& w) { ReadBlock(w).layout.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }},
    Correct([](Setup& w) { ReadBlock(w); }),
};

Setup& ResolveToExternalFormat(Setup& w) {
  EnableExternalFormats(w).UseRenderPass();
  w.has_external_resolve = true;
  return w;
}
Setup& WriteRate(Setup& w) {
  return UseVertexShader(
      With(w, {"VK_KHR_fragment_shading_rate"}),
      OutputText("Vertex", "OpDecorate %out BuiltIn PrimitiveShadingRateKHR\n", "int", "",
                 "OpCapability FragmentShadingRateKHR\nOpExtension \"SPV_KHR_fragment_shading_rate\"\n"));
}

constexpr PipelineCase kExternalFormatCases[] = {
    {"externalFormatResolve-09308", [](Setup& w) { WriteRate(UseExternalFormat(w)); }},
    Correct([](Setup& w) { WriteRate(w); }),
    // The rule is about devices with the feature.
    Correct([](Setup& w) { WriteRate(UseExternalFormat(w)).Disable("externalFormatResolve"); }),
    {"externalFormatResolve-09310",
     [](Setup& w) {
       UseExternalFormat(w);
       w.texts[kFragment] = FragmentText(
           {.interface = "%depth",
            .modes = "OpExecutionMode %main DepthReplacing\n",
            .decorations = "OpDecorate %depth BuiltIn FragDepth\n",
            .variables = "%depth_ptr = OpTypePointer Output %float\n%depth = OpVariable %depth_ptr Output\n",
            .body = "OpStore %depth %f1\n"});
     }},
    Correct([](Setup& w) { ResolveToExternalFormat(w); }),
    {"externalFormatResolve-09313",
     [](Setup& w) { ResolveToExternalFormat(w).samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; },
     "multisampledRenderToSingleSampled-06853"},
    {"externalFormatResolve-09314", [](Setup& w) { ResolveToExternalFormat(w).blends[0].blendEnable = VK_TRUE; }},
    {"externalFormatResolve-09315", [](Setup& w) { SetRate(ResolveToExternalFormat(w), {2, 1}); }},
    {"externalFormatResolve-09316", [](Setup& w) { SetRate(ResolveToExternalFormat(w), {1, 2}); }},
    {"externalFormatResolve-09317", [](Setup& w) { WriteRate(ResolveToExternalFormat(w)); }},
};

}  // namespace

absl::Span<const PipelineCase> FragmentShaderCases() { return kCases; }
absl::Span<const PipelineCase> ExternalFormatCases() { return kExternalFormatCases; }

}  // namespace assay::core
