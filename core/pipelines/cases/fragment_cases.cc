// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"
#include "core/pipelines/cases/shader_texts.h"

namespace assay::core {
namespace {

const std::string kEarlyTests = Modes("EarlyFragmentTests");

void TestEarly(Setup& w, VkPipelineDepthStencilStateCreateFlags flags) {
  UseDepth(With(w, {"VK_EXT_rasterization_order_attachment_access"})).depth.flags = flags;
  w.UseRenderPass(VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
                  VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT);
  w.texts[kFragment] = FragmentText({.modes = kEarlyTests});
}
// Reads the depth or stencil of the fragment's pixel; with early tests, as the specification asks of such shaders.
Setup& ReadTile(Setup& w, const std::string& capability, const std::string& instruction,
                const std::string& modes = kEarlyTests) {
  UseDepth(With(w, {"VK_EXT_shader_tile_image"}));
  const std::string capabilities = Capabilities(capability, "SPV_EXT_shader_tile_image");
  return Set(w, w.texts[kFragment], FragmentText({.capabilities = capabilities, .modes = modes, .body = instruction}));
}
constexpr char kTileDepth[] = "TileImageDepthReadAccessEXT";
constexpr char kTileStencil[] = "TileImageStencilReadAccessEXT";
constexpr char kReadDepth[] = "%read = OpDepthAttachmentReadEXT %float\n";
constexpr char kReadStencil[] = "%read = OpStencilAttachmentReadEXT %uint\n";

// A fragment shader with an input.
std::string InputText(const std::string& capabilities, const std::string& type, const std::string& decorations,
                      const std::string& body) {
  return FragmentText({.capabilities = capabilities, .variables = {{"%in", "Input", type, decorations}}, .body = body});
}
Setup& ReadPrimitiveId(Setup& w) {
  return Set(w, w.texts[kFragment],
             InputText(Capabilities("Geometry"), "%int", "BuiltIn PrimitiveId, Flat", "%loaded = OpLoad %int %in\n"));
}

// Reads an input attachment of set 0.
void ReadInput(Setup& w, const std::string& index) {
  w.layout.sets = {kFragment};
  w.layout.type = VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT;
  w.texts[kFragment] = FragmentText(ReadingInput("Binding 0, InputAttachmentIndex " + index));
}

// Nodes of VK_AMDX_shader_enqueue, which are mesh shaders.
void UseEnqueue(Setup& w, VkPipelineCreateFlags2 flags) {
  if (flags != 0) SetFlags2(w, flags);
  UseMeshShader(With(w, {"VK_AMDX_shader_enqueue"})).texts[kMesh] =
      MeshText({.capabilities = Capabilities("ShaderEnqueueAMDX", "SPV_AMDX_shader_enqueue")});
}

Setup& ReadBlock(Setup& w) {
  w.layout.sets = {kFragment};
  return Set(w, w.texts[kFragment],
             FragmentText({.variables = {{"%uniforms", "Uniform", "%blocks", "DescriptorSet 0, Binding 0"}},
                           .decorations = DecorateBlock("%block"),
                           .globals = "%block = OpTypeStruct %v4float\n%blocks = OpTypeArray %block %u1\n"
                                      "%part_pointer = OpTypePointer Uniform %v4float\n",
                           .body = "%part = OpAccessChain %part_pointer %uniforms %i0 %i0\n"
                                   "%loaded = OpLoad %v4float %part\n"}));
}
// A library without multisample state, whose shader reads a vector.
void ReadVector(Setup& w, const std::string& capabilities, const std::string& decorations) {
  BeLibrary(w, kFragmentPart).info.pMultisampleState = nullptr;
  w.texts[kFragment] = InputText(capabilities, "%v4float", decorations, "%loaded = OpLoad %v4float %in\n");
}

constexpr PipelineCase kCases[] = {
    {"flags-06591", [](Setup& w) { TestEarly(w, kDepthAccess); }},
    Correct([](Setup& w) { TestEarly(w, 0); }),
    {"pStages-08711", [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth).depth.depthWriteEnable = VK_TRUE; }},
    Correct([](Setup& w) { ReadTile(w, kTileDepth, kReadDepth); }),
    {"pStages-08712", [](Setup& w) { ReadTile(w, kTileStencil, kReadStencil).depth.back.writeMask = 1; }},
    Correct([](Setup& w) { ReadTile(w, kTileStencil, kReadStencil); }),
    {"renderPass-08710", [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth, "").UseRenderPass(); }},
    {"Input-06632", [](Setup& w) { ReadVector(w, Capabilities("SampleRateShading"), "Location 0, Sample"); }},
    Correct([](Setup& w) { ReadVector(w, "", "Location 0"); }),
    {"sampleLocationsEnable-01524", By([](Setup& w) {
       UseGrid(LimitLocations(w, VK_SAMPLE_COUNT_1_BIT), {1, 1});
       w.BeLibrary(kFragmentPart | kOutputPart);
       w.texts[kFragment] =
           InputText(Capabilities("InterpolationFunction") + "%glsl = OpExtInstImport \"GLSL.std.450\"\n", "%v4float",
                     "Location 0", "%between = OpExtInst %v4float %glsl InterpolateAtSample %in %i0\n");
     })},
    {"pStages-00740", [](Setup& w) { ReadPrimitiveId(w).AddStage(kGeometry, Text({.model = "Geometry"})); }},
    Correct([](Setup& w) {
      ReadPrimitiveId(w).AddStage(kGeometry, OutputText({.model = "Geometry"}, "BuiltIn PrimitiveId", "%int"));
    }),
    Correct([](Setup& w) { ReadPrimitiveId(w); }),
    {"PrimitiveId-06264", [](Setup& w) { ReadPrimitiveId(UseMeshShader(w)); }},

