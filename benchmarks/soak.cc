// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// A program that renders frames for as long as it is told to (--submissions=N), and says what that costs as it goes on:
// for each tenth, time of the thread for each frame (where other programs disturb it least), and memory. Over the mock
// driver both are the layer's. Fails if they differ between tenths by more than their bars, or if the layer has
// anything to say.
//
// A frame is what an engine's is (engine_frames.h), and makes, uses and destroys an object of each kind beside one that
// lives on (object_frame.h). --validators chooses what the layer checks: all, or one alone.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"
#include "benchmarks/engine_frames.h"
#include "benchmarks/object_frame.h"
#include "testing/message_log.h"
#include "testing/system_loader.h"
#include "testing/test_device.h"
#include "vk/vulkan.h"

namespace assay::benchmarks {
namespace {

constexpr uint32_t kSubmissionsPerFrame = EngineFrames::kSubmissions + ObjectFrames::kSubmissions;
// Not measured. Everything is in use after them, and has grown to its size.
constexpr uint32_t kWarmUpFrames = 1000;

// A sanitizer keeps freed memory back.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryCounts = false;
#else
constexpr bool kMemoryCounts = true;
#endif

struct Options {
  uint64_t submissions = 60000;
  std::string_view validators = "all";
  // In percent of the least tenth.
  uint64_t memory_bar = 1;
  uint64_t cost_bar = 5;
};

struct Validator {
  std::string_view name;
  const char* variable;
};
constexpr Validator kValidators[] = {{"core", "VK_ASSAY_VALIDATE_CORE"},
                                     {"lifetimes", "VK_ASSAY_OBJECT_LIFETIME"},
                                     {"stateless", "VK_ASSAY_STATELESS_PARAM"},
                                     {"sync", "VK_ASSAY_VALIDATE_SYNC"},
                                     {"threads", "VK_ASSAY_THREAD_SAFETY"}};

// False if there is no such validator.
bool ChooseValidators(std::string_view chosen) {
  bool found = chosen == "all";
  for (const Validator& validator : kValidators) {
    const bool is_on = chosen == "all" || chosen == validator.name;
    setenv(validator.variable, is_on ? "true" : "false", 1);
    found |= is_on;
  }
  return found;
}

// False if an argument is not one.
bool ParseArguments(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    std::string_view text = argv[i];
    if (absl::ConsumePrefix(&text, "--validators=")) {
      options.validators = text;
      continue;
    }
    uint64_t* number = nullptr;
    if (absl::ConsumePrefix(&text, "--submissions=")) number = &options.submissions;
    if (absl::ConsumePrefix(&text, "--memory_bar=")) number = &options.memory_bar;
    if (absl::ConsumePrefix(&text, "--cost_bar=")) number = &options.cost_bar;
    if (number == nullptr || !absl::SimpleAtoi(text, number)) return false;
  }
  return options.submissions >= uint64_t{10} * kSubmissionsPerFrame;
}

// Of the calling thread.
double Seconds() {
  timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

// What of the process is in memory, in bytes.
double Memory() {
  uint64_t total = 0;
  uint64_t resident = 0;
  std::ifstream("/proc/self/statm") >> total >> resident;
  return static_cast<double>(resident * 4096);
}

// Of each tenth.
struct Figures {
  std::vector<double> nanoseconds;
  std::vector<double> memory;
};

// Whether the greatest of a figure is within bar percent of the least. Prints which it is.
bool IsWithin(const char* what, const std::vector<double>& figure, uint64_t bar, bool counts) {
  const auto [least, greatest] = std::minmax_element(figure.begin(), figure.end());
  const double percent = 100 * (*greatest / *least - 1);
  const bool is_within = percent <= static_cast<double>(bar);
  std::printf("soak: %s of every tenth within %.2f %%, bar %lu %%: %s\n", what, percent,
              static_cast<unsigned long>(bar),
              !counts     ? "not judged"
              : is_within ? "pass"
                          : "FAIL");
  return is_within || !counts;
}

void PrintTenth(uint64_t frames, const Figures& figures) {
  std::printf("soak: %lu submissions, %.0f ns a frame, %.2f MiB\n",
              static_cast<unsigned long>(frames * kSubmissionsPerFrame), figures.nanoseconds.back(),
              figures.memory.back() / (1 << 20));
  std::fflush(stdout);
}

// Renders frames, in a hundred parts. Returns what one takes where the least else is going on: in a tenth of the parts
// a frame takes no more. Other programs on the machine make the others slower.
double SecondsOfFrame(uint64_t frames, absl::FunctionRef<void(uint64_t)> render) {
  constexpr uint64_t kParts = 100;
  std::vector<double> seconds;
  for (uint64_t part = 0; part < kParts; ++part) {
    const uint64_t count = frames * (part + 1) / kParts - frames * part / kParts;
    if (count == 0) continue;
    const double begin = Seconds();
    render(count);
    seconds.push_back((Seconds() - begin) / static_cast<double>(count));
  }
  if (seconds.empty()) return 0;
  const auto decile = seconds.begin() + static_cast<ptrdiff_t>(seconds.size() / 10);
  std::ranges::nth_element(seconds, decile);
  return *decile;
}

Figures Run(test::TestDevice& device, uint64_t submissions) {
  EngineFrames engine(device);
  ObjectFrames objects(device);
  const auto render = [&](uint64_t frames) {
    for (uint64_t i = 0; i < frames; ++i) {
      engine.Render();
      objects.Run();
    }
  };
  render(kWarmUpFrames);
  const uint64_t frames = submissions / kSubmissionsPerFrame / 10;
  Figures figures;
  for (uint32_t tenth = 1; tenth <= 10; ++tenth) {
    figures.nanoseconds.push_back(1e9 * SecondsOfFrame(frames, render));
    figures.memory.push_back(Memory());
    PrintTenth(tenth * frames, figures);
  }
  return figures;
}

int Main(int argc, char** argv) {
  Options options;
  if (!ParseArguments(argc, argv, options) || !ChooseValidators(options.validators)) {
    std::fprintf(stderr,
                 "usage: soak [--submissions=N] [--validators=all|core|lifetimes|stateless|sync|threads] "
                 "[--memory_bar=PERCENT] [--cost_bar=PERCENT]\n");
    return 2;
  }
  test::SystemLoader loader;
  test::MessageLog log;
  test::TestDevice device(loader, log);
  device.Create({.api_version = VK_API_VERSION_1_3,
                 .device_extensions = ObjectFrames::DeviceExtensions(),
                 .features = ObjectFrames::DeviceFeatures()});
  if (device.device == VK_NULL_HANDLE) return 1;
  const Figures figures = Run(device, options.submissions);
  device.Destroy();
  bool is_silent = true;
  for (const test::Message& message : log.Take()) {
    if ((message.types & VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT) == 0) continue;
    std::printf("%s\n", message.text.c_str());
    is_silent = false;
  }
  const bool is_level = IsWithin("memory", figures.memory, options.memory_bar, kMemoryCounts);
  const bool is_steady = IsWithin("cost", figures.nanoseconds, options.cost_bar, true);
  return is_silent && is_level && is_steady ? 0 : 1;
}

}  // namespace
}  // namespace assay::benchmarks

int main(int argc, char** argv) { return assay::benchmarks::Main(argc, argv); }
