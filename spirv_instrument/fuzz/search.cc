// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// search [--seconds=N] [--seed=N] [--out=FOLDER] FILE|FOLDER...: looks for inputs that are not as fuzz.h says, from
// these on, for so many seconds. Each kind of failure is reported once, with a small input for it, which is written to
// the folder as assembly. Fails if there was any.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "spirv_instrument/fuzz/fuzz.h"
#include "spirv_instrument/fuzz/merge.h"
#include "spirv_instrument/fuzz/mutations.h"
#include "spirv_instrument/fuzz/random.h"
#include "spirv_instrument/fuzz/seed.h"
#include "spirv_instrument/fuzz/shrink.h"

namespace assay::spirv_instrument::fuzz {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxWords = 8192;
constexpr size_t kMaxKept = 1024;
constexpr size_t kMergePeriod = 8;
constexpr size_t kMaxShrinkTries = 4000;

// What failures of one kind have in common: the text without numbers and names.
std::string KindOf(std::string_view failure) {
  std::string kind;
  for (char c : failure.substr(0, failure.find('\n'))) {
    if (c == '\'') break;
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) kind += c;
  }
  return kind;
}

class Search {
 public:
  Search(uint64_t seed, fs::path out) : random_(seed), out_(std::move(out)) {}

  bool AddSeeds(const fs::path& path) {
    std::vector<fs::path> files;
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::directory_iterator(path)) files.push_back(entry.path());
      std::sort(files.begin(), files.end());
    } else {
      files.push_back(path);
    }
    for (const fs::path& file : files) {
      absl::StatusOr<Input> input = ReadInput(file.string());
      if (!input.ok()) {
        std::fprintf(stderr, "%s\n", input.status().ToString().c_str());
        return false;
      }
      seeds_.push_back(*std::move(input));
    }
    return true;
  }

  // The number of kinds of failures.
  size_t Run(std::chrono::seconds time) {
    for (const Input& seed : seeds_) Examine(seed);
    const auto end = std::chrono::steady_clock::now() + time;
    while (!seeds_.empty() && std::chrono::steady_clock::now() < end) {
      Input mutant = Pick();
      if (random_.OneIn(kMergePeriod)) {
        std::vector<uint32_t> merged = Merge(mutant.words, Pick().words, random_);
        if (merged.size() <= kMaxWords) mutant.words = std::move(merged);
      }
      mutant = Mutate(std::move(mutant), kMaxWords, random_);
      if (Examine(mutant) == Verdict::kValid) Keep(std::move(mutant));
    }
    return kinds_.size();
  }

  void PrintCounts() const {
    std::printf("%zu refused, %zu invalid, %zu not changed, %zu valid, %zu failures of %zu kinds\n", counts_[0],
                counts_[1], counts_[2], counts_[3], counts_[4], kinds_.size());
  }

 private:
  const Input& Pick() {
    const std::vector<Input>& from = kept_.empty() || random_.OneIn(2) ? seeds_ : kept_;
    return from[random_.Below(from.size())];
  }

  void Keep(Input input) {
    if (kept_.size() < kMaxKept) {
      kept_.push_back(std::move(input));
    } else {
      kept_[random_.Below(kMaxKept)] = std::move(input);
    }
  }

  Verdict Examine(const Input& input) {
    const Result result = Try(input);
    ++counts_[static_cast<size_t>(result.verdict)];
    if (result.verdict == Verdict::kFailure) Report(input, result.failure);
    return result.verdict;
  }

  void Report(const Input& input, const std::string& failure) {
    const std::string kind = KindOf(failure);
    if (!kinds_.insert(kind).second) return;
    std::printf("%s\n", failure.c_str());
    std::fflush(stdout);
    const Input small = Shrink(input, kMaxShrinkTries, [&](const Input& smaller) {
      const Result result = Try(smaller);
      return result.verdict == Verdict::kFailure && KindOf(result.failure) == kind;
    });
    const absl::StatusOr<std::string> text = AssemblyOf(small, Try(small).failure);
    if (!text.ok()) {
      std::printf("%s\n", text.status().ToString().c_str());
    } else if (out_.empty()) {
      std::printf("%s", text->c_str());
    } else {
      std::ofstream(out_ / absl::StrCat("failure", kinds_.size(), ".spvasm")) << *text;
    }
    std::fflush(stdout);
  }

  Random random_;
  const fs::path out_;
  std::vector<Input> seeds_;
  std::vector<Input> kept_;
  std::set<std::string> kinds_;
  // By Verdict.
  size_t counts_[static_cast<size_t>(Verdict::kFailure) + 1] = {};
};

int Main(int argc, char** argv) {
  uint64_t seed = 1;
  int64_t seconds = 0;
  std::string out;
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    std::string_view argument = argv[i];
    bool is_read = true;
    if (absl::ConsumePrefix(&argument, "--seconds=")) {
      is_read = absl::SimpleAtoi(argument, &seconds);
    } else if (absl::ConsumePrefix(&argument, "--seed=")) {
      is_read = absl::SimpleAtoi(argument, &seed);
    } else if (absl::ConsumePrefix(&argument, "--out=")) {
      out = std::string(argument);
    } else {
      files.emplace_back(argument);
    }
    if (!is_read) {
      std::fprintf(stderr, "%s does not have a number\n", argv[i]);
      return 1;
    }
  }
  Search search(seed, out);
  for (const std::string& file : files) {
    if (!search.AddSeeds(file)) return 1;
  }
  const size_t kinds = search.Run(std::chrono::seconds(seconds));
  search.PrintCounts();
  return kinds == 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::spirv_instrument::fuzz

int main(int argc, char** argv) { return assay::spirv_instrument::fuzz::Main(argc, argv); }
