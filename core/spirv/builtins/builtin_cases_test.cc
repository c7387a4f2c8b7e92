// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Each rule of built-ins through the whole layer, on a device that has all extensions and features.

#include "core/spirv/builtins/builtin_cases.h"

#include <cstdint>
#include <ostream>
#include <source_location>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "testing/features/extension_features.h"
#include "testing/fixture.h"
#include "vk/vuid.h"

namespace assay::core {

void PrintTo(const BuiltInCase& built_in_case, std::ostream* out) { *out << vk::GetVuid(built_in_case.rule->vuid).id; }

namespace {

class BuiltInTest : public test::ValidationTest {
 protected:
  test::DeviceOptions Options() override { return features_.EnableAll(); }

  // The module's message; the id is empty if there is none.
  void Expect(std::string_view id, const std::string& text,
              std::source_location where = std::source_location::current()) {
    MakeShader(text);
    ExpectAlone(id, where);
  }

 private:
  test::ExtensionFeatures features_;
};

class BuiltInRules : public BuiltInTest, public ::testing::WithParamInterface<BuiltInCase> {};

TEST_P(BuiltInRules, WrongModuleIsReported) { Expect(vk::GetVuid(GetParam().rule->vuid).id, GetParam().wrong); }
TEST_P(BuiltInRules, CorrectModuleIsNot) { Expect("", GetParam().correct); }

std::string NameOfCase(const ::testing::TestParamInfo<BuiltInCase>& info) {
  return absl::StrReplaceAll(vk::GetVuid(info.param.rule->vuid).id, {{"VUID-", ""}, {"-", "_"}});
}

INSTANTIATE_TEST_SUITE_P(Each, BuiltInRules, ::testing::ValuesIn(BuiltInCases()), NameOfCase);

// A vertex shader that writes a rate, and a mesh shader that writes it for a primitive.
std::string VertexWithRate(uint32_t rate) {
  return Text({.model = "Vertex",
               .capabilities = Capabilities("FragmentShadingRateKHR", "SPV_KHR_fragment_shading_rate"),
               .variables = {{"%out", "Output", "%int", "BuiltIn PrimitiveShadingRateKHR"}},
               .globals = absl::StrCat("%rate = OpConstant %int ", rate, "\n"),
               .body = "OpStore %out %rate\n"});
}
std::string MeshWithRate(uint32_t rate) {
  return Text({.model = "MeshEXT",
               .capabilities = Capabilities("FragmentShadingRateKHR", "SPV_KHR_fragment_shading_rate"),
               .variables = {{"%out", "Output", "%blocks"}},
               .decorations = Decorate("%block", "Block") +
                              DecorateMember("%block 0", "BuiltIn PrimitiveId, PerPrimitiveEXT") +
                              DecorateMember("%block 1", "BuiltIn PrimitiveShadingRateKHR, PerPrimitiveEXT"),
               .globals = absl::StrCat("%block = OpTypeStruct %int %int\n%blocks = OpTypeArray %block %i1\n"
                                       "%element = OpTypePointer Output %int\n%large = OpConstant %int 100\n"
                                       "%rate = OpConstant %int ",
                                       rate, "\n"),
               .body = "OpSetMeshOutputsEXT %u1 %u1\n%id = OpAccessChain %element %out %i0 %i0\nOpStore %id %large\n"
                       "%chain = OpAccessChain %element %out %i0 %i1\nOpStore %chain %rate\n"});
}

TEST_F(BuiltInTest, ShadingRates) {
  using TextOf = std::string (*)(uint32_t);
  for (const TextOf text_of : {TextOf{VertexWithRate}, TextOf{MeshWithRate}}) {
    Expect("", text_of(1 | 8));
    Expect("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04487", text_of(1 | 2));
    Expect("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04488", text_of(4 | 8));
    Expect("VUID-PrimitiveShadingRateKHR-PrimitiveShadingRateKHR-04489", text_of(16));
  }
}

struct IndexCase {
  std::string_view built_in;
  std::string_view mode;
  uint32_t components;
  // Of the rule, which is called like the built-in.
  std::string_view number;
};
// A mesh shader with three vertices and one primitive, whose indices are 0, 1 and so on, but for the last one.
std::string MeshWithIndices(const IndexCase& row, uint32_t last) {
  const bool is_nv = row.built_in == "PrimitiveIndicesNV";
  std::string value = "%last", type = "%uint", globals;
  if (row.components > 1 && !is_nv) {
    type = absl::StrCat("%v", row.components, "uint");
    value = "%value";
    globals =
        absl::StrCat("%value = OpConstantComposite ", type, row.components == 3 ? " %u0 %u1" : " %u0", " %last\n");
  }
  return Text({.model = is_nv ? "MeshNV" : "MeshEXT",
               .variables = {{"%indices", "Output", "%array", absl::StrCat("BuiltIn ", row.built_in)}},
               .modes = Modes(absl::StrCat("LocalSize 1 1 1, OutputVertices 3, OutputPrimitivesEXT 1, ", row.mode)),
               .globals = absl::StrCat("%last = OpConstant %uint ", last, "\n%count = OpConstant %uint ",
                                       is_nv ? row.components : 1, "\n", globals, "%array = OpTypeArray ", type,
                                       " %count\n%element = OpTypePointer Output ", type, "\n"),
               .body = absl::StrCat(is_nv ? "" : "OpSetMeshOutputsEXT %u3 %u1\n",
                                    "%chain = OpAccessChain %element %indices %u0\nOpStore %chain ", value, "\n")});
}

TEST_F(BuiltInTest, PrimitiveIndices) {
  constexpr IndexCase kCases[] = {{"PrimitivePointIndicesEXT", "OutputPoints", 1, "07045"},
                                  {"PrimitiveLineIndicesEXT", "OutputLinesEXT", 2, "07051"},
                                  {"PrimitiveTriangleIndicesEXT", "OutputTrianglesEXT", 3, "07057"},
                                  {"PrimitiveIndicesNV", "OutputTrianglesEXT", 3, "04341"}};
  for (const IndexCase& row : kCases) {
    Expect("", MeshWithIndices(row, 2));
    Expect(absl::StrCat("VUID-", row.built_in, "-", row.built_in, "-", row.number), MeshWithIndices(row, 4));
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
