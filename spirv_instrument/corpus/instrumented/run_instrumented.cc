// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// run_instrumented FOLDER [--pass NAME]... [--reach NAME] [--steps NAME] [--turn N] [--shard I/N] [PROGRAM...]: runs
// programs of the corpus instrumented, on all their inputs, and compares with what their descriptions say and with the
// originals: see instrumented.h. Without options, in all ways: by each reach with all steps, and without steps; inputs
// with faults also with those passes alone that are for these faults. With --turn, each program in one of these ways,
// the next one in the next; another number shifts that.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/corpus/corpus.h"
#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/corpus/instrumented/check_input.h"
#include "spirv_instrument/corpus/instrumented/isolated.h"
#include "spirv_instrument/corpus/instrumented/ways.h"
#include "spirv_instrument/corpus/runner/device.h"
#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument::corpus {
namespace {

// For one input in all ways.
constexpr unsigned kMaxSeconds = 60;

struct Options {
  std::string folder;
  std::vector<std::string> passes;
  std::string reach;
  std::string steps;
  size_t shard = 0;
  size_t shards = 1;
  std::optional<size_t> turn;
  std::set<std::string> programs;
};

// A way to instrument, by names. Without passes, it has all.
struct Way {
  std::vector<std::string> passes;
  std::string reach;
  // "at_end": all of them, and FrameConfig::reports_at_end. "unchecked": all of them, and nothing is known of the
  // action.
  std::string steps;

  std::string ToString() const {
    std::string text = absl::StrCat(reach, ", steps: ", steps, ", passes:");
    for (const std::string& pass : passes) absl::StrAppend(&text, " ", pass);
    return passes.empty() ? text + " all" : text;
  }
};

// An input of a program, and the program's number in the corpus.
struct Item {
  size_t number = 0;
  const Program* program = nullptr;
  const Input* input = nullptr;
};

absl::Status ReadShard(std::string_view text, Options& options) {
  const size_t slash = text.find('/');
  if (slash == std::string_view::npos || !absl::SimpleAtoi(text.substr(0, slash), &options.shard) ||
      !absl::SimpleAtoi(text.substr(slash + 1), &options.shards) || options.shard >= options.shards) {
    return absl::InvalidArgumentError(absl::StrCat("a shard is I/N, with I below N, not ", text));
  }
  return absl::OkStatus();
}

absl::StatusOr<Options> ReadOptions(const std::vector<std::string>& arguments) {
  Options options;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const std::string& argument = arguments[i];
    if (!argument.starts_with("--")) {
      if (options.folder.empty()) {
        options.folder = argument;
      } else {
        options.programs.insert(argument);
      }
      continue;
    }
    if (++i == arguments.size()) return absl::InvalidArgumentError(absl::StrCat(argument, " has no value"));
    const std::string& value = arguments[i];
    if (argument == "--pass") {
      options.passes.push_back(value);
    } else if (argument == "--reach") {
      options.reach = value;
    } else if (argument == "--steps") {
      options.steps = value;
    } else if (argument == "--turn") {
      if (!absl::SimpleAtoi(value, &options.turn.emplace())) {
        return absl::InvalidArgumentError(absl::StrCat(value, " is no number"));
      }
    } else if (argument != "--shard") {
      return absl::InvalidArgumentError(absl::StrCat("there is no option ", argument));
    } else if (absl::Status status = ReadShard(value, options); !status.ok()) {
      return status;
    }
  }
  if (options.folder.empty()) return absl::InvalidArgumentError("the folder with the programs is missing");
  return options;
}

std::vector<Way> WaysFor(const Item& item, const Options& options) {
  const Input& input = *item.input;
  std::vector<Way> ways;
  for (const char* reach : {"descriptor_set", "push_constant", "specialization_constant"}) {
    if (options.reach.empty() || options.reach == reach) {
      ways.push_back({options.passes, reach, options.steps.empty() ? "all" : options.steps});
    }
  }
  const std::string reach = options.reach.empty() ? "descriptor_set" : options.reach;
  if (options.steps.empty()) ways.push_back({options.passes, reach, "none"});
  if (options.passes.empty() && !input.faults.empty()) {
    ways.push_back({PassesFor(input.faults), reach, options.steps.empty() ? "all" : options.steps});
  }
  if (options.reach.empty() && options.steps.empty() && options.passes.empty()) {
    ways.push_back({input.faults.empty() ? DescriptorPasses() : PassesFor(input.faults), reach, "at_end"});
    if (input.faults.empty()) ways.push_back({{}, reach, "unchecked"});
  }
  if (options.turn) ways = {ways[(item.number + *options.turn) % ways.size()]};
  return ways;
}

