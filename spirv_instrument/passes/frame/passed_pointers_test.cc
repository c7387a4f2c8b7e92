// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/passed_pointers.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/access_path.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/statistics.h"

namespace assay::spirv_instrument {
namespace {

// Ids of the tests: variables 10 (images), 11 (others), 12 (blocks); 20 and 21 are the constants 2 and 3, 22 is the
// constant 3 of type int; 30 is %take, whose parameter is 31.
constexpr std::string_view kDeclarations = R"(
    OpCapability Shader
    OpCapability SampledImageArrayDynamicIndexing
    OpCapability StorageBufferArrayDynamicIndexing
    OpCapability VariablePointersStorageBuffer
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main" %10 %11 %12 %id
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %10 DescriptorSet 1
    OpDecorate %10 Binding 5
    OpDecorate %11 DescriptorSet 0
    OpDecorate %11 Binding 1
    OpDecorate %12 DescriptorSet 0
    OpDecorate %12 Binding 2
    OpDecorate %id BuiltIn LocalInvocationIndex
    OpDecorate %array ArrayStride 4
    OpDecorate %Block Block
    OpMemberDecorate %Block 0 Offset 0
    OpMemberDecorate %Block 1 Offset 64
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %uint = OpTypeInt 32 0
    %int = OpTypeInt 32 1
    %zero = OpConstant %uint 0
    %one = OpConstant %uint 1
    %20 = OpConstant %uint 2
    %21 = OpConstant %uint 3
    %22 = OpConstant %int 3
    %ten = OpConstant %uint 10
    %image = OpTypeImage %float 2D 0 0 0 1 Unknown
    %images = OpTypeArray %image %ten
    %ptr_images = OpTypePointer UniformConstant %images
    %ptr_image = OpTypePointer UniformConstant %image
    %array = OpTypeArray %uint %ten
    %Block = OpTypeStruct %array %array
    %blocks = OpTypeArray %Block %ten
    %ptr_blocks = OpTypePointer StorageBuffer %blocks
    %ptr_uint = OpTypePointer StorageBuffer %uint
    %ptr_input = OpTypePointer Input %uint
    %fn_pointer = OpTypeFunction %void %ptr_image
    %fn_image = OpTypeFunction %void %image
    %fn_uint = OpTypeFunction %void %ptr_uint
    %10 = OpVariable %ptr_images UniformConstant
    %11 = OpVariable %ptr_images UniformConstant
    %12 = OpVariable %ptr_blocks StorageBuffer
    %id = OpVariable %ptr_input Input
)";

constexpr std::string_view kTakePointer = R"(
    %30 = OpFunction %void None %fn_pointer
    %31 = OpFunctionParameter %ptr_image
    %take_entry = OpLabel
    %32 = OpLoad %image %31
    OpReturn
    OpFunctionEnd
)";

// %i is an index, %j is it with another type.
std::string Main(std::string_view body, std::string_view functions = kTakePointer) {
  return absl::StrCat(kDeclarations, R"(
    %main = OpFunction %void None %fn
    %entry = OpLabel
    %i = OpLoad %uint %id
    %j = OpBitcast %int %i
    )",
                      body, R"(
    OpReturn
    OpFunctionEnd
    )",
                      functions);
}

class PassIndicesTest : public testing::Test {
 protected:
  const PassedPointer* Pass(const std::string& text, uint32_t parameter = 31) {
    module_.emplace(ReadAssembly(text));
    passed_ = PassIndices(*module_);
    EXPECT_EQ(ValidationErrors(*module_), "");
    return passed_.Find(Id{parameter});
  }
  Instruction Find(uint32_t id) { return module_->Find(Id{id}); }

  std::optional<Module> module_;
  PassedPointers passed_;
};

