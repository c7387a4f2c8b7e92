// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"
#include "core/pipelines/cases/shader_texts.h"

namespace assay::core {
namespace {

constexpr char kXfb[] = "OpExecutionMode %main Xfb\n";
constexpr char kXfbCapability[] = "OpCapability TransformFeedback\n";
constexpr char kPatch[] = "OpExecutionMode %main OutputVertices 3\n";
constexpr char kPatchOf4[] = "OpExecutionMode %main OutputVertices 4\n";
constexpr char kQuads[] = "OpExecutionMode %main Quads\n";
constexpr char kIsolines[] = "OpExecutionMode %main Isolines\n";
constexpr char kTriangles[] = "OpExecutionMode %main Triangles\n";
constexpr char kTrianglesOf3[] = "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputVertices 3\n";
constexpr char kTrianglesAsPoints[] = "OpExecutionMode %main Triangles\nOpExecutionMode %main PointMode\n";
constexpr char kPointSize[] = "OpDecorate %out BuiltIn PointSize\n";
constexpr char kPosition[] = "OpDecorate %out BuiltIn Position\n";
constexpr char kPositionOfStream[] = "OpDecorate %out BuiltIn Position\nOpDecorate %out Stream 1\n";
constexpr VkPrimitiveTopology kPointList = VK_PRIMITIVE_TOPOLOGY_POINT_LIST;

Setup& WithoutPointSize(Setup& w) { return Without(w, {"shaderTessellationAndGeometryPointSize"}); }
Setup& UseFeedback(Setup& w) { return With(w, {"VK_EXT_transform_feedback"}); }
// A vertex shader that transform feedback captures, and shaders behind it.
Setup& Capture(Setup& w) {
  return UseVertexShader(UseFeedback(w), OutputText("Vertex", kPosition, "vec4", kXfb, kXfbCapability));
}
// Shaders with these execution modes.
Setup& Tessellate(Setup& w, std::string_view control, std::string_view evaluation) {
  w.texts[kControl] = ControlText(control);
  w.texts[kEvaluation] = EvaluationText(evaluation);
  return Tessellate(w);
}
Setup& AddGeometry(Setup& w, std::string_view modes, std::string_view capabilities = {}) {
  w.AddStage(kGeometry, GeometryText(modes, capabilities));
  return w;
}
void UseMesh(Setup& w, const ShaderParts& parts) { UseMeshShader(w).texts[kMesh] = MeshText(parts); }
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
Setup& UseRate(Setup& w, std::string text) {
  Limit(w, &VkPhysicalDeviceFragmentShadingRatePropertiesKHR::primitiveFragmentShadingRateWithMultipleViewports,
        VK_FALSE);
  return UseVertexShader(With(w, {"VK_KHR_fragment_shading_rate"}), std::move(text));
}
void UseLayer(Setup& w) {
  UseVertexShader(w, OutputText("Vertex", "OpDecorate %out BuiltIn Layer\n", "int", "", "OpCapability ShaderLayer\n"));
}
std::string StreamText(std::string_view decorations) {
  return GeometryOutputText(decorations, "vec4", kTriangleStrip, "OpCapability GeometryStreams\n");
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { Capture(w); }),
    {"None-02322",
     [](Setup& w) {
       UseMesh(UseFeedback(w), {.capabilities = kXfbCapability, .modes = std::string(kMeshTriangles) + kXfb});
     }},
    {"flags-02966",
     [](Setup& w) {
       With(Capture(w), {"VK_NV_device_generated_commands"}).info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV;
     }},
    {"flags-11001", [](Setup& w) { BeBindable(Capture(w)); }},
    {"pStages-02317", [](Setup& w) { AddGeometry(Capture(w), std::string(kTriangleStrip) + kXfb, kXfbCapability); }},
    {"pStages-02318", [](Setup& w) { AddGeometry(Capture(w), kTriangleStrip); }},

    Correct([](Setup& w) { Tessellate(w, kPatch, kTriangles); }),
    Correct([](Setup& w) { Tessellate(w, kTrianglesOf3, kTriangles); }),
    {"pStages-00732", [](Setup& w) { Tessellate(w, kPatch, ""); }},
    {"pStages-00733", [](Setup& w) { Tessellate(w, std::string(kQuads) + kPatch, kTriangles); }},
    {"pStages-00734", [](Setup& w) { Tessellate(w, "", kQuads); }},
    {"pStages-00735", [](Setup& w) { Tessellate(w, kPatchOf4, kTrianglesOf3); }},
    Correct([](Setup& w) { AddGeometry(w, kTriangleStrip); }),
    {"pStages-00738", [](Setup& w) { AddGeometry(w, kLineStrip); }},
    Correct([](Setup& w) { AddGeometry(w, kLineStrip).assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP; }),
    {"pStages-00739", [](Setup& w) { AddGeometry(Tessellate(w, kPatch, kTriangles), kLineStrip); }},
    Correct([](Setup& w) { AddGeometry(Tessellate(w, kPatch, kIsolines), kLineStrip); }),

