// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/spirv/cases/spirv_cases.h"

namespace assay::core {
namespace {

// A shader with a variable at location 0.
StageText Variable(const std::string& model, const std::string& storage, const std::string& type,
                   const std::string& decorations, const std::string& capabilities = "") {
  return {.model = model,
          .capabilities = capabilities,
          .variables = {{"%variable", storage, type, "Location 0"}},
          .decorations = decorations,
          .globals = "%array = OpTypeArray %float %u3\n"};
}

std::vector<SpirvCase> InterpolationCases() {
  const std::string flat = "OpDecorate %variable Flat\n";
  const StageText ordinary = {.model = "Fragment", .variables = {{"%variable", "Private", "%float", "Flat"}}};
  StageText wide = Variable("Fragment", "Input", "%double", "; smooth\n", Capabilities("Float64"));
  wide.globals = "%double = OpTypeFloat 64\n" + wide.globals;
  std::vector<SpirvCase> cases = {
      {"Flat-04670", ordinary, "OpDecorate %variable Flat", ""},
      {"Flat-04744", Variable("Fragment", "Input", "%uint", "; smooth\n"), "; smooth\n", flat},
      {"Flat-04744", Variable("Fragment", "Input", "%v4uint", "; smooth\n"), "; smooth\n", flat},
      {"Flat-04744", wide, "; smooth\n", flat}};
  for (const char* decoration : {"Flat", "NoPerspective", "Centroid", "Sample"}) {
    const std::string text = std::string("OpDecorate %variable ") + decoration;
    const std::string sample = decoration == std::string("Sample") ? Capabilities("SampleRateShading") : "";
    cases.push_back({"Flat-06201", Variable("Fragment", "Output", "%float", text, sample), text, ""});
    cases.push_back({"Flat-06202", Variable("Vertex", "Input", "%float", text, sample), text, ""});
  }
  return cases;
}

std::vector<SpirvCase> PerVertexCases() {
  const std::string barycentric = Capabilities("FragmentBarycentricKHR", "SPV_KHR_fragment_shader_barycentric");
  const std::string per_vertex = "OpDecorate %variable PerVertexKHR\n";
  return {{"PerVertexKHR-06777", Variable("Fragment", "Output", "%array", per_vertex, barycentric), per_vertex, ""},
          {"PerVertexKHR-06777", Variable("Vertex", "Input", "%array", per_vertex, barycentric), per_vertex, ""},
          {"Input-06778", Variable("Fragment", "Input", "%float", per_vertex, barycentric), "Input %float",
           "Input %array"}};
}

std::vector<SpirvCase> TypeDecorationCases() {
  std::vector<SpirvCase> cases;
  for (const char* decoration : {"GLSLShared", "GLSLPacked"}) {
    const std::string text = std::string("OpDecorate %block ") + decoration;
    cases.push_back({"GLSLShared-04669", {.decorations = text, .globals = "%block = OpTypeStruct %uint\n"}, text, ""});
  }
  const StageText rounding = WithBuffer(
      "%half", {.capabilities = Capabilities("Float16, StorageBuffer16BitAccess", "SPV_KHR_16bit_storage"),
                .decorations = Decorate("%narrow", "FPRoundingMode RTP"),
                .globals = "%half = OpTypeFloat 16\n",
                .body = "%member = OpAccessChain %member_pointer %buffer %u0\n%narrow = OpFConvert %half %f1\n"
                        "OpStore %member %narrow\n"});
  cases.push_back({"FPRoundingMode-04675", rounding, "RTP", "RTE"});

  const StageText unused = {.model = "Vertex", .variables = {{"%variable", "Private", "%float", "Invariant"}}};
  cases.push_back({"Invariant-04677", unused, "OpDecorate %variable Invariant", ""});
  const StageText member = {.model = "Vertex",
                            .variables = {{"%variable", "Private", "%struct"}},
                            .decorations = DecorateMember("%struct 0", "Invariant"),
                            .globals = "%struct = OpTypeStruct %float\n"};
  cases.push_back({"Invariant-04677", member, member.decorations, ""});
  return cases;
}

}  // namespace

std::vector<SpirvCase> DecorationCases() {
  return Joined({InterpolationCases(), PerVertexCases(), TypeDecorationCases()});
}

}  // namespace assay::core
