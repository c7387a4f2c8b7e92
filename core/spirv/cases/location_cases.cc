// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A vertex shader with an input of a type.
StageText Input(const std::string& type, const std::string& decorations, const std::string& types = "",
                const std::string& capabilities = "") {
  return {.model = "Vertex",
          .capabilities = capabilities,
          .interface = "%variable",
          .decorations = decorations,
          .globals = types + "%pointer = OpTypePointer Input " + type + "\n%variable = OpVariable %pointer Input\n"};
}

// A shader with two variables of a type.
StageText Pair(const std::string& model, const std::string& storage, const std::string& decorations,
               const std::string& type) {
  return {.model = model,
          .interface = "%first %second",
          .decorations = decorations,
          .globals = "%pointer = OpTypePointer " + storage + " " + type + "\n%first = OpVariable %pointer " + storage +
                     "\n%second = OpVariable %pointer " + storage + "\n"};
}

const char* const kLocation = "OpDecorate %variable Location 0\n";

std::vector<SpirvCase> MissingLocationCases() {
  const std::string structure = "%struct = OpTypeStruct %float %float\n";
  const std::string members = "OpMemberDecorate %struct 0 Location 0\n";
  const std::string both = members + "OpMemberDecorate %struct 1 Location 1\n";
  StageText position = Input("%v4float", "OpDecorate %variable BuiltIn FragCoord\nOpDecorate %variable Location 0\n");
  position.model = "Fragment";
  StageText ordinary = Input("%float", kLocation);
  ordinary.globals = "%pointer = OpTypePointer Private %float\n%variable = OpVariable %pointer Private\n";
  // Its built-in variables are in a structure that is no block.
  const StageText builtin = {.model = "Vertex",
                             .interface = "%variable",
                             .decorations = "OpMemberDecorate %struct 0 BuiltIn Position\n; no block\n",
                             .globals =
                                 "%struct = OpTypeStruct %v4float\n%pointer = OpTypePointer Output %struct\n"
                                 "%variable = OpVariable %pointer Output\n"};
  return {
      {"StandaloneSpirv-Location-04915", position, kLocation, ""},
      {"StandaloneSpirv-Location-04916", Input("%float", "; no location\n"), "; no location\n", kLocation},
      {"StandaloneSpirv-Location-04917", Input("%struct", "; no location\n", structure), "; no location\n", kLocation},
      {"StandaloneSpirv-Location-04918", Input("%struct", kLocation + both, structure), both, ""},
      {"StandaloneSpirv-Location-04919",
       Input("%struct", "OpDecorate %struct Block\n" + members + "; one\n", structure), members + "; one\n", both},
      {"StandaloneSpirv-Location-04919", builtin, "; no block", "OpDecorate %struct Block"},
      {"StandaloneSpirv-Location-06672", ordinary, kLocation, ""},
  };
}

std::vector<SpirvCase> ComponentCases() {
  const std::string doubles =
      "%double = OpTypeFloat 64\n%v2double = OpTypeVector %double 2\n%v3double = OpTypeVector %double 3\n";
  const std::string wide = "OpCapability Float64\n";
  const std::string matrix = "%matrix = OpTypeMatrix %v2float 2\n";
  const auto component = [](int value) {
    return kLocation + std::string("OpDecorate %variable Component ") + std::to_string(value) + "\n";
  };
  return {
      {"StandaloneSpirv-Component-04920", Input("%float", component(4)), "Component 4", "Component 3"},
      {"StandaloneSpirv-Component-04921", Input("%v3float", component(2)), "Component 2", "Component 1"},
      {"StandaloneSpirv-Component-04922", Input("%v2double", component(2), doubles, wide), "Component 2",
       "Component 0"},
      {"StandaloneSpirv-Component-04923", Input("%double", component(1), doubles, wide), "Component 1", "Component 2"},
      {"StandaloneSpirv-Component-07703", Input("%v3double", component(0), doubles, wide), "Input %v3double",
       "Input %v2double"},
      {"StandaloneSpirv-Component-10583", Input("%matrix", component(0), matrix), "Input %matrix", "Input %v2float"},
  };
}

std::vector<SpirvCase> SharedLocationCases() {
  const std::string same = "OpDecorate %first Location 0\nOpDecorate %second Location 0\n";
  const std::string position = "OpDecorate %first BuiltIn FragCoord\nOpDecorate %second BuiltIn FragCoord\n";
  const std::string output = "OpDecorate %first BuiltIn Position\nOpDecorate %second BuiltIn Position\n";
  const std::string second = "%second Location 0";
  return {
      {"StandaloneSpirv-OpEntryPoint-08721", Pair("Vertex", "Input", same, "%float"), second, "%second Location 1"},
      {"StandaloneSpirv-OpEntryPoint-08721", Pair("Fragment", "Input", same, "%v2float"), second,
       second + "\nOpDecorate %second Component 2"},
      {"StandaloneSpirv-OpEntryPoint-08722", Pair("Vertex", "Output", same, "%float"), second,
       second + "\nOpDecorate %second Component 1"},
      {"StandaloneSpirv-OpEntryPoint-08722", Pair("Fragment", "Output", same, "%float"), second,
       second + "\nOpDecorate %second Index 1"},
      {"StandaloneSpirv-OpEntryPoint-09658", Pair("Fragment", "Input", position, "%v4float"),
       "%second BuiltIn FragCoord", "%second Location 0"},
      {"StandaloneSpirv-OpEntryPoint-09659", Pair("Vertex", "Output", output, "%v4float"), "%second BuiltIn Position",
       "%second Location 0"},
  };
}

}  // namespace

std::vector<SpirvCase> LocationCases() {
  std::vector<SpirvCase> cases = MissingLocationCases();
  for (const auto& group : {ComponentCases(), SharedLocationCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
