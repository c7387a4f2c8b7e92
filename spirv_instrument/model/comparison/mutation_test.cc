// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/comparison/mutation.h"

#include <cstddef>
#include <cstdint>
#include <iostream>
#include <string>

#include "gtest/gtest.h"
#include "spirv_instrument/model/comparison/compare.h"
#include "spirv_instrument/model/comparison/executor.h"
#include "spirv_instrument/model/comparison/print_program.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/random_recipe.h"
#include "spirv_instrument/model/random/shrink_recipe.h"

namespace assay::spirv_instrument::model {
namespace {

InstrumentConfig ConfigNamed(const std::string& name) {
  for (NamedConfig& config : ConfigsToCompare()) {
    if (config.name == name) return config.config;
  }
  ADD_FAILURE() << "There is no configuration " << name;
  return {};
}

std::string FindMutation(Mutation mutation, const Recipe& recipe, const InstrumentConfig& config) {
  InterpretingExecutor executor;
  return FindDisagreement(recipe, config, executor,
                          [mutation](absl::Span<const uint32_t> words, const InstrumentConfig& used) {
                            return InstrumentWrongly(mutation, words, used);
                          });
}

// Searches for the mutation with random programs, and shrinks the first program that shows it.
void ExpectFound(Mutation mutation, const std::string& config_name, size_t max_statements) {
  const InstrumentConfig config = ConfigNamed(config_name);
  for (uint64_t seed = 0; seed < 4000; ++seed) {
    const Recipe recipe = RandomRecipe(seed, OptionsFor(config.passes));
    if (FindMutation(mutation, recipe, config).empty()) continue;
    const Recipe small = ShrinkRecipe(
        recipe, [&](const Recipe& candidate) { return !FindMutation(mutation, candidate, config).empty(); });
    const absl::StatusOr<corpus::Program> program = MakeProgram(small);
    ASSERT_TRUE(program.ok()) << program.status();
    std::cout << "Found by seed " << seed << " with " << CountStatements(recipe) << " statements; "
              << FindMutation(mutation, small, config) << "\n"
              << ToCode(*program);
    EXPECT_LE(CountStatements(small), max_statements);
    EXPECT_NE(FindMutation(mutation, small, config), "");
    EXPECT_EQ(FindMutation(Mutation::kNone, small, config), "");
    return;
  }
  FAIL() << "No program shows the mutation.";
}

// One access that goes past the end by a few bytes.
TEST(MutationTest, BufferEndsEarly) { ExpectFound(Mutation::kBufferEndsEarly, "no step", 1); }

// One access that ends where the buffer does.
TEST(MutationTest, BufferEndsLate) { ExpectFound(Mutation::kBufferEndsLate, "no step", 1); }

TEST(MutationTest, AddressEndsEarly) { ExpectFound(Mutation::kAddressEndsEarly, "no step", 1); }

TEST(MutationTest, StoresAreGood) { ExpectFound(Mutation::kStoresAreGood, "no step", 1); }

// There may be another one, of which its operand or its place depends.
TEST(MutationTest, AtomicsAreGood) { ExpectFound(Mutation::kAtomicsAreGood, "no step", 2); }

// An access with a dynamic index, and perhaps where the index comes from.
TEST(MutationTest, LastIndexIsForgotten) { ExpectFound(Mutation::kLastIndexIsForgotten, "no step", 3); }

TEST(MutationTest, DescriptorIsTheFirst) { ExpectFound(Mutation::kDescriptorIsTheFirst, "no step", 3); }

TEST(MutationTest, AlignmentIsForgotten) { ExpectFound(Mutation::kAlignmentIsForgotten, "no step", 1); }

TEST(MutationTest, ReportNamesAnother) { ExpectFound(Mutation::kReportNamesAnother, "no step", 1); }

// Two accesses with one base, of which the second is bad and the first is not.
TEST(MutationTest, SpansAreForgotten) { ExpectFound(Mutation::kSpansAreForgotten, "dominated", 3); }

TEST(MutationTest, HostAsksForLess) { ExpectFound(Mutation::kHostAsksForLess, "host, all", 1); }

TEST(MutationTest, HostAsksForTheFirst) { ExpectFound(Mutation::kHostAsksForTheFirst, "host, all", 1); }

TEST(MutationTest, BadIsExecuted) { ExpectFound(Mutation::kBadIsExecuted, "all steps", 1); }

}  // namespace
}  // namespace assay::spirv_instrument::model
