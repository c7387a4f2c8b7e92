// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/printf/prints.h"

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "testing/shaders.h"

namespace assay::spirv_instrument {
namespace {

// A compute shader with these strings and statements. Values that statements may print are constants.
Module Shader(std::string_view strings, std::string_view statements) {
  const std::string text = std::string(R"(
               OpCapability Shader
               OpCapability Int8
               OpCapability Int16
               OpCapability Int64
               OpCapability Float16
               OpCapability Float64
               OpCapability PhysicalStorageBufferAddresses
               OpExtension "SPV_KHR_non_semantic_info"
        %print = OpExtInstImport "NonSemantic.DebugPrintf"
               OpMemoryModel PhysicalStorageBuffer64 GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
)") + std::string(strings) +
                           R"(
         %void = OpTypeVoid
     %function = OpTypeFunction %void
         %bool = OpTypeBool
         %char = OpTypeInt 8 1
       %ushort = OpTypeInt 16 0
          %int = OpTypeInt 32 1
         %uint = OpTypeInt 32 0
        %ulong = OpTypeInt 64 0
         %half = OpTypeFloat 16
        %float = OpTypeFloat 32
       %double = OpTypeFloat 64
         %vec3 = OpTypeVector %float 3
        %bvec2 = OpTypeVector %bool 2
         %mat3 = OpTypeMatrix %vec3 3
      %pointer = OpTypePointer PhysicalStorageBuffer %uint
         %true = OpConstantTrue %bool
           %c1 = OpConstant %char 1
          %us1 = OpConstant %ushort 1
           %i1 = OpConstant %int 1
           %u1 = OpConstant %uint 1
          %ul1 = OpConstant %ulong 1
           %h1 = OpConstant %half 1
           %f1 = OpConstant %float 1
           %d1 = OpConstant %double 1
           %v1 = OpConstantComposite %vec3 %f1 %f1 %f1
           %b2 = OpConstantComposite %bvec2 %true %true
           %m1 = OpConstantComposite %mat3 %v1 %v1 %v1
         %main = OpFunction %void None %function
        %entry = OpLabel
           %p1 = OpConvertUToPtr %pointer %ul1
)" + std::string(statements) +
                           R"(
               OpReturn
               OpFunctionEnd
)";
  absl::StatusOr<Module> module = Module::Read(test::AssembleSpirv(text));
  EXPECT_TRUE(module.ok());
  return *std::move(module);
}

// The positions of the prints.
std::vector<uint32_t> Positions(const Module& module) {
  std::vector<uint32_t> positions;
  for (const Instruction instruction : module.instructions()) {
    if (IsPrint(instruction, FindExtendedSet(module, kDebugPrintfSet))) positions.push_back(instruction.index());
  }
  return positions;
}

std::vector<std::string> Problems(const Module& module) {
  std::vector<std::string> problems;
  const Prints prints(module);
  for (const PrintProblem& problem : prints.problems()) problems.push_back(problem.ToString());
  return problems;
}

TEST(Prints, AModuleWithoutThemHasNone) {
  const Module module = Shader("", "");
  const Prints prints(module);
  EXPECT_TRUE(prints.empty());
  EXPECT_EQ(prints.Text(1, {}), "");
}

TEST(Prints, TypesSayWhatTheWordsAre) {
  const Module module = Shader(R"(
       %format = OpString "%d %d %u %lu %f %v3f %v2d %p %s %f %f"
         %name = OpString "name"
)",
                               R"(
          %end = OpExtInst %void %print 1 %format %true %c1 %us1 %ul1 %f1 %v1 %b2 %p1 %name %h1 %d1
)");
  const Prints prints(module);
  EXPECT_TRUE(prints.problems().empty());
  const std::vector<uint32_t> positions = Positions(module);
  ASSERT_EQ(positions.size(), 1u);
  const auto word = [](float value) { return std::bit_cast<uint32_t>(value); };
  const uint64_t quarter = std::bit_cast<uint64_t>(0.25);
  EXPECT_EQ(prints.Text(positions[0],
                        {1, 0xffffffff, 65535, 1, 1, word(0.5f), word(1.0f), word(2.0f), word(3.0f), 0, 1, 0xabc, 0,
                         word(1.5f), static_cast<uint32_t>(quarter), static_cast<uint32_t>(quarter >> 32)}),
            "1 -1 65535 4294967297 0.500000 1.000000, 2.000000, 3.000000 0, 1 0xabc name 1.500000 0.250000");
}

