// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/host_race_report.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/reports/hazard_cause.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/submission_text.h"
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

// Why the call counts as an access by the host; empty for calls that are one by definition.
const char* HostAccessReasonText(vk::CommandId call) {
  switch (call) {
    case vk::CommandId::kFlushMappedMemoryRanges:
      return " By syncval_mapped_ranges, the host has written what it flushes.";
    case vk::CommandId::kInvalidateMappedMemoryRanges:
      return " By syncval_mapped_ranges, the host is about to read what it invalidates.";
    default:
      return "";
  }
}

// The action that the host must wait before. Before a flush, the host wrote already.
std::string PlaceOfWait(vk::CommandId call) {
  const std::string name = absl::StrCat("this ", vk::GetCommandInfo(call).name, "()");
  return call == vk::CommandId::kFlushMappedMemoryRanges ? absl::StrCat("the host writes what ", name, " flushes")
                                                         : name;
}

}  // namespace

messages::Message ComposeHostRace(const SubmissionHazard& race, messages::Report& report) {
  const messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = race.access;
  HazardCause cause(IdOf(race.hazard.kind), race.hazard, reporter);
  cause.AddAccess(&access);
  cause.AddAccess(PriorAccess(race));
  cause.AddSource(*race.prior, race.prior_tag);
  messages::Message message;
  message.cause = cause.Get();
  message.id = IdOf(race.hazard.kind);
  message.location = report.location().Dot(access.member, access.index).Text();
  message.text = absl::StrCat(
      "The host ", VerbOf(access.access), " ", RangesText(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}), ", ", PriorText(race, reporter),
      ". The host does not know that batch to be complete.", HostAccessReasonText(report.command()));
  message.objects = {{access.resource_type, access.resource},
                     {state::CommandBuffer::kType, race.prior->buffer->handle()}};
  message.fix = absl::StrCat("Before ", PlaceOfWait(report.command()), ", wait for ", BatchText(*race.prior, reporter),
                             ", by its fence, a timeline semaphore or vkQueueWaitIdle().");
  message.properties = HazardProperties(
      message.id, race.hazard, access, {access.range}, AccessProperties(access.access, &access),
      SourceProperties(*race.prior, race.prior_tag, race.hazard.prior_access, PriorAccess(race), reporter), {},
      reporter);
  return message;
}

}  // namespace assay::syncval
