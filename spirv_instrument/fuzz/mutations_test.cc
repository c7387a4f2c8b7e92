// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/mutations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/merge.h"
#include "spirv_instrument/fuzz/random.h"
#include "spirv_instrument/fuzz/shader_test.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::fuzz {
namespace {

constexpr int kSeeds = 400;
constexpr size_t kMaxWords = 4096;

struct Case {
  const char* name;
  bool (*apply)(InstructionList& list, Random& random);
  // How many more instructions there are afterwards, at least and at most.
  int fewest;
  int most;
};

class EachMutation : public testing::TestWithParam<Case> {};

// It makes the change that it should, different ones, and valid modules among them.
TEST_P(EachMutation, ChangesTheModule) {
  const Input input = Shader();
  const auto count = static_cast<int>(InstructionList(input.words).instructions.size());
  std::set<std::vector<uint32_t>> mutants;
  int valid = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    InstructionList list(input.words);
    Random random(static_cast<uint64_t>(seed));
    if (!GetParam().apply(list, random)) continue;
    const int more = static_cast<int>(list.instructions.size()) - count;
    EXPECT_GE(more, GetParam().fewest);
    EXPECT_LE(more, GetParam().most);
    for (const Words& instruction : list.instructions) {
      EXPECT_EQ(instruction[0] >> spv::WordCountShift, instruction.size());
    }
    const Words words = list.ToWords();
    if (words == input.words || !mutants.insert(words).second) continue;
    valid += ValidateModule(words).ok();
  }
  EXPECT_GE(mutants.size(), 5u);
  EXPECT_GE(valid, 1);
}

INSTANTIATE_TEST_SUITE_P(
    Mutations, EachMutation,
    testing::Values(Case{"ChangeId", ChangeId, 0, 0}, Case{"ChangeLiteral", ChangeLiteral, 0, 0},
                    Case{"ChangeEnumerant", ChangeEnumerant, 0, 0}, Case{"ChangeOpcode", ChangeOpcode, 0, 0},
                    Case{"SwapOperands", SwapOperands, 0, 0}, Case{"ChangeHeader", ChangeHeader, 0, 0},
                    Case{"DeleteInstruction", DeleteInstruction, -1, -1},
                    Case{"DuplicateInstruction", DuplicateInstruction, 1, 1},
                    Case{"MoveInstruction", MoveInstruction, 0, 0},
                    Case{"TransplantInstruction", TransplantInstruction, 1, 1},
                    Case{"InsertSelection", InsertSelection, 5, 8}, Case{"InsertLoop", InsertLoop, 9, 12}),
    [](const testing::TestParamInfo<Case>& info) { return info.param.name; });

TEST(Mutate, KeepsManyModulesValid) {
  const Input input = Shader();
  int valid = 0;
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    valid += Try(Mutate(input, kMaxWords, random)).verdict == Verdict::kValid;
  }
  EXPECT_GE(valid, kSeeds / 10);
  EXPECT_LE(valid, kSeeds * 9 / 10);
}

TEST(Mutate, KeepsLength) {
  const Input input = Shader();
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    // Plain words may be a few more.
    EXPECT_LE(Mutate(input, input.words.size(), random).words.size(), input.words.size() + 16);
  }
}

TEST(Mutate, TakesAnyWords) {
  for (int seed = 0; seed < kSeeds; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    Input input = {.words = Shader().words};
    input.words.resize(random.Below(input.words.size()));
    for (uint32_t& word : input.words) {
      if (random.OneIn(8)) word = static_cast<uint32_t>(random.Next());
    }
    EXPECT_NE(Try(Mutate(input, kMaxWords, random)).verdict, Verdict::kFailure);
  }
}

TEST(InstructionList, KnowsWhatMayStandForAnId) {
  const InstructionList list(Shader().words);
  std::vector<uint32_t> constants;
  uint32_t sum = 0;
  size_t end = 0;
  for (size_t place = 0; place < list.instructions.size(); ++place) {
    const Words& instruction = list.instructions[place];
    if (OpOf(instruction) == spv::Op::OpConstant) constants.push_back(ResultOf(instruction));
    if (OpOf(instruction) == spv::Op::OpIAdd) {
      sum = ResultOf(instruction);
      end = place;
    }
  }
  ASSERT_EQ(constants.size(), 3u);
  // Values of the same type before the sum: the constants, x, and what was loaded.
  std::vector<uint32_t> ids = list.IdsLike(sum, end);
  EXPECT_EQ(ids.size(), 5u);
  for (uint32_t constant : constants) EXPECT_NE(std::find(ids.begin(), ids.end(), constant), ids.end());
  // Nothing is defined before the first place.
  EXPECT_TRUE(list.IdsLike(sum, 0).empty());
}

TEST(Merge, MakesOneModuleOfTwo) {
  const Words shader = Shader().words;
  std::string other(kShader);
  const std::string type = "%bool = OpTypeBool";
  other.replace(other.find(type), type.size(), "%bool = OpTypeBool\n%float = OpTypeFloat 32");
  int with_both = 0;
  for (int seed = 0; seed < 8; ++seed) {
    Random random(static_cast<uint64_t>(seed));
    const Words merged = Merge(shader, Shader(other).words, random);
    EXPECT_TRUE(ValidateModule(merged).ok()) << ValidateModule(merged);
    size_t functions = 0;
    size_t floats = 0;
    size_t integers = 0;
    size_t entry_points = 0;
    for (const Words& instruction : InstructionList(merged).instructions) {
      functions += OpOf(instruction) == spv::Op::OpFunction;
      floats += OpOf(instruction) == spv::Op::OpTypeFloat;
      integers += OpOf(instruction) == spv::Op::OpTypeInt;
      entry_points += OpOf(instruction) == spv::Op::OpEntryPoint;
    }
    EXPECT_EQ(functions, 2u);
    EXPECT_EQ(floats, 1u);
    EXPECT_EQ(integers, 1u);
    with_both += entry_points == 2;
  }
  EXPECT_GT(with_both, 0);
  EXPECT_LT(with_both, 8);
}

TEST(Merge, LeavesWhatIsNoModule) {
  const Words shader = Shader().words;
  Random random(1);
  EXPECT_EQ(Merge(shader, {}, random), shader);
  EXPECT_EQ(Merge({}, shader, random), Words());
}

}  // namespace
}  // namespace assay::spirv_instrument::fuzz
