// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/coverage/coverage.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/ir/module.h"
#include "testing/shaders.h"

namespace assay::spirv_instrument {
namespace {

// main calls helper in one of two ways out of a selection; nobody calls idle.
Module Shader() {
  absl::StatusOr<Module> module = Module::Read(test::AssembleSpirv(R"(
               OpCapability Shader
               OpMemoryModel Logical GLSL450
               OpEntryPoint GLCompute %main "main"
               OpExecutionMode %main LocalSize 1 1 1
         %file = OpString "shader.comp"
        %other = OpString "other.h"
               OpSource GLSL 460 %file "#version 460
void main() {
  if (c) helper();
  done();
}"
               OpName %main "main"
               OpName %helper "helper(vi2;"
               OpName %idle "idle("
         %void = OpTypeVoid
     %function = OpTypeFunction %void
         %bool = OpTypeBool
            %c = OpSpecConstantTrue %bool
         %idle = OpFunction %void None %function
       %unused = OpLabel
               OpReturn
               OpFunctionEnd
         %main = OpFunction %void None %function
        %entry = OpLabel
               OpLine %file 3 3
               OpSelectionMerge %end None
               OpBranchConditional %c %call %end
         %call = OpLabel
               OpLine %file 3 10
       %result = OpFunctionCall %void %helper
               OpBranch %end
          %end = OpLabel
               OpLine %file 4 3
               OpReturn
               OpFunctionEnd
       %helper = OpFunction %void None %function
         %body = OpLabel
               OpLine %other 7 1
               OpReturn
               OpFunctionEnd
)"));
  EXPECT_TRUE(module.ok());
  return *std::move(module);
}

std::vector<std::string> NamesAndLines(const std::vector<CoverageBlock>& blocks) {
  std::vector<std::string> texts;
  for (const CoverageBlock& block : blocks) {
    std::string text = block.function_name;
    for (const SourceLine& line : block.lines) text += " " + line.file + ":" + std::to_string(line.line);
    texts.push_back(text);
  }
  return texts;
}

TEST(CoverageBlocks, AreThoseThatAnEntryPointReaches) {
  EXPECT_EQ(
      NamesAndLines(CoverageBlocks(Shader())),
      (std::vector<std::string>{"main shader.comp:3", "main shader.comp:3", "main shader.comp:4", "helper other.h:7"}));
}

TEST(CoverageBlocks, NameTheirLabels) {
  const Module module = Shader();
  const std::vector<CoverageBlock> blocks = CoverageBlocks(module);
  const std::vector<Function> functions = CountedFunctions(module);
  ASSERT_EQ(functions.size(), 2u);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].label, functions[0].entry().id());
  EXPECT_EQ(blocks[2].label, functions[0].last().id());
  EXPECT_EQ(blocks[3].label, functions[1].entry().id());
  EXPECT_EQ(blocks[3].function, functions[1].id());
}

TEST(ReadCounts, HaveTwoWordsEach) {
  EXPECT_EQ(ReadCounts({7, 0, 5, 1, 9, 9}, 2), (std::vector<uint64_t>{7, 0x100000005}));
  EXPECT_EQ(ReadCounts({7, 0, 5}, 3), (std::vector<uint64_t>{7, 0, 0}));
}

TEST(Coverage, ALineCountsItsLargestBlock) {
  const Coverage coverage = MakeCoverage(CoverageBlocks(Shader()), {64, 12, 64, 12});
  ASSERT_EQ(coverage.lines.size(), 3u);
  EXPECT_EQ(coverage.lines[0].line, (SourceLine{.file = "other.h", .line = 7}));
  EXPECT_EQ(coverage.lines[0].count, 12u);
  EXPECT_EQ(coverage.lines[1].line, (SourceLine{.file = "shader.comp", .line = 3}));
  EXPECT_EQ(coverage.lines[1].count, 64u);
  EXPECT_EQ(coverage.lines[1].blocks, 2u);
  EXPECT_EQ(coverage.lines[1].executed_blocks, 2u);
  EXPECT_EQ(coverage.lines[2].count, 64u);
}

TEST(Coverage, FunctionsCountTheirEntryBlocks) {
  const Coverage coverage = MakeCoverage(CoverageBlocks(Shader()), {64, 0, 64, 0});
  ASSERT_EQ(coverage.functions.size(), 2u);
  EXPECT_EQ(coverage.functions[0].name, "main");
  EXPECT_EQ(coverage.functions[0].calls, 64u);
  EXPECT_EQ(coverage.functions[0].blocks, 3u);
  EXPECT_EQ(coverage.functions[0].executed_blocks, 2u);
  EXPECT_EQ(coverage.functions[1].calls, 0u);
  EXPECT_EQ(coverage.functions[1].executed_blocks, 0u);
  EXPECT_EQ(coverage.blocks, 4u);
  EXPECT_EQ(coverage.executed_blocks, 2u);
}

TEST(Coverage, BlocksWithoutCountWereNotExecuted) {
  EXPECT_EQ(MakeCoverage(CoverageBlocks(Shader()), {1}).executed_blocks, 1u);
}

TEST(CoverageReport, ListsFunctionsAndLines) {
  const Module module = Shader();
  EXPECT_EQ(CoverageReport(module, MakeCoverage(CoverageBlocks(module), {64, 0, 64, 0})),
            "2 of 4 blocks were executed.\n"
            "\n"
            "       calls      blocks  function\n"
            "          64         2/3  main\n"
            "           0         0/1  helper\n"
            "\n"
            "other.h\n"
            "       #####     7:\n"
            "\n"
            "shader.comp\n"
            "         64*     3:   if (c) helper();\n"
            "          64     4:   done();\n");
}

}  // namespace
}  // namespace assay::spirv_instrument