TEST_F(PassIndicesTest, AnIndexOfTheCallerBecomesAParameter) {
  const PassedPointer* passed = Pass(Main(R"(
    %40 = OpCopyObject %uint %i
    %first = OpAccessChain %ptr_image %10 %40
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %10 %21
    %51 = OpFunctionCall %void %30 %second)"));
  ASSERT_NE(passed, nullptr);
  EXPECT_EQ(passed->variable, Id{10});
  ASSERT_EQ(passed->indices.size(), 1u);
  const Instruction parameter = module_->Find(passed->indices[0]);
  EXPECT_EQ(parameter.op(), spv::Op::OpFunctionParameter);
  EXPECT_EQ(module_->FindFunction(Id{30}).parameters().size(), 2u);
  ASSERT_EQ(Find(50).operand_count(), 3u);
  EXPECT_EQ(Find(50).id(2), Id{40});
  EXPECT_EQ(Find(51).id(2), Id{21});
}

// Of another type, a constant is passed as one of the type that the other call's index has, if that has it.
TEST_F(PassIndicesTest, AConstantThatANarrowTypeDoesNotHave) {
  const auto text = [](std::string_view constant) {
    std::string module = Main(absl::StrCat(R"(
    %narrow = OpUConvert %ushort %i
    %first = OpAccessChain %ptr_image %10 %narrow
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %10 )",
                                           constant, R"(
    %51 = OpFunctionCall %void %30 %second)"));
    absl::StrReplaceAll({{"OpCapability Shader\n", "OpCapability Shader\nOpCapability Int16\n"},
                         {"%ten = OpConstant %uint 10\n",
                          "%ten = OpConstant %uint 10\n%ushort = OpTypeInt 16 0\n%large = OpConstant %uint 65539\n"}},
                        &module);
    return module;
  };
  ASSERT_NE(Pass(text("%21")), nullptr);
  EXPECT_EQ(Find(51).operand_count(), 3u);
  EXPECT_EQ(Pass(text("%large")), nullptr);
}

TEST_F(PassIndicesTest, PathsGoThroughIt) {
  const PassedPointer* passed = Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first)"));
  ASSERT_NE(passed, nullptr);
  ModuleFacts facts(*module_, passed_);
  const DescriptorPath path = facts.paths().FindDescriptor(Id{32});
  ASSERT_TRUE(path);
  EXPECT_EQ(path.set, 1u);
  EXPECT_EQ(path.binding, 5u);
  EXPECT_EQ(path.index, 0u);
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].index, passed->indices[0]);
}

TEST_F(PassIndicesTest, ConstantsThatAllCallsShareStay) {
  const PassedPointer* passed = Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %20
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %10 %20
    %51 = OpFunctionCall %void %30 %second)"));
  ASSERT_NE(passed, nullptr);
  EXPECT_EQ(passed->indices[0], Id{20});
  EXPECT_EQ(Find(50).operand_count(), 2u);
  EXPECT_EQ(module_->FindFunction(Id{30}).parameters().size(), 1u);
}

TEST_F(PassIndicesTest, DifferentVariablesAreNotKnown) {
  EXPECT_EQ(Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %11 %i
    %51 = OpFunctionCall %void %30 %second)")),
            nullptr);
  EXPECT_EQ(Find(50).operand_count(), 2u);
  ModuleFacts facts(*module_, passed_);
  EXPECT_EQ(facts.paths().FindDescriptor(Id{32}).why_unknown, Outcome::kDifferentArguments);
}

// The other function has the index as a parameter of its own, and passes that on.
TEST_F(PassIndicesTest, IndicesGoThroughCalls) {
  const PassedPointer* passed = Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %33 %first)",
                                          absl::StrCat(kTakePointer, R"(
    %33 = OpFunction %void None %fn_pointer
    %34 = OpFunctionParameter %ptr_image
    %33_entry = OpLabel
    %51 = OpFunctionCall %void %30 %34
    OpReturn
    OpFunctionEnd)")));
  ASSERT_NE(passed, nullptr);
  EXPECT_EQ(passed->variable, Id{10});
  const PassedPointer* between = passed_.Find(Id{34});
  ASSERT_NE(between, nullptr);
  EXPECT_NE(between->indices[0], passed->indices[0]);
  ASSERT_EQ(Find(51).operand_count(), 3u);
  EXPECT_EQ(Find(51).id(2), between->indices[0]);
}

TEST_F(PassIndicesTest, AnImageThatTheCallerLoads) {
  const PassedPointer* passed = Pass(Main(R"(
    %pointer = OpAccessChain %ptr_image %10 %i
    %loaded = OpLoad %image %pointer
    %50 = OpFunctionCall %void %30 %loaded)",
                                          R"(
    %30 = OpFunction %void None %fn_image
    %31 = OpFunctionParameter %image
    %take_entry = OpLabel
    OpReturn
    OpFunctionEnd)"));
  ASSERT_NE(passed, nullptr);
  ModuleFacts facts(*module_, passed_);
  const DescriptorPath path = facts.paths().FindDescriptor(Id{31});
  EXPECT_EQ(path.binding, 5u);
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].index, passed->indices[0]);
}

