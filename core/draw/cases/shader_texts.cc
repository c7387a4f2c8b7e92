// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/shader_texts.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"

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
     "OpExecutionMode %main OutputVertices 3\n"},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "OpCapability Tessellation\n", "TessellationEvaluation",
     "OpExecutionMode %main Triangles\nOpExecutionMode %main SpacingEqual\nOpExecutionMode %main VertexOrderCcw\n"
     "OpExecutionMode %main OutputVertices 3\n"},
    {VK_SHADER_STAGE_GEOMETRY_BIT, "OpCapability Geometry\n", "Geometry",
     "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
     "OpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3\n"},
    {VK_SHADER_STAGE_FRAGMENT_BIT, "", "Fragment", "OpExecutionMode %main OriginUpperLeft\n"},
    {VK_SHADER_STAGE_TASK_BIT_EXT, "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "TaskEXT",
     "OpExecutionMode %main LocalSize 1 1 1\n"},
    {VK_SHADER_STAGE_MESH_BIT_EXT, "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"\n", "MeshEXT",
     "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesEXT\n"
     "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesEXT 1\n"},
    {VK_SHADER_STAGE_COMPUTE_BIT, "", "GLCompute", "OpExecutionMode %main LocalSize 1 1 1\n"},
    {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "OpCapability RayTracingKHR\nOpExtension \"SPV_KHR_ray_tracing\"\n",
     "RayGenerationKHR", ""},
};

constexpr StageText kMeshNv = {VK_SHADER_STAGE_MESH_BIT_NV,
                               "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"\n", "MeshNV",
                               "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputTrianglesNV\n"
                               "OpExecutionMode %main OutputVertices 3\nOpExecutionMode %main OutputPrimitivesNV 1\n"};

}  // namespace

std::string ShaderTextOf(VkShaderStageFlagBits stage, const ShaderAddition& with, bool is_nv) {
  const ShaderAddition added = (with.stages & stage) != 0 ? with : ShaderAddition();
  const auto* const text = is_nv ? &kMeshNv : std::ranges::find(kTexts, stage, &StageText::stage);
  const std::string_view body = is_nv                                   ? "OpReturn\n"
                                : stage == VK_SHADER_STAGE_MESH_BIT_EXT ? "OpSetMeshOutputsEXT %zero %zero\nOpReturn\n"
                                : stage == VK_SHADER_STAGE_TASK_BIT_EXT ? "OpEmitMeshTasksEXT %zero %zero %zero\n"
                                                                        : "OpReturn\n";
  return absl::StrCat("OpCapability Shader\n", added.capabilities, text->capabilities, added.extensions,
                      "OpMemoryModel Logical GLSL450\nOpEntryPoint ", text->model, " %main \"main\" ", added.variables,
                      "\n", added.modes.empty() ? text->modes : added.modes, added.decorations,
                      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n"
                      "%zero = OpConstant %uint 0\n",
                      added.declarations, "%main = OpFunction %void None %function\n%entry = OpLabel\n", added.body,
                      body, "OpFunctionEnd\n");
}

}  // namespace assay::core
