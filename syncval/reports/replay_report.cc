// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/replay_report.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
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
#include "vk/command_info.h"

namespace assay::syncval {
namespace {

bool IsRace(HazardKind kind) {
  return kind == HazardKind::kReadRacingWrite || kind == HazardKind::kWriteRacingRead ||
         kind == HazardKind::kWriteRacingWrite;
}
bool IsPresentation(const UsageSource& source) {
  return source.kind == UsageSource::Kind::kPresent || source.kind == UsageSource::Kind::kAcquire;
}
// Whether it is nobody's command, and in no stage.
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

// "VkCommandBuffer 0x…[upload] (batch 2 of VkQueue 0x…, vkQueueSubmit2())".
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

// " in command 3, vkCmdCopyBuffer() in "frame", by pRegions[0] (…)"; empty for what is no command.
std::string CommandAndAccessText(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                                 const RecordedAccess* logged, const messages::Reporter& reporter,
                                 std::string_view as = "") {
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

// What a barrier of the resource alone has, if that is what both access.
messages::Properties SameResourceBarrierProperties(const RecordedAccess& access, const RecordedAccess* prior) {
  if (prior == nullptr || prior->resource != access.resource) return {};
  return BarrierProperties(access.resource_type, access.resource, {access.range});
}

// What lies between accesses of two queues.
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

const RecordedAccess* LoggedAccess(const UsageSource& source, Tag tag, const Hazard& hazard) {
  const SyncRecording* const recording = source.Recording();
  return recording != nullptr ? recording->FindAccess(tag, hazard.prior_access, hazard.range) : nullptr;
}

// Of a transition that the layout is named before.
std::string_view VerbOfSource(const UsageSource& source, vk::SyncAccessIndex access) {
  if (IsPresentation(source)) return "reads";
  if (source.kind == UsageSource::Kind::kSparseBind) return "changes the memory of";
  return VerbOf(access);
}
std::string_view PriorVerb(const SubmissionHazard& hazard) {
  if (IsTransition(hazard.hazard.prior_access)) return "changes";
  return hazard.prior.has_value() ? VerbOfSource(*hazard.prior, hazard.hazard.prior_access)
                                  : VerbOf(hazard.hazard.prior_access);
}

// Null where it is not known.
const RecordedAccess* PriorAccess(const SubmissionHazard& hazard) {
  return hazard.prior.has_value() ? LoggedAccess(*hazard.prior, hazard.prior_tag, hazard.hazard) : nullptr;
}

// How the earlier access came to the memory, when it named another resource that has it too.
std::string AliasText(const RecordedAccess* prior, const RecordedAccess& access, const messages::Reporter& reporter) {
  if (prior == nullptr || prior->resource == access.resource) return "";
  return absl::StrCat(" as ", reporter.Describe({prior->resource_type, prior->resource}), " in the same memory");
}

std::string PriorText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const which = IsTransition(hazard.hazard.prior_access) ? "the layout of which " : "which ";
  if (!hazard.prior.has_value()) return absl::StrCat(which, "an earlier batch ", PriorVerb(hazard));
  const RecordedAccess* const prior = PriorAccess(hazard);
  return absl::StrCat(which, SourceText(*hazard.prior, reporter), " ", PriorVerb(hazard),
                      CommandAndAccessText(*hazard.prior, hazard.prior_tag, hazard.hazard.prior_access, prior, reporter,
                                           AliasText(prior, hazard.access, reporter)));
}

// Which command of the source it was, if that is known.
bool HasCommand(const UsageSource& source, Tag tag) {
  const SyncRecording* const recording = source.Recording();
  return !IsOutsideCommandBuffers(source) && recording != nullptr && tag.value < recording->command_count();
}

// "command 3, vkCmdPipelineBarrier2(), of VkCommandBuffer 0x…".
std::string CommandText(const UsageSource& source, Tag tag, const messages::Reporter& reporter) {
  return absl::StrCat(Describe(*source.Recording(), tag, reporter), ", of ",
                      reporter.Describe({state::CommandBuffer::kType, source.buffer->handle()}));
}

// Of a barrier in the command buffer that comes later.
Fix NewBarrier(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording& recording = *hazard.source.Recording();
  return RecordBarrier(
      absl::StrCat("In ", reporter.Describe({state::CommandBuffer::kType, hazard.source.buffer->handle()}), ", before ",
                   recording.CommandAt(hazard.tag).is_in_instance ? "the render pass instance of " : "",
                   Describe(recording, hazard.tag, reporter), ", record"),
      hazard.fix.flags, SameResourceBarrierProperties(hazard.access, PriorAccess(hazard)));
}

// Of accesses by one queue.
Fix BarrierFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const BarrierFlags& flags = hazard.fix.flags;
  if (!HasCommand(hazard.source, hazard.tag)) return {};
  switch (hazard.fix.kind) {
    case Suggestion::Kind::kAddBarrier:
      return NewBarrier(hazard, reporter);
    case Suggestion::Kind::kAddToTransition:
      return AddToTransition(BarrierSide::kSource, flags, *hazard.source.Recording(), hazard.tag, &hazard.access,
                             CommandText(hazard.source, hazard.tag, reporter));
    case Suggestion::Kind::kAddToPriorTransition:
      if (!hazard.prior.has_value() || !HasCommand(*hazard.prior, hazard.prior_tag)) return {};
      return AddToPriorTransition(hazard.fix, *hazard.prior->Recording(), hazard.prior_tag, PriorAccess(hazard),
                                  CommandText(*hazard.prior, hazard.prior_tag, reporter));
    case Suggestion::Kind::kSetEventLater:
      return SetEventLater(CommandText(hazard.source, hazard.tag, reporter), flags);
    case Suggestion::Kind::kAddSemaphores:
      break;
  }
  return {};
}

// The stages that have to wait for the semaphore, in the terms of the call that submits them.
std::string WaitingStages(const SubmissionHazard& hazard) {
  const bool is_anywhere = IsOutsideCommandBuffers(hazard.source) || IsTransition(hazard.access.access);
  return StagesFor(hazard.source.command,
                   is_anywhere ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : InfoOf(hazard.access.access).stage);
}

// The member of the wait that says so.
const char* WaitMember(const UsageSource& source) {
  return IsSync1(source.command) ? "pWaitDstStageMask" : "stageMask";
}

// Where one that is missing is to be signalled, and waited for.
std::string NewSemaphoreText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (!hazard.prior.has_value()) return "";
  const std::string stages = WaitingStages(hazard);
  const std::string waiter = BatchText(hazard.source, reporter);
  if (hazard.prior->kind == UsageSource::Kind::kAcquire) {
    return absl::StrCat("Have ", waiter, ", wait for the semaphore of vkAcquireNextImageKHR() with a ",
                        WaitMember(hazard.source), " that includes ", stages, ".");
  }
  if (hazard.prior->kind == UsageSource::Kind::kPresent) {
    return absl::StrCat("Acquire the image again, and have ", waiter, ", wait for the semaphore of that with a ",
                        WaitMember(hazard.source), " that includes ", stages, ".");
  }
  return absl::StrCat("Have ", BatchText(*hazard.prior, reporter),
                      ", or a later batch of that queue, signal a semaphore, and ", waiter, ", wait for it",
                      IsOutsideCommandBuffers(hazard.source)
                          ? "."
                          : absl::StrCat(" with a ", WaitMember(hazard.source), " that includes ", stages, "."));
}

