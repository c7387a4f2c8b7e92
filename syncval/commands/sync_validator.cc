// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/commands/sync_validator.h"

#include <memory>
#include <vector>

#include "syncval/commands/check.h"
#include "syncval/reports/execution_report.h"
#include "syncval/reports/submission_report.h"

namespace assay::syncval {
SyncValidator::SyncValidator(state::DeviceState& state) : state_(state), reporter_(state.device().instance.reporter) {
  state.AttachToCommandBuffers(SyncRecording::kSlot,
                               [](state::CommandBuffer& buffer) { return std::make_unique<SyncRecording>(buffer); });
  if (state.device().instance.settings.syncval_submit_time_validation) state.AttachToQueues(queues_);
}

void SyncValidator::RecordUnknownAccess(VkCommandBuffer buffer, vk::CommandId id) {
  if (SyncRecording* recording = RecordingOf(buffer)) recording->NoteUnknownAccess(recording->Begin(id));
}

namespace {

// Checks the accesses of the draws of secondaries to the attachments of the instance that they continue, before all
// their other accesses. Returns whether the command is to be recorded.
bool CheckInheritedAccesses(SyncRecording& recording, Tag execute, absl::Span<const VkCommandBuffer> secondaries,
                            messages::Report& report) {
  AttachmentAccesses accesses = 0;
  for (VkCommandBuffer handle : secondaries) {
    const SyncRecording* const secondary = RecordingOf(handle);
    if (secondary != nullptr) accesses |= secondary->inherited_accesses();
  }
  if (recording.buffer().rendering.is_inherited()) recording.NoteInheritedAccesses(accesses);
  accesses &= AccessesOfSlots(recording.attachments.slots());
  if (accesses == 0 || recording.buffer().rendering.is_inherited()) return true;
  AccessCollector(recording).AddAttachmentAccesses(recording.attachments, accesses);
  if (CheckLast(recording, execute, report) == CheckResult::kSkipped) return false;
  recording.attachments.NoteAccessed(SlotsOf(accesses));
  return true;
}

}  // namespace

// Replays all secondaries before it reports anything: if the call is then skipped, nothing of it may be compared with
// later commands.
void SyncValidator::PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr || report.skip()) return;
  const Tag execute = recording->Begin(call.kId);
  std::vector<ExecutionHazard> hazards;
  const auto secondaries = state::Items(call.pCommandBuffers, call.commandBufferCount);
  if (!CheckInheritedAccesses(*recording, execute, secondaries, report)) return;
  for (uint32_t i = 0; i < secondaries.size(); ++i) {
    SyncRecording* const secondary = RecordingOf(secondaries[i]);
    if (secondary == nullptr || secondary == recording) continue;
    const Tag base{recording->command_count()};
    recording->Execute(execute, *secondary,
                       [&](const ReplayHazard& found) { AddHazard(*recording, found, base, i, hazards); });
  }
  for (const ExecutionHazard& hazard : hazards) ReportExecutionHazard(*recording, hazard, report);
  if (report.skip()) recording->ResetContext();
}

void SyncValidator::ReportSubmissionHazards(vk::CommandId id) {
  for (const SubmissionHazard& hazard : queues_.TakeHazards()) {
    messages::Report report(reporter_, id);
    // A listener receives duplicates too.
    if (!submission_hazard_listener_ && report.CountIfDuplicate(CauseOf(hazard, reporter_))) continue;
    messages::Message message = ComposeSubmissionHazard(hazard, report);
    if (submission_hazard_listener_) submission_hazard_listener_(hazard, message);
    report.Deliver(std::move(message));
  }
}

}  // namespace assay::syncval
