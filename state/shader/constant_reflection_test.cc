// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// What follows from constants: the blocks that a shader runs, and the sizes of its uniform and storage blocks.

#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "state/shader/reflection_test.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;

constexpr std::string_view kWriteA = "%pa = OpAccessChain %p_sb %a %c0\nOpStore %pa %c1\n";
constexpr std::string_view kWriteB = "%pb = OpAccessChain %p_sb %b %c0\nOpStore %pb %c1\n";

// Writes %a if the condition is true, and else %b.
std::string Either(std::string_view condition) {
  return absl::StrCat(condition,
                      "\nOpSelectionMerge %end None\nOpBranchConditional %condition %yes %no\n%yes = OpLabel\n",
                      kWriteA, "OpBranch %end\n%no = OpLabel\n", kWriteB, "OpBranch %end\n%end = OpLabel\n");
}

// The binding that the shader writes; 9 if it writes both.
uint32_t WrittenBinding(const ShaderText& shader, const VkSpecializationInfo* specialization = nullptr) {
  const EntryPointInterface result = ReflectEntryPoint(Assemble(Text(shader)), "main", kCompute, specialization);
  EXPECT_TRUE(result.found);
  return result.descriptors.size() == 1 ? result.descriptors[0].binding : 9;
}

TEST(ConstantReflection, BranchOnASpecializationConstant) {
  const std::string body = Either("");
  for (const auto& [constant, by_default] :
       {std::pair("OpSpecConstantTrue", 0u), std::pair("OpSpecConstantFalse", 1u)}) {
    const std::string globals = absl::StrCat("%condition = ", constant, " %bool");
    const ShaderText shader{.decorations = "OpDecorate %condition SpecId 3", .globals = globals, .body = body};
    EXPECT_EQ(WrittenBinding(shader), by_default);
    const VkBool32 values[] = {VK_FALSE, VK_TRUE};
    const VkSpecializationMapEntry entries[] = {{3, 0, 4}, {3, 4, 4}};
    for (const uint32_t value : {0u, 1u}) {
      const VkSpecializationInfo info = {1, &entries[value], sizeof(values), values};
      EXPECT_EQ(WrittenBinding(shader, &info), 1 - value);
    }
  }
}

// Operations on constants, in the function or as constants of their own.
TEST(ConstantReflection, BranchOnAnOperation) {
  const auto binding = [](std::string_view operation) {
    const std::string body = Either(absl::StrCat("%condition = ", operation));
    return WrittenBinding(
        {.globals = "%m1 = OpConstant %int -1\n%i1 = OpConstant %int 1\n%mode = OpSpecConstant %uint 4", .body = body});
  };
  EXPECT_EQ(binding("OpIEqual %bool %mode %c4"), 0u);
  EXPECT_EQ(binding("OpINotEqual %bool %mode %c4"), 1u);
  EXPECT_EQ(binding("OpSLessThan %bool %m1 %i1"), 0u);
  EXPECT_EQ(binding("OpULessThan %bool %m1 %i1"), 1u);
  EXPECT_EQ(binding("OpSGreaterThanEqual %bool %m1 %i1"), 1u);
  EXPECT_EQ(binding("OpLogicalNot %bool %true"), 1u);
  EXPECT_EQ(
      WrittenBinding({.globals = "%mode = OpSpecConstant %uint 4\n%condition = OpSpecConstantOp %bool IEqual %mode %c1",
                      .body = Either("")}),
      1u);
}

