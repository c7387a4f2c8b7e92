// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each rule of built-ins through the whole layer, on a device that has all extensions and features.

#include "core/spirv/builtins/builtin_cases.h"

#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "testing/shaders.h"
#include "vk/vuid.h"

namespace assay::core {

void PrintTo(const BuiltInCase& built_in_case, std::ostream* out) { *out << vk::GetVuid(built_in_case.rule->vuid).id; }

namespace {

class BuiltInTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return features_.EnableAll(); }

 private:
  test::ExtensionFeatures features_;
};

class BuiltInRules : public BuiltInTest, public ::testing::WithParamInterface<BuiltInCase> {};

TEST_P(BuiltInRules, WrongModuleIsReported) {
  MakeShader(test::AssembleSpirv(GetParam().wrong));
  ExpectMessage(vk::GetVuid(GetParam().rule->vuid).id);
  ExpectNothing();
}

TEST_P(BuiltInRules, CorrectModuleIsNot) {
  MakeShader(test::AssembleSpirv(GetParam().correct));
  ExpectNothing();
}

std::string NameOfCase(const ::testing::TestParamInfo<BuiltInCase>& info) {
  return absl::StrReplaceAll(vk::GetVuid(info.param.rule->vuid).id, {{"VUID-", ""}, {"-", "_"}});
}

INSTANTIATE_TEST_SUITE_P(Each, BuiltInRules, ::testing::ValuesIn(BuiltInCases()), NameOfCase);

// A vertex shader that writes a rate, and a mesh shader that writes it for a primitive.
std::string VertexWithRate(uint32_t rate) {
  return absl::StrCat(R"(OpCapability Shader
OpCapability FragmentShadingRateKHR
OpExtension "SPV_KHR_fragment_shading_rate"
OpMemoryModel Logical GLSL450
OpEntryPoint Vertex %main "main" %out
OpDecorate %out BuiltIn PrimitiveShadingRateKHR
%void = OpTypeVoid
%function = OpTypeFunction %void
%int = OpTypeInt 32 1
%pointer = OpTypePointer Output %int
%out = OpVariable %pointer Output
%rate = OpConstant %int )",
                      rate, R"(
%main = OpFunction %void None %function
%entry = OpLabel
OpStore %out %rate
OpReturn
OpFunctionEnd
)");
}
std::string MeshWithRate(uint32_t rate) {
  return absl::StrCat(R"(OpCapability Shader
OpCapability MeshShadingEXT
OpCapability FragmentShadingRateKHR
OpExtension "SPV_EXT_mesh_shader"
OpExtension "SPV_KHR_fragment_shading_rate"
OpMemoryModel Logical GLSL450
OpEntryPoint MeshEXT %main "main" %out
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main OutputVertices 3
OpExecutionMode %main OutputPrimitivesEXT 1
OpExecutionMode %main OutputTrianglesEXT
OpDecorate %block Block
OpMemberDecorate %block 0 BuiltIn PrimitiveId
OpMemberDecorate %block 0 PerPrimitiveEXT
OpMemberDecorate %block 1 BuiltIn PrimitiveShadingRateKHR
OpMemberDecorate %block 1 PerPrimitiveEXT
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%int = OpTypeInt 32 1
%count = OpConstant %uint 1
%block = OpTypeStruct %int %int
%zero = OpConstant %int 0
%one = OpConstant %int 1
%blocks = OpTypeArray %block %one
%pointer = OpTypePointer Output %blocks
%element = OpTypePointer Output %int
%out = OpVariable %pointer Output
%rate = OpConstant %int )",
                      rate, R"(
%large = OpConstant %int 100
%main = OpFunction %void None %function
%entry = OpLabel
OpSetMeshOutputsEXT %count %count
%id = OpAccessChain %element %out %zero %zero
OpStore %id %large
%chain = OpAccessChain %element %out %zero %one
OpStore %chain %rate
OpReturn
OpFunctionEnd
)");
}

