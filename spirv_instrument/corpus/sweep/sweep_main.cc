// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// sweep FOLDER...: every pass over all modules of these folders; see sweep.h. As a sharded test it takes its part of
// the configurations.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/sweep/sweep.h"
#include "spirv_instrument/passes/frame/statistics.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::corpus {
namespace {

// Bazel's: which shard of how many this is. Who knows shards says so by a file.
size_t FromEnvironment(const char* name, size_t otherwise) {
  const char* const text = std::getenv(name);
  size_t number = 0;
  return text != nullptr && absl::SimpleAtoi(text, &number) ? number : otherwise;
}

absl::StatusOr<std::vector<NamedModule>> ReadAll(const std::vector<std::string>& folders) {
  std::vector<NamedModule> modules;
  for (const std::string& folder : folders) {
    absl::StatusOr<std::vector<NamedModule>> read = ReadModules(folder);
    if (!read.ok()) return read.status();
    for (NamedModule& module : *read) {
      const absl::Status valid = ValidateModule(module.words);
      if (!valid.ok()) return absl::InvalidArgumentError(absl::StrCat(module.name, ": ", valid.message()));
      modules.push_back(std::move(module));
    }
  }
  return modules;
}

void Print(const SweepConfig& config, const SweepResult& result) {
  std::printf("%s: %zu modules, %zu changed\n", config.name.c_str(), result.runs, result.changed);
  for (const auto& [pass, counts] : result.outcomes) {
    std::string line = absl::StrCat("  ", pass, ":");
    std::string_view separator = " ";
    for (size_t outcome = 0; outcome < kOutcomeCount; ++outcome) {
      if (counts[outcome] == 0) continue;
      absl::StrAppend(&line, separator, counts[outcome], " ", NameOf(static_cast<Outcome>(outcome)));
      separator = ", ";
    }
    std::printf("%s\n", line.c_str());
  }
  for (const std::string& failure : result.failures) std::printf("FAILED %s\n", failure.c_str());
  std::fflush(stdout);
}

int SweepFolders(const std::vector<std::string>& folders) {
  if (const char* const file = std::getenv("TEST_SHARD_STATUS_FILE")) std::ofstream touched(file);
  const size_t shards = FromEnvironment("TEST_TOTAL_SHARDS", 1);
  const size_t shard = FromEnvironment("TEST_SHARD_INDEX", 0);
  const absl::StatusOr<std::vector<NamedModule>> modules = ReadAll(folders);
  if (!modules.ok()) {
    std::printf("%s\n", std::string(modules.status().message()).c_str());
    return 1;
  }
  size_t runs = 0;
  size_t failures = 0;
  const std::vector<SweepConfig> configs = SweepConfigs();
  for (size_t i = shard; i < configs.size(); i += shards) {
    const SweepResult result = Sweep(*modules, configs[i]);
    Print(configs[i], result);
    runs += result.runs;
    failures += result.failures.size();
  }
  std::printf("%zu modules, %zu runs, %zu failures\n", modules->size(), runs, failures);
  return failures == 0 && runs != 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus

int main(int argc, char** argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: %s FOLDER...\n", argv[0]);
    return 2;
  }
  return assay::spirv_instrument::corpus::SweepFolders({argv + 1, argv + argc});
}
