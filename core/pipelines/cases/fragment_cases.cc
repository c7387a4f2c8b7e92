// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/shader_texts.h"
#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkShaderStageFlagBits kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlagBits kFragment = VK_SHADER_STAGE_FRAGMENT_BIT;
constexpr VkGraphicsPipelineLibraryFlagsEXT kFragmentPart = VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_SHADER_BIT_EXT;

constexpr char kEarlyTests[] = "OpExecutionMode %main EarlyFragmentTests\n";
constexpr char kTriangleStrip[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices "
    "3\nOpExecutionMode %main Invocations 1\n";

void TestEarly(Setup& w, VkPipelineDepthStencilStateCreateFlags flags) {
  w.Enable("VK_EXT_rasterization_order_attachment_access");
  w.UseRenderPass(VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT |
                  VK_SUBPASS_DESCRIPTION_RASTERIZATION_ORDER_ATTACHMENT_STENCIL_ACCESS_BIT_EXT);
  w.UseDepth();
  w.depth.flags = flags;
  w.texts[kFragment] = FragmentText({.modes = kEarlyTests});
}
// Reads the depth or stencil of the fragment's pixel.
void ReadTile(Setup& w, std::string_view capability, std::string_view instruction, std::string_view modes) {
  w.Enable("VK_EXT_shader_tile_image");
  w.UseDepth();
  const std::string capabilities = std::string(capability) + "OpExtension \"SPV_EXT_shader_tile_image\"\n";
  w.texts[kFragment] = FragmentText({.capabilities = capabilities, .modes = modes, .body = instruction});
}
constexpr char kTileDepth[] = "OpCapability TileImageDepthReadAccessEXT\n";
constexpr char kTileStencil[] = "OpCapability TileImageStencilReadAccessEXT\n";
constexpr char kReadDepth[] = "%read = OpDepthAttachmentReadEXT %float\n";
constexpr char kReadStencil[] = "%read = OpStencilAttachmentReadEXT %uint\n";
// As the specification asks of shaders with early tests that read a tile.
std::string TileModes() { return "OpExecutionMode %main EarlyFragmentTests\n"; }

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
constexpr char kPrimitiveId[] = "OpDecorate %in BuiltIn PrimitiveId\nOpDecorate %in Flat\n";
std::string PrimitiveIdText() { return InputText("OpCapability Geometry\n", kPrimitiveId, "int"); }

// Reads an input attachment of set 0.
void ReadInput(Setup& w, std::string_view index) {
  w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT};
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
  if (flags != 0) w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags = flags;
  w.UseMeshShader();
  w.texts[VK_SHADER_STAGE_MESH_BIT_EXT] =
      MeshText("OpExecutionMode %main OutputTrianglesEXT\n",
               "OpCapability ShaderEnqueueAMDX\nOpExtension \"SPV_AMDX_shader_enqueue\"\n");
}
constexpr VkGraphicsPipelineLibraryFlagsEXT kMeshPart = VK_GRAPHICS_PIPELINE_LIBRARY_PRE_RASTERIZATION_SHADERS_BIT_EXT;
constexpr VkPipelineCreateFlags2 kGraphLibrary =
    VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR | VK_PIPELINE_CREATE_2_EXECUTION_GRAPH_BIT_AMDX;

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

