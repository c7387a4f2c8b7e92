// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/shader_texts.h"
#include "core/pipelines/pipeline_setup.h"

namespace assay::core {
namespace {

using Setup = PipelineSetup;

constexpr VkShaderStageFlagBits kVertex = VK_SHADER_STAGE_VERTEX_BIT;
constexpr VkShaderStageFlagBits kControl = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT;
constexpr VkShaderStageFlagBits kEvaluation = VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT;
constexpr VkShaderStageFlagBits kGeometry = VK_SHADER_STAGE_GEOMETRY_BIT;
constexpr VkShaderStageFlagBits kMesh = VK_SHADER_STAGE_MESH_BIT_EXT;
constexpr VkShaderStageFlagBits kTask = VK_SHADER_STAGE_TASK_BIT_EXT;

constexpr char kXfb[] = "OpExecutionMode %main Xfb\n";
constexpr char kXfbCapability[] = "OpCapability TransformFeedback\n";
constexpr char kPatch[] = "OpExecutionMode %main OutputVertices 3\n";
constexpr char kPatchOf4[] = "OpExecutionMode %main OutputVertices 4\n";
constexpr char kQuads[] = "OpExecutionMode %main Quads\n";
constexpr char kTriangles[] = "OpExecutionMode %main Triangles\n";
constexpr char kTrianglesOf3[] = "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 3\n";
constexpr char kTrianglesAsPoints[] = "OpExecutionMode %main Triangles\nOpExecutionMode %main PointMode\n";
constexpr char kTriangleStrip[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices "
    "3\n";
constexpr char kLineStrip[] =
    "OpExecutionMode %main InputLines\nOpExecutionMode %main OutputLineStrip\nOpExecutionMode %main OutputVertices 2\n";
constexpr char kPoints[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 1\n";
constexpr char kInvokedPoints[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputPoints\nOpExecutionMode %main OutputVertices 1\n"
    "OpExecutionMode %main Invocations 1\n";
constexpr char kPointSize[] = "OpDecorate %out BuiltIn PointSize\n";
constexpr char kMeshTriangles[] = "OpExecutionMode %main OutputTrianglesEXT\n";

void UseFeedback(Setup& w) { w.Enable("VK_EXT_transform_feedback"); }
// A vertex shader that transform feedback captures, and shaders behind it.
void Capture(Setup& w) {
  UseFeedback(w);
  w.texts[kVertex] = OutputText("Vertex", "OpDecorate %out BuiltIn Position\n", "vec4", kXfb, kXfbCapability);
  w.info.pVertexInputState = &w.no_input;
}
void Tessellate(Setup& w, std::string control, std::string evaluation) {
  w.AddStage(kControl, std::move(control));
  w.AddStage(kEvaluation, std::move(evaluation));
  w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST;
}
void UseOwnMesh(Setup& w, std::string text) {
  w.UseMeshShader();
  w.texts[kMesh] = std::move(text);
}
template <class T>
void RasterizeConservatively(Setup& w) {
  w.Enable("VK_EXT_conservative_rasterization");
  w.Limit<VkPhysicalDeviceConservativeRasterizationPropertiesEXT>(
      [](auto& limits) { limits.conservativePointAndLineRasterization = VK_FALSE; });
  w.Chain<T>(w.raster, {}).conservativeRasterizationMode = VK_CONSERVATIVE_RASTERIZATION_MODE_OVERESTIMATE_EXT;
}
void LoseManyRates(Setup& w) {
  w.Enable("VK_KHR_fragment_shading_rate");
  w.Limit<VkPhysicalDeviceFragmentShadingRatePropertiesKHR>(
      [](auto& limits) { limits.primitiveFragmentShadingRateWithMultipleViewports = VK_FALSE; });
}
// A vertex shader that writes PrimitiveShadingRateKHR and one more built-in.
std::string RateText(std::string_view decoration, std::string_view capability, std::string_view type) {
  const std::string capabilities = "OpCapability FragmentShadingRateKHR\n" + std::string(capability) +
                                   "OpExtension \"SPV_KHR_fragment_shading_rate\"\n";
  const std::string more_capabilities =
      capabilities +
      (capability.find("Mask") != std::string_view::npos ? "OpExtension \"SPV_NV_viewport_array2\"\n" : "");
  const std::string decorations = "OpDecorate %rate BuiltIn PrimitiveShadingRateKHR\n" + std::string(decoration);
  const bool is_mask = type == "mask";
  const std::string other = is_mask ? "%array = OpTypeArray %int %u1\n%other_ptr = OpTypePointer Output %array\n"
                                      "%other = OpVariable %other_ptr Output\n"
                                    : "%other = OpVariable %ptr Output\n";
  const std::string variables = "%ptr = OpTypePointer Output %int\n%rate = OpVariable %ptr Output\n" +
                                (decoration.empty() ? std::string() : other);
  std::string body = "OpStore %rate %i0\n";
  if (is_mask) body += "%part = OpAccessChain %ptr %other %i0\nOpStore %part %i0\n";
  if (!is_mask && !decoration.empty()) body += "OpStore %other %i0\n";
  return ShaderText("Vertex", {.capabilities = more_capabilities,
                               .interface = decoration.empty() ? "%rate" : "%rate %other",
                               .decorations = decorations,
                               .variables = variables,
                               .body = body});
}
void UseRate(Setup& w, std::string text) {
  LoseManyRates(w);
  w.texts[kVertex] = std::move(text);
  w.info.pVertexInputState = &w.no_input;
}
void UseLayer(Setup& w) {
  w.texts[kVertex] = OutputText("Vertex", "OpDecorate %out BuiltIn Layer\n", "int", "", "OpCapability ShaderLayer\n");
  w.info.pVertexInputState = &w.no_input;
}
std::string StreamText(std::string_view decorations) {
  return OutputText("Geometry", decorations, "vec4",
                    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\n"
                    "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main Invocations 1\n",
                    "OpCapability Geometry\nOpCapability GeometryStreams\n");
}
using Conservative = VkPipelineRasterizationConservativeStateCreateInfoEXT;

constexpr PipelineCase kCases[] = {
    {nullptr, Capture},
    {"VUID-VkGraphicsPipelineCreateInfo-None-02322",
     [](Setup& w) {
       UseFeedback(w);
       UseOwnMesh(w, MeshText("OpExecutionMode %main OutputTrianglesEXT\nOpExecutionMode %main Xfb\n", kXfbCapability));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-02966",
     [](Setup& w) {
       Capture(w);
       w.Enable("VK_NV_device_generated_commands");
       w.info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-flags-11001",
     [](Setup& w) {
       Capture(w);
       w.Enable("VK_EXT_device_generated_commands");
       w.Chain<VkPipelineCreateFlags2CreateInfo>(w.info, {}).flags = VK_PIPELINE_CREATE_2_INDIRECT_BINDABLE_BIT_EXT;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02317",
     [](Setup& w) {
       Capture(w);
       w.AddStage(kGeometry,
                  ShaderText("Geometry", {.capabilities = "OpCapability Geometry\nOpCapability TransformFeedback\n",
                                          .modes = "OpExecutionMode %main Triangles\n"
                                                   "OpExecutionMode %main OutputTriangleStrip\n"
                                                   "OpExecutionMode %main OutputVertices 3\n"
                                                   "OpExecutionMode %main Invocations 1\n"
                                                   "OpExecutionMode %main Xfb\n"}));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-02318",
     [](Setup& w) { Capture(w), w.AddStage(kGeometry, GeometryText(kTriangleStrip)); }},

    {nullptr, [](Setup& w) { Tessellate(w, ControlText(kPatch), EvaluationText(kTriangles)); }},
    {nullptr, [](Setup& w) { Tessellate(w, ControlText(kTrianglesOf3), EvaluationText(kTriangles)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00732",
     [](Setup& w) { Tessellate(w, ControlText(kPatch), EvaluationText("")); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00733",
     [](Setup& w) {
       Tessellate(w, ControlText("OpExecutionMode %main Quads\nOpExecutionMode %main OutputVertices 3\n"),
                  EvaluationText(kTriangles));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00734",
     [](Setup& w) { Tessellate(w, ControlText(""), EvaluationText(kQuads)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00735",
     [](Setup& w) { Tessellate(w, ControlText(kPatchOf4), EvaluationText(kTrianglesOf3)); }},
    {nullptr, [](Setup& w) { w.AddStage(kGeometry, GeometryText(kTriangleStrip)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00738",
     [](Setup& w) { w.AddStage(kGeometry, GeometryText(kLineStrip)); }},
    {nullptr,
     [](Setup& w) {
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP;
       w.AddStage(kGeometry, GeometryText(kLineStrip));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-00739",
     [](Setup& w) {
       Tessellate(w, ControlText(kPatch), EvaluationText(kTriangles));
       w.AddStage(kGeometry, GeometryText(kLineStrip));
     }},
    {nullptr,
     [](Setup& w) {
       Tessellate(w, ControlText(kPatch), EvaluationText("OpExecutionMode %main Isolines\n"));
       w.AddStage(kGeometry, GeometryText(kLineStrip));
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-topology-08773",
     [](Setup& w) { w.Disable("maintenance5"), w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; }},
    {nullptr, [](Setup& w) { w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST; }},
    {nullptr,
     [](Setup& w) {
       w.Disable("maintenance5");
       w.assembly.topology = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
       w.texts[kVertex] = OutputText("Vertex", kPointSize, "float");
       w.info.pVertexInputState = &w.no_input;
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-TessellationEvaluation-07723",
     [](Setup& w) {
       w.Disable("maintenance5");
       Tessellate(w, ControlText(kPatch), EvaluationText(kTrianglesAsPoints));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-TessellationEvaluation-07724",
     [](Setup& w) {
       w.Disable("shaderTessellationAndGeometryPointSize");
       Tessellate(w, ControlText(kPatch),
                  OutputText("TessellationEvaluation", kPointSize, "float", kTrianglesAsPoints,
                             "OpCapability Tessellation\n"));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-shaderTessellationAndGeometryPointSize-08776",
     [](Setup& w) { w.Disable("maintenance5"), w.AddStage(kGeometry, GeometryText(kPoints)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-Geometry-07726",
     [](Setup& w) {
       w.Disable("shaderTessellationAndGeometryPointSize");
       w.AddStage(kGeometry, OutputText("Geometry", kPointSize, "float", kInvokedPoints, "OpCapability Geometry\n"));
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-06760",
     [](Setup& w) { RasterizeConservatively<Conservative>(w), w.AddStage(kGeometry, GeometryText(kPoints)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-conservativePointAndLineRasterization-06761",
     [](Setup& w) {
       RasterizeConservatively<Conservative>(w);
       UseOwnMesh(w, MeshText("OpExecutionMode %main OutputPoints\n"));
     }},
    {nullptr, [](Setup& w) { RasterizeConservatively<Conservative>(w), UseOwnMesh(w, MeshText(kMeshTriangles)); }},
    {"VUID-VkGraphicsPipelineCreateInfo-TaskNV-07063",
     [](Setup& w) {
       w.Enable("VK_NV_mesh_shader");
       UseOwnMesh(w, MeshText(kMeshTriangles));
       w.AddStage(kTask, ShaderText("TaskNV",
                                    {.capabilities = "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n",
                                     .modes = "OpExecutionMode %main LocalSize 1 1 1\n"}));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-pStages-09631",
     [](Setup& w) {
       UseOwnMesh(
           w, ShaderText("MeshEXT", {.capabilities = "OpCapability MeshShadingEXT\nOpCapability DrawParameters\n"
                                                     "OpExtension \"SPV_EXT_mesh_shader\"\n",
                                     .interface = "%index",
                                     .modes = "OpExecutionMode %main LocalSize 1 1 1\n"
                                              "OpExecutionMode %main OutputVertices 3\n"
                                              "OpExecutionMode %main OutputPrimitivesEXT 1\n"
                                              "OpExecutionMode %main OutputTrianglesEXT\n",
                                     .decorations = "OpDecorate %index BuiltIn DrawIndex\n",
                                     .variables = "%ptr = OpTypePointer Input %int\n%index = OpVariable %ptr Input\n",
                                     .body = "OpSetMeshOutputsEXT %u0 %u0\n"}));
       w.AddStage(kTask, ShaderText("TaskEXT", {.capabilities = "OpCapability MeshShadingEXT\n"
                                                                "OpExtension \"SPV_EXT_mesh_shader\"\n",
                                                .modes = "OpExecutionMode %main LocalSize 1 1 1\n",
                                                .body = "OpEmitMeshTasksEXT %u1 %u1 %u1\n%dead = OpLabel\n"}));
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04503",
     [](Setup& w) { UseRate(w, RateText("", "", "")), w.viewport.viewportCount = w.viewport.scissorCount = 2; }},
    {nullptr, [](Setup& w) { UseRate(w, RateText("", "", "")); }},
    {"VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04504",
     [](Setup& w) {
       UseRate(w, RateText("OpDecorate %other BuiltIn ViewportIndex\n", "OpCapability ShaderViewportIndex\n", "int"));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-primitiveFragmentShadingRateWithMultipleViewports-04505",
     [](Setup& w) {
       w.Enable("VK_NV_viewport_array2");
       UseRate(w,
               RateText("OpDecorate %other BuiltIn ViewportMaskNV\n", "OpCapability ShaderViewportMaskNV\n", "mask"));
     }},

    {"VUID-VkGraphicsPipelineCreateInfo-rasterizationStream-02319",
     [](Setup& w) {
       UseFeedback(w);
       w.Chain<VkPipelineRasterizationStateStreamCreateInfoEXT>(w.raster, {}).rasterizationStream = 1;
       w.AddStage(kGeometry, StreamText("OpDecorate %out BuiltIn Position\n"));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-rasterizationStream-02320",
     [](Setup& w) {
       UseFeedback(w);
       w.AddStage(kGeometry, StreamText("OpDecorate %out BuiltIn Position\nOpDecorate %out Stream 1\n"));
     }},
    {nullptr,
     [](Setup& w) {
       UseFeedback(w);
       w.Chain<VkPipelineRasterizationStateStreamCreateInfoEXT>(w.raster, {}).rasterizationStream = 1;
       w.AddStage(kGeometry, StreamText("OpDecorate %out BuiltIn Position\nOpDecorate %out Stream 1\n"));
     }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06050",
     [](Setup& w) { w.UseRenderPass(), w.subpass_view_mask = 1, UseLayer(w); }},
    {"VUID-VkGraphicsPipelineCreateInfo-renderPass-06059", [](Setup& w) { w.rendering.viewMask = 1, UseLayer(w); }},
    {nullptr, UseLayer},
};

}  // namespace

absl::Span<const PipelineCase> ShaderCases() { return kCases; }

}  // namespace assay::core
