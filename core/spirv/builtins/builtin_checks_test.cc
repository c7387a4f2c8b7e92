// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What correct shaders do with built-ins, and how near they come to what is wrong.

#include "core/spirv/builtins/builtin_checks.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/shader_stages/stage_text_test.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/module.h"
#include "testing/shaders.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using spirv_instrument::Module;

Module Read(const StageText& shader) { return *Module::Read(test::AssembleSpirv(Text(shader))); }

std::string Findings(const StageText& shader) {
  const Module module = Read(shader);
  ModuleFindings findings(module);
  CheckBuiltIns(findings);
  return absl::StrJoin(findings.findings(), " ", [](std::string* out, const ModuleFinding& finding) {
    absl::StrAppend(out, vk::GetVuid(finding.vuid).id);
  });
}

const char* const kMeshModes = "LocalSize 1 1 1, OutputTrianglesEXT, OutputVertices 3, OutputPrimitivesEXT 2";
// Numbers besides those of Text(), and an index that varies.
const char* const kNumbers = "%u40 = OpConstant %uint 40\n%spec = OpSpecConstant %uint 7\n";
const char* const kIndex = "%i = OpIAdd %uint %u0 %u0\n";

// The block of a GLSL mesh shader: an array of primitives, and in it arrays of views.
TEST(BuiltInChecks, ViewsOfMeshes) {
  StageText shader = {.model = "MeshNV",
                      .variables = {{"%primitives", "Output", "%blocks"}},
                      .modes = Modes(kMeshModes),
                      .decorations = Decorate("%block", "Block") +
                                     DecorateMember("%block 0", "BuiltIn LayerPerViewNV, PerViewNV") +
                                     DecorateMember("%block 1", "BuiltIn ViewportMaskPerViewNV, PerViewNV"),
                      .globals = absl::StrCat(kNumbers, R"(%views = OpTypeArray %int %u40
%masks = OpTypeArray %int %u1
%viewmasks = OpTypeArray %masks %u40
%block = OpTypeStruct %views %viewmasks
%blocks = OpTypeArray %block %u2
%element = OpTypePointer Output %int
)"),
                      .body = absl::StrCat(kIndex, "%a = OpAccessChain %element %primitives %i %u1 %i %u0")};
  EXPECT_EQ(Findings(shader), "");
  shader.decorations = Decorate("%block", "Block") + DecorateMember("%block 0", "BuiltIn LayerPerViewNV");
  EXPECT_EQ(Findings(shader), "VUID-LayerPerViewNV-LayerPerViewNV-04279");
}

// A number that is specialized is compared with nothing.
TEST(BuiltInChecks, SizesOfArrays) {
  StageText shader = {.model = "MeshNV",
                      .variables = {{"%indices", "Output", "%array", "BuiltIn PrimitiveIndicesNV"}},
                      .modes = Modes(kMeshModes),
                      .globals = absl::StrCat(kNumbers, "%array = OpTypeArray %uint %spec\n")};
  EXPECT_EQ(Findings(shader), "");
  shader.globals = absl::StrCat(kNumbers, "%array = OpTypeArray %uint %u40\n");
  EXPECT_EQ(Findings(shader), "VUID-PrimitiveIndicesNV-OutputTrianglesNV-04344");
  shader.modes = Modes("LocalSize 1 1 1, OutputVertices 3, OutputPrimitivesEXT 20, OutputLinesEXT");
  EXPECT_EQ(Findings(shader), "");
}

// An interface may list what the entry point does not use.
TEST(BuiltInChecks, ModelsOfUnusedVariables) {
  StageText shader = {.model = "MissKHR",
                      .capabilities = Capabilities("RayTracingSpheresGeometryNV", "SPV_NV_linear_swept_spheres"),
                      .variables = {{"%hit", "Input", "%bool", "BuiltIn HitIsSphereNV"}}};
  EXPECT_EQ(Findings(shader), "");
  shader.body = "%value = OpLoad %bool %hit";
  EXPECT_EQ(Findings(shader), "VUID-HitIsSphereNV-HitIsSphereNV-10513");
  shader.model = "ClosestHitKHR";
  EXPECT_EQ(Findings(shader), "");
}

// A tessellation control shader with an output block of two built-ins for each vertex.
StageText Vertices(const std::string& capabilities, const char* first, const char* second, const char* first_type) {
  return {.model = "TessellationControl",
          .capabilities = capabilities,
          .variables = {{"%vertices", "Output", "%blocks"}},
          .decorations =
              Decorate("%block", "Block") + DecorateMember("%block 0", first) + DecorateMember("%block 1", second),
          .globals = absl::StrCat(kNumbers, R"(%positions = OpTypeArray %v4float %u2
%masks = OpTypeArray %int %u1
%block = OpTypeStruct )",
                                  first_type, R"( %masks
%blocks = OpTypeArray %block %u3
%position = OpTypePointer Output %v4float
%mask = OpTypePointer Output %int
)")};
}

