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
          .interface = "%variable",
          .decorations = "OpDecorate %variable Location 0\n" + decorations,
          .globals = "%array = OpTypeArray %float %u3\n%pointer = OpTypePointer " + storage + " " + type +
                     "\n%variable = OpVariable %pointer " + storage + "\n"};
}

std::vector<SpirvCase> InterpolationCases() {
  const std::string flat = "OpDecorate %variable Flat\n";
  StageText ordinary = Variable("Fragment", "Private", "%float", flat);
  ordinary.decorations = flat;
  const std::string doubles = "OpCapability Float64\n";
  StageText wide = Variable("Fragment", "Input", "%double", "; smooth\n", doubles);
  wide.globals = "%double = OpTypeFloat 64\n" + wide.globals;
  std::vector<SpirvCase> cases = {
      {"StandaloneSpirv-Flat-04670", ordinary, "OpDecorate %variable Flat", ""},
      {"StandaloneSpirv-Flat-04744", Variable("Fragment", "Input", "%uint", "; smooth\n"), "; smooth\n", flat},
      {"StandaloneSpirv-Flat-04744", Variable("Fragment", "Input", "%v4uint", "; smooth\n"), "; smooth\n", flat},
      {"StandaloneSpirv-Flat-04744", wide, "; smooth\n", flat},
  };
  for (const char* decoration : {"Flat", "NoPerspective", "Centroid", "Sample"}) {
    const std::string text = std::string("OpDecorate %variable ") + decoration;
    const std::string sample = decoration == std::string("Sample") ? "OpCapability SampleRateShading\n" : "";
    cases.push_back({"StandaloneSpirv-Flat-06201", Variable("Fragment", "Output", "%float", text, sample), text, ""});
    cases.push_back({"StandaloneSpirv-Flat-06202", Variable("Vertex", "Input", "%float", text, sample), text, ""});
  }
  return cases;
}

std::vector<SpirvCase> PerVertexCases() {
  const std::string barycentric =
      "OpCapability FragmentBarycentricKHR\nOpExtension \"SPV_KHR_fragment_shader_barycentric\"\n";
  const std::string per_vertex = "OpDecorate %variable PerVertexKHR\n";
  return {
      {"StandaloneSpirv-PerVertexKHR-06777", Variable("Fragment", "Output", "%array", per_vertex, barycentric),
       per_vertex, ""},
      {"StandaloneSpirv-PerVertexKHR-06777", Variable("Vertex", "Input", "%array", per_vertex, barycentric), per_vertex,
       ""},
      {"StandaloneSpirv-Input-06778", Variable("Fragment", "Input", "%float", per_vertex, barycentric), "Input %float",
       "Input %array"},
  };
}

std::vector<SpirvCase> TypeDecorationCases() {
  std::vector<SpirvCase> cases;
  for (const char* decoration : {"GLSLShared", "GLSLPacked"}) {
    const std::string text = std::string("OpDecorate %block ") + decoration;
    cases.push_back({"StandaloneSpirv-GLSLShared-04669",
                     {.decorations = text, .globals = "%block = OpTypeStruct %uint\n"},
                     text,
                     ""});
  }
  const std::string half =
      "OpCapability Float16\nOpCapability StorageBuffer16BitAccess\nOpExtension \"SPV_KHR_16bit_storage\"\n";
  const StageText rounding = {
      .capabilities = half,
      .interface = "%variable",
      .decorations =
          "OpDecorate %narrow FPRoundingMode RTP\nOpDecorate %block Block\n"
          "OpMemberDecorate %block 0 Offset 0\nOpDecorate %variable DescriptorSet 0\n"
          "OpDecorate %variable Binding 0\n",
      .globals =
          "%half = OpTypeFloat 16\n%block = OpTypeStruct %half\n%pointer = OpTypePointer StorageBuffer %block\n"
          "%member_pointer = OpTypePointer StorageBuffer %half\n%variable = OpVariable %pointer StorageBuffer\n",
      .body =
          "%member = OpAccessChain %member_pointer %variable %u0\n%narrow = OpFConvert %half %f1\n"
          "OpStore %member %narrow\n"};
  cases.push_back({"StandaloneSpirv-FPRoundingMode-04675", rounding, "RTP", "RTE"});

  const std::string invariant = "OpDecorate %variable Invariant";
  StageText unused = Variable("Vertex", "Private", "%float", "");
  unused.decorations = invariant;
  cases.push_back({"StandaloneSpirv-Invariant-04677", unused, invariant, ""});
  StageText member = unused;
  member.decorations = "OpMemberDecorate %struct 0 Invariant\n";
  member.globals =
      "%struct = OpTypeStruct %float\n%pointer = OpTypePointer Private %struct\n"
      "%variable = OpVariable %pointer Private\n";
  cases.push_back({"StandaloneSpirv-Invariant-04677", member, member.decorations, ""});
  return cases;
}

}  // namespace

std::vector<SpirvCase> DecorationCases() {
  std::vector<SpirvCase> cases = InterpolationCases();
  for (const auto& group : {PerVertexCases(), TypeDecorationCases()}) {
    cases.insert(cases.end(), group.begin(), group.end());
  }
  return cases;
}

}  // namespace assay::core
