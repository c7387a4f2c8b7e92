// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/payloads.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "dispatch/dispatch.h"
#include "vk/command_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using Status = state::FenceProgress::Status;
using Kind = state::SignalSource::Kind;

// Whether the layer sees everything that is done to the payload.
bool IsTracked(const state::Semaphore& semaphore) {
  return !semaphore.progress.is_external && !semaphore.progress.was_replaced;
}

std::string CommandText(vk::CommandId command) { return absl::StrCat(vk::GetCommandInfo(command).name, "()"); }

}  // namespace

void CheckFence(const state::DeviceState& state, VkFence handle, const FenceIds& ids, const Location& where,
                Report& report) {
  const auto* fence = state::DeviceState::Get<state::Fence>(handle);
  if (fence == nullptr) return;
  Status status = Status::kUnknown;
  state.InspectQueues([&] {
    const state::FenceProgress& progress = fence->progress;
    if (progress.is_external || progress.is_unknown) return;
    status = progress.status;
    // Complete, and so signaled.
    if (status == Status::kSubmitted && std::ranges::all_of(progress.points, state::IsComplete)) {
      status = Status::kSignaled;
    }
  });
  if (status == Status::kUnsignaled || status == Status::kUnknown) [[likely]]
    return;
  const messages::ObjectRef object = messages::Object(handle);
  const std::string name = report.reporter().Describe(object);
  if (status == Status::kSignaled) {
    return report.Error(ids.signaled, {object}, where, absl::StrCat("(", name, ") is signaled."),
                        "Reset it with vkResetFences() before.");
  }
  report.Error(
      ids.in_use, {object}, where,
      absl::StrCat("(", name, ") was given to ", status == Status::kSubmitted ? "a queue" : "the presentation engine",
                   " before, and the host has neither waited for it nor reset it since."),
      "Wait for it with vkWaitForFences() and reset it with vkResetFences() before, or use another fence.");
}

// ---- Binary semaphores.

state::SignalSource& BinarySemaphoreChecker::SourceOf(const state::Semaphore* semaphore) {
  for (Changed& changed : changed_) {
    if (changed.semaphore == semaphore) return changed.source;
  }
  return changed_.emplace_back(Changed{semaphore, semaphore->progress.pending}).source;
}

void BinarySemaphoreChecker::Wait(const SemaphoreOperation& operation, const state::SignalSource& source) {
  if (source.kind == Kind::kNone) {
    const bool others = source.waited.queue != &queue_ && state::IsPending(source.waited);
    findings_.push_back({others ? Finding::Kind::kOtherQueueWaits : Finding::Kind::kNothingSignals,
                         others ? ids_.other_queue_waits : ids_.nothing_signals, operation, source});
  } else if (source.kind == Kind::kBatches && std::ranges::any_of(source.signals, [](const state::SignalPoint& signal) {
               return state::IsHeld(signal.point);
             })) {
    findings_.push_back({Finding::Kind::kSignalIsHeld, ids_.nothing_signals, operation, source});
  }
}

void BinarySemaphoreChecker::Add(const SemaphoreOperation& operation) {
  if (!IsTracked(*operation.semaphore)) return;
  state::SignalSource& source = SourceOf(operation.semaphore);
  if (operation.is_wait) {
    Wait(operation, source);
    source = {.waited = {const_cast<state::Queue*>(&queue_), queue_.progress.submitted + 1 + operation.batch}};
    return;
  }
  const bool is_signaled = source.kind == Kind::kAcquire || source.kind == Kind::kBatches;
  const auto is_held = [](const state::SignalPoint& signal) { return state::IsHeld(signal.point); };
  if (is_signaled && (source.kind == Kind::kAcquire || std::ranges::none_of(source.signals, is_held))) {
    findings_.push_back({Finding::Kind::kIsSignaled, ids_.is_signaled, operation, source});
  }
  source = {.kind = Kind::kBatches};
}

std::string SignalText(const state::SignalSource& source, messages::Reporter& reporter) {
  if (source.kind == Kind::kAcquire) {
    return absl::StrCat("the acquisition of image ", source.image.index, " of ",
                        reporter.Describe(messages::Object(source.image.swapchain)));
  }
  if (source.signals.empty()) return "the same call";
  const state::SignalPoint& signal = source.signals.front();
  return absl::StrCat(signal.batch != nullptr ? CommandText(signal.batch->command) : "a submission", " to ",
                      reporter.Describe({VK_OBJECT_TYPE_QUEUE, signal.point.queue->handle()}));
}

