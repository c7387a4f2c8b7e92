// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/contents/content_rules.h"

#include <algorithm>
#include <string>

#include "absl/strings/str_cat.h"
#include "core/recording/content_needs.h"
#include "core/recording/submitted_commands.h"
#include "vk/command_info.h"

namespace assay::core {
namespace {

using messages::Report;
using state::DeviceState;

// Calls visit(scope) for the command buffer and the secondary command buffers that it executes, as long as each
// returns false. Whether one returned true.
template <class F>
bool AnyScope(const state::CommandBuffer* buffer, const F& visit) {
  if (buffer == nullptr) return false;
  const auto* scope = buffer->Sub<RecordingScope>();
  if (scope != nullptr && visit(*scope)) return true;
  return std::ranges::any_of(buffer->executed, [&](const state::ExecutedSecondary& secondary) {
    const state::CommandBuffer* executed = DeviceState::Get(secondary.handle);
    return executed != nullptr && executed->recording == secondary.recording && executed != buffer &&
           AnyScope(executed, visit);
  });
}

bool HasNeeds(const state::CommandBuffer* buffer) {
  return AnyScope(buffer, [](const RecordingScope& scope) { return !scope.needs.empty(); });
}

bool WaitsForEvents(const state::CommandBuffer* buffer) {
  return AnyScope(buffer, [](const RecordingScope& scope) {
    return std::ranges::any_of(scope.events.entries(),
                               [](const EventRecording::Entry& entry) { return entry.waits != 0; });
  });
}

bool WaitsForShared(const state::SubmittedBatch& batch) {
  return std::ranges::any_of(batch.waits, [](const state::BatchWait& wait) {
    return !wait.semaphore || wait.semaphore->progress.is_external ||
           wait.source.kind == state::SignalSource::Kind::kUnknown;
  });
}

void CheckNeeds(const state::SubmittedCommandBuffer& submitted, Report& report) {
  if (!HasNeeds(submitted.state.get()) || WaitsForEvents(submitted.state.get())) return;
  AnyScope(submitted.state.get(), [&](const RecordingScope& scope) {
    for (const ContentNeed& need : scope.needs) {
      if (!IsUnmet(need)) continue;
      const messages::ObjectRef commands = messages::Object(submitted.handle);
      report.Error(need.rule, {commands, need.object}, report.location(),
                   absl::StrCat("executes ", vk::GetCommandInfo(need.command).name, "() in ",
                                report.reporter().Describe(commands), " on ", UnmetText(need, report.reporter()), "."));
    }
    return false;
  });
}

}  // namespace

ContentRules::ContentRules(state::DeviceState& state) : state_(state) { state.TrackQueues(); }

template <class C>
void ContentRules::Check(const C& call, Report& report) {
  for (const state::BatchRef& batch : state_.PreviewSubmission(call).ready) {
    if (WaitsForShared(*batch)) continue;
    for (const state::SubmittedCommandBuffer& submitted : batch->command_buffers) CheckNeeds(submitted, report);
  }
}

template <class C>
void ContentRules::CheckSubmission(const C& call, Report& report) {
  bool has_needs = false;
  ForEachCommandBuffer(call, [&](VkCommandBuffer handle, uint32_t, uint32_t) {
    has_needs = has_needs || HasNeeds(DeviceState::Get(handle));
  });
  if (!has_needs && !(has_held_needs_ && state_.HasHeldBatches())) return;
  Check(call, report);
  // Some batches may be held.
  if (has_needs) has_held_needs_ = true;
}

void ContentRules::PreCallValidate(const vk::QueueSubmit& call, Report& report) { CheckSubmission(call, report); }
void ContentRules::PreCallValidate(const vk::QueueSubmit2& call, Report& report) { CheckSubmission(call, report); }
void ContentRules::PreCallValidate(const vk::QueueBindSparse& call, Report& report) {
  if (has_held_needs_ && state_.HasHeldBatches()) Check(call, report);
}
void ContentRules::PreCallValidate(const vk::SignalSemaphore& call, Report& report) {
  if (has_held_needs_ && state_.HasHeldBatches()) Check(call, report);
}

}  // namespace assay::core
