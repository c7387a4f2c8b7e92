// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/draw/cases/shader_texts.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"

namespace assay::core {
namespace {

constexpr std::pair<VkShaderStageFlagBits, const char*> kModels[] = {
    {VK_SHADER_STAGE_VERTEX_BIT, "Vertex"},
    {VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT, "TessellationControl"},
    {VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT, "TessellationEvaluation"},
    {VK_SHADER_STAGE_GEOMETRY_BIT, "Geometry"},
    {VK_SHADER_STAGE_FRAGMENT_BIT, "Fragment"},
    {VK_SHADER_STAGE_TASK_BIT_EXT, "TaskEXT"},
    {VK_SHADER_STAGE_MESH_BIT_EXT, "MeshEXT"},
    {VK_SHADER_STAGE_COMPUTE_BIT, "GLCompute"},
    {VK_SHADER_STAGE_RAYGEN_BIT_KHR, "RayGenerationKHR"},
};

}  // namespace

std::string ShaderTextOf(VkShaderStageFlagBits stage, const ShaderAddition& with, bool is_nv) {
  const ShaderAddition added = (with.stages & stage) != 0 ? with : ShaderAddition();
  const std::string model =
      is_nv ? "MeshNV"
            : std::ranges::find(kModels, stage, &std::pair<VkShaderStageFlagBits, const char*>::first)->second;
  std::string names = added.variables, decorations = added.decorations, declarations = added.declarations;
  for (const auto& [name, storage, type, decorated, initializer] : added.globals) {
    absl::StrAppend(&names, " ", name);
    absl::StrAppend(&decorations, Decorate(name, decorated));
    absl::StrAppend(&declarations, name, "_pointer = OpTypePointer ", storage, " ", type, "\n", name, " = OpVariable ",
                    name, "_pointer ", storage, " ", initializer, "\n");
  }
  const std::string modes = ModesOf(model) + Modes(model == "TessellationEvaluation" ? "OutputVertices 3" : "");
  const std::string_view end = model == "MeshEXT"   ? "OpSetMeshOutputsEXT %zero %zero\nOpReturn\n"
                               : model == "TaskEXT" ? "OpEmitMeshTasksEXT %zero %zero %zero\n"
                                                    : "OpReturn\n";
  return absl::StrCat(
      Preamble(absl::StrCat("OpCapability Shader\n", added.capabilities, CapabilitiesOf(model), added.extensions)),
      "OpMemoryModel Logical GLSL450\nOpEntryPoint ", model, " %main \"main\" ", names, "\n",
      added.modes.empty() ? modes : added.modes, decorations,
      "%void = OpTypeVoid\n%function = OpTypeFunction %void\n%uint = OpTypeInt 32 0\n%zero = OpConstant %uint 0\n",
      declarations, "%main = OpFunction %void None %function\n%entry = OpLabel\n", added.body, end, "OpFunctionEnd\n");
}

}  // namespace assay::core
