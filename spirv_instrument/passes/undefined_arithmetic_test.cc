// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/undefined_arithmetic.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/run_passes.h"
#include "spirv_instrument/passes/frame/statistics.h"

namespace assay::spirv_instrument {
namespace {

// A compute shader with these statements. Values named by their type are not constant: %i, %u, %f; %iv, %uv, %fv of two
// components; %i8, %u16, %i64, %f16, %f64 of other widths, and vectors of three of these: %i8v and so on.
std::vector<uint32_t> Shader(std::string_view statements, std::string_view decorations = "") {
  std::string text = R"(
    OpCapability Shader
    OpCapability Int8
    OpCapability Int16
    OpCapability Int64
    OpCapability Float16
    OpCapability Float64
    %glsl = OpExtInstImport "GLSL.std.450"
    OpMemoryModel Logical GLSL450
    OpEntryPoint GLCompute %main "main"
    OpExecutionMode %main LocalSize 1 1 1
    OpDecorate %spec SpecId 0
  )";
  text += decorations;
  text += R"(
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %spec_type = OpTypeInt 32 1
    %spec = OpSpecConstant %spec_type 4
  )";
  const auto declare = [&](std::string_view name, std::string_view type, std::string_view count) {
    const std::string scalar(name);
    const std::string type_name = scalar == "i" ? "spec_type" : "type_" + scalar;
    if (scalar != "i") text += "%" + type_name + " = " + std::string(type) + "\n";
    text += "%type_" + scalar + "v = OpTypeVector %" + type_name + " " + std::string(count) + "\n";
    text += "%" + scalar + " = OpUndef %" + type_name + "\n";
    text += "%" + scalar + "v = OpUndef %type_" + scalar + "v\n";
  };
  declare("i", "", "2");
  declare("u", "OpTypeInt 32 0", "2");
  declare("f", "OpTypeFloat 32", "2");
  declare("i8", "OpTypeInt 8 1", "3");
  declare("u8", "OpTypeInt 8 0", "3");
  declare("i16", "OpTypeInt 16 1", "3");
  declare("u16", "OpTypeInt 16 0", "3");
  declare("i64", "OpTypeInt 64 1", "3");
  declare("u64", "OpTypeInt 64 0", "3");
  declare("f16", "OpTypeFloat 16", "3");
  declare("f64", "OpTypeFloat 64", "3");
  text += R"(
    %i_0 = OpConstant %spec_type 0
    %i_3 = OpConstant %spec_type 3
    %i_n1 = OpConstant %spec_type -1
    %u_0 = OpConstant %type_u 0
    %u_8 = OpConstant %type_u 8
    %u_24 = OpConstant %type_u 24
    %u_31 = OpConstant %type_u 31
    %u_32 = OpConstant %type_u 32
    %u_n1 = OpConstant %type_u 4294967295
    %iv_3 = OpConstantComposite %type_iv %i_3 %i_3
    %iv_3_0 = OpConstantComposite %type_iv %i_3 %i_0
    %main = OpFunction %void None %function
    %entry = OpLabel
  )";
  text += statements;
  return Assemble(text + "OpReturn\nOpFunctionEnd\n", SPV_ENV_VULKAN_1_3);
}

constexpr UndefinedArithmeticConfig kNothing = {
    .division = false, .shifts = false, .bit_fields = false, .conversions = false};

Instrumented Apply(const std::vector<uint32_t>& words, const UndefinedArithmeticConfig& config,
                   const FrameConfig& frame = {}) {
  const std::unique_ptr<Pass> pass = MakeUndefinedArithmetic(config);
  Pass* const passes[] = {pass.get()};
  absl::StatusOr<Instrumented> result = RunPasses(words, frame, passes);
  EXPECT_TRUE(result.ok()) << result.status();
  if (!result.ok()) return {};
  absl::StatusOr<Module> module = Module::Read(result->words);
  EXPECT_TRUE(module.ok()) << module.status();
  if (module.ok()) {
    EXPECT_EQ(ValidationErrors(*module), "");
  }
  return *std::move(result);
}

uint32_t Count(const Instrumented& result, Outcome outcome) { return result.statistics.passes[0].Count(outcome); }

