// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/fuzz/mutations.h"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/random.h"

namespace assay::spirv_instrument::fuzz {
namespace {

struct Mutation {
  bool (*apply)(InstructionList& list, Random& random);
  size_t weight;
};

constexpr Mutation kMutations[] = {
    {ChangeId, 8},        {ChangeLiteral, 5},        {ChangeEnumerant, 2}, {ChangeOpcode, 4},
    {SwapOperands, 1},    {ChangeLength, 1},         {ChangeHeader, 1},    {DeleteInstruction, 4},
    {MoveInstruction, 2}, {DuplicateInstruction, 2}, {InsertSelection, 2}, {TransplantInstruction, 8},
    {InsertLoop, 1},
};

constexpr size_t TotalWeight() {
  size_t total = 0;
  for (const Mutation& mutation : kMutations) total += mutation.weight;
  return total;
}

// One in so many mutations takes the words for plain words, and as many change the configuration.
constexpr size_t kPlainPeriod = 40;
constexpr size_t kConfigurationPeriod = 12;

constexpr int kTries = 4;

// The configuration's bits that mean something.
constexpr size_t kConfigurationBits = 27;

const Mutation& PickMutation(Random& random) {
  size_t at = random.Below(TotalWeight());
  for (const Mutation& mutation : kMutations) {
    if (at < mutation.weight) return mutation;
    at -= mutation.weight;
  }
  return kMutations[0];
}

// Changes, inserts or takes out a few words, or cuts the rest off.
void ChangePlainWords(Words& words, Random& random) {
  if (words.empty()) return;
  const size_t place = random.Below(words.size());
  const auto at = words.begin() + static_cast<std::ptrdiff_t>(place);
  switch (random.Below(8)) {
    case 0:
      words.insert(at, 1 + random.Below(4), static_cast<uint32_t>(random.Next()));
      break;
    case 1:
      words.erase(at, at + static_cast<std::ptrdiff_t>(random.Below(words.size() - place) % 8));
      break;
    case 2:
      words.resize(place);
      break;
    case 3:
      *at = static_cast<uint32_t>(random.Below(256));
      break;
    default:
      *at ^= 1u << random.Below(32);
      break;
  }
}

void MutateOnce(Input& input, size_t max_words, Random& random) {
  if (random.OneIn(kConfigurationPeriod)) {
    input.configuration ^= 1u << random.Below(kConfigurationBits);
    return;
  }
  InstructionList list(input.words);
  if (!list.IsModule() || random.OneIn(kPlainPeriod)) return ChangePlainWords(input.words, random);
  for (int i = 0; i < kTries; ++i) {
    if (!PickMutation(random).apply(list, random)) continue;
    if (Words words = list.ToWords(); words.size() <= max_words) input.words = std::move(words);
    return;
  }
}

}  // namespace

Input Mutate(Input input, size_t max_words, Random& random) {
  do {
    MutateOnce(input, max_words, random);
  } while (random.OneIn(2));
  return input;
}

}  // namespace assay::spirv_instrument::fuzz
