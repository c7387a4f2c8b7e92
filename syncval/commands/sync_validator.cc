// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/commands/sync_validator.h"

#include <memory>
#include <string_view>
#include <vector>

#include "syncval/commands/check.h"
#include "syncval/recording/possible_reads.h"
#include "syncval/reports/execution_report.h"
#include "syncval/reports/submission_report.h"
#include "vk/extension_info.h"
#include "vk/sync/available_stages.h"

namespace assay::syncval {
namespace {

template <class Device>
VkPipelineStageFlags2 StagesOf(const Device& device) {
  return vk::AvailableStages([&](std::string_view name) {
    if constexpr (requires { device.HasFeatureOrExtension(name); }) {
      return device.HasFeatureOrExtension(name);
    } else {
      const auto extension = vk::FindExtension(name);
      return extension.has_value() ? device.IsEnabled(*extension) : device.HasFeature(name);
    }
  });
}

}  // namespace

SyncValidator::SyncValidator(state::DeviceState& state)
    : state_(state), reporter_(state.device().instance.reporter), queues_(StagesOf(state.device())) {
  const VkPipelineStageFlags2 stages = StagesOf(state.device());
  const bool takes_all_elements = state.device().instance.settings.syncval_shader_accesses_heuristic;
  state.AttachToCommandBuffers(SyncRecording::kSlot, [stages, takes_all_elements](state::CommandBuffer& buffer) {
    auto recording = std::make_unique<SyncRecording>(buffer, stages);
    recording->TakeAllElements(takes_all_elements);
    return recording;
  });
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
    PossibleReadParts parts;
    recording->Execute(execute, *secondary,
                       [&](const ReplayHazard& found) { AddHazard(*recording, found, base, i, parts, hazards); });
  }
  for (const ExecutionHazard& hazard : hazards) ReportExecutionHazard(*recording, hazard, report);
  if (report.skip()) recording->ResetContext();
}

void SyncValidator::PreCallRecord(const vk::DestroySwapchainKHR& /*call*/) {
  state_.WithQueuesLocked([this] { queues_.DropRemovedImages(); });
}

// Calls f() while the recordings of both command buffers may be read; see UsageSource::Recording.
void SyncValidator::WithRecordings(SubmissionHazard& hazard, absl::FunctionRef<void()> f) {
  state_.WithQueuesLocked([&] {
    hazard.source.Refresh();
    if (hazard.prior.has_value()) hazard.prior->Refresh();
    f();
  });
}

// The application's callbacks run when the queues are not held.
void SyncValidator::ReportSubmissionHazards(messages::Report& report) {
  for (SubmissionHazard& hazard : queues_.TakeHazards()) {
    uint64_t cause = 0;
    WithRecordings(hazard, [&] { cause = CauseOf(hazard, reporter_); });
    // A listener receives duplicates too.
    if (!submission_hazard_listener_ && report.CountIfDuplicate(cause)) continue;
    messages::Message message;
    WithRecordings(hazard, [&] {
      message = ComposeSubmissionHazard(hazard, report);
      if (submission_hazard_listener_) submission_hazard_listener_(hazard, message);
    });
    report.Deliver(std::move(message));
  }
}

}  // namespace assay::syncval