uint32_t Emitted(std::string_view statements, const UndefinedArithmeticConfig& config = {}) {
  return Count(Apply(Shader(statements), config), Outcome::kEmitted);
}

// How often a text is in the disassembly of the result.
size_t Occurrences(const std::vector<uint32_t>& words, std::string_view what) {
  const std::string text = Disassemble(words);
  size_t count = 0;
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + what.size())) ++count;
  return count;
}

TEST(UndefinedArithmetic, EachKindHasItsSwitch) {
  const std::vector<uint32_t> words = Shader(R"(
    %a = OpSDiv %spec_type %i %i
    %b = OpUMod %type_u %u %u
    %c = OpShiftLeftLogical %type_u %u %u
    %d = OpBitFieldUExtract %type_u %u %u %u
    %e = OpConvertFToS %spec_type %f
    %f1 = OpConvertFToU %type_u %f
    %g = OpBitFieldInsert %type_u %u %u %i %u
    %h = OpFDiv %type_f %f %f
  )");
  const auto emitted = [&](void (*turn_on)(UndefinedArithmeticConfig&)) {
    UndefinedArithmeticConfig config = kNothing;
    turn_on(config);
    return Count(Apply(words, config), Outcome::kEmitted);
  };
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig&) {}), 0u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.division = true; }), 2u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.shifts = true; }), 1u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.bit_fields = true; }), 2u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.conversions = true; }), 2u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.not_a_number = FloatOperations::kDivision; }), 1u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.infinity = FloatOperations::kDivision; }), 1u);
  EXPECT_EQ(emitted([](UndefinedArithmeticConfig& config) { config.infinity = FloatOperations::kRoots; }), 0u);
}

TEST(UndefinedArithmetic, WithoutAnyKindNothingChanges) {
  const std::vector<uint32_t> words = Shader("%a = OpSDiv %spec_type %i %i\n");
  const Instrumented result = Apply(words, kNothing);
  EXPECT_FALSE(result.is_changed);
  EXPECT_EQ(result.words, words);
}

TEST(UndefinedArithmetic, AllIntegersCanBeDivided) {
  for (const std::string name : {"i", "u", "i8", "u8", "i16", "u16", "i64", "u64"}) {
    SCOPED_TRACE(name);
    const std::string type = name == "i" ? "spec_type" : "type_" + name;
    const std::string op = name[0] == 'i' ? "OpSDiv" : "OpUDiv";
    EXPECT_EQ(Emitted("%a = " + op + " %" + type + " %" + name + " %" + name + "\n"), 1u);
    EXPECT_EQ(Emitted("%a = " + op + " %type_" + name + "v %" + name + "v %" + name + "v\n"), 1u);
    EXPECT_EQ(Emitted("%a = OpShiftRightLogical %type_" + name + "v %" + name + "v %" + name + "v\n"), 1u);
  }
}

TEST(UndefinedArithmetic, ConstantsThatAreGoodAreNotChecked) {
  for (const std::string_view statement : {
           "%a = OpSDiv %spec_type %i %i_3\n",
           "%a = OpUMod %type_u %u %u_31\n",
           "%a = OpUDiv %type_u %u %u_n1\n",
           "%a = OpSRem %type_iv %iv %iv_3\n",
           "%a = OpShiftLeftLogical %type_u %u %u_31\n",
           "%a = OpBitFieldUExtract %type_u %u %u_8 %u_24\n",
           "%a = OpBitFieldInsert %type_u %u %u %u_0 %u_32\n",
       }) {
    SCOPED_TRACE(statement);
    const Instrumented result = Apply(Shader(statement), {});
    EXPECT_EQ(Count(result, Outcome::kEmitted), 0u);
    EXPECT_EQ(Count(result, Outcome::kAlwaysGood), 1u);
    EXPECT_FALSE(result.is_changed);
  }
}

