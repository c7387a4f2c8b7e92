// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/event_text.h"

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
#include "syncval/reports/hazard_text.h"

namespace assay::syncval {
namespace {

using Kind = EventUse::Kind;

struct Step {
  EventUse use;
  const SyncRecording* log;
  bool is_after_prior;
};
using Steps = absl::InlinedVector<Step, 8>;

// What was done with events before the later access, in order.
Steps StepsBefore(const SyncRecording& prior_log, Tag prior, const SyncRecording& log, Tag tag) {
  Steps steps;
  if (&prior_log != &log) {
    for (const EventUse& use : prior_log.event_uses()) steps.push_back({use, &prior_log, use.tag > prior});
  }
  for (const EventUse& use : log.event_uses()) {
    if (use.tag <= tag) steps.push_back({use, &log, &prior_log != &log || use.tag > prior});
  }
  return steps;
}

// The set or reset of the event that the step at `end` meets; null when there is none.
const Step* LastChange(const Steps& steps, size_t end) {
  for (size_t i = end; i-- > 0;) {
    if (steps[i].use.event == steps[end].use.event && steps[i].use.kind != Kind::kWait) return &steps[i];
  }
  return nullptr;
}

bool IsWaitedForAfter(const Steps& steps, size_t set) {
  for (size_t i = set + 1; i < steps.size(); ++i) {
    if (steps[i].use.event == steps[set].use.event && steps[i].use.kind == Kind::kWait) return true;
  }
  return false;
}

std::string EventName(const EventBetween& between, const messages::Reporter& reporter) {
  return reporter.Describe({state::Event::kType, between.event});
}

}  // namespace

std::optional<EventBetween> FindEventBetween(const SyncRecording& prior_log, Tag prior, const SyncRecording& log,
                                             Tag tag) {
  using Fault = EventBetween::Fault;
  const Steps steps = StepsBefore(prior_log, prior, log, tag);
  for (size_t i = steps.size(); i-- > 0;) {
    const EventUse& use = steps[i].use;
    if (use.kind != Kind::kWait || !steps[i].is_after_prior || steps[i].log != &log) continue;
    const Step* const change = LastChange(steps, i);
    if (change == nullptr) {
      if (&prior_log != &log) continue;
      return EventBetween{.fault = Fault::kNeverSet, .event = use.event, .wait = use.tag};
    }
    if (change->use.kind != Kind::kSet || change->is_after_prior) continue;
    return EventBetween{Fault::kSetTooEarly, use.event, change->log, change->use.tag, use.tag};
  }
  for (size_t i = steps.size(); i-- > 0;) {
    const EventUse& use = steps[i].use;
    if (use.kind != Kind::kSet || !steps[i].is_after_prior || IsWaitedForAfter(steps, i)) continue;
    return EventBetween{.fault = Fault::kNotWaitedFor, .event = use.event, .set_log = steps[i].log, .set = use.tag};
  }
  return std::nullopt;
}

std::string WhatEventLacks(const EventBetween& between, const SyncRecording& log, const messages::Reporter& reporter) {
  const std::string event = EventName(between, reporter);
  const auto in = [&](const SyncRecording& set_log) {
    if (&set_log == &log) return std::string();
    return absl::StrCat(" of ", reporter.Describe({state::CommandBuffer::kType, set_log.buffer().handle()}));
  };
  switch (between.fault) {
    case EventBetween::Fault::kSetTooEarly:
      return absl::StrCat("The wait for ", event, " (", Describe(log, between.wait, reporter),
                          ") orders what comes before that event's set (",
                          Describe(*between.set_log, between.set, reporter), in(*between.set_log),
                          "), and the earlier access comes after it.");
    case EventBetween::Fault::kNeverSet:
      return absl::StrCat("The wait for ", event, " (", Describe(log, between.wait, reporter),
                          ") orders nothing here: no command before it in this command buffer sets that event.");
    case EventBetween::Fault::kNotWaitedFor:
      return absl::StrCat(event, " is set between the two (", Describe(*between.set_log, between.set, reporter),
                          in(*between.set_log), "), but not waited for before the later access.");
  }
  return "";
}

std::string EventFix(const EventBetween& between, const messages::Reporter& reporter) {
  const std::string event = EventName(between, reporter);
  switch (between.fault) {
    case EventBetween::Fault::kSetTooEarly:
    case EventBetween::Fault::kNeverSet:
      return absl::StrCat("set ", event, " after the earlier access.");
    case EventBetween::Fault::kNotWaitedFor:
      return absl::StrCat("wait for ", event, " with such a barrier.");
  }
  return "";
}

}  // namespace assay::syncval
