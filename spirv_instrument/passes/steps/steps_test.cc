// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/steps/steps.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/module_facts.h"
#include "spirv_instrument/passes/frame/pass.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/passes/steps/function_checks.h"

namespace assay::spirv_instrument {
namespace {

// Stands for the pass that wants the checks; it is asked for nothing.
class NoPass : public Pass {
 public:
  std::string_view name() const override { return "none"; }
  absl::Span<const spv::Op> opcodes() const override { return {}; }
  void Process(Instruction, WantedChecks&) override {}
  Id EmitCondition(const WantedCheck&, AccessSpan, Emitter&) override { return kNoId; }
  void EmitReport(const WantedCheck&, Emitter&) override {}
};

// Each store of the shader is an access. %100, %101, ... are their values, which a check may be about.
class StepsTest : public testing::Test {
 protected:
  void Read(std::string_view body) {
    module_.emplace(ReadAssembly(ComputeShader(body)));
    facts_.emplace(*module_);
    for (Instruction instruction : module_->functions()[0].instructions()) {
      if (instruction.op() == spv::Op::OpStore) stores_.push_back(instruction);
    }
  }

  // A check of the i-th store, about these ids.
  void Want(size_t store, absl::Span<const Id> ids, AccessSpan span, CheckRequest request = {}) {
    request.ids = ids;
    request.span = span;
    wanted_.Add(pass_, stores_[store], request);
  }

  FunctionChecks& Checks() {
    if (!checks_) checks_.emplace(*facts_, module_->functions()[0], wanted_, 0, wanted_.size());
    return *checks_;
  }

  NoPass pass_;
  std::optional<Module> module_;
  std::optional<ModuleFacts> facts_;
  std::vector<Instruction> stores_;
  WantedChecks wanted_;
  std::optional<FunctionChecks> checks_;
};

constexpr std::string_view kThreeInARow = R"(
    %entry = OpLabel
    %p = OpAccessChain %ptr_uint %buffer %zero %one
    %100 = OpIAdd %uint %one %one
    OpStore %p %100
    OpStore %p %one
    OpStore %p %ten
    OpReturn)";

// A store before a selection, in one of its branches, and behind it.
constexpr std::string_view kSelection = R"(
    %entry = OpLabel
    %p = OpAccessChain %ptr_uint %buffer %zero %one
    OpSelectionMerge %merge None
    OpBranchConditional %true %then %merge
    %then = OpLabel
    OpStore %p %one
    OpBranch %merge
    %merge = OpLabel
    OpStore %p %one
    OpReturn)";

// %100 is defined before the loop, %101 in it.
constexpr std::string_view kLoop = R"(
    %entry = OpLabel
    %p = OpAccessChain %ptr_uint %buffer %zero %one
    %100 = OpIAdd %uint %one %one
    OpBranch %header
    %header = OpLabel
    OpLoopMerge %merge %continue None
    OpBranchConditional %true %body %merge
    %body = OpLabel
    %101 = OpIAdd %uint %one %one
    OpStore %p %100
    OpStore %p %101
    OpBranch %continue
    %continue = OpLabel
    OpBranch %header
    %merge = OpLabel
    OpReturn)";

TEST_F(StepsTest, TheSameCheckIsDecidedOnce) {
  Read(kThreeInARow);
  Want(0, {Id{100}}, {0, 4});
  Want(1, {Id{100}}, {0, 4});
  UseDominating(Checks());
  EXPECT_EQ(wanted_[0].outcome, Outcome::kEmitted);
  EXPECT_EQ(wanted_[1].outcome, Outcome::kDominated);
  EXPECT_EQ(wanted_[1].same_as, 0u);
  EXPECT_TRUE(wanted_[1].is_reported);
}

TEST_F(StepsTest, ASmallerSpanIsGoodIfTheLargerOneIs) {
  Read(kThreeInARow);
  Want(0, {Id{100}}, {0, 16});
  Want(1, {Id{100}}, {4, 8});
  Want(2, {Id{100}}, {8, 20});
  UseDominating(Checks());
  EXPECT_EQ(wanted_[1].good_if, 0u);
  EXPECT_EQ(wanted_[1].same_as, WantedCheck::kNone);
  EXPECT_FALSE(wanted_[1].is_reported);
  // Reaches further.
  EXPECT_EQ(wanted_[2].outcome, Outcome::kEmitted);
  EXPECT_EQ(wanted_[2].good_if, WantedCheck::kNone);
}

TEST_F(StepsTest, AnotherThingIsAnotherCheck) {
  Read(kThreeInARow);
  Want(0, {Id{100}}, {0, 4});
  Want(1, {}, {0, 4});
  Want(2, {Id{100}}, {0, 4}, {.variant = 1});
  UseDominating(Checks());
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
  EXPECT_EQ(wanted_[2].outcome, Outcome::kEmitted);
}

TEST_F(StepsTest, ABranchDoesNotDominateWhatComesBehind) {
  Read(kSelection);
  Want(0, {}, {0, 4});
  Want(1, {}, {0, 4});
  UseDominating(Checks());
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
}

TEST_F(StepsTest, WhatIsInsertedIsNoCheck) {
  Read(kThreeInARow);
  Want(0, {}, {0, 4}, {.form = Form::kInsert});
  Want(1, {}, {0, 4});
  UseDominating(Checks());
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
}

TEST_F(StepsTest, InvariantConditionsLeaveLoops) {
  Read(kLoop);
  Want(0, {Id{100}}, {0, 4});
  Want(1, {Id{101}}, {0, 4});
  LeaveLoops(Checks());
  EXPECT_EQ(wanted_[0].outcome, Outcome::kHoisted);
  EXPECT_EQ(wanted_[0].position, module_->functions()[0].entry());
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
  EXPECT_FALSE(wanted_[1].position);
}

