// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// run_corpus FOLDER [PROGRAM...]: runs programs of the corpus on their inputs without faults. Each must compute what
// its description expects, and the same in a second run.

#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/corpus.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/corpus/runner/run.h"

namespace assay::spirv_instrument::corpus {
namespace {

// What is wrong with a run, if anything.
std::string CheckRun(const Device& device, const Program& program, const Input& input) {
  absl::StatusOr<Outputs> outputs = Run(device, program, input);
  if (!outputs.ok()) return outputs.status().ToString();
  const std::vector<std::string> unexpected = Unexpected(input, *outputs);
  if (!unexpected.empty()) return unexpected.front();
  absl::StatusOr<Outputs> again = Run(device, program, input);
  if (!again.ok()) return again.status().ToString();
  const std::string difference = FirstDifference(*outputs, *again);
  return difference.empty() ? "" : "the second run differs: " + difference;
}

int RunAll(const std::string& folder, const std::set<std::string>& names) {
  absl::StatusOr<std::vector<Program>> programs = ReadCorpus(folder);
  absl::StatusOr<std::unique_ptr<Device>> device = Device::Create();
  if (!programs.ok() || !device.ok()) {
    std::printf("%s\n", (programs.ok() ? device.status() : programs.status()).ToString().c_str());
    return 1;
  }
  size_t count = 0;
  size_t runs = 0;
  size_t failures = 0;
  for (const Program& program : *programs) {
    if (!names.empty() && !names.contains(program.name)) continue;
    ++count;
    for (const Input& input : program.inputs) {
      if (!input.faults.empty()) continue;
      ++runs;
      const std::string failure = CheckRun(**device, program, input);
      if (failure.empty()) continue;
      ++failures;
      std::printf("%s, %s: %s\n", program.name.c_str(), input.name.c_str(), failure.c_str());
    }
  }
  std::printf("%zu programs, %zu runs, %zu failures\n", count, runs, failures);
  return failures == 0 && count != 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER [PROGRAM...]\n", argv[0]);
    return 2;
  }
  return assay::spirv_instrument::corpus::RunAll(argv[1], {argv + 2, argv + argc});
}
