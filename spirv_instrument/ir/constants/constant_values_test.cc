// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/constants/constant_values.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/constants/specialization.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

constexpr std::string_view kText = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpDecorate %20 SpecId 7
    OpDecorate %21 SpecId 8
    OpDecorate %22 SpecId 9
    %1 = OpTypeInt 32 0
    %2 = OpTypeInt 32 1
    %3 = OpTypeInt 64 1
    %4 = OpTypeBool
    %5 = OpTypeVector %1 3
    %6 = OpTypeFloat 32
    %7 = OpTypeInt 8 1
    %10 = OpConstant %1 10
    %11 = OpConstant %2 -3
    %12 = OpConstant %3 -5000000000
    %13 = OpConstantTrue %4
    %14 = OpConstantNull %1
    %15 = OpConstant %6 1
    %16 = OpConstantNull %5
    %17 = OpConstant %7 -1
    %20 = OpSpecConstant %1 3
    %21 = OpSpecConstantFalse %4
    %22 = OpSpecConstantTrue %4
    %30 = OpSpecConstantOp %1 IMul %20 %10
    %31 = OpSpecConstantOp %1 Select %21 %30 %10
    %32 = OpSpecConstantOp %4 SLessThan %11 %14
    %33 = OpSpecConstantOp %4 LogicalNot %32
    %34 = OpSpecConstantOp %1 UDiv %10 %14
    %35 = OpSpecConstantOp %1 IAdd %34 %10
    %36 = OpSpecConstantComposite %5 %10 %30 %20
    %37 = OpSpecConstantOp %1 CompositeExtract %36 1
    %38 = OpSpecConstantOp %1 CompositeExtract %16 2
    %39 = OpSpecConstantOp %2 SConvert %17
    %40 = OpSpecConstantOp %2 UConvert %17
    %41 = OpSpecConstantOp %1 IAdd %41 %10
)";

TEST(ConstantValues, WithDefaults) {
  const Module module = ReadAssembly(kText);
  const Decorations decorations(module);
  ConstantValues values(module, decorations);
  EXPECT_EQ(values.Of(Id{10}), 10u);
  EXPECT_EQ(values.Of(Id{11}), 0xfffffffdu);
  EXPECT_EQ(values.Signed(Id{11}), -3);
  EXPECT_EQ(values.Signed(Id{12}), -5000000000);
  EXPECT_EQ(values.Of(Id{13}), 1u);
  EXPECT_EQ(values.Of(Id{14}), 0u);
  EXPECT_EQ(values.Of(Id{17}), 0xffu);
  EXPECT_EQ(values.Of(Id{20}), 3u);
  EXPECT_EQ(values.Of(Id{21}), 0u);
  EXPECT_EQ(values.Of(Id{22}), 1u);
  EXPECT_EQ(values.Of(Id{30}), 30u);
  EXPECT_EQ(values.Of(Id{31}), 10u);
  EXPECT_EQ(values.Of(Id{32}), 1u);
  EXPECT_EQ(values.Of(Id{33}), 0u);
  EXPECT_EQ(values.Of(Id{37}), 30u);
  EXPECT_EQ(values.Of(Id{38}), 0u);
  EXPECT_EQ(values.Of(Id{39}), 0xffffffffu);
  EXPECT_EQ(values.Of(Id{40}), 0xffu);
  EXPECT_EQ(values.Of(Id{36}, {2}), 3u);
  EXPECT_EQ(values.Of(Id{16}, {2}), 0u);
  EXPECT_EQ(values.Of(Id{10}, {}), 10u);
}

TEST(ConstantValues, WithSpecialization) {
  const Module module = ReadAssembly(kText);
  const Decorations decorations(module);
  const Specialization specialization[] = {{7, 100}, {8, 2}, {9, 0}, {7, 5}, {12, 3}};
  ConstantValues values(module, decorations, specialization);
  EXPECT_EQ(values.Of(Id{20}), 100u);
  EXPECT_EQ(values.Of(Id{21}), 1u);
  EXPECT_EQ(values.Of(Id{22}), 0u);
  EXPECT_EQ(values.Of(Id{31}), 1000u);
  EXPECT_EQ(values.Of(Id{36}, {1}), 1000u);
}