absl::StatusOr<InstrumentConfig> ConfigOf(const Way& way, const Device& device) {
  InstrumentConfig config;
  absl::StatusOr<Reach> reach = ReachByName(way.reach);
  if (!reach.ok()) return reach.status();
  config.frame.runtime.reach = *reach;
  config.frame.reports_at_end = way.steps == "at_end";
  const bool has_all_steps = config.frame.reports_at_end || way.steps == "unchecked";
  absl::StatusOr<StepsConfig> steps = StepsByName(has_all_steps ? "all" : way.steps);
  if (!steps.ok()) return steps.status();
  config.frame.steps = *steps;
  absl::StatusOr<PassConfigs> passes = PassesByName(way.passes, device.limits());
  if (!passes.ok()) return passes.status();
  config.passes = *std::move(passes);
  return config;
}

// What is counted, and which of its ways the input is at: in the memory that all processes share.
enum Number : uint8_t { kRuns, kFailures, kWay, kNumbers };

void Fail(size_t* numbers, const Item& item, const std::string& way, const std::string& what) {
  ++numbers[kFailures];
  std::printf("%s, %s, %s: %s\n", item.program->name.c_str(), item.input->name.c_str(), way.c_str(), what.c_str());
}

void CheckItem(const Device& device, const Item& item, const Options& options, size_t* numbers) {
  absl::StatusOr<InputCheck> check = InputCheck::Make(device, *item.program, *item.input);
  if (!check.ok()) return Fail(numbers, item, "original", check.status().ToString());
  const std::vector<Way> ways = WaysFor(item, options);
  for (numbers[kWay] = 0; numbers[kWay] < ways.size(); ++numbers[kWay]) {
    const Way& way = ways[numbers[kWay]];
    ++numbers[kRuns];
    absl::StatusOr<InstrumentConfig> config = ConfigOf(way, device);
    if (!config.ok()) return Fail(numbers, item, way.ToString(), config.status().ToString());
    for (const std::string& wrong : check->Run(*config, way.steps == "unchecked"))
      Fail(numbers, item, way.ToString(), wrong);
    // A lost device may show only now. Another process goes on with another one.
    if (device.vk().DeviceWaitIdle(device.handle()) == VK_ERROR_DEVICE_LOST) {
      std::fflush(stdout);
      std::abort();
    }
  }
}

// Nearly all the time goes into what lavapipe makes of shaders. So it does not optimize, and keeps what it made, for
// other inputs of the program. Environment variables of the caller prevail: GALLIVM_PERF= optimizes.
void MakeDriverFast() {
  setenv("GALLIVM_PERF", "nopt", 0);
  const char* const folder = std::getenv("TEST_TMPDIR");
  if (folder != nullptr) setenv("MESA_SHADER_CACHE_DIR", folder, 0);
}

int RunAll(const Options& options) {
  absl::StatusOr<std::vector<Program>> programs = ReadCorpus(options.folder);
  size_t* numbers = MakeSharedNumbers(kNumbers);
  if (!programs.ok() || numbers == nullptr) {
    std::printf("%s\n", programs.status().ToString().c_str());
    return 1;
  }
  std::vector<Item> items;
  size_t faulty = 0;
  size_t count = 0;
  for (size_t i = 0; i < programs->size(); ++i) {
    const Program& program = (*programs)[i];
    if (!options.programs.empty() && !options.programs.contains(program.name)) continue;
    if (i % options.shards != options.shard) continue;
    ++count;
    for (const Input& input : program.inputs) {
      items.push_back({i, &program, &input});
      if (!input.faults.empty()) ++faulty;
    }
  }
  // The driver has threads, so that each process makes its own device.
  std::unique_ptr<Device> device;
  const auto start = [&device] {
    absl::StatusOr<std::unique_ptr<Device>> made = Device::Create();
    if (!made.ok()) std::printf("%s\n", made.status().ToString().c_str());
    if (made.ok()) device = *std::move(made);
    return device != nullptr;
  };
  const bool is_done = RunIsolated(
      items.size(), kMaxSeconds, start, [&](size_t i) { CheckItem(*device, items[i], options, numbers); },
      [&](size_t i, const std::string& why) {
        Fail(numbers, items[i], WaysFor(items[i], options)[numbers[kWay]].ToString(), why);
      });
  std::printf("%zu programs, %zu inputs without faults, %zu with faults, %zu runs, %zu failures\n", count,
              items.size() - faulty, faulty, numbers[kRuns], numbers[kFailures]);
  return is_done && numbers[kFailures] == 0 && count != 0 ? 0 : 1;
}

}  // namespace
}  // namespace assay::spirv_instrument::corpus

int main(int argc, char** argv) {
  namespace corpus = assay::spirv_instrument::corpus;
  absl::StatusOr<corpus::Options> options = corpus::ReadOptions({argv + 1, argv + argc});
  if (options.ok()) {
    corpus::MakeDriverFast();
    return corpus::RunAll(*options);
  }
  std::fprintf(stderr,
               "%s\nusage: %s FOLDER [--pass NAME]... [--reach NAME] [--steps NAME] [--turn N] [--shard I/N] "
               "[PROGRAM...]\n",
               options.status().ToString().c_str(), argv[0]);
  return 2;
}