// vkQueuePresentKHR and vkQueueBindSparse wait with all that they do.
Fix NewSemaphore(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  Fix fix{.text = NewSemaphoreText(hazard, reporter), .fields = {}};
  if (fix.text.empty()) return fix;
  fix.fields.push_back({"action", "signal_and_wait"});
  if (!IsOutsideCommandBuffers(hazard.source)) {
    fix.fields.push_back({"structure", IsSync1(hazard.source.command) ? "VkSubmitInfo" : "VkSemaphoreSubmitInfo"});
    fix.fields.push_back({WaitMember(hazard.source), WaitingStages(hazard)});
  }
  fix.fields.push_back({"place", BatchText(hazard.source, reporter)});
  return fix;
}

// The stages that the signal of the semaphore that is there may lack; none where nothing can be added to it.
VkPipelineStageFlags2 SignalStages(const SubmissionHazard& hazard) {
  if (!hazard.prior.has_value() || IsOutsideCommandBuffers(*hazard.prior) || IsSync1(hazard.prior->command)) return 0;
  for (const Suggestion::Semaphore& semaphore : hazard.fix.semaphores) {
    if (semaphore.queue == hazard.hazard.prior_queue) return semaphore.signal_stages;
  }
  return 0;
}

// Bits for the masks of the semaphore that is there.
Fix AddToSemaphore(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const char* const member = WaitMember(hazard.source);
  const std::string wait = WaitingStages(hazard);
  const VkPipelineStageFlags2 signal = SignalStages(hazard);
  Fix fix{.text = absl::StrCat("Add ", wait, " to the ", member, " of the semaphore wait"),
          .fields = {{"action", "add"}}};
  if (!IsOutsideCommandBuffers(hazard.source)) {
    fix.fields.push_back({"structure", IsSync1(hazard.source.command) ? "VkSubmitInfo" : "VkSemaphoreSubmitInfo"});
    fix.fields.push_back({member, wait});
  }
  fix.fields.push_back({"place", BatchText(hazard.source, reporter)});
  if (signal != 0) {
    absl::StrAppend(&fix.text, ", and ", Stages(signal), " to the stageMask of its signal");
    fix.fields.push_back(
        {"signal", messages::Properties{{"structure", "VkSemaphoreSubmitInfo"}, {"stageMask", Stages(signal)}}});
  }
  fix.text += '.';
  return fix;
}

