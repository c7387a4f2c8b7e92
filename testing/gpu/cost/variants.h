// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_COST_VARIANTS_H_
#define ASSAY_TESTING_GPU_COST_VARIANTS_H_

#include <map>
#include <string>
#include <vector>

namespace assay::test {

// A way to run a program: without a layer, or with one.
struct Variant {
  std::string name;
  // Empty for none.
  std::string layer;
  // By full name: {"assay.gpuav_enable", "true"}.
  std::map<std::string, std::string> settings;
};

// Nothing, Assay, and the Khronos layer. Both layers have GPU-assisted validation on, of shaders, and all else off.
std::vector<Variant> AllVariants();

// What a program has printed, and how it has ended.
struct Outcome {
  std::string output;
  bool is_success = false;
};

// Runs `command` with these variables of the environment besides our own. What it writes to standard error is seen.
Outcome RunProgram(const std::vector<std::string>& command, const std::map<std::string, std::string>& environment);

// The variables with which a program finds the variant's layer. Its settings are written to a file in `folder`; caches
// of layers and drivers are there, too. The driver's own cache is off unless `has_driver_cache`.
std::map<std::string, std::string> EnvironmentOf(const Variant& variant, const std::string& folder,
                                                 bool has_driver_cache);

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_COST_VARIANTS_H_
