// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/submission_fix.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "syncval/queues/usage_source.h"
#include "syncval/reports/hazard_properties.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/submission_text.h"
#include "syncval/reports/transition_fix.h"

namespace assay::syncval {
namespace {

// A barrier in the later command buffer.
Fix NewBarrier(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const SyncRecording& recording = *hazard.source.Recording();
  return RecordBarrier(
      VersionOf(recording),
      absl::StrCat("In ", reporter.Describe({state::CommandBuffer::kType, hazard.source.buffer->handle()}), ", before ",
                   recording.CommandAt(hazard.tag).is_in_instance ? "the render pass instance of " : "",
                   Describe(recording, hazard.tag, reporter), ", record"),
      hazard.fix.flags, SameResourceBarrierProperties(hazard.access, PriorAccess(hazard)));
}

// The stages that must wait for the semaphore, in the terms of the call that submits them.
std::string WaitingStages(const SubmissionHazard& hazard) {
  const bool is_anywhere = IsOutsideCommandBuffers(hazard.source) || IsTransition(hazard.access.access);
  return StagesFor(hazard.source.command,
                   is_anywhere ? VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT : InfoOf(hazard.access.access).stage);
}

// The member of the semaphore wait that has those stages.
const char* WaitMember(const UsageSource& source) {
  return IsSync1(source.command) ? "pWaitDstStageMask" : "stageMask";
}

// Where to signal the missing semaphore, and where to wait for it.
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

// vkQueuePresentKHR and vkQueueBindSparse have no stage masks: everything that they do waits.
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

// Stages that the signal of the existing semaphore may lack; none where nothing can be added to it.
VkPipelineStageFlags2 SignalStages(const SubmissionHazard& hazard) {
  if (!hazard.prior.has_value() || IsOutsideCommandBuffers(*hazard.prior) || IsSync1(hazard.prior->command)) return 0;
  for (const Suggestion::Semaphore& semaphore : hazard.fix.semaphores) {
    if (semaphore.queue == hazard.hazard.prior_queue) return semaphore.signal_stages;
  }
  return 0;
}

// Bits for the masks of the existing semaphore.
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

// For the layout transition of a render pass to which the application gave no dependency for it. That a wait of all
// commands is before the transition too is the smaller change.
Fix WaitOfAllCommands(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  const std::string all = StagesFor(hazard.source.command, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT);
  const SyncRecording* const recording = hazard.source.Recording();
  const SyncVersion version = recording != nullptr ? VersionOf(*recording) : SyncVersion::kSynchronization2;
  const char* const member = WaitMember(hazard.source);
  const BarrierFlags& flags = hazard.fix.flags;
  const std::string batch = BatchText(hazard.source, reporter);
  const std::string accesses =
      flags.src_access != 0 ? absl::StrCat(" and .srcAccessMask = ", AccessesFor(version, flags.src_access)) : "";
  return {.text = absl::StrCat("Have ", batch, ", wait for the semaphore with the ", member, " ", all,
                               ". Or give the render pass a ", DependencyStructure(version),
                               " with .srcSubpass = VK_SUBPASS_EXTERNAL, .srcStageMask = ",
                               StagesFor(version, flags.src_stages), accesses, "."),
          .fields = {{"action", "add"},
                     {"structure", IsSync1(hazard.source.command) ? "VkSubmitInfo" : "VkSemaphoreSubmitInfo"},
                     {member, all},
                     {"place", batch}}};
}

bool IsOfImplicitDependency(const SubmissionHazard& hazard) {
  return hazard.access.role == Role::kRenderPassAttachment && hazard.fix.kind == Suggestion::Kind::kAddToTransition &&
         hazard.fix.existing == BarrierFlags() && hazard.fix.semaphores.empty();
}

// The first scope of its own barrier orders a layout transition after a semaphore.
Fix TransitionAfterSemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (IsOfImplicitDependency(hazard)) return WaitOfAllCommands(hazard, reporter);
  if (hazard.fix.kind == Suggestion::Kind::kAddToTransition) return BarrierFix(hazard, reporter);
  return {.text = "Let the srcStageMask of this barrier include a stage that waits for the semaphore.", .fields = {}};
}

}  // namespace

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
      return SetEventLater(VersionOf(*hazard.source.Recording()), CommandText(hazard.source, hazard.tag, reporter),
                           flags);
    case Suggestion::Kind::kAddSemaphores:
      break;
  }
  return {};
}

Fix SemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter) {
  if (IsRace(hazard.hazard.kind)) return NewSemaphore(hazard, reporter);
  return IsTransition(hazard.access.access) ? TransitionAfterSemaphoreFix(hazard, reporter)
                                            : AddToSemaphore(hazard, reporter);
}

}  // namespace assay::syncval