TEST(UndefinedArithmetic, ConstantsThatAreBadOrSpecializedAreChecked) {
  for (const std::string_view statement : {
           "%a = OpSDiv %spec_type %i %i_0\n",
           "%a = OpSDiv %spec_type %i %i_n1\n",
           "%a = OpSDiv %spec_type %i %spec\n",
           "%a = OpSRem %type_iv %iv %iv_3_0\n",
           "%a = OpShiftLeftLogical %type_u %u %u_32\n",
           "%a = OpShiftLeftLogical %type_u %u %spec\n",
           "%a = OpBitFieldUExtract %type_u %u %u_31 %u_8\n",
           "%a = OpBitFieldUExtract %type_u %u %spec %u_8\n",
       }) {
    SCOPED_TRACE(statement);
    EXPECT_EQ(Emitted(statement), 1u);
  }
}

TEST(UndefinedArithmetic, SignedDivisionHasTwoReasons) {
  const auto count = [](std::string_view statement) {
    return Occurrences(Apply(Shader(statement), {}).words, "OpLogicalOr");
  };
  // Once in the condition, and once in the report.
  EXPECT_EQ(count("%a = OpSDiv %spec_type %i %i\n"), count("%a = OpUDiv %type_u %u %u\n") + 2);
}

TEST(UndefinedArithmetic, WhatIsBadIsNotExecuted) {
  const std::vector<uint32_t> words = Shader("%a = OpUDiv %type_u %u %u\n");
  const size_t others = Occurrences(Apply(words, {}, {.is_report_only = true}).words, "OpPhi");
  // The result of the division or zero.
  EXPECT_EQ(Occurrences(Apply(words, {}).words, "OpPhi"), others + 1);
}

TEST(UndefinedArithmetic, ASecondDivisionOfTheSameIsDecidedByTheFirst) {
  const Instrumented result = Apply(Shader("%a = OpUDiv %type_u %u %u\n%b = OpUDiv %type_u %u %u\n"), {});
  EXPECT_EQ(Count(result, Outcome::kEmitted), 1u);
  EXPECT_EQ(Count(result, Outcome::kDominated), 1u);
}

TEST(UndefinedArithmetic, ShiftsOfOtherWidthsAreOtherChecks) {
  // The shift is the same, and the base decides how large it may be.
  const Instrumented result =
      Apply(Shader("%a = OpShiftLeftLogical %type_u %u %u\n%b = OpShiftLeftLogical %type_u64 %u64 %u\n"), {});
  EXPECT_EQ(Count(result, Outcome::kEmitted), 2u);
}

TEST(UndefinedArithmetic, ConversionsHaveLimitsThatTheFloatHas) {
  const auto constants = [](std::string_view statement, std::string_view constant) {
    return Occurrences(Apply(Shader(statement), {}).words, constant);
  };
  // -2^31 - 1 is a double and no float.
  EXPECT_EQ(constants("%a = OpConvertFToS %spec_type %f\n", "-2.14748365e+09"), 1u);
  EXPECT_EQ(constants("%a = OpConvertFToS %spec_type %f64\n", "-2147483649"), 1u);
  EXPECT_EQ(constants("%a = OpConvertFToS %type_i8 %f\n", " -129"), 1u);
  EXPECT_EQ(constants("%a = OpConvertFToU %type_u8 %f\n", " 256"), 1u);
  // Halves are compared as floats, since none is as large as the limit.
  EXPECT_EQ(constants("%a = OpConvertFToS %spec_type %f16\n", "-2.14748365e+09"), 1u);
}

TEST(UndefinedArithmetic, AllFloatsCanBeConverted) {
  for (const std::string from : {"f", "f16", "f64"}) {
    for (const std::string to : {"i8", "u8", "i16", "u16", "i64", "u64", "u"}) {
      SCOPED_TRACE(from + " " + to);
      const std::string op = to[0] == 'i' ? "OpConvertFToS" : "OpConvertFToU";
      EXPECT_EQ(Emitted("%a = " + op + " %type_" + to + " %" + from + "\n"), 1u);
    }
    if (from == "f") continue;
    EXPECT_EQ(Emitted("%a = OpConvertFToS %type_i8v %" + from + "v\n"), 1u);
  }
}