TEST(ConstantValues, WhatHasNone) {
  const Module module = ReadAssembly(kText);
  const Decorations decorations(module);
  ConstantValues values(module, decorations);
  // Types, floating-point numbers, composites, a division by zero and what follows from it, a circle.
  for (uint32_t id : {1u, 15u, 16u, 34u, 35u, 36u, 41u, 99u}) EXPECT_EQ(values.Of(Id{id}), std::nullopt) << id;
  EXPECT_EQ(values.Of(Id{36}, {3}), std::nullopt);
  EXPECT_EQ(values.Of(Id{36}, {0, 0}), std::nullopt);
  EXPECT_EQ(values.Signed(Id{13}), std::nullopt);
}

// %10 is a specialization constant, %30 a loaded value.
constexpr std::string_view kFunction = R"(
    OpCapability Shader
    OpMemoryModel Logical GLSL450
    OpDecorate %10 SpecId 1
    %1 = OpTypeVoid
    %2 = OpTypeFunction %1
    %3 = OpTypeInt 32 0
    %4 = OpTypeInt 32 1
    %5 = OpTypeBool
    %6 = OpTypeVector %3 2
    %7 = OpTypePointer Function %3
    %8 = OpTypeFloat 32
    %10 = OpSpecConstant %3 4
    %11 = OpConstant %3 4
    %12 = OpConstant %4 -2
    %13 = OpConstantComposite %6 %10 %11
    %14 = OpConstant %8 1
    %20 = OpFunction %1 None %2
    %21 = OpLabel
    %22 = OpVariable %7 Function
    %30 = OpLoad %3 %22
    %31 = OpIAdd %3 %10 %11
    %32 = OpIEqual %5 %31 %11
    %33 = OpLogicalNot %5 %32
    %34 = OpSelect %3 %33 %31 %30
    %35 = OpCompositeExtract %3 %13 0
    %36 = OpBitcast %3 %12
    %37 = OpCopyObject %3 %11
    %40 = OpIAdd %3 %30 %11
    %41 = OpSelect %3 %32 %31 %30
    %42 = OpBitcast %3 %14
    %43 = OpBitCount %3 %11
    OpBranch %23
    %23 = OpLabel
    %44 = OpPhi %3 %11 %21
    %45 = OpFunctionCall %1 %20
    OpReturn
    OpFunctionEnd
)";

TEST(ConstantValues, OfInstructionsInFunctions) {
  const Module module = ReadAssembly(kFunction);
  const Decorations decorations(module);
  ConstantValues values(module, decorations);
  EXPECT_EQ(values.Of(Id{31}), 8u);
  EXPECT_EQ(values.Of(Id{32}), 0u);
  EXPECT_EQ(values.Of(Id{33}), 1u);
  EXPECT_EQ(values.Of(Id{34}), 8u);
  EXPECT_EQ(values.Of(Id{35}), 4u);
  EXPECT_EQ(values.Of(Id{36}), 0xfffffffeu);
  EXPECT_EQ(values.Of(Id{37}), 4u);
  // What follows from a loaded or floating-point value, and what is not evaluated.
  for (uint32_t id : {20u, 30u, 40u, 41u, 42u, 43u, 44u, 45u}) EXPECT_EQ(values.Of(Id{id}), std::nullopt) << id;
  const Specialization specialization[] = {{1, 0}};
  ConstantValues specialized(module, decorations, specialization);
  EXPECT_EQ(specialized.Of(Id{32}), 1u);
  EXPECT_EQ(specialized.Of(Id{34}), std::nullopt);
  EXPECT_EQ(specialized.Of(Id{41}), 4u);
}