TEST(Prints, EachInstructionHasItsOwnFormat) {
  const Module module = Shader(R"(
        %first = OpString "first %d"
       %second = OpString "second"
)",
                               R"(
            %a = OpExtInst %void %print 1 %first %i1
            %b = OpExtInst %void %print 1 %second
)");
  const Prints prints(module);
  const std::vector<uint32_t> positions = Positions(module);
  ASSERT_EQ(positions.size(), 2u);
  EXPECT_EQ(prints.Text(positions[0], {0xffffffff}), "first -1");
  EXPECT_EQ(prints.Text(positions[1], {}), "second");
  EXPECT_FALSE(prints.IsWrong(positions[1]));
  EXPECT_EQ(prints.Text(positions[1] + 1, {}), "");
}

TEST(PrintProblems, NameFileLineAndColumnOfTheConversion) {
  const Module module = Shader(R"(
         %file = OpString "shader.comp"
       %format = OpString "i = %d
"
               OpSource GLSL 460 %file "#version 460
void main() {
  debugPrintfEXT(\"i = %d\\n\", f);
}
"
)",
                               R"(
               OpLine %file 3 2
            %a = OpExtInst %void %print 1 %format %f1
)");
  const Prints prints(module);
  ASSERT_EQ(prints.problems().size(), 1u);
  const PrintProblem& problem = prints.problems()[0];
  EXPECT_EQ(problem.instruction, Positions(module)[0]);
  EXPECT_EQ(problem.location.file, "shader.comp");
  EXPECT_EQ(problem.location.line, 3u);
  EXPECT_EQ(problem.error.offset, 4u);
  // Two blanks, debugPrintfEXT(" and four characters of the format come before.
  EXPECT_EQ(problem.location.column, 23u);
}

TEST(PrintProblems, WithoutSourceTheColumnIsThatOfTheStatement) {
  const Module module = Shader(R"(
         %file = OpString "shader.comp"
       %format = OpString "%d"
)",
                               R"(
               OpLine %file 7 5
            %a = OpExtInst %void %print 1 %format %f1
)");
  EXPECT_EQ(Problems(module),
            std::vector<std::string>{"shader.comp:7:5: debugPrintf(\"%d\"): \"%d\" prints an integer, and the argument "
                                     "is a float of 32 bits."});
}

TEST(PrintProblems, WithoutLineTheInstructionIsNamed) {
  const Module module = Shader("%format = OpString \"%f\"", "%a = OpExtInst %void %print 1 %format %m1");
  EXPECT_EQ(Problems(module),
            std::vector<std::string>{"instruction " + std::to_string(Positions(module)[0]) +
                                     ": debugPrintf(\"%f\"): \"%f\" prints scalars and vectors, and the argument is "
                                     "neither a scalar nor a vector."});
}

TEST(PrintProblems, ComeInTheOrderOfTheModule) {
  const Module module = Shader(R"(
        %first = OpString "%d %d"
       %second = OpString "%y"
)",
                               R"(
            %a = OpExtInst %void %print 1 %first %f1
            %b = OpExtInst %void %print 1 %second %i1
)");
  const Prints prints(module);
  ASSERT_EQ(prints.problems().size(), 3u);
  EXPECT_EQ(prints.problems()[0].error.offset, 0u);
  EXPECT_EQ(prints.problems()[1].error.offset, 3u);
  EXPECT_EQ(prints.problems()[2].instruction, Positions(module)[1]);
  EXPECT_TRUE(prints.IsWrong(Positions(module)[0]));
  EXPECT_FALSE(prints.IsWrong(Positions(module)[0] - 1));
}

TEST(ColumnInLine, CountsEscapeSequencesAsTheyAreWritten) {
  EXPECT_EQ(ColumnInLine("f(\"ab\")", "ab", 0), 4u);
  EXPECT_EQ(ColumnInLine("f(\"ab\")", "ab", 1), 5u);
  EXPECT_EQ(ColumnInLine("f(\"ab\")", "ab", 2), 6u);
  EXPECT_EQ(ColumnInLine("f(\"\\t\\\\%d\")", "\t\\%d", 2), 8u);
  // The second literal is the one.
  EXPECT_EQ(ColumnInLine("f(\"a\"); f(\"%d\")", "%d", 0), 12u);
}

TEST(ColumnInLine, IsZeroForALineWithoutTheFormat) {
  EXPECT_EQ(ColumnInLine("", "ab", 0), 0u);
  EXPECT_EQ(ColumnInLine("f(\"a\"", "ab", 0), 0u);
  EXPECT_EQ(ColumnInLine("f(\"abc\")", "ab", 0), 0u);
  EXPECT_EQ(ColumnInLine("f(ab)", "ab", 0), 0u);
}

}  // namespace
}  // namespace assay::spirv_instrument