TEST_F(StepsTest, WhatLeavesALoopIsComputedOnce) {
  Read(kLoop);
  Want(0, {Id{100}}, {0, 4});
  Want(1, {Id{100}}, {0, 4});
  LeaveLoops(Checks());
  EXPECT_EQ(wanted_[1].outcome, Outcome::kHoisted);
  EXPECT_EQ(wanted_[1].same_as, 0u);
  // Each access is reported for itself.
  EXPECT_FALSE(wanted_[1].is_reported);
}

TEST_F(StepsTest, CheapConditionsStayWhereTheyAre) {
  Read(kLoop);
  Want(0, {Id{100}}, {0, 4}, {.is_cheap = true});
  LeaveLoops(Checks());
  JoinSpans(Checks());
  EXPECT_EQ(wanted_[0].outcome, Outcome::kEmitted);
}

TEST_F(StepsTest, SpansOfABlockAreJoined) {
  Read(kThreeInARow);
  Want(0, {Id{100}}, {8, 12});
  Want(1, {Id{100}}, {0, 4});
  Want(2, {Id{100}}, {16, 32});
  JoinSpans(Checks());
  EXPECT_EQ(wanted_[0].widened.begin, 0u);
  EXPECT_EQ(wanted_[0].widened.end, 32u);
  EXPECT_EQ(wanted_[0].good_if, 0u);
  EXPECT_EQ(wanted_[1].good_if, 0u);
  EXPECT_EQ(wanted_[2].outcome, Outcome::kSpan);
  // What each of them is about stays the same.
  EXPECT_EQ(wanted_[2].span.begin, 16u);
}

TEST_F(StepsTest, SpansOfDifferentBlocksAreNot) {
  Read(kSelection);
  Want(0, {}, {0, 4});
  Want(1, {}, {4, 8});
  JoinSpans(Checks());
  EXPECT_EQ(wanted_[0].good_if, WantedCheck::kNone);
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
}

TEST_F(StepsTest, TheHostDecidesWhatItCan) {
  Read(kSelection);
  Want(0, {}, {0, 4}, {.host = HostCondition{.bytes = 4}});
  Want(1, {}, {4, 8}, {.host = HostCondition{.bytes = 8}});
  LeaveToHost(Checks(), {.host = HostDecides::kAll});
  EXPECT_EQ(wanted_[0].outcome, Outcome::kHostDecided);
  EXPECT_FALSE(wanted_.Host(wanted_[0])->is_certain);
  // The second one is executed in any case.
  EXPECT_EQ(wanted_[1].outcome, Outcome::kHostDecided);
  EXPECT_TRUE(wanted_.Host(wanted_[1])->is_certain);
  EXPECT_EQ(wanted_.Host(wanted_[1])->instruction, stores_[1].index());
}

TEST_F(StepsTest, TheHostDecidesWhatIsCertain) {
  Read(kSelection);
  Want(0, {}, {0, 4}, {.host = HostCondition{}});
  Want(1, {}, {4, 8}, {.host = HostCondition{}});
  LeaveToHost(Checks(), {.host = HostDecides::kCertain});
  EXPECT_EQ(wanted_[0].outcome, Outcome::kEmitted);
  EXPECT_FALSE(wanted_[0].is_left_to_host);
  EXPECT_EQ(wanted_[1].outcome, Outcome::kHostDecided);
}

TEST_F(StepsTest, TheHostDecidesOfTheSetsThatItKnows) {
  Read(kSelection);
  Want(0, {}, {0, 4}, {.host = HostCondition{.set = 1}});
  Want(1, {}, {4, 8}, {.host = HostCondition{.set = 2}});
  Want(1, {}, {8, 12}, {.host = HostCondition{.set = 32}});
  LeaveToHost(Checks(), {.host = HostDecides::kAll, .host_sets = ~(1u << 2)});
  EXPECT_EQ(wanted_[0].outcome, Outcome::kHostDecided);
  EXPECT_EQ(wanted_[1].outcome, Outcome::kEmitted);
  EXPECT_FALSE(wanted_[1].is_left_to_host);
  EXPECT_EQ(wanted_[2].outcome, Outcome::kEmitted);
}

// A helper invocation goes on, and stores nothing.
TEST_F(StepsTest, WhatAHelperInvocationDoesIsNotCertain) {
  Read(R"(
    %entry = OpLabel
    %p = OpAccessChain %ptr_uint %buffer %zero %one
    OpDemoteToHelperInvocation
    OpStore %p %one
    OpReturn)");
  Want(0, {}, {0, 4}, {.host = HostCondition{.bytes = 4}});
  LeaveToHost(Checks(), {.host = HostDecides::kAll});
  EXPECT_EQ(wanted_[0].outcome, Outcome::kHostDecided);
  EXPECT_FALSE(wanted_.Host(wanted_[0])->is_certain);
}

TEST_F(StepsTest, AFastConditionStaysInTheShader) {
  Read(kThreeInARow);
  const HostCondition holds{.kind = HostCondition::Kind::kBufferHolds, .bytes = 64};
  Want(0, {Id{100}}, {0, 4}, {.host = holds, .has_fast_condition = true});
  LeaveToHost(Checks(), {.host = HostDecides::kAll});
  EXPECT_EQ(wanted_[0].outcome, Outcome::kEmitted);
  EXPECT_TRUE(wanted_[0].is_left_to_host);
  // An index may be good though the buffer does not have all that the array declares.
  EXPECT_FALSE(wanted_.Host(wanted_[0])->is_certain);
}

}  // namespace
}  // namespace assay::spirv_instrument
