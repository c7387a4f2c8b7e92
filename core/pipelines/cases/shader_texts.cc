// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/pipelines/cases/shader_texts.h"

#include "absl/strings/str_cat.h"

namespace assay::core {

std::string ShaderText(std::string_view model, const ShaderParts& parts) {
  return absl::StrCat("OpCapability Shader\n", parts.capabilities, R"(
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint )",
                      model, " %main \"main\" ", parts.interface, "\n", parts.modes, "\n", parts.decorations, R"(
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %bool = OpTypeBool
    %float = OpTypeFloat 32
    %int = OpTypeInt 32 1
    %uint = OpTypeInt 32 0
    %vec4 = OpTypeVector %float 4
    %f1 = OpConstant %float 1
    %i0 = OpConstant %int 0
    %u0 = OpConstant %uint 0
    %u1 = OpConstant %uint 1
    %u3 = OpConstant %uint 3
    %white = OpConstantComposite %vec4 %f1 %f1 %f1 %f1
)",
                      parts.variables, R"(
    %main = OpFunction %void None %fn
    %entry = OpLabel
)",
                      parts.body, "\n    OpReturn\n    OpFunctionEnd\n");
}

std::string GeometryText(std::string_view modes, std::string_view capabilities) {
  const std::string all_modes = absl::StrCat("OpExecutionMode %main Invocations 1\n", modes);
  const std::string all_capabilities = absl::StrCat("OpCapability Geometry\n", capabilities);
  return ShaderText("Geometry", {.capabilities = all_capabilities, .modes = all_modes});
}
std::string ControlText(std::string_view modes) {
  return ShaderText("TessellationControl", {.capabilities = "OpCapability Tessellation", .modes = modes});
}
std::string EvaluationText(std::string_view modes) {
  return ShaderText("TessellationEvaluation", {.capabilities = "OpCapability Tessellation", .modes = modes});
}

std::string OutputText(std::string_view model, std::string_view decorations, std::string_view type,
                       std::string_view modes, std::string_view capabilities) {
  const std::string variables =
      absl::StrCat("%ptr = OpTypePointer Output %", type, "\n%out = OpVariable %ptr Output\n");
  const std::string_view value = type == "float" ? "%f1" : type == "vec4" ? "%white" : "%i0";
  const std::string body = absl::StrCat("OpStore %out ", value, "\n");
  return ShaderText(model, {capabilities, "%out", modes, decorations, variables, body});
}

std::string GeometryOutputText(std::string_view decorations, std::string_view type, std::string_view modes,
                               std::string_view capabilities) {
  return OutputText("Geometry", decorations, type, absl::StrCat("OpExecutionMode %main Invocations 1\n", modes),
                    absl::StrCat("OpCapability Geometry\n", capabilities));
}

std::string MeshText(const ShaderParts& parts) {
  const std::string modes = absl::StrCat(
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n"
      "OpExecutionMode %main OutputPrimitivesEXT 1\n",
      parts.modes);
  const std::string capabilities =
      absl::StrCat("OpCapability MeshShadingEXT\n", parts.capabilities, "\nOpExtension \"SPV_EXT_mesh_shader\"\n");
  ShaderParts all = parts;
  all.capabilities = capabilities;
  all.modes = modes;
  all.body = "OpSetMeshOutputsEXT %u0 %u0\n";
  return ShaderText("MeshEXT", all);
}

std::string FragmentText(const ShaderParts& parts) {
  const std::string interface = absl::StrCat("%color ", parts.interface);
  const std::string modes = absl::StrCat("OpExecutionMode %main OriginUpperLeft\n", parts.modes);
  const std::string decorations = absl::StrCat("OpDecorate %color Location 0\n", parts.decorations);
  const std::string variables =
      absl::StrCat("%color_ptr = OpTypePointer Output %vec4\n%color = OpVariable %color_ptr Output\n", parts.variables);
  const std::string body = absl::StrCat(parts.body, "\nOpStore %color %white\n");
  return ShaderText("Fragment", {parts.capabilities, interface, modes, decorations, variables, body});
}

}  // namespace assay::core