// Compilers declare the whole Block.
TEST(BuiltInChecks, ModelsOfUnusedMembers) {
  StageText shader = Vertices(Capabilities("ShaderViewportMaskNV", "SPV_NV_viewport_array2"), "BuiltIn Position",
                              "BuiltIn ViewportMaskNV", "%v4float");
  shader.body = absl::StrCat(kIndex, "%a = OpAccessChain %position %vertices %i %u0");
  EXPECT_EQ(Findings(shader), "");
  shader.body = absl::StrCat(kIndex, "%a = OpAccessChain %mask %vertices %i %u1 %u0");
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskNV-ViewportMaskNV-04409");
  shader.body = "%all = OpLoad %blocks %vertices";
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskNV-ViewportMaskNV-04409");
}

// Each vertex of a patch has the array; the index of the vertex may vary.
TEST(BuiltInChecks, PatchesOfViews) {
  StageText shader = Vertices(Capabilities("PerViewAttributesNV", "SPV_NVX_multiview_per_view_attributes"),
                              "BuiltIn PositionPerViewNV", "BuiltIn ViewportMaskPerViewNV", "%positions");
  shader.body = absl::StrCat(kIndex, "%a = OpAccessChain %position %vertices %i %u0 %u1");
  EXPECT_EQ(Findings(shader), "");
  shader.body = absl::StrCat(kIndex, "%a = OpAccessChain %position %vertices %i %u0 %spec");
  EXPECT_EQ(Findings(shader), "");
  shader.body = absl::StrCat(kIndex, "%a = OpAccessChain %position %vertices %u0 %u0 %i");
  EXPECT_EQ(Findings(shader), "VUID-PositionPerViewNV-PositionPerViewNV-04326");
}

TEST(BuiltInChecks, ViewportMasks) {
  StageText shader = {.model = "Vertex",
                      .capabilities = Capabilities("PerViewAttributesNV", "SPV_NVX_multiview_per_view_attributes"),
                      .variables = {{"%masks", "Output", "%array", "BuiltIn ViewportMaskPerViewNV"}},
                      .globals = "%array = OpTypeArray %int %u3\n"};
  EXPECT_EQ(Findings(shader), "");
  shader.globals = absl::StrCat(kNumbers, "%array = OpTypeArray %int %u40\n");
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04415");
}

// Compilers of HLSL declare an array for each attribute of primitives.
TEST(BuiltInChecks, FalseReports) {
  const vk::VuidIndex cull = vk::Vuid("VUID-CullPrimitiveEXT-CullPrimitiveEXT-07036");
  const vk::VuidIndex models = vk::Vuid("VUID-CullPrimitiveEXT-CullPrimitiveEXT-07034");
  StageText shader = {.model = "MeshEXT",
                      .variables = {{"%cull", "Output", "%array", "BuiltIn CullPrimitiveEXT, PerPrimitiveEXT"}},
                      .modes = Modes(kMeshModes),
                      .globals = "%array = OpTypeArray %bool %u2\n"};
  EXPECT_EQ(Findings(shader), "");
  EXPECT_TRUE(IsFalselyReported(Read(shader), cull));
  EXPECT_FALSE(IsFalselyReported(Read(shader), models));
  shader.globals = "%array = OpTypeArray %uint %u2\n";
  EXPECT_FALSE(IsFalselyReported(Read(shader), cull));
  // The interface does not list the variable.
  shader.variables = {};
  shader.decorations = Decorate("%cull", "BuiltIn CullPrimitiveEXT, PerPrimitiveEXT");
  shader.globals += "%cull_pointer = OpTypePointer Output %array\n%cull = OpVariable %cull_pointer Output\n";
  EXPECT_FALSE(IsFalselyReported(Read(shader), cull));
}

// Modules that the validator refuses are read, too.
TEST(BuiltInChecks, TypeThatContainsItself) {
  const StageText shader = {.model = "Vertex",
                            .capabilities = Capabilities("ShaderSMBuiltinsNV", "SPV_NV_shader_sm_builtins"),
                            .variables = {{"%count", "Input", "%array", "BuiltIn SMCountNV"}},
                            .globals = "%array = OpTypeArray %array %u3\n"};
  EXPECT_EQ(Findings(shader), "VUID-SMCountNV-SMCountNV-04364");
}

}  // namespace
}  // namespace assay::core
