// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/hooks.h"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <numeric>
#include <vector>

#include "dispatch/hooks/run_hooks.h"

namespace assay::dispatch {
namespace {

// Runs one hook. It ends where the validator's own code throws, as when memory runs out.
template <class F>
void RunHook(F&& run) {
  try {
    run();
  } catch (const std::exception&) {
    if (messages::IsFromCallback(std::current_exception())) throw;
  }
}

void Refuse(const CommandHooks& hooks, const void* call, Slot* slot) {
  const VkResult refused = VK_ERROR_VALIDATION_FAILED_EXT;
  RunPostCallRecord(hooks, call, slot, &refused);
}

// Runs the PreCallReport hooks.
void ReportRecorded(const CommandHooks& hooks, const void* call, Slot* slot, messages::Report& report) {
  try {
    for (const Hook& hook : hooks.report()) {
      RunHook([&] { hook.validate(hook.validator, call, slot, report); });
    }
  } catch (...) {
    Refuse(hooks, call, slot);
    throw;
  }
}

}  // namespace

void HookBuilder::Add(vk::CommandId id, Phase phase, const Hook& hook, int position) {
  const size_t list = static_cast<size_t>(id) * kPhaseCount + phase;
  pending_.push_back({hook, static_cast<uint32_t>(list * kPositionCount + static_cast<size_t>(position + 1))});
}

void HookBuilder::Build(HookTable& table) {
  // A counting sort, which keeps the order of attachment: starts[i] is where the hooks of rank i begin.
  constexpr size_t kRankCount = vk::kCommandCount * kPhaseCount * kPositionCount;
  std::vector<uint32_t> starts(kRankCount + 1);
  for (const Pending& pending : pending_) ++starts[pending.rank + 1];
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  table.storage_ = std::make_unique<Hook[]>(pending_.size());
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const uint32_t* const start = &starts[i * kPhaseCount * kPositionCount];
    CommandHooks& hooks = table.commands_[i];
    hooks = {};
    if (start[0] == start[kPhaseCount * kPositionCount]) continue;
    for (size_t phase = 0; phase <= kPhaseCount; ++phase)
      hooks.starts_[phase] = table.storage_.get() + start[phase * kPositionCount];
  }
  for (const Pending& pending : pending_) table.storage_[starts[pending.rank]++] = pending.hook;
  pending_.clear();
}

const Hook* ValidateAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot,
                                   messages::Report& report) {
  const Hook* const end = hooks.validate().end();
  ++hook;
  try {
    RunHook([] { throw; });
    while (hook != end && !report.skip()) {
      const Hook& next = *hook++;
      RunHook([&] { next.validate(next.validator, call, slot, report); });
    }
    return hook;
  } catch (...) {
    SkipValidated(hooks, hook, call, slot, report);
    throw;
  }
}

void RecordAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot) {
  RunHook([] { throw; });
  const Hook* const end = hooks.pre_record().end();
  while (++hook != end) RunHook([&] { hook->pre_record(hook->validator, call, slot); });
}

void PostRecordAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot,
                              const void* result) {
  RunHook([] { throw; });
  const Hook* const end = hooks.post_record().end();
  while (++hook != end) RunHook([&] { hook->post_record(hook->validator, call, slot, result); });
}

void SkipValidated(const CommandHooks& hooks, const Hook* end, const void* call, Slot* slot, messages::Report& report) {
  report.UndoRecorded();
  const HookRange validate = hooks.validate();
  for (const Hook& hook : hooks.skipped()) {
    const auto is_of_validator = [&](const Hook& other) { return other.validator == hook.validator; };
    const bool has_run = std::any_of(validate.begin(), end, is_of_validator);
    if (!has_run && std::any_of(end, validate.end(), is_of_validator)) continue;
    RunHook([&] { hook.skipped(hook.validator, call, slot); });
  }
}

bool RunPreCallReport(const CommandHooks& hooks, vk::CommandId command, const void* call, Slot* slot,
                      messages::Reporter& reporter) {
  messages::Report report(reporter, command);
  ReportRecorded(hooks, call, slot, report);
  if (report.skip()) Refuse(hooks, call, slot);
  return !report.skip();
}

void RunCallSkipped(const CommandHooks& hooks, const void* call, Slot* slot) {
  for (const Hook& hook : hooks.skipped()) RunHook([&] { hook.skipped(hook.validator, call, slot); });
}

}  // namespace assay::dispatch