TEST(UndefinedArithmetic, ResultsOfFloatsAreReportedOnly) {
  UndefinedArithmeticConfig config = kNothing;
  config.not_a_number = FloatOperations::kAll;
  const std::vector<uint32_t> words = Shader("%a = OpFDiv %type_fv %fv %fv\n");
  const Instrumented result = Apply(words, config);
  EXPECT_EQ(Count(result, Outcome::kEmitted), 1u);
  // The division, once more in the condition, and twice in the report: the test, and the value.
  EXPECT_EQ(Occurrences(result.words, "OpFDiv"), 4u);
  EXPECT_EQ(Occurrences(result.words, "OpPhi"),
            Occurrences(Apply(words, config, {.is_report_only = true}).words, "OpPhi"));
}

TEST(UndefinedArithmetic, ResultsOfOtherWidthsAreOtherChecks) {
  UndefinedArithmeticConfig config = kNothing;
  config.infinity = FloatOperations::kConversions;
  // What is finite as a float may be infinite as a half.
  const Instrumented result = Apply(Shader("%a = OpFConvert %type_f %f64\n%b = OpFConvert %type_f16 %f64\n"), config);
  EXPECT_EQ(Count(result, Outcome::kEmitted), 2u);
}

TEST(UndefinedArithmetic, TheOperationIsRepeatedWithItsDecorations) {
  UndefinedArithmeticConfig config = kNothing;
  config.infinity = FloatOperations::kSums;
  const Instrumented result = Apply(Shader("%a = OpFMul %type_f %f %f\n", "OpDecorate %a NoContraction\n"), config);
  EXPECT_EQ(Occurrences(result.words, "OpFMul"), 4u);
  EXPECT_EQ(Occurrences(result.words, "NoContraction"), 4u);
}

TEST(UndefinedArithmetic, GroupsOfFloatsAreChosenOneByOne) {
  const std::vector<uint32_t> words = Shader(R"(
    %a1 = OpFDiv %type_f %f %f
    %a2 = OpFMod %type_f64v %f64v %f64v
    %b1 = OpFAdd %type_f %f %f
    %b2 = OpDot %type_f %fv %fv
    %b3 = OpVectorTimesScalar %type_fv %fv %f
    %b4 = OpExtInst %type_f64 %glsl Fma %f64 %f64 %f64
    %c1 = OpExtInst %type_f %glsl Sqrt %f
    %d1 = OpExtInst %type_f16 %glsl Log %f16
    %d2 = OpExtInst %type_fv %glsl Log2 %fv
    %e1 = OpExtInst %type_f %glsl Pow %f %f
    %f1 = OpExtInst %type_f %glsl Atan2 %f %f
    %g1 = OpExtInst %type_f %glsl Length %fv
    %g2 = OpExtInst %type_f16v %glsl Normalize %f16v
    %h1 = OpFConvert %type_f16 %f
    %h2 = OpConvertSToF %type_f16v %i64v
    %x1 = OpExtInst %type_f %glsl FAbs %f
    %x2 = OpFNegate %type_f %f
  )");
  const auto emitted = [&](FloatOperations not_a_number, FloatOperations infinity) {
    UndefinedArithmeticConfig config = kNothing;
    config.not_a_number = not_a_number;
    config.infinity = infinity;
    return Count(Apply(words, config), Outcome::kEmitted);
  };
  constexpr FloatOperations kNone = FloatOperations::kNone;
  EXPECT_EQ(emitted(FloatOperations::kDivision, kNone), 2u);
  EXPECT_EQ(emitted(kNone, FloatOperations::kSums), 4u);
  EXPECT_EQ(emitted(FloatOperations::kRoots, FloatOperations::kRoots), 1u);
  EXPECT_EQ(emitted(FloatOperations::kLogarithms, FloatOperations::kPowers), 3u);
  EXPECT_EQ(emitted(FloatOperations::kTrigonometry, kNone), 1u);
  EXPECT_EQ(emitted(FloatOperations::kGeometry, kNone), 2u);
  EXPECT_EQ(emitted(kNone, FloatOperations::kConversions), 2u);
  EXPECT_EQ(emitted(FloatOperations::kAll, FloatOperations::kAll), 15u);
}

}  // namespace
}  // namespace assay::spirv_instrument