TEST(ConstantValues, TreesOfOneConstantAreEvaluatedOnce) {
  // 2^100 additions, if each were followed; the sum of 2^100 ones has 32 zero bits.
  std::string text =
      "OpCapability Shader\nOpMemoryModel Logical GLSL450\n%1 = OpTypeInt 32 0\n%100 = OpConstant %1 1\n";
  for (int i = 101; i <= 200; ++i) {
    const std::string last = "%" + std::to_string(i - 1);
    absl::StrAppend(&text, "%", i, " = OpSpecConstantOp %1 IAdd ", last, " ", last, "\n");
  }
  const Module module = ReadAssembly(text);
  const Decorations decorations(module);
  ConstantValues values(module, decorations);
  EXPECT_EQ(values.Of(Id{200}), 0u);
  EXPECT_EQ(values.Of(Id{131}), uint64_t{1} << 31);
}

TEST(EvaluateOperation, OfNarrowNumbers) {
  using spv::Op;
  EXPECT_EQ(EvaluateOperation(Op::OpIAdd, 8, 0xff, 2), 1u);
  EXPECT_EQ(EvaluateOperation(Op::OpSNegate, 8, 1, 0), 0xffu);
  EXPECT_EQ(EvaluateOperation(Op::OpSDiv, 8, 0xf9, 2), 0xfdu);
  EXPECT_EQ(EvaluateOperation(Op::OpSDiv, 8, 0x80, 0xff), std::nullopt);
  EXPECT_EQ(EvaluateOperation(Op::OpSDiv, 64, uint64_t{1} << 63, ~uint64_t{0}), std::nullopt);
  EXPECT_EQ(EvaluateOperation(Op::OpSDiv, 8, 5, 0xff), 0xfbu);
  EXPECT_EQ(EvaluateOperation(Op::OpSRem, 8, 0xf9, 4), 0xfdu);
  EXPECT_EQ(EvaluateOperation(Op::OpSMod, 8, 0xf9, 4), 1u);
  EXPECT_EQ(EvaluateOperation(Op::OpSMod, 8, 7, 0xfc), 0xffu);
  EXPECT_EQ(EvaluateOperation(Op::OpUMod, 8, 0xf9, 4), 1u);
  EXPECT_EQ(EvaluateOperation(Op::OpShiftRightArithmetic, 8, 0x80, 3), 0xf0u);
  EXPECT_EQ(EvaluateOperation(Op::OpShiftRightLogical, 8, 0x80, 3), 0x10u);
  EXPECT_EQ(EvaluateOperation(Op::OpShiftLeftLogical, 8, 0x81, 1), 2u);
  EXPECT_EQ(EvaluateOperation(Op::OpShiftLeftLogical, 8, 1, 8), std::nullopt);
  EXPECT_EQ(EvaluateOperation(Op::OpSLessThan, 8, 0xff, 0), 1u);
  EXPECT_EQ(EvaluateOperation(Op::OpULessThan, 8, 0xff, 0), 0u);
  EXPECT_EQ(EvaluateOperation(Op::OpFAdd, 32, 1, 1), std::nullopt);
  EXPECT_EQ(EvaluateOperation(Op::OpIAdd, 0, 1, 1), std::nullopt);
}

// With operands for which every operation has a result.
TEST(EvaluateOperation, KnowsWhatHasOperands) {
  for (uint32_t op = 0; op < 512; ++op) {
    EXPECT_EQ(OperandCountOf(spv::Op{op}) != 0, EvaluateOperation(spv::Op{op}, 32, 1, 1).has_value()) << op;
  }
  EXPECT_EQ(OperandCountOf(spv::Op::OpNot), 1u);
  EXPECT_EQ(OperandCountOf(spv::Op::OpBitcast), 1u);
  EXPECT_EQ(OperandCountOf(spv::Op::OpSMod), 2u);
}

}  // namespace
}  // namespace assay::spirv_instrument
