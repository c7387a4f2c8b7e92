// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/instrumented/check_input.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <set>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "spirv_instrument/corpus/instrumented/faults.h"
#include "spirv_instrument/corpus/instrumented/limits.h"
#include "spirv_instrument/corpus/vulkan.h"
#include "spirv_instrument/coverage/coverage.h"
#include "spirv_instrument/ir/entry_points.h"
#include "spirv_instrument/runtime/layout.h"
#include "spirv_instrument/runtime/records.h"

namespace assay::spirv_instrument::corpus {
namespace {

// How many causes counted faults.
size_t CountCauses(absl::Span<const uint32_t> causes) {
  size_t count = 0;
  const size_t end = std::min(causes.size(), CausesWords(causes[kCauseSlotBitsWord]));
  for (size_t at = kCausesHeaderWords; at + kCauseSlotWords <= end; at += kCauseSlotWords) {
    if (causes[at + kCauseCountWord] != 0) ++count;
  }
  return count;
}

// Whether a stage runs whatever the data: others depend on what primitives cover, what rays hit, and what is called.
bool HasToRun(VkShaderStageFlagBits stage) {
  constexpr VkShaderStageFlags kMayNotRun = VK_SHADER_STAGE_FRAGMENT_BIT | VK_SHADER_STAGE_ANY_HIT_BIT_KHR |
                                            VK_SHADER_STAGE_CLOSEST_HIT_BIT_KHR | VK_SHADER_STAGE_MISS_BIT_KHR |
                                            VK_SHADER_STAGE_INTERSECTION_BIT_KHR | VK_SHADER_STAGE_CALLABLE_BIT_KHR;
  return (stage & kMayNotRun) == 0;
}

// The index of the first block of the entry point.
size_t EntryBlock(const Module& module, const std::vector<CoverageBlock>& blocks) {
  const Id entry = EntryPoints(module).front().function();
  return static_cast<size_t>(std::ranges::find(blocks, entry, &CoverageBlock::function) - blocks.begin());
}

// What one list has and the other does not.
template <typename Texts>
void Compare(const Texts& expected, const Texts& actual, std::string_view what, std::vector<std::string>& wrong) {
  Texts missing;
  Texts unexpected;
  std::ranges::set_difference(expected, actual, std::inserter(missing, missing.end()));
  std::ranges::set_difference(actual, expected, std::inserter(unexpected, unexpected.end()));
  if (!missing.empty()) wrong.push_back(absl::StrCat("missing ", what, ": ", absl::StrJoin(missing, "; ")));
  if (!unexpected.empty()) wrong.push_back(absl::StrCat("unexpected ", what, ": ", absl::StrJoin(unexpected, "; ")));
}

}  // namespace

absl::StatusOr<InputCheck> InputCheck::Make(const Device& device, const Program& program, const Input& input) {
  absl::StatusOr<StageSources> sources = StageSources::Read(program);
  if (!sources.ok()) return sources.status();
  InputCheck check(device, program, input, *std::move(sources));
  if (!input.faults.empty()) return check;
  absl::StatusOr<Outputs> outputs = corpus::Run(device, program, input);
  if (!outputs.ok()) return outputs.status();
  check.outputs_ = *std::move(outputs);
  return check;
}

std::vector<std::string> InputCheck::Run(const InstrumentConfig& config, bool is_unchecked) const {
  absl::StatusOr<InstrumentedProgram> instrumented = InstrumentProgram(program_, input_.setup, config);
  if (!instrumented.ok()) return {absl::StrCat("it is not instrumented: ", instrumented.status().message())};
  RuntimeInstrumentation around(device_, instrumented->words(), instrumented->runtime, instrumented->counters);
  for (const Instrumented& stage : instrumented->stages) {
    if (!stage.limits.empty()) around.SetLimited(stage);
  }
  if (is_unchecked) around.SetUnchecked();
  absl::StatusOr<Outputs> outputs = corpus::Run(device_, program_, input_, &around);
  if (!outputs.ok()) return {absl::StrCat("it does not run: ", outputs.status().message())};
  std::vector<std::string> wrong = Unexpected(input_, *outputs);
  CheckFaults(*instrumented, around, config.frame, wrong);
  if (!input_.faults.empty()) return wrong;
  const std::string difference = FirstDifference(outputs_, *outputs);
  if (!difference.empty()) wrong.push_back(difference);
  if (config.passes.debug_printf) CheckPrints(around, wrong);
  if (config.passes.block_counts) CheckCounts(*instrumented, around, wrong);
  return wrong;
}

void InputCheck::AddNotedFaults(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run,
                                std::set<RecordedFault>& faults, std::vector<std::string>& wrong) const {
  for (size_t i = 0; i < instrumented.stages.size(); ++i) {
    if (instrumented.stages[i].limits.empty()) continue;
    absl::StatusOr<std::set<RecordedFault>> noted =
        ReadNotedFaults(input_.setup, instrumented.stages[i], static_cast<uint32_t>(i), run.Part(kCausesBinding));
    if (!noted.ok()) wrong.emplace_back(noted.status().message());
    if (noted.ok()) faults.merge(*std::move(noted));
  }
}

void InputCheck::CheckFaults(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run,
                             const FrameConfig& frame, std::vector<std::string>& wrong) const {
  absl::StatusOr<std::set<RecordedFault>> faults = ReadFaults(run.Part(kErrorsBinding));
  if (!faults.ok()) {
    wrong.emplace_back(faults.status().message());
    return;
  }
  const size_t causes = CountCauses(run.Part(kCausesBinding));
  if (causes != faults->size()) wrong.push_back(absl::StrCat(causes, " causes and ", faults->size(), " records"));
  AddNotedFaults(instrumented, run, *faults, wrong);
  std::set<std::string> expected;
  for (const ExpectedFault& fault : input_.faults) expected.insert(sources_.Name(fault));
  std::set<std::string> actual;
  for (const RecordedFault& fault : *faults) actual.insert(sources_.Name(fault));
  for (const ExpectedFault& fault : input_.faults) {
    // An invocation that has a fault reports one.
    const bool may_be_missing =
        (fault.is_dominated && frame.steps.dominated) || (frame.reports_at_end && !faults->empty());
    if (may_be_missing) actual.insert(sources_.Name(fault));
  }
  Compare(expected, actual, "faults", wrong);
  for (const auto& [stage, instruction] : instrumented.host_faults) {
    const std::string place = sources_.Place(stage, instruction);
    const bool is_expected =
        std::ranges::any_of(expected, [&place](const std::string& name) { return name.ends_with(" at " + place); });
    if (!is_expected) wrong.push_back(absl::StrCat("the host finds a fault at ", place));
  }
}

void InputCheck::CheckPrints(const RuntimeInstrumentation& run, std::vector<std::string>& wrong) const {
  const absl::Span<const uint32_t> output = run.Part(kOutputBinding);
  const ErrorStream stream = ReadErrors(output);
  if (stream.is_cut || stream.lost_records != 0) wrong.emplace_back("prints were lost");
  std::multiset<std::string> actual;
  for (const ErrorRecord& record : stream.records) {
    if (record.shader_id >= sources_.size()) {
      wrong.emplace_back("a shader that is not there prints");
      continue;
    }
    actual.insert(sources_.prints(record.shader_id).Text(record.instruction, record.data));
  }
  Compare(std::multiset<std::string>(input_.prints.begin(), input_.prints.end()), actual, "prints", wrong);
}

void InputCheck::CheckCounts(const InstrumentedProgram& instrumented, const RuntimeInstrumentation& run,
                             std::vector<std::string>& wrong) const {
  const std::vector<uint64_t> counts = ReadCounts(run.Part(kCountsBinding), instrumented.counters);
  const std::array<uint32_t, 3>& size = input_.setup.work.size;
  for (uint32_t stage = 0; stage < program_.stages.size(); ++stage) {
    const VkShaderStageFlagBits kind = program_.stages[stage].stage;
    const size_t block = EntryBlock(sources_.module(stage), sources_.blocks(stage));
    const uint64_t count = counts[instrumented.first_counters[stage] + block];
    const std::string& source = program_.stages[stage].source;
    if (count == 0 && HasToRun(kind)) wrong.push_back(absl::StrCat(source, " was not counted"));
    const uint64_t groups = uint64_t{size[0]} * size[1] * size[2];
    if (kind == VK_SHADER_STAGE_COMPUTE_BIT && count % groups != 0) {
      wrong.push_back(absl::StrCat(source, " was counted ", count, " times in ", groups, " workgroups"));
    }
  }
}

}  // namespace assay::spirv_instrument::corpus
