// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Compares many random programs: random_search [count [first seed [device]]]. Each is instrumented in one way, in turn,
// or, with "all" as the last argument, in all ways. "device" runs them on the device that the loader finds first, and
// not in the interpreter. Ends at the first disagreement, and prints the smallest program that shows it.

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

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

// A device's compiler takes seconds for the checks of a long shader. Short ones are enough, if there are many.
constexpr uint32_t kStatementsOnDevice = 4;

bool Agrees(uint64_t seed, const NamedConfig& config, Executor& executor, bool is_device) {
  RecipeOptions options = OptionsFor(config.config.passes);
  if (is_device) {
    options.statements = kStatementsOnDevice;
    options.has_partial_words = false;
  }
  const Recipe recipe = RandomRecipe(seed, options);
  const std::string disagreement = FindDisagreement(recipe, config.config, executor);
  if (disagreement.empty()) return true;
  // On a device the program that is being tried may be the end of this process, so it is printed first.
  std::cout << "Seed " << seed << " with " << config.name << ": " << disagreement << "\n" << std::flush;
  const Recipe small = ShrinkRecipe(
      recipe, [&](const Recipe& candidate) { return !FindDisagreement(candidate, config.config, executor).empty(); });
  const absl::StatusOr<corpus::Program> program = MakeProgram(small);
  std::cout << "Shrunk, " << FindDisagreement(small, config.config, executor) << "\n";
  if (program.ok()) std::cout << ToCode(*program);
  return false;
}

int Search(uint64_t count, uint64_t first, Executor& executor, bool is_device, bool in_all_ways) {
  const std::vector<NamedConfig> configs = ConfigsToCompare();
  for (uint64_t seed = first; seed < first + count; ++seed) {
    for (size_t i = 0; i < configs.size(); ++i) {
      if (!in_all_ways && i != seed % configs.size()) continue;
      if (!Agrees(seed, configs[i], executor, is_device)) return 1;
    }
    if ((seed - first + 1) % 1000 == 0) std::cout << seed - first + 1 << " programs agree\n" << std::flush;
  }
  return 0;
}

}  // namespace
}  // namespace assay::spirv_instrument::model

int main(int argc, char** argv) {
  namespace model = assay::spirv_instrument::model;
  const uint64_t count = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100'000;
  const uint64_t first = argc > 2 ? std::strtoull(argv[2], nullptr, 10) : 0;
  const std::string on = argc > 3 ? argv[3] : "interpreter";
  const bool in_all_ways = argc > 4 && std::string(argv[4]) == "all";
  if (on != "device") {
    model::InterpretingExecutor executor;
    return model::Search(count, first, executor, /*is_device=*/false, in_all_ways);
  }
  auto device = assay::spirv_instrument::corpus::Device::Create();
  if (!device.ok()) {
    std::cout << device.status() << "\n";
    return 1;
  }
  model::DeviceExecutor executor(**device);
  return model::Search(count, first, executor, /*is_device=*/true, in_all_ways);
}
