// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for libFuzzer in ordinary builds: feeds a fuzz target its corpus, then a fixed number of inputs made from
// the corpus by a fixed seed. It does not watch which code an input reaches; it is there so that a fuzz target is
// built, and run over known inputs, wherever the other tests are.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

using Input = std::vector<uint8_t>;

constexpr size_t kLongestMadeUp = 4096;

size_t Below(std::mt19937_64& random, size_t limit) { return limit == 0 ? 0 : random() % limit; }

/// Changes an input in one place: another byte, a few bytes more or a few fewer.
void Mutate(Input& input, std::mt19937_64& random) {
  const size_t position = Below(random, input.size() + 1);
  const auto at = input.begin() + static_cast<std::ptrdiff_t>(position);
  switch (Below(random, 4)) {
    case 0:
      input.insert(at, 1 + Below(random, 8), static_cast<uint8_t>(random()));
      break;
    case 1:
      input.erase(at, at + static_cast<std::ptrdiff_t>(Below(random, input.size() - position + 1)));
      break;
    default:
      if (position < input.size()) *at = static_cast<uint8_t>(random());
      break;
  }
}

Input MakeUp(const std::vector<Input>& corpus, std::mt19937_64& random) {
  Input input = corpus[Below(random, corpus.size())];
  for (size_t changes = 1 + Below(random, 16); changes > 0; --changes) Mutate(input, random);
  if (input.size() > kLongestMadeUp) input.resize(kLongestMadeUp);
  return input;
}

void Try(const Input& input) { LLVMFuzzerTestOneInput(input.data(), input.size()); }

}  // namespace

int main(int argc, char** argv) {
  constexpr char kRuns[] = "--runs=";
  long runs = 0;
  std::vector<Input> corpus = {{}};
  for (int i = 1; i < argc; ++i) {
    if (std::strncmp(argv[i], kRuns, std::strlen(kRuns)) == 0) {
      runs = std::atol(argv[i] + std::strlen(kRuns));
      continue;
    }
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "%s cannot be read.\n", argv[i]);
      return 1;
    }
    corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  for (const Input& input : corpus) Try(input);
  std::mt19937_64 random(1);
  for (long run = 0; run < runs; ++run) Try(MakeUp(corpus, random));
  std::printf("%zu inputs of the corpus and %ld made up from it.\n", corpus.size(), runs);
  return 0;
}