    {"topology-08773", [](Setup& w) { w.Disable("maintenance5"), w.assembly.topology = kPointList; }},
    Correct([](Setup& w) { w.assembly.topology = kPointList; }),
    Correct([](Setup& w) {
      UseVertexShader(Without(w, {"maintenance5"}), OutputText("Vertex", kPointSize, "float")).assembly.topology =
          kPointList;
    }),
    {"TessellationEvaluation-07723",
     [](Setup& w) { Tessellate(Without(w, {"maintenance5"}), kPatch, kTrianglesAsPoints); }},
    {"TessellationEvaluation-07724",
     [](Setup& w) {
       Tessellate(WithoutPointSize(w), kPatch, "").texts[kEvaluation] =
           OutputText("TessellationEvaluation", kPointSize, "float", kTrianglesAsPoints, "OpCapability Tessellation\n");
     }},
    {"shaderTessellationAndGeometryPointSize-08776",
     [](Setup& w) { AddGeometry(Without(w, {"maintenance5"}), kPoints); }},
    {"Geometry-07726",
     [](Setup& w) { WithoutPointSize(w).AddStage(kGeometry, GeometryOutputText(kPointSize, "float", kPoints)); }},

    {"conservativePointAndLineRasterization-06760", [](Setup& w) { AddGeometry(RasterizeConservatively(w), kPoints); }},
    {"conservativePointAndLineRasterization-06761",
     [](Setup& w) { UseMesh(RasterizeConservatively(w), {.modes = "OpExecutionMode %main OutputPoints\n"}); }},
    Correct([](Setup& w) { UseMesh(RasterizeConservatively(w), {.modes = kMeshTriangles}); }),
    {"TaskNV-07063",
     [](Setup& w) {
       UseMesh(With(w, {"VK_NV_mesh_shader"}), {.modes = kMeshTriangles});
       w.AddStage(kTask, ShaderText("TaskNV",
                                    {.capabilities = "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n",
                                     .modes = "OpExecutionMode %main LocalSize 1 1 1\n"}));
     }},
    {"pStages-09631",
     [](Setup& w) {
       UseMesh(w, {.capabilities = "OpCapability DrawParameters\n",
                   .interface = "%index",
                   .modes = kMeshTriangles,
                   .decorations = "OpDecorate %index BuiltIn DrawIndex\n",
                   .variables = "%ptr = OpTypePointer Input %int\n%index = OpVariable %ptr Input\n"});
       w.AddStage(kTask, ShaderText("TaskEXT", {.capabilities = "OpCapability MeshShadingEXT\n"
                                                                "OpExtension \"SPV_EXT_mesh_shader\"\n",
                                                .modes = "OpExecutionMode %main LocalSize 1 1 1\n",
                                                .body = "OpEmitMeshTasksEXT %u1 %u1 %u1\n%dead = OpLabel\n"}));
     }},

    {"primitiveFragmentShadingRateWithMultipleViewports-04503",
     [](Setup& w) { UseRate(UseTwoViewports(w), RateText("", "", "")); }},
    Correct([](Setup& w) { UseRate(w, RateText("", "", "")); }),
    {"primitiveFragmentShadingRateWithMultipleViewports-04504",
     [](Setup& w) {
       UseRate(w, RateText("OpDecorate %other BuiltIn ViewportIndex\n", "OpCapability ShaderViewportIndex\n", "int"));
     }},
    {"primitiveFragmentShadingRateWithMultipleViewports-04505",
     [](Setup& w) {
       UseRate(With(w, {"VK_NV_viewport_array2"}),
               RateText("OpDecorate %other BuiltIn ViewportMaskNV\n", "OpCapability ShaderViewportMaskNV\n", "mask"));
     }},

    {"rasterizationStream-02319", [](Setup& w) { UseSecondStream(w).AddStage(kGeometry, StreamText(kPosition)); }},
    {"rasterizationStream-02320", [](Setup& w) { UseFeedback(w).AddStage(kGeometry, StreamText(kPositionOfStream)); }},
    Correct([](Setup& w) { UseSecondStream(w).AddStage(kGeometry, StreamText(kPositionOfStream)); }),
    {"renderPass-06050", [](Setup& w) { w.UseRenderPass(), w.subpass_view_mask = 1, UseLayer(w); }},
    {"renderPass-06059", [](Setup& w) { UseLayer(UseView(w)); }},
    Correct(UseLayer),
};

}  // namespace

absl::Span<const PipelineCase> ShaderCases() { return kCases; }

}  // namespace assay::core