void ReportFinding(const BinarySemaphoreChecker::Finding& finding, const Location& where, Report& report) {
  using FindingKind = BinarySemaphoreChecker::Finding::Kind;
  const messages::ObjectRef object = messages::Object(finding.operation.handle);
  messages::Reporter& reporter = report.reporter();
  const auto error = [&](std::string text, std::string fix) {
    report.Error(finding.vuid, {object}, where, absl::StrCat("(", reporter.Describe(object), ") ", text),
                 std::move(fix));
  };
  switch (finding.kind) {
    case FindingKind::kNothingSignals:
      return error("is waited for, and no signal operation of it was submitted that nothing waits for yet.",
                   "Submit what signals it before; each signal can be waited for once.");
    case FindingKind::kSignalIsHeld:
      return error(absl::StrCat("is signaled by ", SignalText(finding.source, reporter),
                                ", which waits for a timeline semaphore's value that nothing was submitted to signal."),
                   "Submit what that waits for before, or wait for a timeline semaphore here.");
    case FindingKind::kOtherQueueWaits:
      return error(absl::StrCat("is waited for by ",
                                reporter.Describe({VK_OBJECT_TYPE_QUEUE, finding.source.waited.queue->handle()}),
                                " already, and was signaled for that wait alone."),
                   "Use a semaphore for each queue that waits, or a timeline semaphore.");
    case FindingKind::kIsSignaled:
      return error(absl::StrCat("is signaled by ", SignalText(finding.source, reporter),
                                " already, and nothing that was submitted waits for that."),
                   "Submit a wait for it before, or use another semaphore.");
  }
}

// ---- Timeline semaphores.

bool TimelineSemaphoreChecker::FindSignalBefore(const SemaphoreOperation& operation, uint64_t* value) const {
  if (!ids_.is_ordered) return false;
  const auto is_it = [&](uint64_t other) {
    *value = other;
    return other >= operation.value;
  };
  for (const SemaphoreOperation& before : before_) {
    if (!before.is_wait && before.semaphore == operation.semaphore && before.batch < operation.batch &&
        is_it(before.value)) {
      return true;
    }
  }
  for (const auto& signal : operation.semaphore->progress.signals) {
    const state::SignalPoint& point = signal.signal;
    const bool in_order = point.point.queue == &queue_ && point.batch != nullptr && !point.batch->is_sparse();
    if (in_order && is_it(signal.value)) return true;
  }
  for (const state::BatchRef& batch : queue_.progress.held) {
    if (batch->is_sparse()) continue;
    for (const state::BatchSignal& signal : batch->signals) {
      if (signal.semaphore.get() == operation.semaphore && is_it(signal.value)) return true;
    }
  }
  return false;
}

void TimelineSemaphoreChecker::Signal(const SemaphoreOperation& operation) {
  const uint64_t known = operation.semaphore->progress.known_value;
  uint64_t other = 0;
  const auto add = [&](Finding::Kind kind, uint64_t value) {
    findings_.push_back({kind, ids_.signal_value, operation, value});
  };
  if (operation.value <= known) return add(Finding::Kind::kReached, known);
  for (const SemaphoreOperation& before : before_) {
    if (ids_.has_rule_of_batch || !before.is_wait || before.semaphore != operation.semaphore ||
        before.batch != operation.batch || before.value < operation.value) {
      continue;
    }
    return add(Finding::Kind::kWaitedFor, before.value);
  }
  if (FindSignalBefore(operation, &other)) return add(Finding::Kind::kSignaledBefore, other);
}

void TimelineSemaphoreChecker::Add(const SemaphoreOperation& operation) {
  if (!IsTracked(*operation.semaphore)) return;
  if (!operation.is_wait) Signal(operation);
  const uint64_t known = operation.semaphore->progress.known_value;
  if (operation.value > known && operation.value - known > max_difference_) {
    findings_.push_back({Finding::Kind::kMaybeTooFar, operation.is_wait ? ids_.wait_difference : ids_.signal_difference,
                         operation, max_difference_});
  }
  before_.push_back(operation);
}

bool GetCounterValue(const dispatch::Device& device, VkSemaphore semaphore, uint64_t* value) {
  const auto get_value = dispatch::Next<vk::GetSemaphoreCounterValue>(device.next);
  const uint64_t of_driver = dispatch::HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(semaphore));
  return get_value != nullptr &&
         get_value(device.handle, reinterpret_cast<VkSemaphore>(of_driver), value) == VK_SUCCESS;
}

}  // namespace assay::core
