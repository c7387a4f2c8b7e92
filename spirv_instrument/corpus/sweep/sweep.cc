// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/sweep/sweep.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "spirv_instrument/passes/arithmetic/float_groups.h"
#include "spirv_instrument/passes/frame/config.h"
#include "spirv_instrument/tool/validate_module.h"

namespace assay::spirv_instrument::corpus {
namespace {

// A set, an offset in push constants and a SpecId that no module of a corpus uses.
constexpr uint32_t kUnusedSet = 1000;
constexpr uint32_t kUnusedPushConstants = 4096;
constexpr uint32_t kUnusedSpecId = 0x61737379;

InstrumentConfig Base() {
  InstrumentConfig config;
  config.frame.runtime = {
      .descriptor_set = kUnusedSet, .push_constant_offset = kUnusedPushConstants, .specialization_id = kUnusedSpecId};
  return config;
}

InstrumentConfig AllPasses() {
  InstrumentConfig config = Base();
  EnableAllPasses(config.passes);
  config.passes.undefined_arithmetic->not_a_number = FloatOperations::kAll;
  config.passes.undefined_arithmetic->infinity = FloatOperations::kAll;
  return config;
}

}  // namespace

std::vector<SweepConfig> SweepConfigs() {
  std::vector<SweepConfig> configs;
  for (const std::string_view name : PassNames()) {
    SweepConfig& config = configs.emplace_back(SweepConfig{std::string(name), Base()});
    EnablePass(config.config.passes, name).IgnoreError();
  }
  configs.push_back({"all", AllPasses()});
  const auto variant = [&](std::string name) -> FrameConfig& {
    return configs.emplace_back(SweepConfig{std::move(name), AllPasses()}).config.frame;
  };
  variant("all, without steps").steps = StepsConfig::None();
  variant("all, the host decides nothing").steps.host = HostDecides::kNothing;
  variant("all, the host decides what is certain").steps.host = HostDecides::kCertain;
  variant("all, only reporting").is_report_only = true;
  SweepConfig at_end = {"descriptors, reporting at the end", Base()};
  at_end.config.passes = {.descriptor_index = DescriptorIndexConfig{}, .buffer_bounds = BufferBoundsConfig{}};
  at_end.config.frame.reports_at_end = true;
  configs.push_back(at_end);
  variant("all, by push constants").runtime.reach = Reach::kPushConstant;
  variant("all, by specialization constants").runtime.reach = Reach::kSpecializationConstant;
  return configs;
}

absl::StatusOr<std::vector<NamedModule>> ReadModules(const std::string& folder) {
  std::vector<NamedModule> modules;
  std::error_code error;
  for (const std::filesystem::directory_entry& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".spv") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string bytes(std::istreambuf_iterator<char>(file), {});
    if (bytes.empty() || bytes.size() % sizeof(uint32_t) != 0) {
      return absl::InvalidArgumentError(absl::StrCat(entry.path().string(), " is not whole words."));
    }
    std::vector<uint32_t> words(bytes.size() / sizeof(uint32_t));
    bytes.copy(reinterpret_cast<char*>(words.data()), bytes.size());
    modules.push_back({entry.path().filename().string(), std::move(words)});
  }
  if (modules.empty()) return absl::NotFoundError(absl::StrCat("There is no module in ", folder, "."));
  std::ranges::sort(modules, {}, &NamedModule::name);
  return modules;
}

SweepResult Sweep(absl::Span<const NamedModule> modules, const SweepConfig& config) {
  // The words, or nothing where there is an error.
  std::vector<std::vector<uint32_t>> again(modules.size());
  std::thread other([&] {
    for (size_t i = modules.size(); i-- != 0;) {
      absl::StatusOr<Instrumented> instrumented = Instrument(modules[i].words, config.config);
      if (instrumented.ok()) again[i] = std::move(instrumented->words);
    }
  });
  SweepResult result;
  std::vector<std::vector<uint32_t>> first(modules.size());
  for (size_t i = 0; i < modules.size(); ++i) {
    ++result.runs;
    const auto fail = [&](std::string_view what) {
      result.failures.push_back(absl::StrCat(config.name, ": ", modules[i].name, ": ", what));
    };
    absl::StatusOr<Instrumented> instrumented = Instrument(modules[i].words, config.config);
    if (!instrumented.ok()) {
      fail(instrumented.status().message());
      continue;
    }
    for (const PassStatistics& pass : instrumented->statistics.passes) {
      std::array<uint64_t, kOutcomeCount>& sums = result.outcomes[std::string(pass.pass)];
      for (size_t outcome = 0; outcome < kOutcomeCount; ++outcome) sums[outcome] += pass.counts[outcome];
    }
    if (instrumented->is_changed) {
      ++result.changed;
      const absl::Status valid = ValidateModule(instrumented->words);
      if (!valid.ok()) fail(valid.message());
    } else if (instrumented->words != modules[i].words) {
      fail("is reported as unchanged, and has other words");
    }
    first[i] = std::move(instrumented->words);
  }
  other.join();
  for (size_t i = 0; i < modules.size(); ++i) {
    if (first[i] == again[i]) continue;
    result.failures.push_back(absl::StrCat(config.name, ": ", modules[i].name, ": the second run gives other words"));
  }
  return result;
}

}  // namespace assay::spirv_instrument::corpus
