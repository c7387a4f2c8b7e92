// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// cost [--small] [--pipelines=N] [kernels] [fragments] [recording] [creation[=SUFFIX]] [control]: measures on the first
// GPU, under the layer of the environment if there is one, and prints "device: " with the GPU's name and a line "NAME
// VALUE UNIT" for each result. --small is for tests, where the values do not matter. See measured_device.h.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "testing/gpu/cost/measured_device.h"

namespace assay::test {
namespace {

constexpr Sizes kSmall = {.groups = 4,
                          .width = 64,
                          .commands = 50,
                          .pipelines = 2,
                          .other_buffers = 20,
                          .runs = 3,
                          .warm_up = std::chrono::milliseconds(0)};

constexpr std::string_view kPipelines = "--pipelines=";

// False if there is no such part.
bool Measure(MeasuredDevice& device, const std::string& part) {
  if (part == "kernels") {
    MeasureKernels(device);
  } else if (part == "fragments") {
    MeasureFragments(device);
  } else if (part == "recording") {
    MeasureRecording(device);
  } else if (part.starts_with("creation")) {
    const size_t suffix = part.find('=');
    MeasureCreation(device, suffix == std::string::npos ? "" : part.substr(suffix + 1));
  } else if (part == "control") {
    MeasureControl(device);
  } else {
    return false;
  }
  return true;
}

int Main(const std::vector<std::string>& arguments) {
  Sizes sizes;
  size_t first = 0;
  for (; first < arguments.size() && arguments[first].starts_with("--"); ++first) {
    const std::string& option = arguments[first];
    if (option == "--small") sizes = kSmall;
    if (option.starts_with(kPipelines)) sizes.pipelines = static_cast<uint32_t>(std::atoi(&option[kPipelines.size()]));
  }
  MeasuredDevice device(sizes);
  std::printf("device: %s\n", device.name().c_str());
  for (size_t i = first; i < arguments.size(); ++i) {
    if (Measure(device, arguments[i])) continue;
    std::fprintf(stderr, "There is no part %s.\n", arguments[i].c_str());
    return 2;
  }
  const std::vector<std::string> errors = device.TakeErrors();
  for (const std::string& error : errors) std::fprintf(stderr, "%s\n", error.c_str());
  return errors.empty() ? 0 : 1;
}

}  // namespace
}  // namespace assay::test

int main(int argc, char** argv) { return assay::test::Main({argv + 1, argv + argc}); }
