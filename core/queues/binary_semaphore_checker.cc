// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/queues/binary_semaphore_checker.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using Kind = state::SignalSource::Kind;

std::string CommandText(vk::CommandId command) { return absl::StrCat(vk::GetCommandInfo(command).name, "()"); }

}  // namespace

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

}  // namespace assay::core
