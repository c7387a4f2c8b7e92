// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/steps/same_values.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

class SameValuesTest : public testing::Test {
 protected:
  // Values with numbers are asked for. %x and %y are parameters, %v is a variable, %w another one.
  void Read(std::string_view body, std::string_view more = "") {
    module_.emplace(ReadAssembly(absl::StrCat(R"(
      OpCapability Shader
      OpMemoryModel Logical GLSL450
      OpEntryPoint GLCompute %main "main" %id %size
      OpExecutionMode %main LocalSize 1 1 1
      OpDecorate %id BuiltIn GlobalInvocationId
      OpDecorate %size BuiltIn SubgroupId
      OpDecorate %U Block
      OpMemberDecorate %U 0 Offset 0
      OpDecorate %u DescriptorSet 0
      OpDecorate %u Binding 0
      OpDecorate %s DescriptorSet 0
      OpDecorate %s Binding 1
      OpDecorate %13 RelaxedPrecision
      %void = OpTypeVoid
      %fn = OpTypeFunction %void
      %bool = OpTypeBool
      %true = OpConstantTrue %bool
      %uint = OpTypeInt 32 0
      %uint3 = OpTypeVector %uint 3
      %U = OpTypeStruct %uint
      %ptr_U = OpTypePointer Uniform %U
      %ptr_S = OpTypePointer StorageBuffer %U
      %ptr_uniform = OpTypePointer Uniform %uint
      %ptr_storage = OpTypePointer StorageBuffer %uint
      %ptr_input3 = OpTypePointer Input %uint3
      %ptr_input = OpTypePointer Input %uint
      %ptr = OpTypePointer Function %uint
      %zero = OpConstant %uint 0
      %one = OpConstant %uint 1
      %id = OpVariable %ptr_input3 Input
      %size = OpVariable %ptr_input Input
      %u = OpVariable %ptr_U Uniform
      %s = OpVariable %ptr_S StorageBuffer
      %fn_2 = OpTypeFunction %void %uint %uint
      %main = OpFunction %void None %fn
      %main_entry = OpLabel
      OpReturn
      OpFunctionEnd
      %f = OpFunction %void None %fn_2
      %100 = OpFunctionParameter %uint
      %101 = OpFunctionParameter %uint
      %entry = OpLabel
      %v = OpVariable %ptr Function
      %w = OpVariable %ptr Function
      )",
                                              body, R"(
      OpReturn
      OpFunctionEnd
      )",
                                              more)));
    const Function function = module_->functions()[1];
    graph_.emplace(*module_, function);
    dominators_.emplace(DominatorTree::Dominators(*graph_));
    values_.emplace(*module_);
    values_->Add(*graph_, *dominators_);
  }

  uint32_t Find(uint32_t id) const { return ToNumber(values_->Find(Id{id})); }

  std::optional<Module> module_;
  std::optional<ControlFlowGraph> graph_;
  std::optional<DominatorTree> dominators_;
  std::optional<SameValues> values_;
};

TEST_F(SameValuesTest, ALoadIsWhatWasStored) {
  Read("OpStore %v %100\n%10 = OpLoad %uint %v\nOpStore %v %101\n%11 = OpLoad %uint %v");
  EXPECT_EQ(Find(10), 100u);
  EXPECT_EQ(Find(11), 101u);
}

// Not valid; what stands for a value has its type all the same, since passes rely on that.
TEST_F(SameValuesTest, AValueOfAnotherTypeDoesNotCount) {
  Read("OpStore %v %true\n%10 = OpLoad %uint %v\n%11 = OpCopyObject %uint %true\n%12 = OpCopyObject %uint %100");
  EXPECT_EQ(Find(10), 10u);
  EXPECT_EQ(Find(11), 11u);
  EXPECT_EQ(Find(12), 100u);
}

TEST_F(SameValuesTest, TwoLoadsWithoutAStoreBetween) {
  Read("%10 = OpLoad %uint %v\nOpStore %w %100\n%11 = OpLoad %uint %v\nOpStore %v %101\n%12 = OpLoad %uint %v");
  EXPECT_EQ(Find(11), 10u);
  EXPECT_EQ(Find(12), 101u);
}

