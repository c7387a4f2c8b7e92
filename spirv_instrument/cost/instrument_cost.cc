// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// instrument_cost [MODULE...]: what all passes together cost for 10, 100, 1,000 and 10,000 accesses, and for the
// largest of some modules: words before and after, and time. Returns 1 if a bar is missed: 20 ms for 1,000 accesses,
// 50 ms for the module, and growth in proportion to the accesses.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "absl/log/check.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/cost/many_accesses.h"
#include "spirv_instrument/tool/module_file.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kCounts[] = {10, 100, 1000, 10000};
constexpr double kThousandAccesses = 20;
constexpr double kLargeModule = 50;
// Ten times as many accesses may take so many times the words, and the time.
constexpr double kWords = 10.5;
constexpr double kTime = 13;

void Print(const std::string& name, const Cost& cost) {
  std::printf("%-34s %9zu %9zu %8llu %8llu %10.2f\n", name.c_str(), cost.words_before, cost.words_after,
              static_cast<unsigned long long>(cost.accesses), static_cast<unsigned long long>(cost.emitted),
              cost.milliseconds);
}

// Whether the bars hold.
bool PrintCounts(bool has_steps) {
  bool holds = true;
  Cost before;
  for (const uint32_t count : kCounts) {
    const Cost cost = Measure(ManyAccesses(count), AllPasses(has_steps), count >= 10000 ? 5 : 20);
    Print(std::to_string(count) + (has_steps ? " accesses" : " accesses, without steps"), cost);
    // What is linked and declared once counts for more than ten accesses.
    if (count > kCounts[1]) {
      holds &= static_cast<double>(cost.words_after) <= kWords * static_cast<double>(before.words_after);
      holds &= cost.milliseconds <= kTime * before.milliseconds;
    }
    if (count == 1000) holds &= cost.milliseconds <= kThousandAccesses;
    before = cost;
  }
  return holds;
}

int PrintAll(const std::vector<std::string>& files) {
  std::printf("%-34s %9s %9s %8s %8s %10s\n", "", "words", "after", "checks", "emitted", "ms");
  bool holds = PrintCounts(true);
  holds &= PrintCounts(false);
  std::vector<uint32_t> largest;
  std::string name;
  for (const std::string& file : files) {
    absl::StatusOr<std::vector<uint32_t>> words = ReadModule(file);
    CHECK_OK(words.status());
    if (words->size() <= largest.size()) continue;
    largest = *std::move(words);
    name = file.substr(file.rfind('/') + 1);
  }
  if (!largest.empty()) {
    const Cost cost = Measure(largest, AllPasses(true), 20);
    Print(name, cost);
    holds &= cost.milliseconds <= kLargeModule;
  }
  std::printf("%s\n", holds ? "all bars hold" : "A BAR IS MISSED");
  return holds ? 0 : 1;
}

}  // namespace
}  // namespace assay::spirv_instrument

int main(int argc, char** argv) { return assay::spirv_instrument::PrintAll({argv + 1, argv + argc}); }