// A layout transition follows upon a semaphore by the first scope of its own barrier.
Fix TransitionAfterSemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (hazard.fix.kind == Suggestion::Kind::kAddToTransition) return BarrierFix(hazard, reporter);
  return {.text = "Let the srcStageMask of this barrier include a stage that waits for the semaphore.", .fields = {}};
}

// Of accesses by two queues, or by one and the presentation engine.
Fix SemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (IsRace(hazard.hazard.kind)) return NewSemaphore(hazard, reporter);
  return IsTransition(hazard.access.access) ? TransitionAfterSemaphoreFix(hazard, reporter)
                                            : AddToSemaphore(hazard, reporter);
}

void AddSource(const UsageSource& source, Tag tag, HazardCause& cause) {
  cause.Add(source.kind, source.queue != nullptr ? source.queue->handle() : 0, source.command, source.batch_index,
            source.index);
  if (HasCommand(source, tag)) cause.AddCommand(*source.Recording(), tag);
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

messages::Properties PropertiesOf(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                                  const RecordedAccess* logged, const messages::Reporter& reporter) {
  messages::Properties properties;
  if (IsOutsideCommandBuffers(source)) {
    properties.push_back({"access", source.kind == UsageSource::Kind::kAcquire   ? "acquire"
                                    : source.kind == UsageSource::Kind::kPresent ? "present"
                                                                                 : "bind"});
  } else {
    properties = AccessProperties(access, logged);
    if (HasCommand(source, tag)) {
      AddCommandProperties(*source.Recording(), tag, reporter, properties);
    } else {
      properties.push_back(
          {"command_buffer", ObjectProperties({state::CommandBuffer::kType, source.buffer->handle()}, reporter)});
    }
  }
  if (source.queue == nullptr) return properties;
  properties.push_back({"queue", ObjectProperties({state::Queue::kType, source.queue->handle()}, reporter)});
  properties.push_back({"batch", source.serial});
  properties.push_back({"submitted_by", vk::GetCommandInfo(source.command).name});
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
                          PropertiesOf(hazard.source, hazard.tag, access.access, &access, reporter), std::move(prior),
                          std::move(fix), reporter);
}

