// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_
#define ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_

#include <string>
#include <string_view>

// Test-only: SPIR-V texts of shaders, of parts.
namespace assay::core {

// Execution modes of geometry shaders.
inline constexpr char kTriangleStrip[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputTriangleStrip\n"
    "OpExecutionMode %main OutputVertices 3\n";
inline constexpr char kLineStrip[] =
    "OpExecutionMode %main InputLines\nOpExecutionMode %main OutputLineStrip\n"
    "OpExecutionMode %main OutputVertices 2\n";
inline constexpr char kPoints[] =
    "OpExecutionMode %main Triangles\nOpExecutionMode %main OutputPoints\n"
    "OpExecutionMode %main OutputVertices 1\n";
// That of mesh shaders.
inline constexpr char kMeshTriangles[] = "OpExecutionMode %main OutputTrianglesEXT\n";

// Whole instructions, one a line. There are types %void, %float, %int, %uint, %vec4, %bool, and constants %f1, %i0 and
// %u0, %u1, %u3.
struct ShaderParts {
  std::string_view capabilities = {};
  // Ids.
  std::string_view interface = {};
  // Of %main.
  std::string_view modes = {};
  std::string_view decorations = {};
  std::string_view variables = {};
  std::string_view body = {};
};
std::string ShaderText(std::string_view model, const ShaderParts& parts);

// Shaders that do the least, with execution modes or built-ins to choose.
std::string GeometryText(std::string_view modes, std::string_view capabilities = {});
std::string ControlText(std::string_view modes);
std::string EvaluationText(std::string_view modes);
// Stores to an output of type float or int with a built-in, or else a decoration ("BuiltIn PointSize").
std::string OutputText(std::string_view model, std::string_view decorations, std::string_view type,
                       std::string_view modes = {}, std::string_view capabilities = {});
std::string GeometryOutputText(std::string_view decorations, std::string_view type, std::string_view modes,
                               std::string_view capabilities = {});
std::string MeshText(const ShaderParts& parts);
// Writes to location 0.
std::string FragmentText(const ShaderParts& parts);

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_
