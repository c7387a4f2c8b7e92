// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/tracking/uniform_values.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kDecorations = R"(
    OpDecorate %local BuiltIn LocalInvocationIndex
    OpDecorate %group BuiltIn WorkgroupId
    OpDecorate %Push Block
    OpMemberDecorate %Push 0 Offset 0
)";

constexpr std::string_view kGlobals = R"(
    %v3uint = OpTypeVector %uint 3
    %ptr_in = OpTypePointer Input %uint
    %ptr_in3 = OpTypePointer Input %v3uint
    %local = OpVariable %ptr_in Input
    %group = OpVariable %ptr_in3 Input
    %Push = OpTypeStruct %uint
    %ptr_Push = OpTypePointer PushConstant %Push
    %ptr_push = OpTypePointer PushConstant %uint
    %push = OpVariable %ptr_Push PushConstant
    %ptr_shared = OpTypePointer Workgroup %uint
    %shared = OpVariable %ptr_shared Workgroup
    %ptr_private = OpTypePointer Private %uint
    %started = OpVariable %ptr_private Private %one
    %ptr_function = OpTypePointer Function %uint
    %v2uint = OpTypeVector %uint 2
)";

// %main begins with a variable %own, and %90, which is loaded from push constants, and %91, the local invocation index.
bool IsUniform(uint32_t id, std::string_view body) {
  std::string text = R"(
    %entry = OpLabel
    %own = OpVariable %ptr_function Function
    %initialized = OpVariable %ptr_function Function %one
    %push_pointer = OpAccessChain %ptr_push %push %zero
    %90 = OpLoad %uint %push_pointer
    %91 = OpLoad %uint %local
  )";
  text += body;
  text += "\nOpReturn\n";
  Module module = ReadAssembly(ComputeShader(text, kGlobals, kDecorations));
  EXPECT_TRUE(module.Find(Id{id}));
  return UniformValues(module).IsUniform(Id{id});
}

TEST(UniformValues, ComeFromMemoryThatIsShared) {
  EXPECT_TRUE(IsUniform(90, ""));
  EXPECT_TRUE(IsUniform(100, "%100 = OpLoad %uint %shared"));
  EXPECT_TRUE(IsUniform(100, "%p = OpAccessChain %ptr_uint %buffer %zero %90\n%100 = OpLoad %uint %p"));
}

TEST(UniformValues, ComeFromBuiltInsOfTheWorkgroup) {
  EXPECT_FALSE(IsUniform(91, ""));
  EXPECT_TRUE(IsUniform(101, "%100 = OpLoad %v3uint %group\n%101 = OpCompositeExtract %uint %100 0"));
}

TEST(UniformValues, NeedUniformIndices) {
  EXPECT_FALSE(IsUniform(100, "%p = OpAccessChain %ptr_uint %buffer %zero %91\n%100 = OpLoad %uint %p"));
}

TEST(UniformValues, AreComputedOfUniformValues) {
  EXPECT_TRUE(IsUniform(100, "%100 = OpIAdd %uint %90 %ten"));
  EXPECT_FALSE(IsUniform(100, "%100 = OpIAdd %uint %90 %91"));
  EXPECT_TRUE(IsUniform(102,
                        "%100 = OpCompositeConstruct %v2uint %90 %one\n"
                        "%101 = OpVectorShuffle %v2uint %100 %100 1 0\n"
                        "%102 = OpCompositeExtract %uint %101 0"));
  EXPECT_TRUE(IsUniform(101, "%100 = OpULessThan %bool %90 %ten\n%101 = OpSelect %uint %100 %one %90"));
  EXPECT_FALSE(IsUniform(101, "%100 = OpULessThan %bool %91 %ten\n%101 = OpSelect %uint %100 %one %90"));
}

TEST(UniformValues, ComeFromVariablesWithOneValue) {
  EXPECT_TRUE(IsUniform(100, "OpStore %own %90\n%100 = OpLoad %uint %own"));
  EXPECT_TRUE(IsUniform(100, "%100 = OpLoad %uint %initialized"));
  EXPECT_FALSE(IsUniform(100, "OpStore %own %91\n%100 = OpLoad %uint %own"));
  EXPECT_FALSE(IsUniform(100, "OpStore %own %90\nOpStore %own %one\n%100 = OpLoad %uint %own"));
  EXPECT_FALSE(IsUniform(100, "OpStore %initialized %90\n%100 = OpLoad %uint %initialized"));
  EXPECT_FALSE(IsUniform(100, "OpStore %started %90\n%100 = OpLoad %uint %started"));
  // Nothing was stored.
  EXPECT_FALSE(IsUniform(100, "%100 = OpLoad %uint %own"));
}

TEST(UniformValues, DoNotComeFromStoresThatSomeInvocationsLeaveOut) {
  EXPECT_FALSE(IsUniform(100, R"(
    %is_first = OpIEqual %bool %91 %zero
    OpSelectionMerge %merge None
    OpBranchConditional %is_first %then %merge
    %then = OpLabel
    OpStore %own %90
    OpBranch %merge
    %merge = OpLabel
    %100 = OpLoad %uint %own)"));
}

TEST(UniformValues, AreNotSearchedWithoutEnd) {
  std::string body = "%1000 = OpIAdd %uint %90 %90\n";
  for (int i = 1001; i < 1040; ++i) {
    const std::string last = "%" + std::to_string(i - 1);
    body += "%" + std::to_string(i) + " = OpIAdd %uint " + last + " " + last + "\n";
  }
  EXPECT_TRUE(IsUniform(1002, body));
  // Each value is looked at twice as often as the next: this one would take 2^39 steps.
  EXPECT_FALSE(IsUniform(1039, body));
}

}  // namespace
}  // namespace assay::spirv_instrument