constexpr PipelineCase kCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-flags-06591",
     [](Setup& w) {
       TestEarly(w, VK_PIPELINE_DEPTH_STENCIL_STATE_CREATE_RASTERIZATION_ORDER_ATTACHMENT_DEPTH_ACCESS_BIT_EXT);
     }},
    {nullptr, [](Setup& w) { TestEarly(w, 0); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-08711",
     [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth, TileModes()), w.depth.depthWriteEnable = VK_TRUE; }},
    {nullptr, [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth, TileModes()); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-08712",
     [](Setup& w) { ReadTile(w, kTileStencil, kReadStencil, TileModes()), w.depth.back.writeMask = 1; }},
    {nullptr, [](Setup& w) { ReadTile(w, kTileStencil, kReadStencil, TileModes()); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-08710",
     [](Setup& w) { ReadTile(w, kTileDepth, kReadDepth, ""), w.UseRenderPass(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-Input-06632",
     [](Setup& w) {
       w.BeLibrary(kFragmentPart);
       w.info.pMultisampleState = nullptr;
       w.texts[kFragment] =
           InputText("OpCapability SampleRateShading\n", "OpDecorate %in Location 0\nOpDecorate %in Sample\n", "vec4",
                     "%loaded = OpLoad %vec4 %in\n");
     }},
    {nullptr,
     [](Setup& w) {
       w.BeLibrary(kFragmentPart);
       w.info.pMultisampleState = nullptr;
       w.texts[kFragment] = InputText("", "OpDecorate %in Location 0\n", "vec4", "%loaded = OpLoad %vec4 %in\n");
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-sampleLocationsEnable-01524",
     [](Setup& w) {
       static constexpr VkSampleLocationEXT kLocation = {0.5f, 0.5f};
       w.Enable("VK_EXT_sample_locations");
       auto& state = w.Chain<VkPipelineSampleLocationsStateCreateInfoEXT>(w.samples, {});
       state.sampleLocationsEnable = VK_TRUE;
       state.sampleLocationsInfo = {
           VK_STRUCTURE_TYPE_SAMPLE_LOCATIONS_INFO_EXT, nullptr, VK_SAMPLE_COUNT_1_BIT, {1, 1}, 1, &kLocation};
       w.Limit<VkPhysicalDeviceSampleLocationsPropertiesEXT>(
           [](auto& limits) { limits.sampleLocationSampleCounts = VK_SAMPLE_COUNT_1_BIT; });
       w.BeLibrary(kFragmentPart | VK_GRAPHICS_PIPELINE_LIBRARY_FRAGMENT_OUTPUT_INTERFACE_BIT_EXT);
       w.texts[kFragment] = InputText("OpCapability InterpolationFunction\n", "OpDecorate %in Location 0\n", "vec4",
                                      "%between = OpExtInst %vec4 %glsl InterpolateAtSample %in %i0\n");
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00740",
     [](Setup& w) {
       w.AddStage(kGeometry, GeometryText("OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\n"
                                          "OpExecutionMode %main OutputVertices 3\n"));
       w.texts[kFragment] = PrimitiveIdText();
     }},
    {nullptr,
     [](Setup& w) {
       w.AddStage(kGeometry, OutputText("Geometry", "OpDecorate %out BuiltIn PrimitiveId\n", "int", kTriangleStrip,
                                        "OpCapability Geometry\n"));
       w.texts[kFragment] = PrimitiveIdText();
     }},
    {nullptr, [](Setup& w) { w.texts[kFragment] = PrimitiveIdText(); }},
    {"VUID-VkGraphicsPipelineCreateInfo-PrimitiveId-06264",
     [](Setup& w) {
       w.UseMeshShader();
       w.texts[kMesh] = MeshText("OpExecutionMode %main OutputTrianglesEXT\n");
       w.texts[kFragment] = PrimitiveIdText();
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06038",
     [](Setup& w) { w.UseRenderPass(), w.has_unused_input = true, ReadInput(w, "0"); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-09652", [](Setup& w) { ReadInput(w, "1"); }},
    {nullptr, [](Setup& w) { ReadInput(w, "0"); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06061",
     [](Setup& w) {
       w.Disable("dynamicRenderingLocalRead");
       w.texts[kFragment] = FragmentText({.capabilities = "OpCapability InputAttachment\n"});
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-shaderMeshEnqueue-10187",
     [](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kMeshPart), w.Disable("shaderMeshEnqueue"); }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-10188", [](Setup& w) { UseEnqueue(w, 0); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-10189",
     [](Setup& w) { UseEnqueue(w, VK_PIPELINE_CREATE_2_LIBRARY_BIT_KHR), w.BeLibrary(kMeshPart); }},
    {nullptr, [](Setup& w) { UseEnqueue(w, kGraphLibrary), w.BeLibrary(kMeshPart); }},

    {"VUID-VkGraphicsPipelineCreateInfo-None-10391",
     [](Setup& w) {
       w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.layout.type = VK_DESCRIPTOR_TYPE_INLINE_UNIFORM_BLOCK;
       w.texts[kFragment] = FragmentText(
           {.interface = "%uniforms", .decorations = kBlockDecorations, .variables = kBlockArray, .body = kReadBlock});
     }},
    {nullptr,
     [](Setup& w) {
       w.layout.sets = {VK_SHADER_STAGE_FRAGMENT_BIT};
       w.texts[kFragment] = FragmentText(
           {.interface = "%uniforms", .decorations = kBlockDecorations, .variables = kBlockArray, .body = kReadBlock});
     }},
};

void UseExternalFormat(Setup& w) {
  w.Enable("VK_EXT_queue_family_foreign");
  w.Enable("VK_ANDROID_external_memory_android_hardware_buffer");
  w.Enable("VK_ANDROID_external_format_resolve");
  w.Chain<VkExternalFormatANDROID>(w.info, {}).externalFormat = 1;
}
void ResolveToExternalFormat(Setup& w) {
  w.Enable("VK_EXT_queue_family_foreign");
  w.Enable("VK_ANDROID_external_memory_android_hardware_buffer");
  w.Enable("VK_ANDROID_external_format_resolve");
  w.UseRenderPass();
  w.has_external_resolve = true;
}
void WriteRate(Setup& w) {
  w.Enable("VK_KHR_fragment_shading_rate");
  w.texts[kVertex] = OutputText("Vertex", "OpDecorate %out BuiltIn PrimitiveShadingRateKHR\n", "int", "",
                                "OpCapability FragmentShadingRateKHR\nOpExtension \"SPV_KHR_fragment_shading_rate\"\n");
  w.info.pVertexInputState = &w.no_input;
}
void SetRate(Setup& w, VkExtent2D size) {
  w.Enable("VK_KHR_fragment_shading_rate");
  w.Chain<VkPipelineFragmentShadingRateStateCreateInfoKHR>(w.info, {}).fragmentSize = size;
}

constexpr PipelineCase kExternalFormatCases[] = {
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09308",
     [](Setup& w) { UseExternalFormat(w), WriteRate(w); }},
    {nullptr, WriteRate},
    // The rule is about devices with the feature.
    {nullptr, [](Setup& w) { UseExternalFormat(w), WriteRate(w), w.Disable("externalFormatResolve"); }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09310",
     [](Setup& w) {
       UseExternalFormat(w);
       w.texts[kFragment] = FragmentText(
           {.interface = "%depth",
            .modes = "OpExecutionMode %main DepthReplacing\n",
            .decorations = "OpDecorate %depth BuiltIn FragDepth\n",
            .variables = "%depth_ptr = OpTypePointer Output %float\n%depth = OpVariable %depth_ptr Output\n",
            .body = "OpStore %depth %f1\n"});
     }},
    {nullptr, ResolveToExternalFormat},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09313",
     [](Setup& w) { ResolveToExternalFormat(w), w.samples.rasterizationSamples = VK_SAMPLE_COUNT_4_BIT; },
     "VUID-VkGraphicsPipelineCreateInfo-multisampledRenderToSingleSampled-06853"},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09314",
     [](Setup& w) { ResolveToExternalFormat(w), w.blends[0].blendEnable = VK_TRUE; }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09315",
     [](Setup& w) { ResolveToExternalFormat(w), SetRate(w, {2, 1}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09316",
     [](Setup& w) { ResolveToExternalFormat(w), SetRate(w, {1, 2}); }},
    {"VUID-VkGraphicsPipelineCreateInfo-externalFormatResolve-09317",
     [](Setup& w) { ResolveToExternalFormat(w), WriteRate(w); }},
};

}  // namespace

absl::Span<const PipelineCase> FragmentShaderCases() { return kCases; }
absl::Span<const PipelineCase> ExternalFormatCases() { return kExternalFormatCases; }

}  // namespace assay::core
