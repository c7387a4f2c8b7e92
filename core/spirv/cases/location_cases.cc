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
          .variables = {{"%variable", "Input", type}},
          .decorations = decorations,
          .globals = types};
}

// A shader with two variables of a type, which are decorated alike.
StageText Pair(const std::string& model, const std::string& storage, const std::string& decoration,
               const std::string& type) {
  return {.model = model, .variables = {{"%first", storage, type, decoration}, {"%second", storage, type, decoration}}};
}

const char* const kLocation = "OpDecorate %variable Location 0\n";

std::vector<SpirvCase> MissingLocationCases() {
  const std::string structure = "%struct = OpTypeStruct %float %float\n";
  const std::string members = "OpMemberDecorate %struct 0 Location 0\n";
  const std::string both = members + "OpMemberDecorate %struct 1 Location 1\n";
  const StageText position = {.model = "Fragment",
                              .variables = {{"%variable", "Input", "%v4float", "BuiltIn FragCoord, Location 0"}}};
  const StageText ordinary = {.model = "Vertex", .variables = {{"%variable", "Private", "%float", "Location 0"}}};
  // Its built-in variables are in a structure that is no block.
  const StageText builtin = {.model = "Vertex",
                             .variables = {{"%variable", "Output", "%struct"}},
                             .decorations = "OpMemberDecorate %struct 0 BuiltIn Position\n; no block\n",
                             .globals = "%struct = OpTypeStruct %v4float\n"};
  return {{"Location-04915", position, kLocation, ""},
          {"Location-04916", Input("%float", "; no location\n"), "; no location\n", kLocation},
          {"Location-04917", Input("%struct", "; no location\n", structure), "; no location\n", kLocation},
          {"Location-04918", Input("%struct", kLocation + both, structure), both, ""},
          {"Location-04919", Input("%struct", "OpDecorate %struct Block\n" + members + "; one\n", structure),
           members + "; one\n", both},
          {"Location-04919", builtin, "; no block", "OpDecorate %struct Block"},
          {"Location-06672", ordinary, kLocation, ""}};
}

std::vector<SpirvCase> ComponentCases() {
  const std::string doubles =
      "%double = OpTypeFloat 64\n%v2double = OpTypeVector %double 2\n%v3double = OpTypeVector %double 3\n";
  const std::string wide = Capabilities("Float64");
  const std::string matrix = "%matrix = OpTypeMatrix %v2float 2\n";
  const auto component = [](int value) {
    return kLocation + std::string("OpDecorate %variable Component ") + std::to_string(value) + "\n";
  };
  return {{"Component-04920", Input("%float", component(4)), "Component 4", "Component 3"},
          {"Component-04921", Input("%v3float", component(2)), "Component 2", "Component 1"},
          {"Component-04922", Input("%v2double", component(2), doubles, wide), "Component 2", "Component 0"},
          {"Component-04923", Input("%double", component(1), doubles, wide), "Component 1", "Component 2"},
          {"Component-07703", Input("%v3double", component(0), doubles, wide), "Input %v3double", "Input %v2double"},
          {"Component-10583", Input("%matrix", component(0), matrix), "Input %matrix", "Input %v2float"}};
}

std::vector<SpirvCase> SharedLocationCases() {
  const std::string same = "Location 0";
  const std::string second = "%second Location 0";
  return {{"OpEntryPoint-08721", Pair("Vertex", "Input", same, "%float"), second, "%second Location 1"},
          {"OpEntryPoint-08721", Pair("Fragment", "Input", same, "%v2float"), second,
           second + "\nOpDecorate %second Component 2"},
          {"OpEntryPoint-08722", Pair("Vertex", "Output", same, "%float"), second,
           second + "\nOpDecorate %second Component 1"},
          {"OpEntryPoint-08722", Pair("Fragment", "Output", same, "%float"), second,
           second + "\nOpDecorate %second Index 1"},
          {"OpEntryPoint-09658", Pair("Fragment", "Input", "BuiltIn FragCoord", "%v4float"),
           "%second BuiltIn FragCoord", "%second Location 0"},
          {"OpEntryPoint-09659", Pair("Vertex", "Output", "BuiltIn Position", "%v4float"), "%second BuiltIn Position",
           "%second Location 0"}};
}

}  // namespace

std::vector<SpirvCase> LocationCases() {
  return Joined({MissingLocationCases(), ComponentCases(), SharedLocationCases()});
}

}  // namespace assay::core
