// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Stands in for libFuzzer in ordinary builds: feeds a fuzz target its corpus, then inputs made from the corpus by a
// seed, up to a number and for a time. Prints the input that a target fails with, or needs more than a minute for. It
// does not watch which code an input reaches; it is there so that a fuzz target is built, and run over known inputs,
// wherever the other tests are.
//
// A target that knows what its inputs consist of defines LLVMFuzzerCustomMutator, and LLVMFuzzerCustomCrossOver if it
// can make one input of two. Of what these make, the inputs for which the target returns 0 are kept for a while and
// changed further; it returns -1 for those that are not worth it.

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <utility>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);
// As libFuzzer declares them. Null without a definition.
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max_size,
                                                                unsigned int seed);
extern "C" __attribute__((weak)) size_t LLVMFuzzerCustomCrossOver(const uint8_t* data1, size_t size1,
                                                                  const uint8_t* data2, size_t size2, uint8_t* out,
                                                                  size_t max_out_size, unsigned int seed);

namespace {

using Input = std::vector<uint8_t>;

constexpr size_t kLongestMadeUp = 4096;
// Of what custom mutators make.
constexpr size_t kLongestOfMutator = 32768;
constexpr size_t kMostKept = 512;
// One in so many inputs is made of two.
constexpr size_t kCrossOverPeriod = 8;
constexpr unsigned int kSecondsForOne = 60;

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

/// One of the corpus or one that was kept.
const Input& Pick(const std::vector<Input>& corpus, const std::vector<Input>& kept, std::mt19937_64& random) {
  const std::vector<Input>& from = kept.empty() || Below(random, 2) == 0 ? corpus : kept;
  return from[Below(random, from.size())];
}

Input MakeUpByMutator(const std::vector<Input>& corpus, const std::vector<Input>& kept, std::mt19937_64& random) {
  const Input& first = Pick(corpus, kept, random);
  const Input& second = Pick(corpus, kept, random);
  Input input(kLongestOfMutator);
  size_t size = 0;
  if (LLVMFuzzerCustomCrossOver != nullptr && Below(random, kCrossOverPeriod) == 0) {
    size = LLVMFuzzerCustomCrossOver(first.data(), first.size(), second.data(), second.size(), input.data(),
                                     input.size(), static_cast<unsigned int>(random()));
  } else {
    size = std::min(first.size(), input.size());
    std::copy_n(first.begin(), size, input.begin());
    size = LLVMFuzzerCustomMutator(input.data(), size, input.size(), static_cast<unsigned int>(random()));
  }
  input.resize(size);
  // So that accesses past the end are seen.
  input.shrink_to_fit();
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

// What the target returns.
int Try(const Input& input) {
  current = &input;
  alarm(kSecondsForOne);
  const int result = LLVMFuzzerTestOneInput(input.data(), input.size());
  alarm(0);
  current = nullptr;
  return result;
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

bool ReadFile(const std::filesystem::path& path, std::vector<Input>& corpus) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    std::fprintf(stderr, "%s cannot be read.\n", path.c_str());
    return false;
  }
  corpus.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  return true;
}

// A file, or all files of a folder by name.
bool ReadCorpus(const std::filesystem::path& path, std::vector<Input>& corpus) {
  if (!std::filesystem::is_directory(path)) return ReadFile(path, corpus);
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(path)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return std::all_of(files.begin(), files.end(), [&](const auto& file) { return ReadFile(file, corpus); });
}

bool ReadOptions(int argc, char** argv, Options* options) {
  for (int i = 1; i < argc; ++i) {
    if (ReadNumber(argv[i], "--runs=", &options->runs) || ReadNumber(argv[i], "--seconds=", &options->seconds))
      continue;
    if (std::strcmp(argv[i], "--random_seed") == 0) {
      options->seed = std::random_device()();
      continue;
    }
    if (!ReadCorpus(argv[i], options->corpus)) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!ReadOptions(argc, argv, &options)) return 1;
  for (int signal : {SIGABRT, SIGSEGV, SIGFPE, SIGILL, SIGBUS, SIGALRM}) std::signal(signal, PrintCurrent);
  for (const Input& input : options.corpus) Try(input);
  std::printf("Seed %llu.\n", static_cast<unsigned long long>(options.seed));
  std::mt19937_64 random(options.seed);
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(options.seconds);
  long run = 0;
  const auto goes_on = [&] {
    if (options.runs != 0 && run >= options.runs) return false;
    return options.seconds != 0 ? std::chrono::steady_clock::now() < end : options.runs != 0;
  };
  std::vector<Input> kept;
  for (; goes_on(); ++run) {
    if (LLVMFuzzerCustomMutator == nullptr) {
      Try(MakeUp(options.corpus, random));
      continue;
    }
    Input input = MakeUpByMutator(options.corpus, kept, random);
    if (Try(input) != 0) continue;
    if (kept.size() < kMostKept) {
      kept.push_back(std::move(input));
    } else {
      kept[Below(random, kMostKept)] = std::move(input);
    }
  }
  std::printf("%zu inputs of the corpus and %ld made up from it.\n", options.corpus.size(), run);
  return 0;
}