// What events between two command buffers of a queue lack; empty where there is none.
std::string EventText(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording* const log = hazard.source.Recording();
  const SyncRecording* const prior_log = hazard.prior.has_value() ? hazard.prior->Recording() : nullptr;
  // What comes between two executions of one log is not in its order.
  if (log == nullptr || prior_log == nullptr || prior_log == log) return "";
  const auto event = FindIneffectiveEvent(*prior_log, hazard.prior_tag, *log, hazard.tag);
  return event.has_value() ? absl::StrCat(" ", IneffectiveEventText(*event, *log, reporter)) : "";
}

// Of a command of an executed secondary.
Fix FixOf(const SyncRecording& primary, const ExecutionHazard& hazard, const RecordedAccess* prior,
          const messages::Reporter& reporter) {
  const BarrierFlags& flags = hazard.fix.flags;
  const Tag prior_tag = hazard.hazard.prior_tag;
  switch (hazard.fix.kind) {
    case Suggestion::Kind::kAddBarrier:
      return RecordBarrier(PlaceOfBarrier(primary, hazard.hazard, "vkCmdExecuteCommands"), flags,
                           SameResourceBarrierProperties(hazard.access, prior));
    case Suggestion::Kind::kAddToTransition:
      return AddToTransition(BarrierSide::kSource, flags, primary, hazard.tag, &hazard.access,
                             Describe(primary, hazard.tag, reporter));
    case Suggestion::Kind::kAddToPriorTransition:
      return AddToPriorTransition(hazard.fix, primary, prior_tag, prior, Describe(primary, prior_tag, reporter));
    case Suggestion::Kind::kSetEventLater:
      return SetEventLater(Describe(primary, hazard.tag, reporter), flags);
    case Suggestion::Kind::kAddSemaphores:
      break;
  }
  return {};
}

// By what a call is an access to mapped memory; empty for one that is so anyway.
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
  AddSource(hazard.source, hazard.tag, cause);
  cause.AddAccess(PriorAccess(hazard));
  if (hazard.prior.has_value()) AddSource(*hazard.prior, hazard.prior_tag, cause);
  return cause.Get();
}

void AddHazard(SyncRecording& primary, const ReplayHazard& found, Tag base, uint32_t index,
               std::vector<ExecutionHazard>& hazards) {
  const RecordedAccess* const access = primary.FindAccess(found.tag, found.access.index, found.access.range);
  if (access == nullptr) return;
  if (MayBeInOrder(primary, found.hazard, found.access.index)) return;
  if (access->is_of_shared_memory() && primary.IsOfSameResource(*access, found.hazard.prior_tag, found.hazard)) return;
  for (const ExecutionHazard& known : hazards) {
    if (known.access.resource == access->resource && known.hazard.prior_tag == found.hazard.prior_tag) return;
  }
  RecordedAccess part = *access;
  part.range = found.access.range;
  Suggestion fix = primary.context.SuggestForReplay(found, base, primary.queue_flags());
  if (primary.IsBySparseMemory(*access, found.hazard)) {
    primary.Add(SparseMemoryHazard{part, found.tag, found.hazard, std::move(fix)});
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

void ReportHostRace(const SubmissionHazard& race, messages::Report& report) {
  messages::Reporter& reporter = report.reporter();
  const RecordedAccess& access = race.access;
  HazardCause cause(IdOf(race.hazard.kind), race.hazard, reporter);
  cause.AddAccess(&access);
  cause.AddAccess(PriorAccess(race));
  AddSource(*race.prior, race.prior_tag, cause);
  messages::Message message;
  message.cause = cause.Get();
  if (report.CountIfDuplicate(message.cause)) return;
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
      PropertiesOf(*race.prior, race.prior_tag, race.hazard.prior_access, PriorAccess(race), reporter), {}, reporter);
  report.Deliver(std::move(message));
}

}  // namespace assay::syncval
