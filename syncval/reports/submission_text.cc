// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/submission_text.h"

#include "absl/strings/str_cat.h"
#include "syncval/reports/hazard_text.h"
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

bool IsPresentation(const UsageSource& source) {
  return source.kind == UsageSource::Kind::kPresent || source.kind == UsageSource::Kind::kAcquire;
}

const RecordedAccess* LoggedAccess(const UsageSource& source, Tag tag, const Hazard& hazard) {
  const SyncRecording* const recording = source.Recording();
  return recording != nullptr ? recording->FindAccess(tag, hazard.prior_access, hazard.range) : nullptr;
}

std::string_view PriorVerb(const SubmissionHazard& hazard) {
  if (IsTransition(hazard.hazard.prior_access)) return "changes";
  return hazard.prior.has_value() ? VerbOfSource(*hazard.prior, hazard.hazard.prior_access)
                                  : VerbOf(hazard.hazard.prior_access);
}

// The resource that the earlier access named, if that is another one in the same memory.
std::string AliasText(const RecordedAccess* prior, const RecordedAccess& access, const messages::Reporter& reporter) {
  if (prior == nullptr || prior->resource == access.resource) return "";
  return absl::StrCat(" as ", reporter.Describe({prior->resource_type, prior->resource}), " in the same memory");
}

}  // namespace

bool IsRace(HazardKind kind) {
  return kind == HazardKind::kReadRacingWrite || kind == HazardKind::kWriteRacingRead ||
         kind == HazardKind::kWriteRacingWrite;
}

bool IsOutsideCommandBuffers(const UsageSource& source) { return source.kind != UsageSource::Kind::kCommandBuffer; }

std::string IdOf(const SubmissionHazard& hazard) {
  if (IsPresentation(hazard.source)) return "SYNC-HAZARD-PRESENT-AFTER-WRITE";
  // A wait for the acquire that leaves the access out is a wait for a read.
  const bool is_ordered =
      hazard.prior.has_value() && hazard.prior->kind == UsageSource::Kind::kAcquire && !IsRace(hazard.hazard.kind);
  if (hazard.prior.has_value() && IsPresentation(*hazard.prior) && !is_ordered)
    return "SYNC-HAZARD-WRITE-AFTER-PRESENT";
  return IdOf(hazard.hazard.kind);
}

std::string BatchText(const UsageSource& source, const messages::Reporter& reporter) {
  return absl::StrCat("batch ", source.serial, " of ", reporter.Describe({state::Queue::kType, source.queue->handle()}),
                      ", ", vk::GetCommandInfo(source.command).name, "()");
}

std::string SourceText(const UsageSource& source, const messages::Reporter& reporter) {
  switch (source.kind) {
    case UsageSource::Kind::kPresent:
      return absl::StrCat("the presentation engine (", BatchText(source, reporter), ")");
    case UsageSource::Kind::kAcquire:
      return "the presentation engine, until what vkAcquireNextImageKHR() signals is waited for,";
    case UsageSource::Kind::kSparseBind:
      return absl::StrCat(BatchText(source, reporter), ",");
    case UsageSource::Kind::kCommandBuffer:
      break;
  }
  return absl::StrCat(reporter.Describe({state::CommandBuffer::kType, source.buffer->handle()}), " (",
                      BatchText(source, reporter), ")");
}

std::string CommandAndAccessText(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                                 const RecordedAccess* logged, const messages::Reporter& reporter,
                                 std::string_view as) {
  if (IsOutsideCommandBuffers(source)) return "";
  const SyncRecording* const recording = source.Recording();
  const bool is_known = recording != nullptr && tag.value < recording->command_count();
  const std::string by = logged != nullptr ? absl::StrCat(as, RoleText(*logged)) : "";
  return absl::StrCat(is_known ? absl::StrCat(" in ", Describe(*recording, tag, reporter), by.empty() ? "" : ",") : "",
                      by, StageAndAccessText(access));
}

std::string LocationOf(const UsageSource& source, const messages::Report& report) {
  if (report.command() != source.command) return report.location().Text();
  const messages::Location call = report.location();
  if (source.kind == UsageSource::Kind::kPresent)
    return call.Dot("pPresentInfo").Dot("pImageIndices", source.index).Text();
  if (source.kind == UsageSource::Kind::kSparseBind)
    return call.Dot("pBindInfo", source.batch_index).Dot(source.member, source.index).Text();
  const messages::Location batch = call.Dot("pSubmits", source.batch_index);
  if (source.command == vk::CommandId::kQueueSubmit) return batch.Dot("pCommandBuffers", source.index).Text();
  return batch.Dot("pCommandBufferInfos", source.index).Dot("commandBuffer").Text();
}

std::string MissingSemaphoreText(const SubmissionHazard& hazard) {
  if (hazard.prior.has_value() && hazard.prior->kind == UsageSource::Kind::kAcquire && IsRace(hazard.hazard.kind)) {
    return "Nothing waits for the semaphore or fence of that call.";
  }
  if (IsRace(hazard.hazard.kind)) return "No semaphore makes the later of the two wait for the earlier.";
  if (hazard.hazard.ordered_stages == 0) {
    return "A semaphore orders the two batches, but neither its signal's nor its wait's stage mask covers the two "
           "accesses.";
  }
  if (IsTransition(hazard.access.access)) {
    return "A semaphore orders the two batches, but the srcStageMask of this barrier includes no stage that waits for "
           "it.";
  }
  return absl::StrCat("A semaphore orders the two batches, but does not make ",
                      Stages(InfoOf(hazard.access.access).stage), " wait.");
}

std::string_view VerbOfSource(const UsageSource& source, vk::SyncAccessIndex access) {
  if (IsPresentation(source)) return "reads";
  if (source.kind == UsageSource::Kind::kSparseBind) return "changes the memory of";
  return VerbOf(access);
}

const RecordedAccess* PriorAccess(const SubmissionHazard& hazard) {
  return hazard.prior.has_value() ? LoggedAccess(*hazard.prior, hazard.prior_tag, hazard.hazard) : nullptr;
}

std::string PriorText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const which = IsTransition(hazard.hazard.prior_access) ? "the layout of which " : "which ";
  if (!hazard.prior.has_value()) return absl::StrCat(which, "an earlier batch ", PriorVerb(hazard));
  const RecordedAccess* const prior = PriorAccess(hazard);
  return absl::StrCat(which, SourceText(*hazard.prior, reporter), " ", PriorVerb(hazard),
                      CommandAndAccessText(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, prior, reporter,
                                           AliasText(prior, hazard.access, reporter)));
}

bool HasCommand(const UsageSource& source, Tag tag) {
  const SyncRecording* const recording = source.Recording();
  return !IsOutsideCommandBuffers(source) && recording != nullptr && tag.value < recording->command_count();
}

std::string CommandText(const UsageSource& source, Tag tag, const messages::Reporter& reporter) {
  return absl::StrCat(Describe(*source.Recording(), tag, reporter), ", of ",
                      reporter.Describe({state::CommandBuffer::kType, source.buffer->handle()}));
}

}  // namespace assay::syncval