TEST_F(PassIndicesTest, AConstantGetsTheTypeOfTheOtherIndex) {
  ASSERT_NE(Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %10 %22
    %51 = OpFunctionCall %void %30 %second)")),
            nullptr);
  EXPECT_EQ(Find(51).id(2), Id{21});
}

TEST_F(PassIndicesTest, IndicesOfTwoTypesAreNotKnown) {
  EXPECT_EQ(Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_image %10 %j
    %51 = OpFunctionCall %void %30 %second)")),
            nullptr);
}

// The call that no entry point reaches is given something, so that the module stays valid.
TEST_F(PassIndicesTest, CallsThatAreNeverExecutedDoNotMatter) {
  ASSERT_NE(Pass(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first)",
                      absl::StrCat(kTakePointer, R"(
    %33 = OpFunction %void None %fn
    %33_entry = OpLabel
    %other = OpAccessChain %ptr_image %11 %20
    %51 = OpFunctionCall %void %30 %other
    OpReturn
    OpFunctionEnd)"))),
            nullptr);
  ASSERT_EQ(Find(51).operand_count(), 3u);
  EXPECT_EQ(module_->Find(Find(51).id(2)).op(), spv::Op::OpConstantNull);
}

constexpr std::string_view kTakeUint = R"(
    %30 = OpFunction %void None %fn_uint
    %31 = OpFunctionParameter %ptr_uint
    %take_entry = OpLabel
    OpStore %31 %zero
    OpReturn
    OpFunctionEnd
)";

TEST_F(PassIndicesTest, APointerIntoABlock) {
  const PassedPointer* passed = Pass(Main(R"(
    %first = OpAccessChain %ptr_uint %12 %i %one %20
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_uint %12 %21 %one %i
    %51 = OpFunctionCall %void %30 %second)",
                                          kTakeUint));
  ASSERT_NE(passed, nullptr);
  ASSERT_EQ(passed->indices.size(), 3u);
  EXPECT_EQ(module_->Find(passed->indices[1]).op(), spv::Op::OpConstant);
  EXPECT_EQ(Find(50).operand_count(), 4u);
  ModuleFacts facts(*module_, passed_);
  const AccessPath path = facts.paths().Find(Id{31});
  EXPECT_EQ(path.root, AccessPath::Root::kBuffer);
  EXPECT_EQ(path.offset, 64u);
  EXPECT_EQ(path.descriptor.terms[0].index, passed->indices[0]);
  ASSERT_EQ(path.terms.size(), 1u);
  EXPECT_EQ(path.terms[0].index, passed->indices[2]);
  EXPECT_EQ(path.terms[0].stride, 4u);
}

TEST_F(PassIndicesTest, DifferentMembersAreNotKnown) {
  EXPECT_EQ(Pass(Main(R"(
    %first = OpAccessChain %ptr_uint %12 %i %one %20
    %50 = OpFunctionCall %void %30 %first
    %second = OpAccessChain %ptr_uint %12 %i %zero %20
    %51 = OpFunctionCall %void %30 %second)",
                      kTakeUint)),
            nullptr);
}

// Invalid, but it can be read.
TEST_F(PassIndicesTest, AFunctionThatCallsItselfStays) {
  Module module = ReadAssembly(Main(R"(
    %first = OpAccessChain %ptr_image %10 %i
    %50 = OpFunctionCall %void %30 %first)",
                                    R"(
    %30 = OpFunction %void None %fn_pointer
    %31 = OpFunctionParameter %ptr_image
    %take_entry = OpLabel
    %51 = OpFunctionCall %void %30 %31
    OpReturn
    OpFunctionEnd)"));
  EXPECT_EQ(PassIndices(module).Find(Id{31}), nullptr);
  EXPECT_EQ(module.Find(Id{50}).operand_count(), 2u);
}

TEST_F(PassIndicesTest, WithoutSuchParametersNothingChanges) {
  const std::string text = ComputeShader("%entry = OpLabel\nOpReturn");
  Module module = ReadAssembly(text);
  PassIndices(module);
  EXPECT_EQ(*module.Write(), Assemble(text));
}

}  // namespace
}  // namespace assay::spirv_instrument
