// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/frame/type_layout.h"

#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {
namespace {

// A module with types alone; %100 is the one that is asked for.
Module Types(std::string_view decorations, std::string_view types) {
  return ReadAssembly(absl::StrCat(R"(
    OpCapability Shader
    OpCapability PhysicalStorageBufferAddresses
    OpMemoryModel PhysicalStorageBuffer64 GLSL450
    )",
                                   decorations, R"(
    %float = OpTypeFloat 32
    %uint = OpTypeInt 32 0
    %vec2 = OpTypeVector %float 2
    %vec3 = OpTypeVector %float 3
    %mat2x3 = OpTypeMatrix %vec3 2
    %two = OpConstant %uint 2
    %five = OpConstant %uint 5
    )",
                                   types));
}

std::optional<uint32_t> ExtentOf(std::string_view decorations, std::string_view types, MatrixLayout layout = {}) {
  Module module = Types(decorations, types);
  return TypeLayouts(module).ExtentOf(Id{100}, layout);
}

TEST(TypeLayout, ScalarsAndVectors) {
  EXPECT_EQ(ExtentOf("", "%100 = OpTypeInt 64 0"), 8u);
  EXPECT_EQ(ExtentOf("", "%100 = OpTypeFloat 16"), 2u);
  EXPECT_EQ(ExtentOf("", "%100 = OpTypeVector %uint 3"), 12u);
  EXPECT_EQ(ExtentOf("", "%100 = OpTypeBool"), std::nullopt);
}

TEST(TypeLayout, PointersAreAddresses) {
  EXPECT_EQ(ExtentOf("", "%100 = OpTypePointer PhysicalStorageBuffer %uint"), 8u);
  EXPECT_EQ(ExtentOf("", "%100 = OpTypePointer Function %uint"), std::nullopt);
}

TEST(TypeLayout, MatricesByColumnAndByRow) {
  const std::string_view type = "%100 = OpTypeMatrix %vec3 2";
  // Two columns of 12 bytes, 16 apart; three rows of 8 bytes, 16 apart.
  EXPECT_EQ(ExtentOf("", type, {.stride = 16}), 28u);
  EXPECT_EQ(ExtentOf("", type, {.stride = 16, .is_row_major = true}), 40u);
  EXPECT_EQ(ExtentOf("", type), std::nullopt);
}

TEST(TypeLayout, TheLastElementOfAnArrayHasNoPadding) {
  EXPECT_EQ(ExtentOf("OpDecorate %100 ArrayStride 16", "%100 = OpTypeArray %vec3 %five"), 76u);
  EXPECT_EQ(ExtentOf("", "%100 = OpTypeArray %vec3 %five"), std::nullopt);
  EXPECT_EQ(ExtentOf("OpDecorate %100 ArrayStride 16", "%100 = OpTypeRuntimeArray %vec3"), std::nullopt);
}

TEST(TypeLayout, ASpecializedLengthIsNotKnown) {
  EXPECT_EQ(ExtentOf("OpDecorate %100 ArrayStride 4", "%n = OpSpecConstant %uint 3\n%100 = OpTypeArray %uint %n"),
            std::nullopt);
}

TEST(TypeLayout, StructuresEndWithTheMemberThatEndsLast) {
  // The first member is the last one in memory.
  const std::string_view decorations = R"(
    OpMemberDecorate %100 0 Offset 32
    OpMemberDecorate %100 1 Offset 0
    OpMemberDecorate %100 2 Offset 16
    OpMemberDecorate %100 2 MatrixStride 8
    OpMemberDecorate %100 2 RowMajor)";
  EXPECT_EQ(ExtentOf(decorations, "%100 = OpTypeStruct %vec3 %uint %uint"), 44u);
  EXPECT_EQ(ExtentOf(decorations, "%100 = OpTypeStruct %uint %uint %mat2x3"), 40u);
}

TEST(TypeLayout, AMemberWithoutOffsetHasNoPlace) {
  EXPECT_EQ(ExtentOf("OpMemberDecorate %100 0 Offset 0", "%100 = OpTypeStruct %vec3 %uint"), std::nullopt);
}

TEST(TypeLayout, MembersAreFoundByNumber) {
  Module module = Types("OpMemberDecorate %100 1 Offset 8\nOpMemberDecorate %100 1 MatrixStride 16",
                        "%100 = OpTypeStruct %uint %mat2x3");
  TypeLayouts layouts(module);
  EXPECT_EQ(layouts.OffsetOfMember(Id{100}, 1), 8u);
  EXPECT_EQ(layouts.OffsetOfMember(Id{100}, 0), std::nullopt);
  EXPECT_EQ(layouts.OffsetOfMember(Id{100}, 2), std::nullopt);
  EXPECT_EQ(layouts.LayoutOfMember(Id{100}, 1).stride, 16u);
}

// Constants are numbers whatever their width and sign.
TEST(TypeLayout, ValuesOfConstants) {
  Module module = Types("", R"(
    %short = OpTypeInt 16 1
    %long = OpTypeInt 64 1
    %100 = OpConstant %short -3
    %101 = OpConstant %long -5
    %102 = OpConstant %uint 4294967295
    %103 = OpConstant %float 1
    %104 = OpSpecConstant %uint 3)");
  const TypeLayouts layouts(module);
  EXPECT_EQ(layouts.ConstantValue(Id{100}), -3);
  EXPECT_EQ(layouts.ConstantValue(Id{101}), -5);
  EXPECT_EQ(layouts.ConstantValue(Id{102}), 4294967295);
  EXPECT_EQ(layouts.ConstantValue(Id{103}), std::nullopt);
  EXPECT_EQ(layouts.ConstantValue(Id{104}), std::nullopt);
}

TEST(TypeLayout, ConstantIndicesAreSigned) {
  Module module = Types("", R"(
    %ushort = OpTypeInt 16 0
    %ulong = OpTypeInt 64 0
    %100 = OpConstant %ushort 65533
    %101 = OpConstant %uint 4294967295
    %102 = OpConstant %ulong 18446744073709551614
    %103 = OpConstant %ushort 7
    %104 = OpSpecConstant %uint 3)");
  const TypeLayouts layouts(module);
  EXPECT_EQ(layouts.ConstantIndex(Id{100}), -3);
  EXPECT_EQ(layouts.ConstantIndex(Id{101}), -1);
  EXPECT_EQ(layouts.ConstantIndex(Id{102}), -2);
  EXPECT_EQ(layouts.ConstantIndex(Id{103}), 7);
  EXPECT_EQ(layouts.ConstantIndex(Id{104}), std::nullopt);
}

// Invalid, but it can be read: nothing goes round for ever.
TEST(TypeLayout, ATypeThatContainsItselfHasNoSize) {
  EXPECT_EQ(ExtentOf("OpMemberDecorate %100 0 Offset 0\nOpDecorate %101 ArrayStride 4",
                     "%101 = OpTypeArray %100 %five\n%100 = OpTypeStruct %101"),
            std::nullopt);
}

}  // namespace
}  // namespace assay::spirv_instrument
