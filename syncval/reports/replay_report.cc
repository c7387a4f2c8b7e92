// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/replay_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "syncval/recording/heuristics.h"
#include "syncval/reports/event_text.h"
#include "syncval/reports/fix.h"
#include "syncval/reports/hazard_cause.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/trace/recorded/command_trace.h"
#include "syncval/reports/transition_fix.h"
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

bool IsRace(HazardKind kind) {
  return kind == HazardKind::kReadRacingWrite || kind == HazardKind::kWriteRacingRead ||
         kind == HazardKind::kWriteRacingWrite;
}
bool IsPresentation(const Doer& doer) { return doer.kind == Doer::Kind::kPresent || doer.kind == Doer::Kind::kAcquire; }
// Whether it is nobody's command, and in no stage.
bool IsNoCommand(const Doer& doer) { return doer.kind != Doer::Kind::kCommandBuffer; }

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
    case Doer::Kind::kBinding:
      return absl::StrCat(BatchText(doer, reporter), ",");
    case Doer::Kind::kCommandBuffer:
      break;
  }
  return absl::StrCat(reporter.Describe({state::CommandBuffer::kType, doer.buffer->handle()}), " (",
                      BatchText(doer, reporter), ")");
}

// " in command 3, vkCmdCopyBuffer() in "frame", by pRegions[0] (…)"; empty for what is no command.
std::string HowText(const Doer& doer, Tag tag, vk::SyncAccessIndex access, const RecordedAccess* logged,
                    const messages::Reporter& reporter, std::string_view as = "") {
  if (IsNoCommand(doer)) return "";
  const SyncRecording* const recording = doer.Recording();
  const bool is_known = recording != nullptr && tag.value < recording->command_count();
  const std::string by = logged != nullptr ? absl::StrCat(as, ByWhat(*logged)) : "";
  return absl::StrCat(is_known ? absl::StrCat(" in ", Describe(*recording, tag, reporter), by.empty() ? "" : ",") : "",
                      by, HowOf(access));
}

std::string LocationOf(const Doer& doer, const messages::Report& report) {
  if (report.command() != doer.command) return report.location().Text();
  const messages::Location call = report.location();
  if (doer.kind == Doer::Kind::kPresent) return call.Dot("pPresentInfo").Dot("pImageIndices", doer.index).Text();
  if (doer.kind == Doer::Kind::kBinding)
    return call.Dot("pBindInfo", doer.batch_index).Dot(doer.member, doer.index).Text();
  const messages::Location batch = call.Dot("pSubmits", doer.batch_index);
  if (doer.command == vk::CommandId::kQueueSubmit) return batch.Dot("pCommandBuffers", doer.index).Text();
  return batch.Dot("pCommandBufferInfos", doer.index).Dot("commandBuffer").Text();
}

// What a barrier of the resource alone has, if that is what both access.
messages::Properties BarrierOfSame(const RecordedAccess& access, const RecordedAccess* prior) {
  if (prior == nullptr || prior->resource != access.resource) return {};
  return BarrierOf(access.resource_type, access.resource, {access.range});
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

const RecordedAccess* LoggedAccess(const Doer& doer, Tag tag, const Hazard& hazard) {
  const SyncRecording* const recording = doer.Recording();
  return recording != nullptr ? recording->FindAccess(tag, hazard.prior_access, hazard.range) : nullptr;
}

// Of a transition that the layout is named before.
std::string_view VerbOfDoer(const Doer& doer, vk::SyncAccessIndex access) {
  if (IsPresentation(doer)) return "reads";
  if (doer.kind == Doer::Kind::kBinding) return "changes the memory of";
  return VerbOf(access);
}
std::string_view PriorVerb(const SubmissionHazard& hazard) {
  if (IsTransition(hazard.hazard.prior_access)) return "changes";
  return hazard.prior.has_value() ? VerbOfDoer(*hazard.prior, hazard.hazard.prior_access)
                                  : VerbOf(hazard.hazard.prior_access);
}

// Null where it is not known.
const RecordedAccess* PriorAccess(const SubmissionHazard& hazard) {
  return hazard.prior.has_value() ? LoggedAccess(*hazard.prior, hazard.prior_tag, hazard.hazard) : nullptr;
}

// How the earlier access came to the memory, when it named another resource that has it too.
std::string AsWhat(const RecordedAccess* prior, const RecordedAccess& access, const messages::Reporter& reporter) {
  if (prior == nullptr || prior->resource == access.resource) return "";
  return absl::StrCat(" as ", reporter.Describe({prior->resource_type, prior->resource}), " in the same memory");
}

std::string PriorText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const which = IsTransition(hazard.hazard.prior_access) ? "the layout of which " : "which ";
  if (!hazard.prior.has_value()) return absl::StrCat(which, "an earlier batch ", PriorVerb(hazard));
  const RecordedAccess* const prior = PriorAccess(hazard);
  return absl::StrCat(which, WhoText(*hazard.prior, reporter), " ", PriorVerb(hazard),
                      HowText(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, prior, reporter,
                              AsWhat(prior, hazard.access, reporter)));
}

// Which command of the doer it was, if that is known.
bool HasCommand(const Doer& doer, Tag tag) {
  const SyncRecording* const recording = doer.Recording();
  return !IsNoCommand(doer) && recording != nullptr && tag.value < recording->command_count();
}

// "command 3, vkCmdPipelineBarrier2(), of VkCommandBuffer 0x…".
std::string CommandText(const Doer& doer, Tag tag, const messages::Reporter& reporter) {
  return absl::StrCat(Describe(*doer.Recording(), tag, reporter), ", of ",
                      reporter.Describe({state::CommandBuffer::kType, doer.buffer->handle()}));
}

// Of a barrier in the command buffer that comes later.
Fix NewBarrier(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording& recording = *hazard.doer.Recording();
  return RecordBarrier(
      absl::StrCat("In ", reporter.Describe({state::CommandBuffer::kType, hazard.doer.buffer->handle()}), ", before ",
                   recording.CommandAt(hazard.tag).is_in_instance ? "the render pass instance of " : "",
                   Describe(recording, hazard.tag, reporter), ", record"),
      hazard.fix.flags, BarrierOfSame(hazard.access, PriorAccess(hazard)));
}

// Of accesses by one queue.
Fix BarrierFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const BarrierFlags& flags = hazard.fix.flags;
  if (!HasCommand(hazard.doer, hazard.tag)) return {};
  switch (hazard.fix.where) {
    case Suggestion::Where::kBefore:
      return NewBarrier(hazard, reporter);
    case Suggestion::Where::kAddToTransition:
      return AddToTransition(BarrierSide::kSource, flags, *hazard.doer.Recording(), hazard.tag, &hazard.access,
                             CommandText(hazard.doer, hazard.tag, reporter));
    case Suggestion::Where::kAddToPriorTransition:
      if (!hazard.prior.has_value() || !HasCommand(*hazard.prior, hazard.prior_tag)) return {};
      return AddToPriorTransition(hazard.fix, *hazard.prior->Recording(), hazard.prior_tag, PriorAccess(hazard),
                                  CommandText(*hazard.prior, hazard.prior_tag, reporter));
    case Suggestion::Where::kSetEventLater:
      return SetEventLater(CommandText(hazard.doer, hazard.tag, reporter), flags);
    case Suggestion::Where::kSemaphores:
      break;
  }
  return {};
}

// The stages that have to wait for the semaphore, in the terms of the call that submits them.
std::string WaitingStages(const SubmissionHazard& hazard) {
  const bool is_anywhere = IsNoCommand(hazard.doer) || IsTransition(hazard.access.access);
  return StagesFor(hazard.doer.command,
                   is_anywhere ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : InfoOf(hazard.access.access).stage);
}

// The member of the wait that says so.
const char* WaitMember(const Doer& doer) { return IsLegacy(doer.command) ? "pWaitDstStageMask" : "stageMask"; }

// Where one that is missing is to be signalled, and waited for.
std::string NewSemaphoreText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (!hazard.prior.has_value()) return "";
  const std::string stages = WaitingStages(hazard);
  const std::string waiter = BatchText(hazard.doer, reporter);
  if (hazard.prior->kind == Doer::Kind::kAcquire) {
    return absl::StrCat("Have ", waiter, ", wait for the semaphore of vkAcquireNextImageKHR() with a ",
                        WaitMember(hazard.doer), " that includes ", stages, ".");
  }
  if (hazard.prior->kind == Doer::Kind::kPresent) {
    return absl::StrCat("Acquire the image again, and have ", waiter, ", wait for the semaphore of that with a ",
                        WaitMember(hazard.doer), " that includes ", stages, ".");
  }
  return absl::StrCat("Have ", BatchText(*hazard.prior, reporter),
                      ", or a later batch of that queue, signal a semaphore, and ", waiter, ", wait for it",
                      IsNoCommand(hazard.doer)
                          ? "."
                          : absl::StrCat(" with a ", WaitMember(hazard.doer), " that includes ", stages, "."));
}

// vkQueuePresentKHR and vkQueueBindSparse wait with all that they do.
Fix NewSemaphore(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  Fix fix{.text = NewSemaphoreText(hazard, reporter), .fields = {}};
  if (fix.text.empty()) return fix;
  fix.fields.push_back({"action", "signal_and_wait"});
  if (!IsNoCommand(hazard.doer)) {
    fix.fields.push_back({"structure", IsLegacy(hazard.doer.command) ? "VkSubmitInfo" : "VkSemaphoreSubmitInfo"});
    fix.fields.push_back({WaitMember(hazard.doer), WaitingStages(hazard)});
  }
  fix.fields.push_back({"place", BatchText(hazard.doer, reporter)});
  return fix;
}

// The stages that the signal of the semaphore that is there may lack; none where nothing can be added to it.
VkPipelineStageFlags2 SignalStages(const SubmissionHazard& hazard) {
  if (!hazard.prior.has_value() || IsNoCommand(*hazard.prior) || IsLegacy(hazard.prior->command)) return 0;
  for (const Suggestion::Semaphore& semaphore : hazard.fix.semaphores) {
    if (semaphore.queue == hazard.hazard.prior_queue) return semaphore.signal_stages;
  }
  return 0;
}

// Bits for the masks of the semaphore that is there.
Fix AddToSemaphore(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const member = WaitMember(hazard.doer);
  const std::string wait = WaitingStages(hazard);
  const VkPipelineStageFlags2 signal = SignalStages(hazard);
  Fix fix{.text = absl::StrCat("Add ", wait, " to the ", member, " of the semaphore wait"),
          .fields = {{"action", "add"}}};
  if (!IsNoCommand(hazard.doer)) {
    fix.fields.push_back({"structure", IsLegacy(hazard.doer.command) ? "VkSubmitInfo" : "VkSemaphoreSubmitInfo"});
    fix.fields.push_back({member, wait});
  }
  fix.fields.push_back({"place", BatchText(hazard.doer, reporter)});
  if (signal != 0) {
    absl::StrAppend(&fix.text, ", and ", Stages(signal), " to the stageMask of its signal");
    fix.fields.push_back(
        {"signal", messages::Properties{{"structure", "VkSemaphoreSubmitInfo"}, {"stageMask", Stages(signal)}}});
  }
  fix.text += '.';
  return fix;
}

// A layout transition follows upon a semaphore by the first scope of its own barrier.
Fix FollowSemaphore(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (hazard.fix.where == Suggestion::Where::kAddToTransition) return BarrierFix(hazard, reporter);
  return {.text = "Let the srcStageMask of this barrier include a stage that waits for the semaphore.", .fields = {}};
}

// Of accesses by two queues, or by one and the presentation engine.
Fix SemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (IsRace(hazard.hazard.kind)) return NewSemaphore(hazard, reporter);
  return IsTransition(hazard.access.access) ? FollowSemaphore(hazard, reporter) : AddToSemaphore(hazard, reporter);
}

void AddDoer(const Doer& doer, Tag tag, HazardCause& cause) {
  cause.Add(doer.kind, doer.queue != nullptr ? doer.queue->handle() : 0, doer.command, doer.batch_index, doer.index);
  if (HasCommand(doer, tag)) cause.AddCommand(*doer.Recording(), tag);
}

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

messages::Properties PropertiesOf(const Doer& doer, Tag tag, vk::SyncAccessIndex access, const RecordedAccess* logged,
                                  const messages::Reporter& reporter) {
  messages::Properties properties;
  if (IsNoCommand(doer)) {
    properties.push_back({"access", doer.kind == Doer::Kind::kAcquire   ? "acquire"
                                    : doer.kind == Doer::Kind::kPresent ? "present"
                                                                        : "bind"});
  } else {
    properties = AccessProperties(access, logged);
    if (HasCommand(doer, tag)) {
      AddCommandProperties(*doer.Recording(), tag, reporter, properties);
    } else {
      properties.push_back(
          {"command_buffer", ObjectProperties({state::CommandBuffer::kType, doer.buffer->handle()}, reporter)});
    }
  }
  if (doer.queue == nullptr) return properties;
  properties.push_back({"queue", ObjectProperties({state::Queue::kType, doer.queue->handle()}, reporter)});
  properties.push_back({"batch", doer.serial});
  properties.push_back({"submitted_by", vk::GetCommandInfo(doer.command).name});
  return properties;
}

messages::Properties PropertiesOf(const SubmissionHazard& hazard, std::string_view id, messages::Properties fix,
                                  const messages::Reporter& reporter) {
  const RecordedAccess& access = hazard.access;
  messages::Properties prior;
  if (hazard.prior.has_value()) {
    prior = PropertiesOf(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, PriorAccess(hazard), reporter);
  } else {
    prior = AccessProperties(hazard.hazard.prior_access, nullptr);
  }
  return HazardProperties(id, hazard.hazard, access, {access.range},
                          PropertiesOf(hazard.doer, hazard.tag, access.access, &access, reporter), std::move(prior),
                          std::move(fix), reporter);
}

// What events between two command buffers of a queue lack; empty where there is none.
std::string EventText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording* const log = hazard.doer.Recording();
  const SyncRecording* const prior_log = hazard.prior.has_value() ? hazard.prior->Recording() : nullptr;
  // What comes between two executions of one log is not in its order.
  if (log == nullptr || prior_log == nullptr || prior_log == log) return "";
  const auto event = FindEventBetween(*prior_log, hazard.prior_tag, *log, hazard.tag);
  return event.has_value() ? absl::StrCat(" ", WhatEventLacks(*event, *log, reporter)) : "";
}

// Of a command of an executed secondary.
Fix FixOf(const SyncRecording& primary, const ExecutionHazard& hazard, const RecordedAccess* prior,
          const messages::Reporter& reporter) {
  const BarrierFlags& flags = hazard.fix.flags;
  const Tag prior_tag = hazard.hazard.prior_tag;
  switch (hazard.fix.where) {
    case Suggestion::Where::kBefore:
      return RecordBarrier(PlaceOfBarrier(primary, hazard.hazard, "vkCmdExecuteCommands"), flags,
                           BarrierOfSame(hazard.access, prior));
    case Suggestion::Where::kAddToTransition:
      return AddToTransition(BarrierSide::kSource, flags, primary, hazard.tag, &hazard.access,
                             Describe(primary, hazard.tag, reporter));
    case Suggestion::Where::kAddToPriorTransition:
      return AddToPriorTransition(hazard.fix, primary, prior_tag, prior, Describe(primary, prior_tag, reporter));
    case Suggestion::Where::kSetEventLater:
      return SetEventLater(Describe(primary, hazard.tag, reporter), flags);
    case Suggestion::Where::kSemaphores:
      break;
  }
  return {};
}

// By what a call is an access to mapped memory; empty for one that is so anyway.
const char* WhyAccess(vk::CommandId call) {
  switch (call) {
    case vk::CommandId::kFlushMappedMemoryRanges:
      return " By syncval_mapped_ranges, the host has written what it flushes.";
    case vk::CommandId::kInvalidateMappedMemoryRanges:
      return " By syncval_mapped_ranges, the host is about to read what it invalidates.";
    default:
      return "";
  }
}

// What the host has to wait before. By a flush it has written already.
std::string PlaceOfWait(vk::CommandId call) {
  const std::string name = absl::StrCat("this ", vk::GetCommandInfo(call).name, "()");
  return call == vk::CommandId::kFlushMappedMemoryRanges ? absl::StrCat("the host writes what ", name, " flushes")
                                                         : name;
}

}  // namespace

uint64_t CauseOf(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  HazardCause cause(IdOf(hazard), hazard.hazard, reporter);
  cause.AddAccess(&hazard.access);
  AddDoer(hazard.doer, hazard.tag, cause);
  cause.AddAccess(PriorAccess(hazard));
  if (hazard.prior.has_value()) AddDoer(*hazard.prior, hazard.prior_tag, cause);
  return cause.Get();
}

void AddHazard(SyncRecording& primary, const ReplayHazard& found, Tag base, uint32_t index,
               std::vector<ExecutionHazard>& hazards) {
  const RecordedAccess* const access = primary.FindAccess(found.tag, found.access.index, found.access.range);
  if (access == nullptr) return;
  if (MayBeInOrder(primary, found.hazard, found.access.index)) return;
  if (access->is_of_memory() && primary.IsOfSameResource(*access, found.hazard.prior_tag, found.hazard)) return;
  for (const ExecutionHazard& known : hazards) {
    if (known.access.resource == access->resource && known.hazard.prior_tag == found.hazard.prior_tag) return;
  }
  RecordedAccess part = *access;
  part.range = found.access.range;
  Suggestion fix = primary.context.SuggestForReplay(found, base, primary.queue_flags());
  if (primary.IsByPages(*access, found.hazard)) {
    primary.Add(PageHazard{part, found.tag, found.hazard, std::move(fix)});
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
  const std::string by = ByWhat(access);
  message.cause = CauseOf(primary, hazard, prior, reporter);
  if (primary.trace() == nullptr && report.Folds(message.cause)) return;
  message.id = IdOf(hazard.hazard.kind);
  message.location = report.location().Dot("pCommandBuffers", hazard.index).Text();
  message.text = absl::StrCat(
      reporter.Describe({state::CommandBuffer::kType, primary.FindExecuted(hazard.tag)->secondary->handle()}), " ",
      VerbOf(access.access), " ", PartOf(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}), " in its ", DescribeInItsBuffer(primary, hazard.tag),
      by.empty() ? "" : ",", by, HowOf(access.access), ", ", after_transition ? "the layout of which " : "which ",
      Describe(primary, hazard.hazard.prior_tag, reporter), ", ",
      after_transition ? "changes" : VerbOf(hazard.hazard.prior_access), HowOf(hazard.hazard.prior_access), ". ",
      WhatIsMissing(hazard.hazard, access.access));
  if (const auto event = FindEventBetween(primary, hazard.hazard.prior_tag, primary, hazard.tag)) {
    absl::StrAppend(&message.text, " ", WhatEventLacks(*event, primary, reporter));
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

messages::Message ComposeSubmissionHazard(const SubmissionHazard& hazard, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = hazard.access;
  const bool is_between_queues =
      hazard.is_of_other_queue || IsNoCommand(hazard.doer) || (hazard.prior.has_value() && IsNoCommand(*hazard.prior));
  messages::Message message;
  message.cause = CauseOf(hazard, reporter);
  message.id = IdOf(hazard);
  message.location = LocationOf(hazard.doer, report);
  message.text = absl::StrCat(
      WhoText(hazard.doer, reporter), " ", VerbOfDoer(hazard.doer, access.access), " ",
      PartOf(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}),
      HowText(hazard.doer, hazard.tag, access.access, &access, reporter), ", ", PriorText(hazard, reporter), ". ",
      is_between_queues ? WhatSemaphoresLack(hazard)
                        : WhatIsMissing(hazard.hazard, access.access, access.role == Role::kRenderPassAttachment));
  if (!is_between_queues) absl::StrAppend(&message.text, EventText(hazard, reporter));
  message.objects = {{access.resource_type, access.resource}};
  if (hazard.doer.buffer) message.objects.push_back({state::CommandBuffer::kType, hazard.doer.buffer->handle()});
  Fix fix = is_between_queues ? SemaphoreFix(hazard, reporter) : BarrierFix(hazard, reporter);
  message.fix = std::move(fix.text);
  message.properties = PropertiesOf(hazard, message.id, std::move(fix.fields), reporter);
  return message;
}

void ReportHostRace(const SubmissionHazard& race, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = race.access;
  HazardCause cause(IdOf(race.hazard.kind), race.hazard, reporter);
  cause.AddAccess(&access);
  cause.AddAccess(PriorAccess(race));
  AddDoer(*race.prior, race.prior_tag, cause);
  messages::Message message;
  message.cause = cause.Get();
  if (report.Folds(message.cause)) return;
  message.id = IdOf(race.hazard.kind);
  message.location = report.location().Dot(access.member, access.index).Text();
  message.text = absl::StrCat(
      "The host ", VerbOf(access.access), " ", PartOf(access.resource_type, access.resource, {access.range}),
      reporter.Describe({access.resource_type, access.resource}), ", ", PriorText(race, reporter),
      ". The host does not know that batch to be complete.", WhyAccess(report.command()));
  message.objects = {{access.resource_type, access.resource},
                     {state::CommandBuffer::kType, race.prior->buffer->handle()}};
  message.fix = absl::StrCat("Before ", PlaceOfWait(report.command()), ", wait for ", BatchText(*race.prior, reporter),
                             ", by its fence, a timeline semaphore or vkQueueWaitIdle().");
  message.properties = HazardProperties(
      message.id, race.hazard, access, {access.range}, AccessProperties(access.access, &access),
      PropertiesOf(*race.prior, race.prior_tag, race.hazard.prior_access, PriorAccess(race), reporter), {}, reporter);
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
