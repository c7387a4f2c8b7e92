// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_
#define ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/shader_stages/stage_text_test.h"

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
class InterfaceText {
 public:
  // "Vertex", "Geometry", "Fragment".
  explicit InterfaceText(std::string model) { text_.model = std::move(model); }

  void Add(const TestVariable& variable, bool is_input) {
    std::string type = Declare(variable.type);
    if (is_input && text_.model == "Geometry") type = Array(type, 3);
    const std::string name = absl::StrCat(is_input ? "in" : "out", variable.location, "_", variable.component);
    std::string decorations = absl::StrCat("Location ", variable.location);
    if (variable.component != 0) absl::StrAppend(&decorations, ", Component ", variable.component);
    if (is_input && text_.model == "Fragment" && variable.type.kind != 'f') decorations += ", Flat";
    text_.variables.push_back({"%" + name, is_input ? "Input" : "Output", type, decorations});
    // Names are between modes and decorations.
    absl::StrAppend(&text_.modes, "OpName %", name, " \"", name, "\"\n");
    if (variable.type.kind == 'd') text_.capabilities = Capabilities("Float64");
  }

  std::string Shader() const { return Text(text_); }

 private:
  // Returns the name.
  std::string Define(const std::string& name, const std::string& what) {
    if (defined_.insert(name).second) absl::StrAppend(&text_.globals, name, " = ", what, "\n");
    return name;
  }
  // Of up to five elements.
  std::string Array(const std::string& element, uint32_t length) {
    return Define(absl::StrCat(element, "_a", length), absl::StrCat("OpTypeArray ", element, " %u", length));
  }
  std::string Declare(const TestType& type) {
    const std::string scalar = type.kind == 'f'   ? "float"
                               : type.kind == 'd' ? "double"
                               : type.kind == 'i' ? "int"
                                                  : "uint";
    std::string name = "%" + scalar;
    if (type.kind == 'd') Define(name, "OpTypeFloat 64");
    const uint32_t size = type.components, columns = type.columns;
    if (size > 1) name = Define(absl::StrCat("%v", size, scalar), absl::StrCat("OpTypeVector ", name, " ", size));
    if (columns != 0)
      name = Define(absl::StrCat(name, "m", columns), absl::StrCat("OpTypeMatrix ", name, " ", columns));
    return type.length != 0 ? Array(name, type.length) : name;
  }

  StageText text_;
  // Text() has these vectors.
  std::set<std::string> defined_ = {"%v2float", "%v3float", "%v4float", "%v2int", "%v2uint", "%v3uint", "%v4uint"};
};

inline std::string StageShader(const std::string& model, const std::vector<TestVariable>& inputs,
                               const std::vector<TestVariable>& outputs) {
  InterfaceText text(model);
  for (const TestVariable& variable : inputs) text.Add(variable, true);
  for (const TestVariable& variable : outputs) text.Add(variable, false);
  return text.Shader();
}

}  // namespace assay::core

#endif  // ASSAY_CORE_INTERFACES_STAGE_SHADERS_TEST_H_
