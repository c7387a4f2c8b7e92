// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/operands/vertex_inputs.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/module_facts.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kShader = R"(
    OpCapability Shader
    OpCapability Float64
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main "main" %100 %101 %102 %103 %104 %105 %106
    OpDecorate %100 Location 3
    OpDecorate %101 Location 4
    OpDecorate %102 Location 8
    OpDecorate %103 Location 16
    OpDecorate %104 Location 20
    OpDecorate %105 BuiltIn VertexIndex
    OpDecorate %106 Location 0
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %int = OpTypeInt 32 1
    %uint = OpTypeInt 32 0
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %two = OpConstant %uint 2
    %three = OpConstant %uint 3
    %minus_one = OpConstant %int -1
    %float = OpTypeFloat 32
    %double = OpTypeFloat 64
    %v4 = OpTypeVector %float 4
    %d2 = OpTypeVector %double 2
    %d3 = OpTypeVector %double 3
    %mat4 = OpTypeMatrix %v4 4
    %dmat3 = OpTypeMatrix %d3 3
    %mats = OpTypeArray %mat4 %two
    %p_v4 = OpTypePointer Input %v4
    %p_float = OpTypePointer Input %float
    %p_mat4 = OpTypePointer Input %mat4
    %p_mats = OpTypePointer Input %mats
    %p_d2 = OpTypePointer Input %d2
    %p_d3 = OpTypePointer Input %d3
    %p_dmat3 = OpTypePointer Input %dmat3
    %p_int = OpTypePointer Input %int
    %o_v4 = OpTypePointer Output %v4
    %100 = OpVariable %p_v4 Input
    %101 = OpVariable %p_mat4 Input
    %102 = OpVariable %p_mats Input
    %103 = OpVariable %p_dmat3 Input
    %104 = OpVariable %p_d2 Input
    %105 = OpVariable %p_int Input
    %106 = OpVariable %o_v4 Output
    %get_type = OpTypeFunction %v4 %p_mat4
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %index = OpLoad %int %105
    %110 = OpAccessChain %p_float %100 %two
    %111 = OpAccessChain %p_v4 %101 %three
    %112 = OpAccessChain %p_v4 %101 %index
    %113 = OpAccessChain %p_mat4 %102 %one
    %114 = OpAccessChain %p_v4 %102 %one %two
    %115 = OpAccessChain %p_v4 %102 %index %two
    %116 = OpAccessChain %p_float %102 %zero %three %index
    %117 = OpAccessChain %p_d3 %103 %two
    %118 = OpAccessChain %p_v4 %113 %one
    %119 = OpAccessChain %p_v4 %101 %minus_one
    %value = OpFunctionCall %v4 %get %101
    OpReturn
    OpFunctionEnd
    %get = OpFunction %v4 None %get_type
    %parameter = OpFunctionParameter %p_mat4
    %get_entry = OpLabel
    %120 = OpAccessChain %p_v4 %parameter %one
    %loaded = OpLoad %v4 %120
    OpReturnValue %loaded
    OpFunctionEnd
)";

class ShaderInputs : public testing::Test {
 protected:
  // "first+count", or the word for what has none.
  std::string Find(uint32_t id) {
    EXPECT_TRUE(module_.Find(Id{id})) << id;
    const ShaderInput input = FindShaderInput(facts_, Id{id});
    if (input.built_in) return "built-in";
    if (input.location_count == 0) return "none";
    return std::to_string(input.first_location) + "+" + std::to_string(input.location_count);
  }

  Module module_ = ReadAssembly(kShader);
  ModuleFacts facts_{module_};
};

TEST_F(ShaderInputs, HaveTheLocationsOfTheirType) {
  EXPECT_EQ(Find(100), "3+1");
  EXPECT_EQ(Find(101), "4+4");
  EXPECT_EQ(Find(102), "8+8");
  // Three columns of two locations each.
  EXPECT_EQ(Find(103), "16+6");
  EXPECT_EQ(Find(104), "20+1");
}

TEST_F(ShaderInputs, AreSelectedByConstantIndices) {
  EXPECT_EQ(Find(110), "3+1");
  EXPECT_EQ(Find(111), "7+1");
  EXPECT_EQ(Find(113), "12+4");
  EXPECT_EQ(Find(114), "14+1");
  EXPECT_EQ(Find(117), "20+2");
  EXPECT_EQ(Find(118), "13+1");
  EXPECT_EQ(Find(120), "5+1");
}

TEST_F(ShaderInputs, AreAllThatAnotherIndexMaySelect) {
  EXPECT_EQ(Find(112), "4+4");
  EXPECT_EQ(Find(115), "8+8");
  // The component is not known, the column is.
  EXPECT_EQ(Find(116), "11+1");
  EXPECT_EQ(Find(119), "4+4");
}

TEST_F(ShaderInputs, AreBuiltIns) {
  EXPECT_EQ(Find(105), "built-in");
  EXPECT_EQ(FindShaderInput(facts_, Id{105}).built_in, spv::BuiltIn::VertexIndex);
}

TEST_F(ShaderInputs, AreNoOutputsAndNothingElse) {
  EXPECT_EQ(Find(106), "none");
  EXPECT_EQ(FindShaderInput(facts_, kNoId).location_count, 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument
