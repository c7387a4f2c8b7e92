// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/replay_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "syncval/doubts.h"
#include "syncval/hazard_report.h"
#include "syncval/hazard_words.h"
#include "syncval/resource_words.h"
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

bool IsRace(HazardKind kind) {
  return kind == HazardKind::kReadRacingWrite || kind == HazardKind::kWriteRacingRead ||
         kind == HazardKind::kWriteRacingWrite;
}
bool IsPresentation(const Doer& doer) { return doer.kind != Doer::Kind::kCommandBuffer; }

std::string IdOf(const SubmissionHazard& hazard) {
  if (IsPresentation(hazard.doer)) return "SYNC-HAZARD-PRESENT-AFTER-WRITE";
  // A wait for the acquire that leaves the access out is a wait for a read.
  const bool is_ordered =
      hazard.prior.has_value() && hazard.prior->kind == Doer::Kind::kAcquire && !IsRace(hazard.hazard.kind);
  if (hazard.prior.has_value() && IsPresentation(*hazard.prior) && !is_ordered)
    return "SYNC-HAZARD-WRITE-AFTER-PRESENT";
  return IdOf(hazard.hazard.kind);
}

std::string BatchText(const Doer& doer, const messages::Reporter& reporter) {
  return absl::StrCat("batch ", doer.serial, " of ", reporter.Describe({state::Queue::kType, doer.queue->handle()}),
                      ", ", vk::GetCommandInfo(doer.command).name, "()");
}

// "VkCommandBuffer 0x…[upload] (batch 2 of VkQueue 0x…, vkQueueSubmit2())".
std::string WhoText(const Doer& doer, const messages::Reporter& reporter) {
  switch (doer.kind) {
    case Doer::Kind::kPresent:
      return absl::StrCat("the presentation engine (", BatchText(doer, reporter), ")");
    case Doer::Kind::kAcquire:
      return "the presentation engine, until what vkAcquireNextImageKHR() signals is waited for,";
    case Doer::Kind::kCommandBuffer:
      break;
  }
  return absl::StrCat(reporter.Describe({state::CommandBuffer::kType, doer.buffer->handle()}), " (",
                      BatchText(doer, reporter), ")");
}

// ", by command 3, vkCmdCopyBuffer() in "frame", by pRegions[0] (…)"; empty for the presentation engine.
std::string HowText(const Doer& doer, Tag tag, vk::SyncAccessIndex access, const RecordedAccess* logged,
                    const messages::Reporter& reporter) {
  if (IsPresentation(doer)) return "";
  const SyncRecording* const recording = doer.Recording();
  const bool is_known = recording != nullptr && tag.value < recording->command_count();
  return absl::StrCat(is_known ? absl::StrCat(" by ", Describe(*recording, tag, reporter)) : "",
                      logged != nullptr ? ByWhat(*logged) : "", HowOf(access));
}

std::string LocationOf(const Doer& doer, const messages::Report& report) {
  if (report.command() != doer.command) return report.location().Text();
  const messages::Location call = report.location();
  if (doer.kind == Doer::Kind::kPresent) return call.Dot("pPresentInfo").Dot("pImageIndices", doer.index).Text();
  const messages::Location batch = call.Dot("pSubmits", doer.batch_index);
  if (doer.command == vk::CommandId::kQueueSubmit) return batch.Dot("pCommandBuffers", doer.index).Text();
  return batch.Dot("pCommandBufferInfos", doer.index).Dot("commandBuffer").Text();
}

// What lies between accesses of two queues.
std::string WhatSemaphoresLack(const SubmissionHazard& hazard) {
  if (hazard.prior.has_value() && hazard.prior->kind == Doer::Kind::kAcquire && IsRace(hazard.hazard.kind)) {
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

std::string SemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const bool is_transition = IsTransition(hazard.access.access);
  const std::string stages = IsPresentation(hazard.doer) || is_transition ? "VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT"
                                                                          : Stages(InfoOf(hazard.access.access).stage);
  if (!IsRace(hazard.hazard.kind)) {
    return is_transition ? "Let the srcStageMask of this barrier include a stage of the semaphore wait's stage mask."
                         : absl::StrCat("Add ", stages, " to the stage mask of the semaphore wait.");
  }
  if (!hazard.prior.has_value()) return "";
  const std::string waiter = BatchText(hazard.doer, reporter);
  if (hazard.prior->kind == Doer::Kind::kAcquire) {
    return absl::StrCat("Have ", waiter,
                        ", wait for the semaphore of vkAcquireNextImageKHR() with a stage mask that includes ", stages,
                        ".");
  }
  if (hazard.prior->kind == Doer::Kind::kPresent) {
    return absl::StrCat("Acquire the image again, and have ", waiter,
                        ", wait for the semaphore of that with a stage mask that includes ", stages, ".");
  }
  return absl::StrCat(
      "Have ", BatchText(*hazard.prior, reporter), ", or a later batch of that queue, signal a semaphore, and ", waiter,
      ", wait for it",
      IsPresentation(hazard.doer) ? "." : absl::StrCat(" with a stage mask that includes ", stages, "."));
}

const RecordedAccess* LoggedAccess(const Doer& doer, Tag tag, const Hazard& hazard) {
  const SyncRecording* const recording = doer.Recording();
  return recording != nullptr ? recording->FindAccess(tag, hazard.prior_access, hazard.range) : nullptr;
}

const char* PriorVerb(const SubmissionHazard& hazard) {
  if (hazard.prior.has_value() && IsPresentation(*hazard.prior)) return "reads";
  return IsTransition(hazard.hazard.prior_access) ? "changes" : VerbOf(hazard.hazard.prior_access);
}

std::string PriorText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const which = IsTransition(hazard.hazard.prior_access) ? "the layout of which " : "which ";
  if (!hazard.prior.has_value()) return absl::StrCat(which, "an earlier batch ", PriorVerb(hazard));
  const RecordedAccess* const logged = LoggedAccess(*hazard.prior, hazard.prior_tag, hazard.hazard);
  return absl::StrCat(which, WhoText(*hazard.prior, reporter), " ", PriorVerb(hazard),
                      HowText(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, logged, reporter));
}

// "In VkCommandBuffer 0x…, before command 3, vkCmdDispatch(), record"; empty if that is not known any more.
std::string PlaceText(const std::optional<Doer>& doer, const char* where, Tag tag, const messages::Reporter& reporter,
                      const char* what = "") {
  const SyncRecording* const recording = doer.has_value() ? doer->Recording() : nullptr;
  if (recording == nullptr) return "";
  return absl::StrCat("In ", reporter.Describe({state::CommandBuffer::kType, doer->buffer->handle()}), ", ", where,
                      Describe(*recording, tag, reporter), what);
}

// In words. Each place is of one kind of suggestion: where a barrier is missing, and whose bits are. None of these, if
// it is empty.
std::string BarrierFix(const Suggestion& fix, std::string_view before, std::string_view transition,
                       std::string_view prior_transition) {
  const BarrierFlags& flags = fix.flags;
  switch (fix.where) {
    case Suggestion::Where::kBefore:
      if (before.empty() || flags == BarrierFlags()) return "";
      return absl::StrCat(before, " vkCmdPipelineBarrier2() with ", MemoryBarrierText(flags), ".");
    case Suggestion::Where::kAddToTransition:
      if (transition.empty()) return "";
      return absl::StrCat(transition, ", set ", Additions("src", flags.src_stages, flags.src_access), ".");
    case Suggestion::Where::kAddToPriorTransition:
      if (prior_transition.empty()) return "";
      return absl::StrCat(prior_transition, ", set ", Additions("dst", flags.dst_stages, flags.dst_access), ".");
    case Suggestion::Where::kSetEventLater:
      return "Set the event after that, or change the layout in vkCmdPipelineBarrier2() instead.";
    case Suggestion::Where::kSemaphores:
      break;
  }
  return "";
}

}  // namespace

void AddHazard(SyncRecording& primary, const ReplayHazard& found, Tag base, uint32_t index,
               std::vector<ExecutionHazard>& hazards) {
  const RecordedAccess* const access = primary.FindAccess(found.tag, found.access.index, found.access.range);
  if (access == nullptr) return;
  if (MayBeInOrder(primary, found.hazard, found.access.index)) return;
  for (const ExecutionHazard& known : hazards) {
    if (known.access.resource == access->resource && known.hazard.prior_tag == found.hazard.prior_tag) return;
  }
  ExecutionHazard hazard{.access = *access, .tag = found.tag, .hazard = found.hazard, .index = index};
  hazard.access.range = found.access.range;
  hazard.fix = primary.context.SuggestForReplay(found, base, primary.queue_flags());
  hazards.push_back(std::move(hazard));
}

void ReportExecutionHazard(const SyncRecording& primary, const ExecutionHazard& hazard, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = hazard.access;
  const bool after_transition = IsTransition(hazard.hazard.prior_access);
  messages::Message message;
  message.id = IdOf(hazard.hazard.kind);
  message.location = report.location().Dot("pCommandBuffers", hazard.index).Text();
  message.text = absl::StrCat(
      reporter.Describe({state::CommandBuffer::kType, primary.FindExecuted(hazard.tag)->secondary->handle()}), " ",
      VerbOf(access.access), " ", PartOf(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}), " by ", DescribeInItsBuffer(primary, hazard.tag),
      ByWhat(access), HowOf(access.access), ", ", after_transition ? "the layout of which " : "which ",
      Describe(primary, hazard.hazard.prior_tag, reporter), ", ",
      after_transition ? "changes" : VerbOf(hazard.hazard.prior_access), HowOf(hazard.hazard.prior_access), ". ",
      WhatIsMissing(hazard.hazard, access.access));
  message.objects = {{access.resource_type, access.resource}, {state::CommandBuffer::kType, primary.buffer().handle()}};
  message.fix = BarrierFix(hazard.fix, PlaceOfBarrier(primary, hazard.hazard, "vkCmdExecuteCommands"),
                           absl::StrCat("In the barrier of ", DescribeInItsBuffer(primary, hazard.tag)),
                           absl::StrCat("In the barrier of ", Describe(primary, hazard.hazard.prior_tag, reporter)));
  report.Deliver(std::move(message));
}

void ReportSubmissionHazard(const SubmissionHazard& hazard, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = hazard.access;
  const bool is_presentation = IsPresentation(hazard.doer);
  const bool is_between_queues =
      hazard.is_of_other_queue || is_presentation || (hazard.prior.has_value() && IsPresentation(*hazard.prior));
  messages::Message message;
  message.id = IdOf(hazard);
  message.location = LocationOf(hazard.doer, report);
  message.text = absl::StrCat(
      WhoText(hazard.doer, reporter), " ", is_presentation ? "reads" : VerbOf(access.access), " ",
      PartOf(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}),
      HowText(hazard.doer, hazard.tag, access.access, &access, reporter), ", ", PriorText(hazard, reporter), ". ",
      is_between_queues ? WhatSemaphoresLack(hazard) : WhatIsMissing(hazard.hazard, access.access));
  message.objects = {{access.resource_type, access.resource}};
  if (!is_presentation) message.objects.push_back({state::CommandBuffer::kType, hazard.doer.buffer->handle()});
  if (is_between_queues) {
    message.fix = SemaphoreFix(hazard, reporter);
  } else {
    message.fix = BarrierFix(hazard.fix, PlaceText(hazard.doer, "before ", hazard.tag, reporter, ", record"),
                             PlaceText(hazard.doer, "in the barrier of ", hazard.tag, reporter),
                             PlaceText(hazard.prior, "in the barrier of ", hazard.prior_tag, reporter));
  }
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
