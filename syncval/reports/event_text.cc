// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/event_text.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "syncval/reports/hazard_text.h"

namespace assay::syncval {
namespace {

using Kind = EventOperation::Kind;

struct Step {
  EventOperation operation;
  const SyncRecording* log;
  bool is_after_prior;
};
using Steps = absl::InlinedVector<Step, 8>;

// The operations on events before the later access, in order.
Steps OperationsBefore(const SyncRecording& prior_log, Tag prior, const SyncRecording& log, Tag tag) {
  Steps steps;
  if (&prior_log != &log) {
    for (const EventOperation& operation : prior_log.event_operations())
      steps.push_back({operation, &prior_log, operation.tag > prior});
  }
  for (const EventOperation& operation : log.event_operations()) {
    if (operation.tag <= tag) steps.push_back({operation, &log, &prior_log != &log || operation.tag > prior});
  }
  return steps;
}

// The set or reset of the event that the step at `end` meets; null when there is none.
const Step* LastSetOrReset(const Steps& steps, size_t end) {
  for (size_t i = end; i-- > 0;) {
    if (steps[i].operation.event == steps[end].operation.event && steps[i].operation.kind != Kind::kWait)
      return &steps[i];
  }
  return nullptr;
}

bool IsWaitedForAfter(const Steps& steps, size_t set) {
  for (size_t i = set + 1; i < steps.size(); ++i) {
    if (steps[i].operation.event == steps[set].operation.event && steps[i].operation.kind == Kind::kWait) return true;
  }
  return false;
}

std::string EventName(const IneffectiveEvent& between, const messages::Reporter& reporter) {
  return reporter.Describe({state::Event::kType, between.event});
}

}  // namespace

std::optional<IneffectiveEvent> FindIneffectiveEvent(const SyncRecording& prior_log, Tag prior,
                                                     const SyncRecording& log, Tag tag) {
  using Reason = IneffectiveEvent::Reason;
  const Steps steps = OperationsBefore(prior_log, prior, log, tag);
  for (size_t i = steps.size(); i-- > 0;) {
    const EventOperation& operation = steps[i].operation;
    if (operation.kind != Kind::kWait || !steps[i].is_after_prior || steps[i].log != &log) continue;
    const Step* const change = LastSetOrReset(steps, i);
    if (change == nullptr) {
      if (&prior_log != &log) continue;
      return IneffectiveEvent{.reason = Reason::kNeverSet, .event = operation.event, .wait = operation.tag};
    }
    if (change->operation.kind != Kind::kSet || change->is_after_prior) continue;
    return IneffectiveEvent{Reason::kSetTooEarly, operation.event, change->log, change->operation.tag, operation.tag};
  }
  for (size_t i = steps.size(); i-- > 0;) {
    const EventOperation& operation = steps[i].operation;
    if (operation.kind != Kind::kSet || !steps[i].is_after_prior || IsWaitedForAfter(steps, i)) continue;
    return IneffectiveEvent{
        .reason = Reason::kNotWaitedFor, .event = operation.event, .set_log = steps[i].log, .set = operation.tag};
  }
  return std::nullopt;
}

std::string IneffectiveEventText(const IneffectiveEvent& between, const SyncRecording& log,
                                 const messages::Reporter& reporter) {
  const std::string event = EventName(between, reporter);
  const auto in = [&](const SyncRecording& set_log) {
    if (&set_log == &log) return std::string();
    return absl::StrCat(" of ", reporter.Describe({state::CommandBuffer::kType, set_log.buffer().handle()}));
  };
  switch (between.reason) {
    case IneffectiveEvent::Reason::kSetTooEarly:
      return absl::StrCat("The wait for ", event, " (", Describe(log, between.wait, reporter),
                          ") orders what comes before that event's set (",
                          Describe(*between.set_log, between.set, reporter), in(*between.set_log),
                          "), and the earlier access comes after it.");
    case IneffectiveEvent::Reason::kNeverSet:
      return absl::StrCat("The wait for ", event, " (", Describe(log, between.wait, reporter),
                          ") orders nothing here: no command before it in this command buffer sets that event.");
    case IneffectiveEvent::Reason::kNotWaitedFor:
      return absl::StrCat(event, " is set between the two (", Describe(*between.set_log, between.set, reporter),
                          in(*between.set_log), "), but not waited for before the later access.");
  }
  return "";
}

std::string EventFix(const IneffectiveEvent& between, const messages::Reporter& reporter) {
  const std::string event = EventName(between, reporter);
  switch (between.reason) {
    case IneffectiveEvent::Reason::kSetTooEarly:
    case IneffectiveEvent::Reason::kNeverSet:
      return absl::StrCat("set ", event, " after the earlier access.");
    case IneffectiveEvent::Reason::kNotWaitedFor:
      return absl::StrCat("wait for ", event, " with such a barrier.");
  }
  return "";
}

}  // namespace assay::syncval
