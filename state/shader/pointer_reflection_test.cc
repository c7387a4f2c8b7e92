// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Accesses through pointers that a shader passes on.

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "state/shader/reflection_test.h"

namespace assay::state {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Reflection, TracksPointerParametersAndResults) {
  constexpr std::string_view kGlobals = R"(
    %fn_store = OpTypeFunction %void %p_sb
    %fn_choose = OpTypeFunction %p_sb %p_sb)";
  constexpr std::string_view kFunctions = R"(
    %store = OpFunction %void None %fn_store
    %p = OpFunctionParameter %p_sb
    %l1 = OpLabel
    OpStore %p %c1
    OpReturn
    OpFunctionEnd
    %choose = OpFunction %p_sb None %fn_choose
    %q = OpFunctionParameter %p_sb
    %l2 = OpLabel
    OpReturnValue %q
    OpFunctionEnd)";
  EXPECT_THAT(
      DescriptorsOf({.capabilities = kVariablePointers, .globals = kGlobals, .functions = kFunctions, .body = R"(
    %pa = OpAccessChain %p_sb %a %c0
    %r = OpFunctionCall %void %store %pa
    %pb = OpAccessChain %p_sb %b %c0
    %pc = OpFunctionCall %p_sb %choose %pb
    %x = OpLoad %uint %pc)"}),
      ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(0, 1, Kind::kStorageBuffer)));
}

TEST(Reflection, TracksSelectPhiCopyAndPtrAccessChain) {
  constexpr ShaderText kSelect = {
      .capabilities = kVariablePointers, .decorations = "OpDecorate %p_sb ArrayStride 4", .body = R"(
    %pa = OpAccessChain %p_sb %a %c1 %c0
    %pb = OpAccessChain %p_sb %b %c1 %c0
    %p = OpSelect %p_sb %true %pa %pb
    %q = OpPtrAccessChain %p_sb %p %c1
    %r = OpCopyObject %p_sb %q
    OpStore %r %c1)"};
  EXPECT_THAT(DescriptorsOf(kSelect),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Written(0, 1, Kind::kStorageBuffer)));
  constexpr ShaderText kPhi = {
      .capabilities = kVariablePointers, .decorations = "OpDecorate %p_sb ArrayStride 4", .body = R"(
    %pa = OpAccessChain %p_sb %a %c1 %c0
    %length = OpArrayLength %uint %a 1
    %more = OpUGreaterThan %bool %length %c1
    OpBranch %loop
    %loop = OpLabel
    %p = OpPhi %p_sb %pa %entry %next %continue
    OpLoopMerge %end %continue None
    OpBranchConditional %more %continue %end
    %continue = OpLabel
    %next = OpPtrAccessChain %p_sb %p %c1
    OpBranch %loop
    %end = OpLabel
    %x = OpLoad %uint %p)"};
  EXPECT_THAT(DescriptorsOf(kPhi), ElementsAre(Read(0, 0, Kind::kStorageBuffer)));
}

TEST(Reflection, TracksPointersThroughLocalVariables) {
  EXPECT_THAT(DescriptorsOf({.capabilities = kVariablePointers,
                             .globals = "%p_p = OpTypePointer Function %p_sb %p_priv = OpTypePointer Private %p_sb\n"
                                        "%fn_fill = OpTypeFunction %void %p_p",
                             .functions = R"(
    %fill = OpFunction %void None %fn_fill
    %target = OpFunctionParameter %p_p
    %l1 = OpLabel
    %pb = OpAccessChain %p_sb %b %c0
    OpStore %target %pb
    OpReturn
    OpFunctionEnd)",
                             .body = R"(
    %local = OpVariable %p_p Function
    %filled = OpVariable %p_p Function
    %pa = OpAccessChain %p_sb %a %c0
    OpStore %local %pa
    %p = OpLoad %p_sb %local
    OpStore %p %c1
    %r = OpFunctionCall %void %fill %filled
    %q = OpLoad %p_sb %filled
    %x = OpLoad %uint %q)"}),
              ElementsAre(Written(0, 0, Kind::kStorageBuffer), Read(0, 1, Kind::kStorageBuffer)));
}

TEST(Reflection, StoringALoadedStructInALocalVariableIsNoWrite) {
  EXPECT_THAT(DescriptorsOf({.globals = "%p_f = OpTypePointer Function %UBlock\n"
                                        "%p_fu = OpTypePointer Function %uint",
                             .body = R"(
    %local = OpVariable %p_f Function
    %x = OpLoad %UBlock %u
    OpStore %local %x
    %m = OpAccessChain %p_fu %local %c0
    OpStore %m %c4)"}),
              ElementsAre(Read(1, 2, Kind::kUniformBuffer)));
}

}  // namespace
}  // namespace assay::state
