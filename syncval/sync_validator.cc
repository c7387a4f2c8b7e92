// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/sync_validator.h"

#include <memory>
#include <vector>

#include "syncval/check.h"
#include "syncval/replay_report.h"

namespace assay::syncval {
namespace {

template <class C>
void OrderEverything(const C& call) {
  if (SyncRecording* recording = RecordingOf(call.commandBuffer)) recording->OrderEverything();
}

}  // namespace

SyncValidator::SyncValidator(state::DeviceState& state) : reporter_(state.device().instance.reporter) {
  state.AttachToCommandBuffers(SyncRecording::kSlot,
                               [](state::CommandBuffer& buffer) { return std::make_unique<SyncRecording>(buffer); });
  if (state.device().instance.settings.syncval_submit_time_validation) state.AttachToQueues(queues_);
}

void SyncValidator::RecordUnknownAccess(VkCommandBuffer buffer, vk::CommandId id) {
  if (SyncRecording* recording = RecordingOf(buffer)) recording->NoteUnknownAccess(recording->Begin(id));
}

void SyncValidator::PreCallRecord(const vk::CmdWaitEvents& call) { OrderEverything(call); }
void SyncValidator::PreCallRecord(const vk::CmdWaitEvents2& call) { OrderEverything(call); }
// All that the secondaries do is replayed before anything is reported, so a call that is skipped after all leaves
// nothing that could be compared with.
void SyncValidator::PreCallValidate(const vk::CmdExecuteCommands& call, messages::Report& report) {
  SyncRecording* const recording = RecordingOf(call.commandBuffer);
  if (recording == nullptr || report.skip()) return;
  const Tag execute = recording->Begin(call.kId);
  std::vector<ExecutionHazard> hazards;
  const auto secondaries = state::Items(call.pCommandBuffers, call.commandBufferCount);
  for (uint32_t i = 0; i < secondaries.size(); ++i) {
    SyncRecording* const secondary = RecordingOf(secondaries[i]);
    if (secondary == nullptr || secondary == recording) continue;
    const Tag base{recording->command_count()};
    recording->Execute(execute, *secondary,
                       [&](const ReplayHazard& found) { AddHazard(*recording, found, base, i, hazards); });
  }
  for (const ExecutionHazard& hazard : hazards) ReportExecutionHazard(*recording, hazard, report);
  if (report.skip()) recording->context.Reset();
}

void SyncValidator::ReportSubmissionHazards(vk::CommandId id) {
  for (const SubmissionHazard& hazard : queues_.TakeHazards()) {
    messages::Report report(reporter_, id);
    ReportSubmissionHazard(hazard, report);
  }
}

}  // namespace assay::syncval