TEST_F(BuiltInTest, ShadingRates) {
  using TextOf = std::string (*)(uint32_t);
  for (const TextOf text_of : {TextOf{VertexWithRate}, TextOf{MeshWithRate}}) {
    MakeShader(test::AssembleSpirv(text_of(1 | 8)));
    ExpectNothing();
    MakeShader(test::AssembleSpirv(text_of(1 | 2)));
    ExpectMessage("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04487");
    MakeShader(test::AssembleSpirv(text_of(4 | 8)));
    ExpectMessage("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04488");
    MakeShader(test::AssembleSpirv(text_of(16)));
    ExpectMessage("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04489");
  }
}

struct IndexCase {
  std::string_view built_in;
  std::string_view mode;
  uint32_t components;
  std::string_view id;
};
// A mesh shader with three vertices and one primitive, whose indices are 0, 1 and so on, but for the last one.
std::string MeshWithIndices(const IndexCase& row, uint32_t last) {
  const bool is_nv = row.built_in == "PrimitiveIndicesNV";
  std::string value = "%last";
  std::string type = "%uint";
  std::string globals;
  if (row.components > 1 && !is_nv) {
    type = "%vector";
    value = "%value";
    globals =
        absl::StrCat("%vector = OpTypeVector %uint ", row.components, "\n%value = OpConstantComposite %vector %first",
                     row.components == 3 ? " %one" : "", " %last\n");
  }
  return absl::StrCat("OpCapability Shader\nOpCapability MeshShading", is_nv ? "NV" : "EXT", "\nOpExtension \"SPV_",
                      is_nv ? "NV" : "EXT", "_mesh_shader\"\n", "OpMemoryModel Logical GLSL450\nOpEntryPoint Mesh",
                      is_nv ? "NV" : "EXT",
                      R"( %main "main" %indices
OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main OutputVertices 3
OpExecutionMode %main OutputPrimitivesEXT 1
OpExecutionMode %main )",
                      row.mode, "\nOpDecorate %indices BuiltIn ", row.built_in, R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%uint = OpTypeInt 32 0
%first = OpConstant %uint 0
%one = OpConstant %uint 1
%three = OpConstant %uint 3
%last = OpConstant %uint )",
                      last, "\n%count = OpConstant %uint ", is_nv ? row.components : 1, "\n", globals,
                      "%array = OpTypeArray ", type, R"( %count
%pointer = OpTypePointer Output %array
%element = OpTypePointer Output )",
                      type, R"(
%indices = OpVariable %pointer Output
%main = OpFunction %void None %function
%entry = OpLabel
)",
                      is_nv ? "" : "OpSetMeshOutputsEXT %three %one\n",
                      "%chain = OpAccessChain %element %indices %first\nOpStore %chain ", value,
                      "\nOpReturn\nOpFunctionEnd\n");
}

TEST_F(BuiltInTest, PrimitiveIndices) {
  constexpr IndexCase kCases[] = {
      {"PrimitivePointIndicesEXT", "OutputPoints", 1, "VUID-PrimitivePointIndicesEXT-PrimitivePointIndicesEXT-07045"},
      {"PrimitiveLineIndicesEXT", "OutputLinesEXT", 2, "VUID-PrimitiveLineIndicesEXT-PrimitiveLineIndicesEXT-07051"},
      {"PrimitiveTriangleIndicesEXT", "OutputTrianglesEXT", 3,
       "VUID-PrimitiveTriangleIndicesEXT-PrimitiveTriangleIndicesEXT-07057"},
      {"PrimitiveIndicesNV", "OutputTrianglesEXT", 3, "VUID-PrimitiveIndicesNV-PrimitiveIndicesNV-04341"},
  };
  for (const IndexCase& row : kCases) {
    MakeShader(test::AssembleSpirv(MeshWithIndices(row, 2)));
    ExpectNothing();
    MakeShader(test::AssembleSpirv(MeshWithIndices(row, 4)));
    ExpectMessage(row.id);
    ExpectNothing();
  }
}

TEST(BuiltInCases, LackNoRule) {
  EXPECT_EQ(BuiltInCases().size(), vk::BuiltInRules().size());
  for (const BuiltInCase& built_in_case : BuiltInCases()) {
    EXPECT_NE(built_in_case.wrong, built_in_case.correct) << vk::GetVuid(built_in_case.rule->vuid).id;
  }
}

}  // namespace
}  // namespace assay::core
