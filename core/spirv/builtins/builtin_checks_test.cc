// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What correct shaders do with built-ins, and how near they come to what is wrong.

#include "core/spirv/builtins/builtin_checks.h"

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/module.h"
#include "testing/shaders.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using spirv_instrument::Module;

struct Shader {
  std::string_view preamble;
  std::string_view model;
  std::string_view interface;
  std::string_view modes;
  std::string_view decorations;
  std::string_view globals;
  std::string_view body = {};
};

Module Read(const Shader& shader) {
  return *Module::Read(test::AssembleSpirv(
      absl::StrCat("OpCapability Shader\n", shader.preamble, "\nOpMemoryModel Logical GLSL450\nOpEntryPoint ",
                   shader.model, " %main \"main\" ", shader.interface, "\n", shader.modes, "\n", shader.decorations, R"(
%void = OpTypeVoid
%function = OpTypeFunction %void
%bool = OpTypeBool
%int = OpTypeInt 32 1
%uint = OpTypeInt 32 0
%float = OpTypeFloat 32
%v4float = OpTypeVector %float 4
%u0 = OpConstant %uint 0
%u1 = OpConstant %uint 1
%u2 = OpConstant %uint 2
%u3 = OpConstant %uint 3
%u40 = OpConstant %uint 40
%spec = OpSpecConstant %uint 7
)",
                   shader.globals, "\n%main = OpFunction %void None %function\n%entry = OpLabel\n", shader.body,
                   "\nOpReturn\nOpFunctionEnd\n")));
}

std::string Findings(const Shader& shader) {
  const Module module = Read(shader);
  ModuleFindings findings(module);
  CheckBuiltIns(findings);
  return absl::StrJoin(findings.findings(), " ", [](std::string* out, const ModuleFinding& finding) {
    absl::StrAppend(out, vk::GetVuid(finding.vuid).id);
  });
}

constexpr std::string_view kMeshNv = "OpCapability MeshShadingNV\nOpExtension \"SPV_NV_mesh_shader\"";
constexpr std::string_view kMeshExt = "OpCapability MeshShadingEXT\nOpExtension \"SPV_EXT_mesh_shader\"";
constexpr std::string_view kMeshModes = R"(OpExecutionMode %main LocalSize 1 1 1
OpExecutionMode %main OutputTrianglesEXT
OpExecutionMode %main OutputVertices 3
OpExecutionMode %main OutputPrimitivesEXT 2)";

// The block of a GLSL mesh shader: an array of primitives, and in it arrays of views.
TEST(BuiltInChecks, ViewsOfMeshes) {
  Shader shader = {.preamble = kMeshNv,
                   .model = "MeshNV",
                   .interface = "%primitives",
                   .modes = kMeshModes,
                   .decorations = R"(OpDecorate %block Block
OpMemberDecorate %block 0 BuiltIn LayerPerViewNV
OpMemberDecorate %block 0 PerViewNV
OpMemberDecorate %block 1 BuiltIn ViewportMaskPerViewNV
OpMemberDecorate %block 1 PerViewNV)",
                   .globals = R"(%views = OpTypeArray %int %u40
%masks = OpTypeArray %int %u1
%viewmasks = OpTypeArray %masks %u40
%block = OpTypeStruct %views %viewmasks
%blocks = OpTypeArray %block %u2
%pointer = OpTypePointer Output %blocks
%element = OpTypePointer Output %int
%primitives = OpVariable %pointer Output)",
                   .body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %element %primitives %i %u1 %i %u0"};
  EXPECT_EQ(Findings(shader), "");
  shader.decorations = "OpDecorate %block Block\nOpMemberDecorate %block 0 BuiltIn LayerPerViewNV\n";
  EXPECT_EQ(Findings(shader), "VUID-LayerPerViewNV-LayerPerViewNV-04279");
}

