// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/execution_report.h"

#include <optional>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/recording/heuristics.h"
#include "syncval/reports/event_text.h"
#include "syncval/reports/fix.h"
#include "syncval/reports/hazard_cause.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/transition_fix.h"
#include "syncval/trace/recorded/command_trace.h"

namespace assay::syncval {
namespace {

uint64_t CauseOf(const SyncRecording& primary, const ExecutionHazard& hazard, const RecordedAccess* prior,
                 const messages::Reporter& reporter) {
  HazardCause cause(IdOf(hazard.hazard.kind), hazard.hazard, reporter);
  cause.AddAccess(&hazard.access);
  cause.AddCommand(primary, hazard.tag);
  cause.AddAccess(prior);
  cause.AddCommand(primary, hazard.hazard.prior_tag);
  cause.Add(hazard.index);
  return cause.Get();
}

Fix FixOf(const SyncRecording& primary, const ExecutionHazard& hazard, const RecordedAccess* prior,
          const messages::Reporter& reporter) {
  const BarrierFlags& flags = hazard.fix.flags;
  const Tag prior_tag = hazard.hazard.prior_tag;
  switch (hazard.fix.kind) {
    case Suggestion::Kind::kAddBarrier:
      return RecordBarrier(VersionOf(primary), PlaceOfBarrier(primary, hazard.hazard, "vkCmdExecuteCommands"), flags,
                           SameResourceBarrierProperties(hazard.access, prior));
    case Suggestion::Kind::kAddToTransition:
      return AddToTransition(BarrierSide::kSource, flags, primary, hazard.tag, &hazard.access,
                             Describe(primary, hazard.tag, reporter));
    case Suggestion::Kind::kAddToPriorTransition:
      return AddToPriorTransition(hazard.fix, primary, prior_tag, prior, Describe(primary, prior_tag, reporter));
    case Suggestion::Kind::kSetEventLater:
      return SetEventLater(VersionOf(primary), Describe(primary, hazard.tag, reporter), flags);
    case Suggestion::Kind::kAddSemaphores:
      break;
  }
  return {};
}

}  // namespace

void AddHazard(SyncRecording& primary, ReplayHazard found, Tag base, uint32_t index, PossibleReadParts& parts,
               std::vector<ExecutionHazard>& hazards) {
  const bool is_possible_read = found.access.ordering == OrderingRule::kPossible;
  const RecordedAccess* const access = is_possible_read
                                           ? primary.FindPossibleRead(found.tag, found.access.index, found.access.range)
                                           : primary.FindAccess(found.tag, found.access.index, found.access.range);
  if (access == nullptr || access->is_queue_family_acquire) return;
  if (MayBeInOrder(primary, found.hazard, *access)) return;
  if (is_possible_read) {
    if (!parts.Add(found.tag, access->range, found.access.range)) return;
    found.access.range = access->range;
  }
  if (access->is_of_shared_memory() && primary.IsOfSameResource(*access, found.hazard.prior_tag, found.hazard)) return;
  for (const ExecutionHazard& known : hazards) {
    if (known.access.resource == access->resource && known.hazard.prior_tag == found.hazard.prior_tag) return;
  }
  RecordedAccess part = *access;
  part.range = found.access.range;
  Suggestion fix = primary.context.SuggestForReplay(found, base, primary.queue_flags());
  if (primary.IsDeferred(*access, found.hazard)) {
    primary.Add(DeferredHazard{part, found.tag, found.hazard, std::move(fix)});
  } else {
    hazards.push_back({part, found.tag, found.hazard, index, std::move(fix)});
  }
}

void ReportExecutionHazard(const SyncRecording& primary, const ExecutionHazard& hazard, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = hazard.access;
  const bool after_transition = IsTransition(hazard.hazard.prior_access);
  const RecordedAccess* const prior =
      primary.FindAccess(hazard.hazard.prior_tag, hazard.hazard.prior_access, hazard.hazard.range);
  messages::Message message;
  const std::string by = RoleText(access);
  message.cause = CauseOf(primary, hazard, prior, reporter);
  if (primary.trace() == nullptr && report.CountIfDuplicate(message.cause)) return;
  message.id = IdOf(hazard.hazard.kind);
  message.location = report.location().Dot("pCommandBuffers", hazard.index).Text();
  message.text = absl::StrCat(
      reporter.Describe({state::CommandBuffer::kType, primary.FindExecuted(hazard.tag)->secondary->handle()}), " ",
      VerbOf(access.access), " ", RangesText(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}), " in its ",
      DescribeInCommandBuffer(primary, hazard.tag), by.empty() ? "" : ",", by, StageAndAccessText(access.access), ", ",
      after_transition ? "the layout of which " : "which ", Describe(primary, hazard.hazard.prior_tag, reporter), ", ",
      after_transition ? "changes" : VerbOf(hazard.hazard.prior_access), StageAndAccessText(hazard.hazard.prior_access),
      ". ", MissingSynchronizationText(hazard.hazard, access.access));
  if (const auto event = FindIneffectiveEvent(primary, hazard.hazard.prior_tag, primary, hazard.tag)) {
    absl::StrAppend(&message.text, " ", IneffectiveEventText(*event, primary, reporter));
  }
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, primary.buffer().handle()}};
  Fix fix = FixOf(primary, hazard, prior, reporter);
  message.fix = std::move(fix.text);
  message.properties =
      HazardProperties(message.id, hazard.hazard, access, {access.range},
                       AccessProperties(primary, hazard.tag, access.access, &access, reporter),
                       AccessProperties(primary, hazard.hazard.prior_tag, hazard.hazard.prior_access, prior, reporter),
                       std::move(fix.fields), reporter);
  if (trace::CommandTrace* trace = primary.trace()) trace->AddHazard(message, hazard.hazard.prior_tag);
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