TEST(ConstantReflection, BranchOnAValueGoesBothWays) {
  EXPECT_EQ(WrittenBinding({.body = Either(R"(
    %pu = OpAccessChain %p_u %u %c0
    %value = OpLoad %uint %pu
    %condition = OpIEqual %bool %value %c1)")}),
            9u);
}

TEST(ConstantReflection, Switch) {
  for (const auto& [mode, expected] : {std::pair(4, 1u), std::pair(1, 0u), std::pair(7, 0u)}) {
    const std::string globals = absl::StrCat("%mode = OpSpecConstant %uint ", mode);
    const std::string body =
        absl::StrCat("OpSelectionMerge %end None\nOpSwitch %mode %other 4 %four\n%four = OpLabel\n", kWriteB,
                     "OpBranch %end\n%other = OpLabel\n", kWriteA, "OpBranch %end\n%end = OpLabel\n");
    EXPECT_EQ(WrittenBinding({.globals = globals, .body = body}), expected) << mode;
  }
}

// A function that is called from a block that does not run.
TEST(ConstantReflection, CallThatDoesNotHappen) {
  constexpr std::string_view kFunction = R"(
    %f = OpFunction %void None %fn
    %l1 = OpLabel
    %p1 = OpAccessChain %p_sb %a %c0
    OpStore %p1 %c1
    OpReturn
    OpFunctionEnd)";
  EXPECT_THAT(DescriptorsOf({.functions = kFunction, .body = R"(
    OpSelectionMerge %end None
    OpBranchConditional %true %end %no
    %no = OpLabel
    %r = OpFunctionCall %void %f
    OpBranch %end
    %end = OpLabel
    %pb = OpAccessChain %p_sb %b %c0
    OpStore %pb %c1)"}),
              ElementsAre(Written(0, 1, Kind::kStorageBuffer)));
}

// The size of a storage block with these members, whose first is written.
uint64_t SizeOf(std::string_view decorations, std::string_view types, std::string_view members) {
  const std::string all = absl::StrCat(R"(
    OpDecorate %S Block
    OpDecorate %s DescriptorSet 2
    OpDecorate %s Binding 0
    OpMemberDecorate %S 0 Offset 0
)",
                                       decorations);
  const std::string globals = absl::StrCat(types, "\n%S = OpTypeStruct %uint ", members, R"(
    %p_S = OpTypePointer StorageBuffer %S
    %s = OpVariable %p_S StorageBuffer)");
  const std::vector<ReflectedDescriptor> found =
      DescriptorsOf({.decorations = all,
                     .globals = globals,
                     .body = "%p = OpAccessChain %p_sb %s %c0\nOpStore %p %c1",
                     .interface = "%s"});
  return found.size() == 1 ? found[0].block_size : ~uint64_t{0};
}

TEST(ConstantReflection, BlockSizes) {
  EXPECT_EQ(SizeOf("", "", ""), 4u);
  EXPECT_EQ(SizeOf("OpMemberDecorate %S 1 Offset 16", "", "%v4float"), 32u);
  EXPECT_EQ(SizeOf("OpMemberDecorate %S 1 Offset 16\nOpDecorate %six ArrayStride 16",
                   "%three = OpSpecConstant %uint 3\n%n = OpSpecConstantOp %uint IAdd %three %three\n"
                   "%six = OpTypeArray %uint %n",
                   "%six"),
            16u + 5 * 16 + 4);
  constexpr std::string_view kMatrix = "%v3float = OpTypeVector %float 3\n%m = OpTypeMatrix %v2float 3";
  EXPECT_EQ(
      SizeOf("OpMemberDecorate %S 1 Offset 8\nOpMemberDecorate %S 1 ColMajor\nOpMemberDecorate %S 1 MatrixStride 8",
             kMatrix, "%m"),
      8u + 2 * 8 + 8);
  EXPECT_EQ(
      SizeOf("OpMemberDecorate %S 1 Offset 16\nOpMemberDecorate %S 1 RowMajor\nOpMemberDecorate %S 1 MatrixStride 16",
             kMatrix, "%m"),
      16u + 16 + 12);
  // The inner structure ends after 8 bytes.
  EXPECT_EQ(SizeOf("OpMemberDecorate %S 1 Offset 32\nOpMemberDecorate %I 0 Offset 0\nOpMemberDecorate %I 1 Offset 4",
                   "%I = OpTypeStruct %uint %float", "%I"),
            40u);
}

TEST(ConstantReflection, BlockWithoutEnd) { EXPECT_EQ(SizeOf("OpMemberDecorate %S 1 Offset 4", "", "%array"), 0u); }

}  // namespace
}  // namespace assay::state