    {"renderPass-06038", [](Setup& w) { w.UseRenderPass(), w.has_unused_input = true, ReadInput(w, "0"); }},
    {"renderPass-09652", [](Setup& w) { ReadInput(w, "1"); }},
    Correct([](Setup& w) { ReadInput(w, "0"); }),
    {"renderPass-06061", By([](Setup& w) {
       Without(w, {"dynamicRenderingLocalRead"}).texts[kFragment] =
           FragmentText({.capabilities = Capabilities("InputAttachment")});
     })},

    {"shaderMeshEnqueue-10187",
     [](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kVertexPart), w.Disable("shaderMeshEnqueue"); }},
    {"flags-10188", [](Setup& w) { UseEnqueue(w, 0); }},
    {"pStages-10189", [](Setup& w) { UseEnqueue(w, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR), w.BeLibrary(kVertexPart); }},
    Correct([](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kVertexPart); }),

    {"None-10391", [](Setup& w) { ReadBlock(w).layout.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK; }},
    Correct([](Setup& w) { ReadBlock(w); }),
};

Setup& ResolveToExternalFormat(Setup& w) {
  return Set(UseRenderPass(EnableExternalFormats(w)), w.has_external_resolve, true);
}
Setup& WriteRate(Setup& w) { return UseVertexShader(With(w, {"VK_KHR_fragment_shading_rate"}), RateText()); }

constexpr PipelineCase kExternalFormatCases[] = {
    {"externalFormatResolve-09308", [](Setup& w) { WriteRate(UseExternalFormat(w)); }},
    Correct([](Setup& w) { WriteRate(w); }),
    // The rule is about devices with the feature.
    Correct([](Setup& w) { WriteRate(UseExternalFormat(w)).Disable("externalFormatResolve"); }),
    {"externalFormatResolve-09310", By([](Setup& w) {
       UseExternalFormat(w);
       w.texts[kFragment] = FragmentText({.variables = {{"%depth", "Output", "%float", "BuiltIn FragDepth"}},
                                          .modes = Modes("DepthReplacing"),
                                          .body = "OpStore %depth %f1\n"});
     })},
    Correct([](Setup& w) { ResolveToExternalFormat(w); }),
    {"externalFormatResolve-09313", [](Setup& w) { UseSamples(ResolveToExternalFormat(w), VK_SAMPLE_COUNT_4_BIT); },
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
