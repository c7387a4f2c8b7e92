// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_
#define ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_

#include <string>

#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_text_test.h"

// Test-only: SPIR-V texts of shaders that do little.
namespace assay::core {

// Execution modes of geometry shaders.
inline const std::string kTriangleStrip = Modes("Triangles, Invocations 1, OutputTriangleStrip, OutputVertices 3");
inline const std::string kLineStrip = Modes("InputLines, Invocations 1, OutputLineStrip, OutputVertices 2");
inline const std::string kPoints = Modes("Triangles, Invocations 1, OutputPoints, OutputVertices 1");
inline constexpr char kWhite[] = "%white = OpConstantComposite %v4float %f1 %f1 %f1 %f1\n";

inline std::string GeometryText(const std::string& modes, const std::string& capabilities = "") {
  return Text({.model = "Geometry", .capabilities = capabilities, .modes = modes});
}
// Of tessellation, with these execution modes alone: "Quads, PointMode".
inline std::string TessellationText(const std::string& model, const std::string& modes) {
  return absl::StrReplaceAll(Text({.model = model}), {{ModesOf(model), Modes(modes)}});
}
// Stores to one more output, %out, of type %float, %int or %v4float.
inline std::string OutputText(StageText shader, const std::string& decorations, const std::string& type = "%float") {
  const std::string value = type == "%float" ? "%f1" : type == "%v4float" ? "%white" : "%i0";
  shader.variables.push_back({"%out", "Output", type, decorations});
  shader.globals += kWhite;
  shader.body += "OpStore %out " + value + "\n";
  return Text(shader);
}
// A vertex shader that writes PrimitiveShadingRateKHR, too.
inline std::string RateText(StageText shader = {}) {
  shader.model = "Vertex";
  shader.capabilities += Capabilities("FragmentShadingRateKHR", "SPV_KHR_fragment_shading_rate");
  return OutputText(shader, "BuiltIn PrimitiveShadingRateKHR", "%int");
}
inline std::string MeshText(StageText shader = {}) {
  shader.model = "MeshEXT";
  shader.body = "OpSetMeshOutputsEXT %u0 %u0\n";
  return Text(shader);
}
// Writes to location 0, too.
inline std::string FragmentText(StageText shader) {
  shader.model = "Fragment";
  return OutputText(shader, "Location 0", "%v4float");
}

}  // namespace assay::core

#endif  // ASSAY_CORE_PIPELINES_CASES_SHADER_TEXTS_H_