// A number that is specialized is compared with nothing.
TEST(BuiltInChecks, SizesOfArrays) {
  Shader shader = {.preamble = kMeshNv,
                   .model = "MeshNV",
                   .interface = "%indices",
                   .modes = kMeshModes,
                   .decorations = "OpDecorate %indices BuiltIn PrimitiveIndicesNV",
                   .globals = R"(%array = OpTypeArray %uint %spec
%pointer = OpTypePointer Output %array
%indices = OpVariable %pointer Output)"};
  EXPECT_EQ(Findings(shader), "");
  shader.globals = R"(%array = OpTypeArray %uint %u40
%pointer = OpTypePointer Output %array
%indices = OpVariable %pointer Output)";
  EXPECT_EQ(Findings(shader), "VUID-PrimitiveIndicesNV-OutputTrianglesNV-04344");
  shader.modes =
      "OpExecutionMode %main LocalSize 1 1 1\nOpExecutionMode %main OutputVertices 3\n"
      "OpExecutionMode %main OutputPrimitivesEXT 20\nOpExecutionMode %main OutputLinesEXT\n";
  EXPECT_EQ(Findings(shader), "");
}

// An interface may list what the entry point does not use.
TEST(BuiltInChecks, ModelsOfUnusedVariables) {
  Shader shader = {.preamble =
                       "OpCapability RayTracingKHR\nOpCapability RayTracingSpheresGeometryNV\n"
                       "OpExtension \"SPV_KHR_ray_tracing\"\nOpExtension \"SPV_NV_linear_swept_spheres\"",
                   .model = "MissKHR",
                   .interface = "%hit",
                   .modes = "",
                   .decorations = "OpDecorate %hit BuiltIn HitIsSphereNV",
                   .globals = "%pointer = OpTypePointer Input %bool\n%hit = OpVariable %pointer Input"};
  EXPECT_EQ(Findings(shader), "");
  shader.body = "%value = OpLoad %bool %hit";
  EXPECT_EQ(Findings(shader), "VUID-HitIsSphereNV-HitIsSphereNV-10513");
  shader.model = "ClosestHitKHR";
  EXPECT_EQ(Findings(shader), "");
}

// Compilers declare the whole Block.
TEST(BuiltInChecks, ModelsOfUnusedMembers) {
  Shader shader = {.preamble =
                       "OpCapability Tessellation\nOpCapability ShaderViewportMaskNV\n"
                       "OpExtension \"SPV_NV_viewport_array2\"",
                   .model = "TessellationControl",
                   .interface = "%vertices",
                   .modes = "OpExecutionMode %main OutputVertices 3",
                   .decorations =
                       "OpDecorate %block Block\nOpMemberDecorate %block 0 BuiltIn Position\n"
                       "OpMemberDecorate %block 1 BuiltIn ViewportMaskNV",
                   .globals = R"(%masks = OpTypeArray %int %u1
%block = OpTypeStruct %v4float %masks
%blocks = OpTypeArray %block %u3
%pointer = OpTypePointer Output %blocks
%position = OpTypePointer Output %v4float
%mask = OpTypePointer Output %int
%vertices = OpVariable %pointer Output)",
                   .body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %position %vertices %i %u0"};
  EXPECT_EQ(Findings(shader), "");
  shader.body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %mask %vertices %i %u1 %u0";
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskNV-ViewportMaskNV-04409");
  shader.body = "%all = OpLoad %blocks %vertices";
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskNV-ViewportMaskNV-04409");
}

