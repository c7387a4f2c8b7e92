// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/reachable_blocks.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/constants/constant_values.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/function.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The labels of a function's reachable blocks, sorted. %20 is the function, %21 its entry block.
std::vector<uint32_t> Reachable(std::string_view body, const std::vector<Specialization>& specialization = {}) {
  const Module module = ReadAssembly(absl::StrCat(R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpDecorate %10 SpecId 1
    OpDecorate %11 SpecId 2
    %1 = OpTypeVoid
    %2 = OpTypeFunction %1
    %3 = OpTypeInt 32 1
    %4 = OpTypeInt 64 0
    %5 = OpTypeInt 16 1
    %6 = OpTypeBool
    %7 = OpTypePointer Function %6
    %10 = OpSpecConstantTrue %6
    %11 = OpSpecConstant %3 4
    %12 = OpConstant %4 8589934593
    %13 = OpConstant %5 -1
    %20 = OpFunction %1 None %2
    %21 = OpLabel
    %22 = OpVariable %7 Function
)",
                                                  body, R"(
    OpFunctionEnd
    %40 = OpFunction %1 None %2
    %41 = OpLabel
    OpReturn
    OpFunctionEnd)"));
  const Decorations decorations(module);
  ConstantValues constants(module, decorations, specialization);
  std::vector<uint32_t> labels;
  for (Block block : ReachableBlocks(module, module.FindFunction(Id{20}), constants)) {
    labels.push_back(ToNumber(block.id()));
  }
  std::sort(labels.begin(), labels.end());
  return labels;
}

// Blocks 31 for true, 32 for false, 33 behind both.
std::string If(std::string_view condition) {
  return absl::StrCat(condition, R"(
    OpSelectionMerge %33 None
    OpBranchConditional %30 %31 %32
    %31 = OpLabel
    OpBranch %33
    %32 = OpLabel
    OpBranch %33
    %33 = OpLabel
    OpReturn)");
}

// Blocks 31 and 32 for these literals, 33 for others, 34 behind all.
std::string Switch(uint32_t selector, std::string_view first, std::string_view second) {
  return absl::StrCat("OpSelectionMerge %34 None\nOpSwitch %", selector, " %33 ", first, " %31 ", second, R"( %32
    %31 = OpLabel
    OpBranch %34
    %32 = OpLabel
    OpBranch %34
    %33 = OpLabel
    OpBranch %34
    %34 = OpLabel
    OpReturn)");
}

TEST(ReachableBlocks, BranchOnAConstant) {
  const std::string body = If("%30 = OpLogicalNot %6 %10");
  EXPECT_THAT(Reachable(body), ElementsAre(21, 32, 33));
  EXPECT_THAT(Reachable(body, {{1, 0}}), ElementsAre(21, 31, 33));
}

TEST(ReachableBlocks, BranchOnAValue) {
  EXPECT_THAT(Reachable(If("%30 = OpLoad %6 %22")), ElementsAre(21, 31, 32, 33));
}

TEST(ReachableBlocks, Switch) {
  EXPECT_THAT(Reachable(Switch(11, "-4", "4")), ElementsAre(21, 32, 34));
  EXPECT_THAT(Reachable(Switch(11, "-4", "4"), {{2, 0xfffffffc}}), ElementsAre(21, 31, 34));
  EXPECT_THAT(Reachable(Switch(11, "-4", "4"), {{2, 5}}), ElementsAre(21, 33, 34));
  // The low words are equal.
  EXPECT_THAT(Reachable(Switch(12, "1", "8589934593")), ElementsAre(21, 32, 34));
  EXPECT_THAT(Reachable(Switch(13, "1", "-1")), ElementsAre(21, 32, 34));
}

TEST(ReachableBlocks, SwitchOnAValue) {
  EXPECT_THAT(Reachable("%30 = OpUndef %3\n" + Switch(30, "1", "2")), ElementsAre(21, 31, 32, 33, 34));
}

TEST(ReachableBlocks, LoopAndBlockWithoutBranchToIt) {
  EXPECT_THAT(Reachable(R"(
    OpBranch %31
    %31 = OpLabel
    OpLoopMerge %34 %33 None
    OpBranch %32
    %32 = OpLabel
    OpBranch %33
    %33 = OpLabel
    OpBranch %31
    %34 = OpLabel
    OpReturn)"),
              ElementsAre(21, 31, 32, 33));
}

// Labels of other functions, and ids that are no labels, are no targets.
TEST(ReachableBlocks, InvalidTargets) {
  EXPECT_THAT(Reachable("OpBranch %41"), ElementsAre(21));
  EXPECT_THAT(Reachable("OpBranchConditional %10 %11 %99"), ElementsAre(21));
}

TEST(ReachableBlocks, NoFunction) {
  const Module module = ReadAssembly("OpCapability Shader\nOpMemoryModel Logical GLSL450");
  const Decorations decorations(module);
  ConstantValues constants(module, decorations);
  EXPECT_THAT(ReachableBlocks(module, Function(), constants), IsEmpty());
}

}  // namespace
}  // namespace assay::spirv_instrument
