// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for libFuzzer in ordinary builds: feeds a fuzz target its corpus, then inputs made from the corpus by a
// seed, up to a number and for a time. Prints the input that a target fails with. It does not watch which code an input
// reaches; it is there so that a fuzz target is built, and run over known inputs, wherever the other tests are.

#include <chrono>
#include <csignal>
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

// What the fuzz target is given, for when it ends the program.
const Input* current = nullptr;

// Writes the input that ended the program to standard error, as a file that can be given as corpus would have it.
void PrintCurrent(int signal) {
  if (current != nullptr) {
    std::fprintf(stderr, "Failed with an input of %zu bytes, in hexadecimal:\n", current->size());
    for (uint8_t byte : *current) std::fprintf(stderr, "%02x", byte);
    std::fprintf(stderr, "\n");
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void Try(const Input& input) {
  current = &input;
  LLVMFuzzerTestOneInput(input.data(), input.size());
  current = nullptr;
}

struct Options {
  // Without a limit of either, the corpus alone is tried.
  long runs = 0;
  long seconds = 0;
  uint64_t seed = 1;
  std::vector<Input> corpus = {{}};
};

// The number after prefix, if the argument begins with it.
bool ReadNumber(const char* argument, const char* prefix, long* number) {
  const size_t length = std::strlen(prefix);
  if (std::strncmp(argument, prefix, length) != 0) return false;
  *number = std::atol(argument + length);
  return true;
}

bool ReadOptions(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    if (ReadNumber(argv[i], "--runs=", &options->runs) || ReadNumber(argv[i], "--seconds=", &options->seconds))
      continue;
    if (std::strcmp(argv[i], "--random_seed") == 0) {
      options->seed = std::random_device()();
      continue;
    }
    std::ifstream file(argv[i], std::ios::binary);
    if (!file) {
      std::fprintf(stderr, "%s cannot be read.\n", argv[i]);
      return false;
    }
    options->corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!ReadOptions(argc, argv, &options)) return 1;
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS}) std::signal(signal, PrintCurrent);
  for (const Input& input : options.corpus) Try(input);
  std::printf("Seed %llu.\n", static_cast<unsigned long long>(options.seed));
  std::mt19937_64 random(options.seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  long run = 0;
  const auto goes_on = [&] {
    if (options.runs != 0 && run >= options.runs) return false;
    return options.seconds != 0 ? std::chrono::steady_clock::now() < end : options.runs != 0;
  };
  for (; goes_on(); ++run) Try(MakeUp(options.corpus, random));
  std::printf("%zu inputs of the corpus and %ld made up from it.\n", options.corpus.size(), run);
  return 0;
}