// Each vertex of a patch has the array; the index of the vertex may vary.
TEST(BuiltInChecks, PatchesOfViews) {
  Shader shader = {.preamble =
                       "OpCapability Tessellation\nOpCapability PerViewAttributesNV\n"
                       "OpExtension \"SPV_NVX_multiview_per_view_attributes\"",
                   .model = "TessellationControl",
                   .interface = "%vertices",
                   .modes = "OpExecutionMode %main OutputVertices 3",
                   .decorations =
                       "OpDecorate %block Block\nOpMemberDecorate %block 0 BuiltIn PositionPerViewNV\n"
                       "OpMemberDecorate %block 1 BuiltIn ViewportMaskPerViewNV",
                   .globals = R"(%positions = OpTypeArray %v4float %u2
%masks = OpTypeArray %int %u1
%block = OpTypeStruct %positions %masks
%blocks = OpTypeArray %block %u3
%pointer = OpTypePointer Output %blocks
%element = OpTypePointer Output %v4float
%vertices = OpVariable %pointer Output)",
                   .body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %element %vertices %i %u0 %u1"};
  EXPECT_EQ(Findings(shader), "");
  shader.body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %element %vertices %i %u0 %spec";
  EXPECT_EQ(Findings(shader), "");
  shader.body = "%i = OpIAdd %uint %u0 %u0\n%a = OpAccessChain %element %vertices %u0 %u0 %i";
  EXPECT_EQ(Findings(shader), "VUID-PositionPerViewNV-PositionPerViewNV-04326");
}

TEST(BuiltInChecks, ViewportMasks) {
  Shader shader = {.preamble =
                       "OpCapability PerViewAttributesNV\n"
                       "OpExtension \"SPV_NVX_multiview_per_view_attributes\"",
                   .model = "Vertex",
                   .interface = "%masks",
                   .modes = "",
                   .decorations = "OpDecorate %masks BuiltIn ViewportMaskPerViewNV",
                   .globals = R"(%array = OpTypeArray %int %u3
%pointer = OpTypePointer Output %array
%masks = OpVariable %pointer Output)"};
  EXPECT_EQ(Findings(shader), "");
  shader.globals = R"(%array = OpTypeArray %int %u40
%pointer = OpTypePointer Output %array
%masks = OpVariable %pointer Output)";
  EXPECT_EQ(Findings(shader), "VUID-ViewportMaskPerViewNV-ViewportMaskPerViewNV-04415");
}

// Compilers of HLSL declare an array for each attribute of primitives.
TEST(BuiltInChecks, FalseReports) {
  const vk::VuidIndex cull = vk::Vuid("VUID-CullPrimitiveEXT-CullPrimitiveEXT-07036");
  const vk::VuidIndex models = vk::Vuid("VUID-CullPrimitiveEXT-CullPrimitiveEXT-07034");
  Shader shader = {.preamble = kMeshExt,
                   .model = "MeshEXT",
                   .interface = "%cull",
                   .modes = kMeshModes,
                   .decorations = "OpDecorate %cull BuiltIn CullPrimitiveEXT\nOpDecorate %cull PerPrimitiveEXT",
                   .globals = R"(%array = OpTypeArray %bool %u2
%pointer = OpTypePointer Output %array
%cull = OpVariable %pointer Output)"};
  EXPECT_EQ(Findings(shader), "");
  EXPECT_TRUE(IsFalselyReported(Read(shader), cull));
  EXPECT_FALSE(IsFalselyReported(Read(shader), models));
  shader.globals = R"(%array = OpTypeArray %uint %u2
%pointer = OpTypePointer Output %array
%cull = OpVariable %pointer Output)";
  EXPECT_FALSE(IsFalselyReported(Read(shader), cull));
  shader.interface = "";
  EXPECT_FALSE(IsFalselyReported(Read(shader), cull));
}

// Modules that the validator refuses are read, too.
TEST(BuiltInChecks, TypeThatContainsItself) {
  Shader shader = {.preamble = "OpCapability ShaderSMBuiltinsNV\nOpExtension \"SPV_NV_shader_sm_builtins\"",
                   .model = "Vertex",
                   .interface = "%count",
                   .modes = "",
                   .decorations = "OpDecorate %count BuiltIn SMCountNV",
                   .globals = R"(%array = OpTypeArray %array %u3
%pointer = OpTypePointer Input %array
%count = OpVariable %pointer Input)"};
  EXPECT_EQ(Findings(shader), "VUID-SMCountNV-SMCountNV-04364");
}

}  // namespace
}  // namespace assay::core
