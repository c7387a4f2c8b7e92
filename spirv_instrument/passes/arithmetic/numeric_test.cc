// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/arithmetic/numeric.h"

#include <cstdint>
#include <optional>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

Module Types() {
  return ReadAssembly(R"(
    OpCapability Shader
    OpCapability Int8
    OpCapability Int16
    OpCapability Int64
    OpCapability Float16
    OpCapability Float64
    OpMemoryModel Logical GLSL450
    %1 = OpTypeBool
    %2 = OpTypeInt 8 1
    %3 = OpTypeInt 32 0
    %4 = OpTypeInt 64 1
    %5 = OpTypeFloat 16
    %6 = OpTypeFloat 64
    %7 = OpTypeVector %3 3
    %8 = OpTypeVector %5 4
    %9 = OpTypeVector %1 2
    %10 = OpTypeFloat 32
    %11 = OpTypeVector %10 3
    %12 = OpTypeMatrix %11 3
    %20 = OpConstant %3 5
    %21 = OpConstant %2 -1
    %22 = OpConstantNull %7
    %23 = OpConstant %3 0
    %24 = OpConstantComposite %7 %20 %20 %23
    %25 = OpSpecConstant %3 5
    %26 = OpSpecConstantComposite %7 %20 %25 %20
    %27 = OpConstant %4 -2
    %28 = OpUndef %3
    %29 = OpConstant %10 1
    %30 = OpTypeVoid
    %31 = OpTypeFunction %30
    %32 = OpFunction %30 None %31
    %33 = OpLabel
    %34 = OpCompositeConstruct %7 %20 %23 %20
    %35 = OpCompositeConstruct %7 %20 %25 %20
    OpReturn
    OpFunctionEnd
  )");
}

// Kind, width, number of components, type of a component.
std::vector<uint32_t> Shape(const Module& module, uint32_t type) {
  const std::optional<NumericType> numeric = AsNumericType(module, Id{type});
  if (!numeric) return {};
  return {static_cast<uint32_t>(numeric->kind), numeric->width, numeric->components, ToNumber(numeric->scalar)};
}

TEST(NumericType, IsThatOfScalarsAndVectorsOfNumbers) {
  using Shapes = std::vector<uint32_t>;
  const auto unsigned_kind = static_cast<uint32_t>(NumericType::Kind::kUnsigned);
  const auto signed_kind = static_cast<uint32_t>(NumericType::Kind::kSigned);
  const auto float_kind = static_cast<uint32_t>(NumericType::Kind::kFloat);
  const Module module = Types();
  EXPECT_EQ(Shape(module, 2), (Shapes{signed_kind, 8, 1, 2}));
  EXPECT_EQ(Shape(module, 3), (Shapes{unsigned_kind, 32, 1, 3}));
  EXPECT_EQ(Shape(module, 4), (Shapes{signed_kind, 64, 1, 4}));
  EXPECT_EQ(Shape(module, 5), (Shapes{float_kind, 16, 1, 5}));
  EXPECT_EQ(Shape(module, 6), (Shapes{float_kind, 64, 1, 6}));
  EXPECT_EQ(Shape(module, 7), (Shapes{unsigned_kind, 32, 3, 3}));
  EXPECT_EQ(Shape(module, 8), (Shapes{float_kind, 16, 4, 5}));
  // Booleans, matrices, and what is no type.
  EXPECT_EQ(Shape(module, 1), Shapes());
  EXPECT_EQ(Shape(module, 9), Shapes());
  EXPECT_EQ(Shape(module, 12), Shapes());
  EXPECT_EQ(Shape(module, 20), Shapes());
  EXPECT_EQ(Shape(module, 99), Shapes());
}

TEST(NumericType, OfAValueIsThatOfItsType) {
  const Module module = Types();
  EXPECT_EQ(NumericTypeOf(module, Id{24})->components, 3u);
  EXPECT_EQ(NumericTypeOf(module, Id{24})->id, Id{7});
  EXPECT_FALSE(NumericTypeOf(module, Id{3}).has_value());
}

// The components of a constant; none if EveryComponent says that it is not one.
std::vector<uint64_t> Components(const Module& module, uint32_t constant) {
  std::vector<uint64_t> values;
  const bool is_constant = EveryComponent(module, Id{constant}, [&](uint64_t value) {
    values.push_back(value);
    return true;
  });
  return is_constant ? values : std::vector<uint64_t>();
}

TEST(EveryComponent, VisitsConstantsWithoutTheirSign) {
  const Module module = Types();
  EXPECT_EQ(Components(module, 20), std::vector<uint64_t>{5});
  EXPECT_EQ(Components(module, 21), std::vector<uint64_t>{0xff});
  EXPECT_EQ(Components(module, 27), std::vector<uint64_t>{0xfffffffffffffffe});
  EXPECT_EQ(Components(module, 22), std::vector<uint64_t>{0});
  EXPECT_EQ(Components(module, 24), (std::vector<uint64_t>{5, 5, 0}));
  // Compilers make a vector of a scalar in the function.
  EXPECT_EQ(Components(module, 34), (std::vector<uint64_t>{5, 0, 5}));
}

TEST(EveryComponent, IsFalseForWhatIsNotConstant) {
  const Module module = Types();
  for (const uint32_t id : {25, 26, 28, 29, 35, 3, 99})
    EXPECT_EQ(Components(module, id), std::vector<uint64_t>()) << id;
}

TEST(EveryComponent, AsksForEachComponent) {
  const Module module = Types();
  const auto is_not_zero = [](uint64_t value) { return value != 0; };
  EXPECT_TRUE(EveryComponent(module, Id{20}, is_not_zero));
  EXPECT_FALSE(EveryComponent(module, Id{22}, is_not_zero));
  EXPECT_FALSE(EveryComponent(module, Id{24}, is_not_zero));
}

}  // namespace
}  // namespace assay::spirv_instrument
