// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Values, control flow, barriers, images.

#include <cstdint>
#include <set>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/interpreter/interpreter_test.h"

namespace assay::spirv_instrument::model {
namespace {

using corpus::FaultKind;

// The matrix has the columns (1 3 5) and (2 4 6). 2 * 3 + 1 * 4 = 10; 2 * 6 = 12.
TEST(InterpreterTest, RowMajorMatrix) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%to_column = OpAccessChain %to_push_column %push %2 %i
%column = OpLoad %float3 %to_column
%to_middle = OpAccessChain %to_push_float %push %2 %1 %1
%middle = OpLoad %float %to_middle
%y = OpCompositeExtract %float %column 1
%z = OpCompositeExtract %float %column 2
%product = OpFMul %float %y %z
%sum = OpFAdd %float %product %middle
%value = OpConvertFToU %uint %sum
)",
                                               kStoreValue));
  // 3 * 5 + 4 and 4 * 6 + 4.
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{19, 28, 0, 0, 0, 0, 0, 0}));
}

// 0 + 1 + 2 + 3, plus the number of the invocation each time.
TEST(InterpreterTest, LoopWithPhi) {
  const Outcome outcome = Execute(R"(
OpBranch %header
%header = OpLabel
%k = OpPhi %uint %0 %entry %next_k %continue
%sum = OpPhi %uint %0 %entry %next_sum %continue
%goes_on = OpULessThan %bool %k %3
OpLoopMerge %merge %continue None
OpBranchConditional %goes_on %continue %merge
%continue = OpLabel
%step = OpIAdd %uint %sum %k
%next_sum = OpIAdd %uint %step %i
%next_k = OpIAdd %uint %k %1
OpBranch %header
%merge = OpLabel
%at = OpAccessChain %to_uint %out %0 %i
OpStore %at %sum
)");
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{3, 6, 0, 0, 0, 0, 0, 0}));
}

// Case 1 falls through into case 2: 100, then 101 is stored; the default stores 7.
TEST(InterpreterTest, SwitchFallsThrough) {
  const Outcome outcome = Execute(R"(
%zero = OpAccessChain %to_uint %out %0 %i
%far = OpIAdd %uint %i %2
%one = OpAccessChain %to_uint %out %0 %far
OpSelectionMerge %merge None
OpSwitch %i %default 1 %case1 2 %case2
%default = OpLabel
OpStore %zero %7
OpBranch %merge
%case1 = OpLabel
OpStore %zero %100
OpBranch %case2
%case2 = OpLabel
OpStore %one %3
OpBranch %merge
%merge = OpLabel
)");
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{7, 100, 0, 3, 0, 0, 0, 0}));
}

// Each invocation writes a word of shared memory, and reads that of the other behind the barrier.
TEST(InterpreterTest, Barrier) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%mine = OpAccessChain %to_shared_uint %shared %i
%plus = OpIAdd %uint %i %7
OpStore %mine %plus
OpControlBarrier %2 %2 %264
%other = OpBitwiseXor %uint %i %1
%theirs = OpAccessChain %to_shared_uint %shared %other
%value = OpLoad %uint %theirs
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{8, 7, 0, 0, 0, 0, 0, 0}));
}

// 10 + 7 twice; the atomic instruction returns what was there before.
TEST(InterpreterTest, Atomic) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%counter = OpAccessChain %to_uint %data %0 %0 %0
%value = OpAtomicIAdd %uint %counter %1 %0 %7
%past = OpAccessChain %to_uint %data %0 %0 %7
%nothing = OpAtomicIAdd %uint %past %1 %0 %7
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{10, 17, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kBufferBounds, Position(outcome, spv::Op::OpAtomicIAdd, 1)}}));
}

// The image is 40 41 / 42 43. Texel (i, 1) is good, (i + 1, 0) is outside for invocation 1.
TEST(InterpreterTest, ImageRead) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%loaded = OpLoad %image %texels
%below = OpCompositeConstruct %uint2 %i %1
%good = OpImageRead %uint4 %loaded %below
%i1 = OpIAdd %uint %i %1
%right = OpCompositeConstruct %uint2 %i1 %0
%other = OpImageRead %uint4 %loaded %right
%a = OpCompositeExtract %uint %good 0
%b = OpCompositeExtract %uint %other 0
%c = OpCompositeExtract %uint %good 3
%ab = OpIAdd %uint %a %b
%value = OpIAdd %uint %ab %c
)",
                                               kStoreValue));
  // 42 + 41 + 1 and 43 + 0 + 1.
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{84, 44, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults,
            (std::set<Fault>{{FaultKind::kImageCoordinate, Position(outcome, spv::Op::OpImageRead, 1)}}));
}

// i is 0 or 1: 7 / 0 is bad, 7 / 1 is 7. 1 << 100 is bad.
TEST(InterpreterTest, UndefinedArithmetic) {
  const Outcome outcome = Execute(absl::StrCat(R"(
%quotient = OpUDiv %uint %7 %i
%shifted = OpShiftLeftLogical %uint %1 %100
%value = OpIAdd %uint %quotient %shifted
)",
                                               kStoreValue));
  EXPECT_EQ(outcome.out, (std::vector<uint32_t>{0, 7, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(outcome.faults, (std::set<Fault>{{FaultKind::kDivision, Position(outcome, spv::Op::OpUDiv)},
                                             {FaultKind::kShift, Position(outcome, spv::Op::OpShiftLeftLogical)}}));
}

TEST(InterpreterTest, EndlessLoopEnds) {
  const std::vector<uint32_t> words = Assemble(R"(
OpBranch %header
%header = OpLabel
OpLoopMerge %merge %continue None
OpBranch %continue
%continue = OpLabel
OpBranch %header
%merge = OpLabel
OpReturn
OpFunctionEnd
)");
  EXPECT_TRUE(absl::IsResourceExhausted(Interpret(words, MakeSetup(), {.max_steps = 1000}).status()));
}

}  // namespace
}  // namespace assay::spirv_instrument::model
