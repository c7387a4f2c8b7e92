// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/mesh_outputs.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {
namespace {

using Kind = MeshOutput::Kind;

// Two entry points, which differ in what they declare and both call %60.
constexpr std::string_view kShader = R"(
    OpCapability MeshShadingEXT
    OpExtension "SPV_EXT_mesh_shader"
    OpMemoryModel Logical GLSL450
    OpEntryPoint MeshEXT %50 "triangles" %100 %101 %102 %103 %104
    OpEntryPoint MeshEXT %51 "lines" %100 %101 %102 %103
    OpExecutionMode %50 LocalSize 1 1 1
    OpExecutionMode %50 OutputVertices 64
    OpExecutionMode %50 OutputPrimitivesEXT 32
    OpExecutionMode %50 OutputTrianglesEXT
    OpExecutionMode %51 LocalSize 1 1 1
    OpExecutionMode %51 OutputVertices 16
    OpExecutionMode %51 OutputPrimitivesEXT 48
    OpExecutionMode %51 OutputLinesEXT
    OpDecorate %100 Location 0
    OpDecorate %101 Location 1
    OpDecorate %101 PerPrimitiveEXT
    OpMemberDecorate %Block 0 PerPrimitiveEXT
    OpDecorate %102 Location 2
    OpDecorate %104 BuiltIn PrimitiveTriangleIndicesEXT
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %110 = OpConstant %uint 3
    %sixty_four = OpConstant %uint 64
    %float = OpTypeFloat 32
    %v4 = OpTypeVector %float 4
    %v3uint = OpTypeVector %uint 3
    %Block = OpTypeStruct %v4
    %colors = OpTypeArray %v4 %sixty_four
    %blocks = OpTypeArray %Block %sixty_four
    %triangles = OpTypeArray %v3uint %sixty_four
    %p_colors = OpTypePointer Output %colors
    %p_blocks = OpTypePointer Output %blocks
    %p_triangles = OpTypePointer Output %triangles
    %p_v4 = OpTypePointer Output %v4
    %p_uint = OpTypePointer Output %uint
    %p_private = OpTypePointer Private %colors
    %100 = OpVariable %p_colors Output
    %101 = OpVariable %p_colors Output
    %102 = OpVariable %p_blocks Output
    %103 = OpVariable %p_private Private
    %104 = OpVariable %p_triangles Output
    %50 = OpFunction %void None %fn
    %e50 = OpLabel
    %c50 = OpFunctionCall %void %60
    OpReturn
    OpFunctionEnd
    %51 = OpFunction %void None %fn
    %e51 = OpLabel
    %c51 = OpFunctionCall %void %60
    OpReturn
    OpFunctionEnd
    %60 = OpFunction %void None %fn
    %e60 = OpLabel
    %120 = OpAccessChain %p_v4 %100 %110
    %121 = OpAccessChain %p_v4 %102 %110 %zero
    %122 = OpAccessChain %p_uint %104 %110 %zero
    OpReturn
    OpFunctionEnd
)";

class MeshShader : public testing::Test {
 protected:
  MeshOutput Find(uint32_t id) { return FindMeshOutput(facts_, Id{id}); }

  Module module_ = ReadAssembly(kShader);
  ModuleFacts facts_{module_};
};

TEST_F(MeshShader, HasOutputsOfVerticesAndPrimitives) {
  EXPECT_EQ(Find(100).kind, Kind::kVertex);
  EXPECT_EQ(Find(101).kind, Kind::kPrimitive);
  // By its members.
  EXPECT_EQ(Find(102).kind, Kind::kPrimitive);
  EXPECT_EQ(Find(104).kind, Kind::kIndices);
  EXPECT_EQ(Find(103).kind, Kind::kNone);
  EXPECT_EQ(FindMeshOutput(facts_, kNoId).kind, Kind::kNone);
}

TEST_F(MeshShader, IndexesThemByTheFirstIndex) {
  EXPECT_EQ(Find(100).index, kNoId);
  EXPECT_EQ(Find(100).length, 64u);
  EXPECT_EQ(Find(120).index, Id{110});
  EXPECT_EQ(Find(121).index, Id{110});
  EXPECT_EQ(Find(121).kind, Kind::kPrimitive);
  EXPECT_EQ(Find(122).index, Id{110});
  EXPECT_EQ(Find(122).length, 64u);
}

TEST_F(MeshShader, DeclaresLimits) {
  const MeshLimits triangles = FindMeshLimits(facts_, module_.FindFunction(Id{50}));
  EXPECT_EQ(triangles.vertices, 64u);
  EXPECT_EQ(triangles.primitives, 32u);
  EXPECT_EQ(triangles.vertices_of_primitive, 3u);
  const MeshLimits lines = FindMeshLimits(facts_, module_.FindFunction(Id{51}));
  EXPECT_EQ(lines.vertices, 16u);
  EXPECT_EQ(lines.vertices_of_primitive, 2u);
}

TEST_F(MeshShader, TakesTheLargestLimitOfEntryPointsThatShareAFunction) {
  const MeshLimits limits = FindMeshLimits(facts_, module_.FindFunction(Id{60}));
  EXPECT_EQ(limits.vertices, 64u);
  EXPECT_EQ(limits.primitives, 48u);
  EXPECT_EQ(limits.vertices_of_primitive, 3u);
}

}  // namespace
}  // namespace assay::spirv_instrument
