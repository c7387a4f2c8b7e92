// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/compare.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spirv_instrument/model/comparison/executor.h"
#include "spirv_instrument/model/comparison/print_program.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/random_recipe.h"
#include "spirv_instrument/model/random/shrink_recipe.h"

namespace assay::spirv_instrument::model {
namespace {

void ExpectAgreement(uint64_t seed, const NamedConfig& config) {
  InterpretingExecutor executor;
  const Recipe recipe = RandomRecipe(seed, OptionsFor(config.config.passes));
  const std::string disagreement = FindDisagreement(recipe, config.config, executor);
  if (disagreement.empty()) return;
  const Recipe small = ShrinkRecipe(
      recipe, [&](const Recipe& candidate) { return !FindDisagreement(candidate, config.config, executor).empty(); });
  const absl::StatusOr<corpus::Program> program = MakeProgram(small);
  FAIL() << "Seed " << seed << " with " << config.name << ": " << disagreement << "\nShrunk, "
         << FindDisagreement(small, config.config, executor) << "\n"
         << (program.ok() ? ToCode(*program) : "");
}

class CompareTest : public testing::TestWithParam<uint64_t> {};

TEST_P(CompareTest, InstrumentedProgramsAgreeWithTheModel) {
  constexpr uint64_t kPrograms = 400;
  const std::vector<NamedConfig> configs = ConfigsToCompare();
  for (uint64_t seed = GetParam() * kPrograms; seed < (GetParam() + 1) * kPrograms; ++seed) {
    for (const NamedConfig& config : configs) ASSERT_NO_FATAL_FAILURE(ExpectAgreement(seed, config));
  }
}

INSTANTIATE_TEST_SUITE_P(Part, CompareTest, testing::Range(uint64_t{0}, uint64_t{8}));

// Programs test little unless there are good ones, and each kind of fault is frequent.
TEST(CompareTest, ProgramsHaveEveryOutcome) {
  const InstrumentConfig config = ConfigsToCompare()[0].config;
  const FaultKinds kinds = KindsOf(config.passes);
  std::map<corpus::FaultKind, int> counts;
  int good = 0;
  int with_earlier_faults = 0;
  for (uint64_t seed = 0; seed < 2000; ++seed) {
    const absl::StatusOr<corpus::Program> program = MakeProgram(RandomRecipe(seed, OptionsFor(config.passes)));
    ASSERT_TRUE(program.ok()) << program.status();
    const absl::StatusOr<Interpretation> result =
        Interpret(program->stages[0].words, program->inputs[0].setup, {.checked = kinds});
    ASSERT_TRUE(result.ok()) << seed << ": " << result.status();
    if (result->faults.empty()) ++good;
    if (!result->earlier.empty()) ++with_earlier_faults;
    for (const Fault& fault : result->faults) ++counts[fault.kind];
  }
  EXPECT_GT(good, 500);
  EXPECT_GT(with_earlier_faults, 50);
  for (const corpus::FaultKind kind : {corpus::FaultKind::kDescriptorIndex, corpus::FaultKind::kDescriptorUnwritten,
                                       corpus::FaultKind::kDescriptorDestroyed, corpus::FaultKind::kBufferBounds,
                                       corpus::FaultKind::kAddressRange, corpus::FaultKind::kAddressAlignment}) {
    EXPECT_GT(counts[kind], 20) << static_cast<int>(kind);
  }
}

// A program that is instrumented to no purpose: the interpreter finds that the bad access is executed, if there is one.
TEST(CompareTest, ShaderThatIsNotInstrumentedDisagrees) {
  const InstrumentConfig config = ConfigsToCompare()[0].config;
  InterpretingExecutor executor;
  int disagreements = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const Recipe recipe = RandomRecipe(seed, OptionsFor(config.passes));
    const std::string found =
        FindDisagreement(recipe, config, executor, [](absl::Span<const uint32_t> words, const InstrumentConfig&) {
          return absl::StatusOr<Instrumented>(Instrumented{.words = {words.begin(), words.end()}});
        });
    const absl::StatusOr<corpus::Program> program = MakeProgram(recipe);
    ASSERT_TRUE(program.ok());
    const absl::StatusOr<Interpretation> model =
        Interpret(program->stages[0].words, program->inputs[0].setup, {.checked = KindsOf(config.passes)});
    ASSERT_TRUE(model.ok());
    EXPECT_EQ(found.empty(), model->faults.empty()) << seed << ": " << found;
    if (!found.empty()) ++disagreements;
  }
  EXPECT_GT(disagreements, 10);
}

// What runs programs, but gives the first byte of what they write another value.
class FaultyExecutor : public InterpretingExecutor {
 public:
  absl::StatusOr<Execution> Execute(const corpus::Program& program, const Instrumented& shader,
                                    const RuntimeConfig& runtime) override {
    absl::StatusOr<Execution> execution = InterpretingExecutor::Execute(program, shader, runtime);
    if (execution.ok() && !execution->buffers.empty()) execution->buffers.back().bytes[0] ^= 1;
    return execution;
  }
};

TEST(CompareTest, ExecutorIsToBlameWhereTheOriginalDisagrees) {
  const PassConfigs passes = ConfigsToCompare()[0].config.passes;
  InterpretingExecutor interpreter;
  FaultyExecutor faulty;
  int blamed = 0;
  for (uint64_t seed = 0; seed < 100; ++seed) {
    const absl::StatusOr<corpus::Program> program = MakeProgram(RandomRecipe(seed, OptionsFor(passes)));
    ASSERT_TRUE(program.ok());
    const absl::StatusOr<Interpretation> model =
        Interpret(program->stages[0].words, program->inputs[0].setup, {.checked = KindsOf(passes)});
    ASSERT_TRUE(model.ok());
    EXPECT_EQ(FindDisagreementOfOriginal(*program, interpreter), "");
    const bool is_blamed = !FindDisagreementOfOriginal(*program, faulty).empty();
    EXPECT_EQ(is_blamed, model->faults.empty()) << seed;
    if (is_blamed) ++blamed;
  }
  EXPECT_GT(blamed, 10);
}

}  // namespace
}  // namespace assay::spirv_instrument::model
