// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/hooks.h"

#include <algorithm>
#include <cstdint>
#include <exception>

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

void Skip(const CommandHooks& hooks, const void* call, messages::Report& report) {
  report.UndoRecorded();
  RunCallSkipped(hooks, call);
}

void Validate(const CommandHooks& hooks, const void* call, messages::Report& report) {
  try {
    for (uint16_t i = 0; i < hooks.validate_count; ++i) {
      const Hook& hook = hooks.validate()[i];
      RunHook([&] { hook.validate(hook.validator, call, report); });
    }
  } catch (...) {
    Skip(hooks, call, report);
    throw;
  }
}

void Refuse(const CommandHooks& hooks, const void* call) {
  const VkResult refused = VK_ERROR_VALIDATION_FAILED_EXT;
  RunPostCallRecord(hooks, call, &refused);
}

// Runs the PreCallReport hooks.
void ReportRecorded(const CommandHooks& hooks, const void* call, messages::Report& report) {
  try {
    for (uint16_t i = 0; i < hooks.report_count; ++i) {
      const Hook& hook = hooks.report()[i];
      RunHook([&] { hook.validate(hook.validator, call, report); });
    }
  } catch (...) {
    Refuse(hooks, call);
    throw;
  }
}

}  // namespace

void HookBuilder::Add(vk::CommandId id, Phase phase, const Hook& hook, int position) {
  pending_[static_cast<size_t>(id)][phase].push_back({hook, position});
}

void HookBuilder::Build(HookTable& table) {
  size_t total = 0;
  for (const auto& command : pending_) {
    for (const auto& phase : command) total += phase.size();
  }
  table.storage_ = std::make_unique<Hook[]>(total);
  Hook* next = table.storage_.get();
  for (size_t i = 0; i < pending_.size(); ++i) {
    CommandHooks& hooks = table.commands_[i];
    hooks = {};
    const Hook* first = next;
    for (auto& phase : pending_[i]) {
      std::stable_sort(phase.begin(), phase.end(),
                       [](const Pending& a, const Pending& b) { return a.position < b.position; });
      for (const Pending& pending : phase) *next++ = pending.hook;
    }
    hooks.validate_count = static_cast<uint16_t>(pending_[i][kValidate].size());
    hooks.pre_record_count = static_cast<uint16_t>(pending_[i][kPreRecord].size());
    hooks.report_count = static_cast<uint16_t>(pending_[i][kReport].size());
    hooks.post_record_count = static_cast<uint16_t>(pending_[i][kPostRecord].size());
    hooks.skipped_count = static_cast<uint16_t>(pending_[i][kSkipped].size());
    if (next != first) hooks.hooks = first;
    for (auto& phase : pending_[i]) phase.clear();
  }
}

bool RunPreCall(const CommandHooks& hooks, vk::CommandId command, const void* call, messages::Reporter& reporter) {
  if (hooks.validate_count != 0) {
    messages::Report report(reporter, command);
    Validate(hooks, call, report);
    if (report.skip()) {
      Skip(hooks, call, report);
      return false;
    }
  }
  for (uint16_t i = 0; i < hooks.pre_record_count; ++i) {
    const Hook& hook = hooks.pre_record()[i];
    RunHook([&] { hook.pre_record(hook.validator, call); });
  }
  if (hooks.report_count == 0) return true;
  messages::Report report(reporter, command);
  ReportRecorded(hooks, call, report);
  if (report.skip()) Refuse(hooks, call);
  return !report.skip();
}

void RunPostCallRecord(const CommandHooks& hooks, const void* call, const void* result) {
  for (uint16_t i = 0; i < hooks.post_record_count; ++i) {
    const Hook& hook = hooks.post_record()[i];
    RunHook([&] { hook.post_record(hook.validator, call, result); });
  }
}

void RunCallSkipped(const CommandHooks& hooks, const void* call) {
  for (uint16_t i = 0; i < hooks.skipped_count; ++i) {
    const Hook& hook = hooks.skipped()[i];
    RunHook([&] { hook.skipped(hook.validator, call); });
  }
}

}  // namespace assay::dispatch