TEST_F(SameValuesTest, TheOnlyStoreCountsInLaterBlocks) {
  Read(R"(
    OpStore %v %100
    OpStore %w %100
    OpSelectionMerge %merge None
    OpBranchConditional %true %then %merge
    %then = OpLabel
    %10 = OpLoad %uint %v
    OpStore %w %101
    OpBranch %merge
    %merge = OpLabel
    %11 = OpLoad %uint %v
    %12 = OpLoad %uint %w)");
  EXPECT_EQ(Find(10), 100u);
  EXPECT_EQ(Find(11), 100u);
  // Stored twice.
  EXPECT_EQ(Find(12), 12u);
}

TEST_F(SameValuesTest, AStoreThatIsNotOnAllPathsDoesNot) {
  Read(R"(
    OpSelectionMerge %merge None
    OpBranchConditional %true %then %merge
    %then = OpLabel
    OpStore %v %100
    OpBranch %merge
    %merge = OpLabel
    %10 = OpLoad %uint %v)");
  EXPECT_EQ(Find(10), 10u);
}

TEST_F(SameValuesTest, AVariableThatACallMayChange) {
  Read("OpStore %v %100\n%call = OpFunctionCall %void %g %v\n%10 = OpLoad %uint %v", R"(
    %fn_pointer = OpTypeFunction %void %ptr
    %g = OpFunction %void None %fn_pointer
    %p = OpFunctionParameter %ptr
    %g_entry = OpLabel
    OpReturn
    OpFunctionEnd)");
  EXPECT_EQ(Find(10), 10u);
}

TEST_F(SameValuesTest, TheSameComputation) {
  Read(R"(
    %10 = OpIAdd %uint %100 %one
    %11 = OpIAdd %uint %100 %one
    %12 = OpIAdd %uint %101 %one
    %13 = OpIAdd %uint %100 %one
    %14 = OpIMul %uint %11 %10
    %15 = OpIMul %uint %10 %10)");
  EXPECT_EQ(Find(11), 10u);
  EXPECT_EQ(Find(12), 12u);
  // Has less precision.
  EXPECT_EQ(Find(13), 13u);
  EXPECT_EQ(Find(15), 14u);
}

TEST_F(SameValuesTest, LiteralsAreNotIds) {
  Read(R"(
    %9 = OpCompositeConstruct %uint3 %100 %101 %100
    %10 = OpCompositeExtract %uint %9 0
    %11 = OpCompositeExtract %uint %9 1
    %12 = OpCompositeExtract %uint %9 0)");
  EXPECT_EQ(Find(11), 11u);
  EXPECT_EQ(Find(12), 10u);
}

TEST_F(SameValuesTest, AComputationInAnotherBranchDoesNotCount) {
  Read(R"(
    OpSelectionMerge %merge None
    OpBranchConditional %true %then %else
    %then = OpLabel
    %10 = OpIAdd %uint %100 %one
    OpBranch %merge
    %else = OpLabel
    %11 = OpIAdd %uint %100 %one
    OpBranch %merge
    %merge = OpLabel)");
  EXPECT_EQ(Find(11), 11u);
}

TEST_F(SameValuesTest, InputsAndUniformsStay) {
  Read(R"(
    %20 = OpAccessChain %ptr_input %id %zero
    %10 = OpLoad %uint %20
    %21 = OpAccessChain %ptr_input %id %zero
    %11 = OpLoad %uint %21
    %22 = OpAccessChain %ptr_uniform %u %zero
    %12 = OpLoad %uint %22
    %14 = OpLoad %uint %22)");
  EXPECT_EQ(Find(11), 10u);
  EXPECT_EQ(Find(14), 12u);
}

TEST_F(SameValuesTest, StorageBuffersAndWhatMayChangeDoNot) {
  Read(R"(
    %20 = OpAccessChain %ptr_storage %s %zero
    %10 = OpLoad %uint %20
    %11 = OpLoad %uint %20
    %12 = OpLoad %uint %size
    %14 = OpLoad %uint %size)");
  EXPECT_EQ(Find(11), 11u);
  EXPECT_EQ(Find(14), 14u);
}

}  // namespace
}  // namespace assay::spirv_instrument
