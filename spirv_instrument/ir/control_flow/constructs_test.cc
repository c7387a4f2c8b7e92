// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/control_flow/constructs.h"

#include <cstdint>
#include <string_view>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/control_flow/control_flow_graph.h"
#include "spirv_instrument/ir/control_flow/dominators.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// A loop in whose body a switch has a case that continues the loop, and one that has a loop of its own.
constexpr std::string_view kNested = R"(
    %10 = OpLabel
    OpBranch %11
    %11 = OpLabel
    OpLoopMerge %20 %19 None
    OpBranch %12
    %12 = OpLabel
    OpSelectionMerge %18 None
    OpSwitch %zero %18 1 %13 2 %14
    %13 = OpLabel
    OpBranch %19
    %14 = OpLabel
    OpLoopMerge %17 %16 None
    OpBranch %15
    %15 = OpLabel
    OpBranchConditional %true %16 %17
    %16 = OpLabel
    OpBranch %14
    %17 = OpLabel
    OpBranch %18
    %18 = OpLabel
    OpBranchConditional %true %20 %19
    %19 = OpLabel
    OpBranch %11
    %20 = OpLabel
    OpSelectionMerge %22 None
    OpBranchConditional %true %21 %22
    %21 = OpLabel
    OpBranch %22
    %22 = OpLabel
    OpReturn
)";

class ConstructsTest : public testing::Test {
 protected:
  uint32_t Number(uint32_t label) const { return graph_.NumberOf(Id{label}); }
  const Construct& Innermost(uint32_t label) const { return constructs_.all()[constructs_.InnermostOf(Number(label))]; }

  const Module module_ = ReadAssembly(ComputeShader(kNested));
  const ControlFlowGraph graph_{module_, module_.functions().front()};
  const DominatorTree dominators_ = DominatorTree::Dominators(graph_);
  const Constructs constructs_{graph_, dominators_};
};

TEST_F(ConstructsTest, WhatMergeInstructionsDeclare) {
  ASSERT_EQ(constructs_.all().size(), 4u);
  EXPECT_EQ(ValidationErrors(module_), "");
  const Construct& outer = Innermost(11);
  EXPECT_EQ(outer.kind, Construct::Kind::kLoop);
  EXPECT_EQ(outer.merge, Number(20));
  EXPECT_EQ(outer.continue_target, Number(19));
  EXPECT_EQ(outer.parent, Constructs::kNone);
  EXPECT_EQ(Innermost(12).kind, Construct::Kind::kSwitch);
  EXPECT_EQ(&constructs_.all()[Innermost(12).parent], &outer);
  EXPECT_EQ(Innermost(14).kind, Construct::Kind::kLoop);
  EXPECT_EQ(Innermost(14).parent, constructs_.InnermostOf(Number(12)));
  EXPECT_EQ(Innermost(20).kind, Construct::Kind::kSelection);
  EXPECT_EQ(Innermost(20).continue_target, Constructs::kNone);
}

TEST_F(ConstructsTest, BlocksAreInTheInnermostConstruct) {
  EXPECT_EQ(constructs_.InnermostOf(Number(10)), Constructs::kNone);
  EXPECT_EQ(Innermost(13).header, Number(12));
  EXPECT_EQ(Innermost(15).header, Number(14));
  EXPECT_EQ(Innermost(16).header, Number(14));
  // The merge block of the inner loop is in the switch, that of the switch in the loop.
  EXPECT_EQ(Innermost(17).header, Number(12));
  EXPECT_EQ(Innermost(18).header, Number(11));
  EXPECT_EQ(Innermost(19).header, Number(11));
  EXPECT_EQ(Innermost(21).header, Number(20));
  EXPECT_EQ(constructs_.InnermostOf(Number(22)), Constructs::kNone);
}

TEST_F(ConstructsTest, Loops) {
  EXPECT_EQ(constructs_.LoopDepth(Number(10)), 0u);
  EXPECT_EQ(constructs_.LoopDepth(Number(13)), 1u);
  EXPECT_EQ(constructs_.LoopDepth(Number(16)), 2u);
  EXPECT_EQ(constructs_.LoopDepth(Number(17)), 1u);
  EXPECT_EQ(constructs_.LoopDepth(Number(21)), 0u);
  EXPECT_EQ(constructs_.InnermostLoopOf(Number(13)), constructs_.InnermostOf(Number(11)));
  EXPECT_EQ(constructs_.InnermostLoopOf(Number(20)), Constructs::kNone);
  EXPECT_EQ(constructs_.PreheaderOf(Innermost(11)), Number(10));
  // The block before the inner loop selects among others too.
  EXPECT_EQ(constructs_.PreheaderOf(Innermost(14)), Constructs::kNone);
}

}  // namespace
}  // namespace assay::spirv_instrument
