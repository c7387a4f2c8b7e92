// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/changes.h"
#include "core/pipelines/cases/shader_texts.h"

namespace assay::core {
namespace {

const std::string kXfb = Modes("Xfb");
const std::string kXfbCapability = Capabilities("TransformFeedback");
constexpr char kPatch[] = "OutputVertices 3";
constexpr char kPointSize[] = "BuiltIn PointSize";
constexpr char kPosition[] = "BuiltIn Position";
constexpr char kPositionOfStream[] = "BuiltIn Position, Stream 1";

Setup& UsePoints(Setup& w) { return Set(w, w.assembly.topology, VK_PRIMITIVE_TOPOLOGY_POINT_LIST); }
Setup& WithoutPointSize(Setup& w) { return Without(w, {"shaderTessellationAndGeometryPointSize"}); }
Setup& UseFeedback(Setup& w) { return With(w, {"VK_EXT_transform_feedback"}); }
// A vertex shader that transform feedback captures, and shaders behind it.
Setup& Capture(Setup& w) {
  return UseVertexShader(UseFeedback(w), OutputText({.model = "Vertex", .capabilities = kXfbCapability, .modes = kXfb},
                                                    kPosition, "%v4float"));
}
// Shaders with these execution modes.
Setup& Tessellate(Setup& w, const std::string& control, const std::string& evaluation) {
  w.texts[kControl] = TessellationText("TessellationControl", control);
  w.texts[kEvaluation] = TessellationText("TessellationEvaluation", evaluation);
  return Tessellate(w);
}
Setup& AddGeometry(Setup& w, const std::string& modes, const std::string& capabilities = {}) {
  w.AddStage(kGeometry, GeometryText(modes, capabilities));
  return w;
}
void UseMesh(Setup& w, const StageText& shader = {}) { UseMeshShader(w).texts[kMesh] = MeshText(shader); }
// A vertex shader that writes PrimitiveShadingRateKHR, perhaps beside another built-in.
void UseRate(Setup& w, const StageText& shader = {}) {
  Limit(w, &VkPhysicalDeviceFragmentShadingRatePropertiesKHR::primitiveFragmentShadingRateWithMultipleViewports,
        VK_FALSE);
  UseVertexShader(With(w, {"VK_KHR_fragment_shading_rate"}), RateText(shader));
}
void UseLayer(Setup& w) {
  UseVertexShader(
      w, OutputText({.model = "Vertex", .capabilities = Capabilities("ShaderLayer")}, "BuiltIn Layer", "%int"));
}
std::string StreamText(const std::string& decorations) {
  return OutputText({.model = "Geometry", .capabilities = Capabilities("GeometryStreams")}, decorations, "%v4float");
}

constexpr PipelineCase kCases[] = {
    Correct([](Setup& w) { Capture(w); }),
    {"None-02322", [](Setup& w) { UseMesh(UseFeedback(w), {.capabilities = kXfbCapability, .modes = kXfb}); }},
    {"flags-02966",
     [](Setup& w) { GenerateCommandsNv(Capture(w)).info.flags = VK_PIPELINE_CREATE_INDIRECT_BINDABLE_BIT_NV; }},
    {"flags-11001", [](Setup& w) { BeBindable(Capture(w)); }},
    {"pStages-02317", [](Setup& w) { AddGeometry(Capture(w), kTriangleStrip + kXfb, kXfbCapability); }},
    {"pStages-02318", [](Setup& w) { AddGeometry(Capture(w), kTriangleStrip); }},

    Correct([](Setup& w) { Tessellate(w, kPatch, "Triangles"); }),
    Correct([](Setup& w) { Tessellate(w, "Triangles, OutputVertices 3", "Triangles"); }),
    {"pStages-00732", [](Setup& w) { Tessellate(w, kPatch, ""); }},
    {"pStages-00733", [](Setup& w) { Tessellate(w, "Quads, OutputVertices 3", "Triangles"); }},
    {"pStages-00734", [](Setup& w) { Tessellate(w, "", "Quads"); }},
    {"pStages-00735", [](Setup& w) { Tessellate(w, "OutputVertices 4", "Triangles, OutputVertices 3"); }},
    Correct([](Setup& w) { AddGeometry(w, kTriangleStrip); }),
    {"pStages-00738", [](Setup& w) { AddGeometry(w, kLineStrip); }},
    Correct([](Setup& w) { AddGeometry(w, kLineStrip).assembly.topology = VK_PRIMITIVE_TOPOLOGY_LINE_STRIP; }),
    {"pStages-00739", [](Setup& w) { AddGeometry(Tessellate(w, kPatch, "Triangles"), kLineStrip); }},
    Correct([](Setup& w) { AddGeometry(Tessellate(w, kPatch, "Isolines"), kLineStrip); }),

    {"topology-08773", [](Setup& w) { UsePoints(w).Disable("maintenance5"); }},
    Correct([](Setup& w) { UsePoints(w); }),
    Correct([](Setup& w) {
      UsePoints(UseVertexShader(w, OutputText({.model = "Vertex"}, kPointSize))).Disable("maintenance5");
    }),
    {"TessellationEvaluation-07723",
     [](Setup& w) { Tessellate(Without(w, {"maintenance5"}), kPatch, "Triangles, PointMode"); }},
    {"TessellationEvaluation-07724", By([](Setup& w) {
       Tessellate(WithoutPointSize(w), kPatch, "").texts[kEvaluation] =
           OutputText({.model = "TessellationEvaluation", .modes = Modes("PointMode")}, kPointSize);
     })},
    {"shaderTessellationAndGeometryPointSize-08776",
     [](Setup& w) { AddGeometry(Without(w, {"maintenance5"}), kPoints); }},
    {"Geometry-07726", By([](Setup& w) {
       WithoutPointSize(w).AddStage(kGeometry, OutputText({.model = "Geometry", .modes = kPoints}, kPointSize));
     })},

    {"conservativePointAndLineRasterization-06760", [](Setup& w) { AddGeometry(RasterizeConservatively(w), kPoints); }},
    {"conservativePointAndLineRasterization-06761", By([](Setup& w) {
       UseMesh(RasterizeConservatively(w),
               {.modes = Modes("LocalSize 1 1 1, OutputPoints, OutputVertices 3, OutputPrimitivesEXT 1")});
     })},
    Correct([](Setup& w) { UseMesh(RasterizeConservatively(w)); }),
    {"TaskNV-07063", By([](Setup& w) {
       UseMesh(With(w, {"VK_NV_mesh_shader"}));
       w.AddStage(kTask, Text({.model = "TaskNV",
                               .capabilities = Capabilities("MeshShadingNV", "SPV_NV_mesh_shader"),
                               .modes = Modes("LocalSize 1 1 1")}));
     })},
    {"pStages-09631", By([](Setup& w) {
       UseMesh(w, {.capabilities = Capabilities("DrawParameters"),
                   .variables = {{"%index", "Input", "%int", "BuiltIn DrawIndex"}}});
       w.AddStage(kTask, Text({.model = "TaskEXT"}));
     })},

    {"primitiveFragmentShadingRateWithMultipleViewports-04503", [](Setup& w) { UseRate(UseTwoViewports(w)); }},
    Correct([](Setup& w) { UseRate(w); }),
    {"primitiveFragmentShadingRateWithMultipleViewports-04504", By([](Setup& w) {
       UseRate(w, {.capabilities = Capabilities("ShaderViewportIndex"),
                   .variables = {{"%viewport", "Output", "%int", "BuiltIn ViewportIndex"}},
                   .body = "OpStore %viewport %i0\n"});
     })},
    {"primitiveFragmentShadingRateWithMultipleViewports-04505", By([](Setup& w) {
       UseRate(With(w, {"VK_NV_viewport_array2"}),
               {.capabilities = Capabilities("ShaderViewportMaskNV", "SPV_NV_viewport_array2"),
                .variables = {{"%masks", "Output", "%array", "BuiltIn ViewportMaskNV"}},
                .globals = "%array = OpTypeArray %int %u1\n",
                .body = "%mask = OpAccessChain %out_pointer %masks %i0\nOpStore %mask %i0\n"});
     })},

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
