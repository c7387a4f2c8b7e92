// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/instrumented.h"

#include <utility>

#include "absl/status/status.h"
#include "spirv_instrument/corpus/instrumented/bound_descriptors.h"
#include "spirv_instrument/corpus/instrumented/limits.h"
#include "spirv_instrument/coverage/coverage.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr uint32_t kAddressAlignment = 8;

// Decides what a module leaves to the host. The setting with which to make it anew, so that it leaves less; the same
// setting if the module may be run.
HostDecides Decide(const Setup& setup, const Instrumented& instrumented, HostDecides host, uint32_t stage,
                   std::set<InstrumentedProgram::HostFault>& faults) {
  bool fails = false;
  bool fails_certainly = false;
  for (const HostCondition& condition : instrumented.host_conditions) {
    if (Holds(setup, condition)) continue;
    fails = true;
    if (!condition.is_certain) continue;
    fails_certainly = true;
    faults.insert({stage, condition.instruction});
  }
  fails = fails || !LimitsOf(setup, instrumented);
  if (!fails || host == HostDecides::kNothing) return host;
  return host == HostDecides::kCertain || fails_certainly ? HostDecides::kNothing : HostDecides::kCertain;
}

absl::StatusOr<size_t> CountBlocks(absl::Span<const uint32_t> words) {
  absl::StatusOr<Module> module = Module::Read(words);
  if (!module.ok()) return module.status();
  return CoverageBlocks(*module).size();
}

absl::Status AddStage(const Program& program, const Setup& setup, InstrumentConfig config, Instrumenter instrument,
                      InstrumentedProgram& result) {
  const auto stage = static_cast<uint32_t>(result.stages.size());
  const std::vector<uint32_t>& words = program.stages[stage].words;
  config.frame.runtime.shader_id = stage;
  result.first_counters.push_back(static_cast<uint32_t>(result.counters));
  if (config.passes.block_counts) {
    absl::StatusOr<size_t> blocks = CountBlocks(words);
    if (!blocks.ok()) return blocks.status();
    config.passes.block_counts->first_counter = result.first_counters.back();
    result.counters += *blocks;
  }
  while (true) {
    absl::StatusOr<Instrumented> made = instrument(words, config);
    if (!made.ok()) return made.status();
    HostDecides& host = config.frame.steps.host;
    const HostDecides decided = Decide(setup, *made, host, stage, result.host_faults);
    if (decided == host) {
      result.stages.push_back(*std::move(made));
      return absl::OkStatus();
    }
    host = decided;
  }
}

absl::StatusOr<InstrumentedProgram> InstrumentAll(const Program& program, const Setup& setup,
                                                  const InstrumentConfig& config, Instrumenter instrument) {
  InstrumentedProgram result = {.runtime = config.frame.runtime};
  while (result.stages.size() < program.stages.size()) {
    if (absl::Status status = AddStage(program, setup, config, instrument, result); !status.ok()) return status;
  }
  return result;
}

}  // namespace

std::vector<std::vector<uint32_t>> InstrumentedProgram::words() const {
  std::vector<std::vector<uint32_t>> words;
  words.reserve(stages.size());
  for (const Instrumented& stage : stages) words.push_back(stage.words);
  return words;
}

absl::StatusOr<InstrumentedProgram> InstrumentProgram(const Program& program, const Setup& setup,
                                                      const InstrumentConfig& config, Instrumenter instrument) {
  InstrumentConfig with_offset = config;
  RuntimeConfig& runtime = with_offset.frame.runtime;
  const auto size = static_cast<uint32_t>(setup.push_constants.bytes.size());
  runtime.push_constant_offset = (size + kAddressAlignment - 1) / kAddressAlignment * kAddressAlignment;
  absl::StatusOr<InstrumentedProgram> made = InstrumentAll(program, setup, with_offset, instrument);
  if (absl::IsFailedPrecondition(made.status()) && runtime.reach == Reach::kPushConstant) {
    runtime.reach = Reach::kDescriptorSet;
    made = InstrumentAll(program, setup, with_offset, instrument);
  }
  return made;
}

}  // namespace assay::spirv_instrument::corpus
