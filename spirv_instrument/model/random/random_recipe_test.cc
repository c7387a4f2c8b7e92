// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/model/random/random_recipe.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "spirv-tools/libspirv.hpp"
#include "spirv_instrument/ir/module.h"
#include "spirv_instrument/model/interpreter/interpreter.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/recipe_layout.h"
#include "spirv_instrument/model/random/shrink_recipe.h"

namespace assay::spirv_instrument::model {
namespace {

constexpr RecipeOptions kEverything = {
    .has_wild_images = true, .has_wild_arithmetic = true, .has_null_descriptors = true};

// What the validator has to say; empty if the program's shader is valid.
std::string FindInvalid(const Recipe& recipe) {
  const absl::StatusOr<corpus::Program> program = MakeProgram(recipe);
  if (!program.ok()) return program.status().ToString();
  std::string error;
  spvtools::SpirvTools tools(SPV_ENV_VULKAN_1_3);
  tools.SetMessageConsumer([&error](spv_message_level_t, const char*, const spv_position_t&, const char* message) {
    absl::StrAppend(&error, message, "\n");
  });
  spvtools::ValidatorOptions options;
  options.SetScalarBlockLayout(true);
  const std::vector<uint32_t>& words = program->stages[0].words;
  return tools.Validate(words.data(), words.size(), options) ? "" : absl::StrCat("not valid: ", error);
}

TEST(RandomRecipeTest, ShadersAreValid) {
  for (uint64_t seed = 0; seed < 500; ++seed) ASSERT_EQ(FindInvalid(RandomRecipe(seed, kEverything)), "") << seed;
}

TEST(RandomRecipeTest, SameSeedSameProgram) {
  for (uint64_t seed = 0; seed < 20; ++seed) {
    const absl::StatusOr<corpus::Program> first = MakeProgram(RandomRecipe(seed));
    const absl::StatusOr<corpus::Program> second = MakeProgram(RandomRecipe(seed));
    ASSERT_TRUE(first.ok() && second.ok());
    EXPECT_EQ(first->stages[0].words, second->stages[0].words);
  }
}

// Whatever is left out, the rest is a program: every recipe that the shrinker tries is valid, and defined but for what
// is checked.
TEST(ShrinkRecipeTest, EveryCandidateIsAProgram) {
  for (uint64_t seed = 0; seed < 3; ++seed) {
    int candidates = 0;
    const Recipe small = ShrinkRecipe(RandomRecipe(seed, kEverything), [&](const Recipe& candidate) {
      EXPECT_EQ(FindInvalid(candidate), "");
      const absl::StatusOr<corpus::Program> program = MakeProgram(candidate);
      EXPECT_TRUE(program.ok() && Interpret(program->stages[0].words, program->inputs[0].setup).ok());
      // Takes every other thing out.
      return ++candidates % 2 == 0 && !testing::Test::HasFailure();
    });
    EXPECT_GT(candidates, 10);
    EXPECT_LE(CountStatements(small), CountStatements(RandomRecipe(seed, kEverything)));
  }
}

bool HasBadStore(const Recipe& recipe) {
  const absl::StatusOr<corpus::Program> program = MakeProgram(recipe);
  if (!program.ok()) return false;
  const absl::StatusOr<Interpretation> result = Interpret(program->stages[0].words, program->inputs[0].setup);
  const absl::StatusOr<Module> module = Module::Read(program->stages[0].words);
  if (!result.ok() || !module.ok()) return false;
  return std::ranges::any_of(result->faults, [&module](const Fault& fault) {
    return fault.kind == corpus::FaultKind::kBufferBounds && module->At(fault.instruction).op() == spv::Op::OpStore;
  });
}

TEST(ShrinkRecipeTest, LeavesOneStatement) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    const Recipe recipe = RandomRecipe(seed);
    if (!HasBadStore(recipe) || CountStatements(recipe) < 10) continue;
    const Recipe small = ShrinkRecipe(recipe, HasBadStore);
    EXPECT_TRUE(HasBadStore(small));
    EXPECT_EQ(CountStatements(small), 1u);
    return;
  }
  FAIL() << "No program has a bad store.";
}

// A uint; three rows of two floats, with a gap of 8 between them, and of 8 behind; ulongs with a gap of 4, rounded up.
TEST(RecipeLayoutTest, OffsetsAndStrides) {
  using Kind = RecipeType::Kind;
  RecipeType block = {.kind = Kind::kStruct};
  block.parts.push_back({});
  block.parts.push_back({.kind = Kind::kMatrix,
                         .number = RecipeType::Number::kFloat,
                         .count = 2,
                         .rows = 3,
                         .is_row_major = true,
                         .gap = 8});
  RecipeType array = {.kind = Kind::kRuntimeArray};
  array.parts.push_back({.width = 64, .gap = 4});
  block.parts.push_back(array);
  EXPECT_EQ(MatrixStrideOf(block.parts[1]), 16u);
  EXPECT_EQ(SizeOf(block.parts[1]), 48u);
  EXPECT_EQ(MemberOffsets(block), (std::vector<uint32_t>{0, 4, 64}));
  EXPECT_EQ(StrideOf(array), 16u);
  EXPECT_EQ(RuntimeLength(block, 64 + 3 * 16 + 15), 3u);
  EXPECT_FALSE(IsLoadable(block));
}

}  // namespace
}  // namespace assay::spirv_instrument::model
