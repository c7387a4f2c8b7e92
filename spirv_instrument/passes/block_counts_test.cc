// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/passes/block_counts.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "gtest/gtest.h"
#include "spirv_instrument/coverage/coverage.h"
#include "spirv_instrument/ir/assembly_test.h"
#include "spirv_instrument/ir/decorations.h"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/ir/preamble.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/passes/frame/run_passes.h"

namespace assay::spirv_instrument {
namespace {

// A selection and a loop with an OpPhi, a function that is called, and one that is not, which comes first.
std::vector<uint32_t> Shader(std::string_view model = "GLCompute", std::string_view mode = "LocalSize 1 1 1",
                             std::string_view capabilities = "", spv_target_env environment = SPV_ENV_UNIVERSAL_1_6) {
  return Assemble("OpCapability Shader\n" + std::string(capabilities) + R"(
    OpMemoryModel Logical GLSL450
    OpEntryPoint )" + std::string(model) +
                      " %main \"main\"\nOpExecutionMode %main " + std::string(mode) + R"(
    %void = OpTypeVoid
    %function = OpTypeFunction %void
    %bool = OpTypeBool
    %true = OpConstantTrue %bool
    %uint = OpTypeInt 32 0
    %one = OpConstant %uint 1
    %idle = OpFunction %void None %function
    %unused = OpLabel
    OpReturn
    OpFunctionEnd
    %helper = OpFunction %void None %function
    %body = OpLabel
    OpReturn
    OpFunctionEnd
    %main = OpFunction %void None %function
    %entry = OpLabel
    OpSelectionMerge %end None
    OpBranchConditional %true %then %end
    %then = OpLabel
    %call = OpFunctionCall %void %helper
    OpBranch %end
    %end = OpLabel
    OpBranch %header
    %header = OpLabel
    %i = OpPhi %uint %one %end %next %continue
    OpLoopMerge %exit %continue None
    OpBranch %continue
    %continue = OpLabel
    %next = OpIAdd %uint %i %one
    OpBranchConditional %true %header %exit
    %exit = OpLabel
    OpReturn
    OpFunctionEnd
  )",
                  environment);
}

Module Apply(const std::vector<uint32_t>& words, const BlockCountsConfig& config = {},
             spv_target_env environment = SPV_ENV_VULKAN_1_3) {
  const std::unique_ptr<Pass> pass = MakeBlockCounts(config);
  Pass* const passes[] = {pass.get()};
  absl::StatusOr<Instrumented> result = RunPasses(words, {}, passes);
  EXPECT_TRUE(result.ok()) << result.status();
  absl::StatusOr<Module> module = Module::Read(result.ok() ? result->words : words);
  EXPECT_TRUE(module.ok()) << module.status();
  EXPECT_EQ(ValidationErrors(*module, environment), "");
  return *std::move(module);
}

struct Count {
  uint32_t counter;
  Id label;
};

// The calls that count: the counter, and the block that the call is in.
std::vector<Count> Counts(const Module& module) {
  const Decorations names(module);
  std::vector<Count> counts;
  for (const Instruction instruction : module.instructions()) {
    if (instruction.op() != spv::Op::OpFunctionCall) continue;
    const std::string_view callee = names.NameOf(instruction.id(0));
    if (callee.substr(0, callee.find('(')) != "CountBlock") continue;
    counts.push_back({module.Find(instruction.id(1)).literal(0), instruction.block().id()});
  }
  return counts;
}

bool UsesBallots(const Module& module) {
  for (const Instruction instruction : module.instructions()) {
    if (instruction.op() == spv::Op::OpGroupNonUniformBallot) return true;
  }
  return false;
}

TEST(BlockCounts, CountersAreThoseOfCoverage) {
  const std::vector<uint32_t> words = Shader();
  const absl::StatusOr<Module> original = Module::Read(words);
  ASSERT_TRUE(original.ok());
  const std::vector<CoverageBlock> blocks = CoverageBlocks(*original);
  // One of the helper, and six of main.
  ASSERT_EQ(blocks.size(), 7u);
  const std::vector<Count> counts = Counts(Apply(words));
  ASSERT_EQ(counts.size(), blocks.size());
  for (size_t i = 0; i < counts.size(); ++i) {
    EXPECT_EQ(counts[i].counter, i);
    EXPECT_EQ(counts[i].label, blocks[i].label);
  }
}

TEST(BlockCounts, CountersMayBeginElsewhere) {
  const std::vector<Count> counts = Counts(Apply(Shader(), {.first_counter = 100}));
  ASSERT_EQ(counts.size(), 7u);
  EXPECT_EQ(counts[0].counter, 100u);
  EXPECT_EQ(counts[6].counter, 106u);
}

TEST(BlockCounts, SubgroupsCountAsOneWhereTheModuleSaysSo) {
  const std::string_view declared = "OpCapability GroupNonUniformBallot\n";
  EXPECT_FALSE(UsesBallots(Apply(Shader())));
  EXPECT_TRUE(UsesBallots(Apply(Shader("GLCompute", "LocalSize 1 1 1", declared))));
  EXPECT_FALSE(
      UsesBallots(Apply(Shader("GLCompute", "LocalSize 1 1 1", declared), {.subgroups = SubgroupUse::kNever})));
}

TEST(BlockCounts, SubgroupsCanBeAskedForFromVersion13On) {
  const BlockCountsConfig config = {.subgroups = SubgroupUse::kAlways};
  const Module module = Apply(Shader(), config);
  EXPECT_TRUE(UsesBallots(module));
  EXPECT_TRUE(HasCapability(module, spv::Capability::GroupNonUniformBallot));
  const std::vector<uint32_t> old = Shader("GLCompute", "LocalSize 1 1 1", "", SPV_ENV_UNIVERSAL_1_0);
  EXPECT_FALSE(UsesBallots(Apply(old, config, SPV_ENV_VULKAN_1_0)));
}

TEST(BlockCounts, FragmentShadersCountForEachInvocation) {
  const Module module = Apply(Shader("Fragment", "OriginUpperLeft"), {.subgroups = SubgroupUse::kAlways});
  EXPECT_FALSE(UsesBallots(module));
  EXPECT_EQ(Counts(module).size(), 7u);
}

}  // namespace
}  // namespace assay::spirv_instrument
