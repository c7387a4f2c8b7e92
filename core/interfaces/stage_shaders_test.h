// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_
#define ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"

// Shaders of inputs and outputs, as SPIR-V text, for tests.
namespace assay::core {

// A type: 'f', 'd', 'i' or 'u'; a vector, or a matrix of columns, or an array of those.
struct TestType {
  char kind = 'f';
  uint32_t components = 4;
  uint32_t columns = 0;
  uint32_t length = 0;

  uint32_t locations() const { return (columns != 0 ? columns : 1) * (length != 0 ? length : 1); }
};

struct TestVariable {
  TestType type;
  uint32_t location = 0;
  uint32_t component = 0;
};

// The text of one shader.
class StageText {
 public:
  // "Vertex", "Geometry", "Fragment".
  explicit StageText(std::string model) : model_(std::move(model)) {}

  void Add(const TestVariable& variable, bool is_input) {
    const std::string storage = is_input ? "Input" : "Output";
    const std::string name = absl::StrCat(is_input ? "in" : "out", variable.location, "_", variable.component);
    const bool is_arrayed = is_input && model_ == "Geometry";
    std::string type = Declare(variable.type);
    if (is_arrayed) type = Array(type, 3);
    Define(absl::StrCat("%", storage, "_", type.substr(1)), absl::StrCat("OpTypePointer ", storage, " ", type));
    absl::StrAppend(&variables_, "%", name, " = OpVariable %", storage, "_", type.substr(1), " ", storage, "\n");
    absl::StrAppend(&names_, " %", name);
    absl::StrAppend(&decorations_, "OpDecorate %", name, " Location ", variable.location, "\n");
    if (variable.component != 0) {
      absl::StrAppend(&decorations_, "OpDecorate %", name, " Component ", variable.component, "\n");
    }
    const bool needs_flat = is_input && model_ == "Fragment" && variable.type.kind != 'f';
    if (needs_flat) absl::StrAppend(&decorations_, "OpDecorate %", name, " Flat\n");
    absl::StrAppend(&debug_, "OpName %", name, " \"", name, "\"\n");
    has_doubles_ |= variable.type.kind == 'd';
  }

  std::string Text() const {
    std::string text = "OpCapability Shader\n";
    if (has_doubles_) text += "OpCapability Float64\n";
    if (model_ == "Geometry") text += "OpCapability Geometry\n";
    absl::StrAppend(&text, "OpMemoryModel Logical GLSL450\nOpEntryPoint ", model_, " %main \"main\"", names_, "\n");
    if (model_ == "Fragment") text += "OpExecutionMode %main OriginUpperLeft\n";
    if (model_ == "Geometry") {
      text +=
          "OpExecutionMode %main Triangles\nOpExecutionMode %main Invocations 1\n"
          "OpExecutionMode %main OutputTriangleStrip\nOpExecutionMode %main OutputVertices 3\n";
    }
    absl::StrAppend(&text, debug_, decorations_, "%void = OpTypeVoid\n%function = OpTypeFunction %void\n", types_,
                    variables_, "%main = OpFunction %void None %function\n%entry = OpLabel\nOpReturn\nOpFunctionEnd\n");
    return text;
  }

 private:
  void Define(const std::string& name, const std::string& what) {
    if (defined_.insert(name).second) absl::StrAppend(&types_, name, " = ", what, "\n");
  }
  std::string Array(const std::string& element, uint32_t length) {
    Define("%u32", "OpTypeInt 32 0");
    Define(absl::StrCat("%c", length), absl::StrCat("OpConstant %u32 ", length));
    const std::string name = absl::StrCat(element, "_a", length);
    Define(name, absl::StrCat("OpTypeArray ", element, " %c", length));
    return name;
  }
  std::string Declare(const TestType& type) {
    std::string name = absl::StrCat("%", std::string(1, type.kind), type.kind == 'd' ? "64" : "32");
    Define(name, type.kind == 'f'   ? "OpTypeFloat 32"
                 : type.kind == 'd' ? "OpTypeFloat 64"
                 : type.kind == 'i' ? "OpTypeInt 32 1"
                                    : "OpTypeInt 32 0");
    if (type.components > 1) {
      const std::string vector = absl::StrCat(name, "v", type.components);
      Define(vector, absl::StrCat("OpTypeVector ", name, " ", type.components));
      name = vector;
    }
    if (type.columns != 0) {
      const std::string matrix = absl::StrCat(name, "m", type.columns);
      Define(matrix, absl::StrCat("OpTypeMatrix ", name, " ", type.columns));
      name = matrix;
    }
    return type.length != 0 ? Array(name, type.length) : name;
  }

  const std::string model_;
  std::set<std::string> defined_;
  std::string names_, debug_, decorations_, types_, variables_;
  bool has_doubles_ = false;
};

inline std::string StageShader(const std::string& model, const std::vector<TestVariable>& inputs,
                               const std::vector<TestVariable>& outputs) {
  StageText text(model);
  for (const TestVariable& variable : inputs) text.Add(variable, true);
  for (const TestVariable& variable : outputs) text.Add(variable, false);
  return text.Text();
}

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_
