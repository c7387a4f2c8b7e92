// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Compares many random programs: random_search [count [first seed [device [all [statements]]]]]. Each is instrumented
// in one way, in turn, or, with "all", in all ways. "device" runs them on the device that the loader finds first, and
// not in the interpreter; there, shaders have only so many statements. Ends at the first disagreement or crash, and
// prints the smallest program that shows it.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "spirv_instrument/corpus/instrumented/isolated.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/model/comparison/compare.h"
#include "spirv_instrument/model/comparison/device_executor.h"
#include "spirv_instrument/model/comparison/executor.h"
#include "spirv_instrument/model/comparison/print_program.h"
#include "spirv_instrument/model/random/make_program.h"
#include "spirv_instrument/model/random/random_recipe.h"
#include "spirv_instrument/model/random/shrink_recipe.h"

namespace assay::spirv_instrument::model {
namespace {

struct Options {
  uint64_t count = 100'000;
  uint64_t first = 0;
  bool is_device = false;
  bool in_all_ways = false;
  // A device's compiler takes seconds for the checks of a long shader. Short ones are enough, if there are many.
  uint32_t statements_on_device = 4;
};

// A comparison on a device takes longer only if the driver hangs.
constexpr unsigned kSeconds = 300;

class Search {
 public:
  explicit Search(const Options& options) : options_(options) {}

  int Run() {
    if (!options_.is_device) {
      for (uint64_t i = 0; i < options_.count; ++i) {
        for (const NamedConfig& config : ConfigsOf(i)) {
          InterpretingExecutor executor;
          const std::string disagreement = FindDisagreement(RecipeOf(i, config), config.config, executor);
          if (!disagreement.empty()) return Shrink(i, config, disagreement);
        }
        Progress(i);
      }
      return 0;
    }
    // A bad access that is executed may be the end of the process. Of the processes, one at a time works on the seeds;
    // what it is at is in the memory that all share.
    auto* shared = reinterpret_cast<Shared*>(corpus::MakeSharedNumbers(sizeof(Shared) / sizeof(size_t) + 1));
    if (shared == nullptr) return 2;
    const auto run = [&](size_t i) {
      if (shared->is_found) return;
      const std::vector<NamedConfig> configs = ConfigsOf(i);
      for (shared->config = 0; shared->config < configs.size(); ++shared->config) {
        const NamedConfig& config = configs[shared->config];
        const std::string disagreement = CompareOnDevice(RecipeOf(i, config), config);
        if (disagreement.empty()) continue;
        shared->Find(i, disagreement);
        return;
      }
      Progress(i);
    };
    const auto lost = [&](size_t i, const std::string& why) { shared->Find(i, why); };
    if (!corpus::RunIsolated(options_.count, kSeconds, [this] { return MakeDevice(); }, run, lost)) return 2;
    if (!shared->is_found) return 0;
    return Shrink(shared->index, ConfigsOf(shared->index)[shared->config], shared->disagreement);
  }

 private:
  struct Shared {
    size_t config;
    size_t index;
    bool is_found;
    char disagreement[1000];

    void Find(size_t at, const std::string& text) {
      if (is_found) return;
      is_found = true;
      index = at;
      std::snprintf(disagreement, sizeof(disagreement), "%s", text.c_str());
    }
  };

  std::vector<NamedConfig> ConfigsOf(uint64_t i) const {
    std::vector<NamedConfig> configs = ConfigsToCompare();
    if (options_.in_all_ways) return configs;
    return {configs[(options_.first + i) % configs.size()]};
  }

  Recipe RecipeOf(uint64_t i, const NamedConfig& config) const {
    RecipeOptions options = OptionsFor(config.config.passes);
    if (options_.is_device) {
      options.statements = options_.statements_on_device;
      options.has_partial_words = false;
      options.has_written_nulls = false;
      options.has_divergent_lengths = false;
    }
    return RandomRecipe(options_.first + i, options);
  }

  void Progress(uint64_t i) const {
    if ((i + 1) % 1000 == 0) std::cout << i + 1 << " programs agree\n" << std::flush;
  }

  bool MakeDevice() {
    absl::StatusOr<std::unique_ptr<corpus::Device>> device = corpus::Device::Create();
    if (!device.ok()) {
      std::cout << device.status() << "\n";
      return false;
    }
    device_ = *std::move(device);
    return true;
  }

  std::string CompareOnDevice(const Recipe& recipe, const NamedConfig& config) {
    DeviceExecutor executor(*device_);
    return FindDisagreement(recipe, config.config, executor);
  }

  // In a process of its own on a device.
  std::string Compare(const Recipe& recipe, const NamedConfig& config) {
    if (!options_.is_device) {
      InterpretingExecutor executor;
      return FindDisagreement(recipe, config.config, executor);
    }
    return OnDevice([&] { return CompareOnDevice(recipe, config); });
  }

  std::string CompareOriginal(const corpus::Program& program) {
    if (!options_.is_device) {
      InterpretingExecutor executor;
      return FindDisagreementOfOriginal(program, executor);
    }
    return OnDevice([&] {
      DeviceExecutor executor(*device_);
      return FindDisagreementOfOriginal(program, executor);
    });
  }

  // Compares in a process of its own, which may crash.
  std::string OnDevice(absl::FunctionRef<std::string()> compare) {
    static auto* const shared =
        reinterpret_cast<Shared*>(corpus::MakeSharedNumbers(sizeof(Shared) / sizeof(size_t) + 1));
    *shared = {};
    const auto run = [&](size_t) {
      const std::string disagreement = compare();
      if (!disagreement.empty()) shared->Find(0, disagreement);
    };
    const auto lost = [&](size_t, const std::string& why) { shared->Find(0, why); };
    if (!corpus::RunIsolated(1, kSeconds, [this] { return MakeDevice(); }, run, lost)) return "";
    return shared->disagreement;
  }

  // Prints the smallest program that shows a disagreement. Returns the program's exit status.
  int Shrink(uint64_t i, const NamedConfig& config, const std::string& disagreement) {
    std::cout << "Seed " << options_.first + i << " with " << config.name << ": " << disagreement << "\n" << std::flush;
    const Recipe small =
        ShrinkRecipe(RecipeOf(i, config), [&](const Recipe& candidate) { return !Compare(candidate, config).empty(); });
    const absl::StatusOr<corpus::Program> program = MakeProgram(small);
    std::cout << "Shrunk, " << Compare(small, config) << "\n";
    if (!program.ok()) return 1;
    const std::string of_original = CompareOriginal(*program);
    if (!of_original.empty())
      std::cout << "What runs it is to blame. As it was before, it differs too: " << of_original << "\n";
    std::cout << ToCode(*program);
    return 1;
  }

  Options options_;
  std::unique_ptr<corpus::Device> device_;
};

}  // namespace
}  // namespace assay::spirv_instrument::model

int main(int argc, char** argv) {
  assay::spirv_instrument::model::Options options;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (!arguments.empty()) options.count = std::strtoull(argv[1], nullptr, 10);
  if (arguments.size() > 1) options.first = std::strtoull(argv[2], nullptr, 10);
  options.is_device = arguments.size() > 2 && arguments[2] == "device";
  options.in_all_ways = arguments.size() > 3 && arguments[3] == "all";
  if (arguments.size() > 4) options.statements_on_device = static_cast<uint32_t>(std::strtoul(argv[5], nullptr, 10));
  return assay::spirv_instrument::model::Search(options).Run();
}
