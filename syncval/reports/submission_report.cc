// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/submission_report.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/reports/event_text.h"
#include "syncval/reports/fix.h"
#include "syncval/reports/hazard_cause.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/submission_fix.h"
#include "syncval/reports/submission_text.h"

namespace assay::syncval {
namespace {

messages::Properties PropertiesOf(const SubmissionHazard& hazard, std::string_view id, messages::Properties fix,
                                  const messages::Reporter& reporter) {
  const RecordedAccess& access = hazard.access;
  messages::Properties prior;
  if (hazard.prior.has_value()) {
    prior =
        SourceProperties(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, PriorAccess(hazard), reporter);
  } else {
    prior = AccessProperties(hazard.hazard.prior_access, nullptr);
  }
  return HazardProperties(id, hazard.hazard, access, {access.range},
                          SourceProperties(hazard.source, hazard.tag, access.access, &access, reporter),
                          std::move(prior), std::move(fix), reporter);
}

// A sentence about an event between two command buffers of a queue that does not order them; empty if there is none.
std::string EventText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording* const log = hazard.source.Recording();
  const SyncRecording* const prior_log = hazard.prior.has_value() ? hazard.prior->Recording() : nullptr;
  // Between two executions of one log, its order says nothing.
  if (log == nullptr || prior_log == nullptr || prior_log == log) return "";
  const auto event = FindIneffectiveEvent(*prior_log, hazard.prior_tag, *log, hazard.tag);
  return event.has_value() ? absl::StrCat(" ", IneffectiveEventText(*event, *log, reporter)) : "";
}

}  // namespace

uint64_t CauseOf(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  HazardCause cause(IdOf(hazard), hazard.hazard, reporter);
  cause.AddAccess(&hazard.access);
  cause.AddSource(hazard.source, hazard.tag);
  cause.AddAccess(PriorAccess(hazard));
  if (hazard.prior.has_value()) cause.AddSource(*hazard.prior, hazard.prior_tag);
  return cause.Get();
}

messages::Message ComposeSubmissionHazard(const SubmissionHazard& hazard, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = hazard.access;
  const bool is_between_queues = hazard.is_of_other_queue || IsOutsideCommandBuffers(hazard.source) ||
                                 (hazard.prior.has_value() && IsOutsideCommandBuffers(*hazard.prior));
  messages::Message message;
  message.cause = CauseOf(hazard, reporter);
  message.id = IdOf(hazard);
  message.location = LocationOf(hazard.source, report);
  message.text = absl::StrCat(
      SourceText(hazard.source, reporter), " ", VerbOfSource(hazard.source, access.access), " ",
      RangesText(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}),
      CommandAndAccessText(hazard.source, hazard.tag, access.access, &access, reporter), ", ",
      PriorText(hazard, reporter), ". ",
      is_between_queues
          ? MissingSemaphoreText(hazard)
          : MissingSynchronizationText(hazard.hazard, access.access, access.role == Role::kRenderPassAttachment));
  if (!is_between_queues) absl::StrAppend(&message.text, EventText(hazard, reporter));
  message.objects = {{access.resource_type, access.resource}};
  if (hazard.source.buffer) message.objects.push_back({state::CommandBuffer::kType, hazard.source.buffer->handle()});
  Fix fix = is_between_queues ? SemaphoreFix(hazard, reporter) : BarrierFix(hazard, reporter);
  message.fix = std::move(fix.text);
  message.properties = PropertiesOf(hazard, message.id, std::move(fix.fields), reporter);
  return message;
}

}  // namespace assay::syncval
