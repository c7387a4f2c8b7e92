// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/shader_texts.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::core {
namespace {

struct StageText {
  VkShaderStageFlagBits stage;
  std::string_view capabilities;
  std::string_view model;
  std::string_view modes;
};
constexpr StageText kTexts[] = {
    {VK_SHADER_STAGE_VERTEX_BIT, "", "Vertex", ""},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "OpCapability Tessellation\n", "TessellationControl",
     "OutputVertices 3"},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "OpCapability Tessellation\n", "TessellationEvaluation",
     "Triangles; SpacingEqual; VertexOrderCcw; OutputVertices 3"},
    {VK_SHADER_STAGE_GEOMETRY_BIT, "OpCapability Geometry\n", "Geometry",
     "Triangles; Invocations 1; OutputTriangleStrip; OutputVertices 3"},
    {VK_SHADER_STAGE_FRAGMENT_BIT, "", "Fragment", "OriginUpperLeft"},
    {VK_SHADER_STAGE_TASK_BIT_EXT, "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "TaskEXT",
     "LocalSize 1 1 1"},
    {VK_SHADER_STAGE_MESH_BIT_EXT, "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "MeshEXT",
     "LocalSize 1 1 1; OutputTrianglesEXT; OutputVertices 3; OutputPrimitivesEXT 1"},
    {VK_SHADER_STAGE_COMPUTE_BIT, "", "GLCompute", "LocalSize 1 1 1"},
    {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n",
     "RayGenerationKHR", ""},
};

constexpr StageText kMeshNv = {VK_SHADER_STAGE_MESH_BIT_NV,
                               "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n", "MeshNV",
                               "LocalSize 1 1 1; OutputTrianglesNV; OutputVertices 3; OutputPrimitivesNV 1"};

}  // namespace

std::string ExecutionModes(std::string_view modes) {
  std::string text;
  for (const std::string_view mode : absl::StrSplit(modes, "; ", absl::SkipEmpty()))
    absl::StrAppend(&text, "OpExecutionMode %main ", mode, "\n");
  return text;
}

std::string ShaderTextOf(VkShaderStageFlagBits stage, const ShaderAddition& with, bool is_nv) {
  const ShaderAddition added = (with.stages & stage) != 0 ? with : ShaderAddition();
  const auto* const text = is_nv ? &kMeshNv : std::ranges::find(kTexts, stage, &StageText::stage);
  const std::string_view body = stage == VK_SHADER_STAGE_MESH_BIT_EXT && !is_nv
                                    ? "OpSetMeshOutputsEXT %zero %zero\nOpReturn\n"
                                : stage == VK_SHADER_STAGE_TASK_BIT_EXT ? "OpEmitMeshTasksEXT %zero %zero %zero\n"
                                                                        : "OpReturn\n";
  return absl::StrCat("OpCapability Shader\n", added.capabilities, text->capabilities, added.extensions,
                      "OpMemoryModel Logical GLSL450\nOpEntryPoint ", text->model, " %main \"main\" ", added.variables,
                      "\n", added.modes.empty() ? ExecutionModes(text->modes) : added.modes, added.decorations,
                      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
                      "%zero = OpConstant %uint 0\n",
                      added.declarations, "%main = OpFunction %void None %function\n%entry = OpLabel\n", added.body,
                      body, "OpFunctionEnd\n");
}

}  // namespace assay::core
