// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/commands/sync_validator.h"

#include <algorithm>
#include <array>
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

bool CanUpdateAfterBind(const dispatch::Device& device) {
  using enum vk::FeatureId;
  return std::ranges::any_of(
      std::to_array({kDescriptorBindingAccelerationStructureUpdateAfterBind,
                     kDescriptorBindingSampledImageUpdateAfterBind, kDescriptorBindingStorageBufferUpdateAfterBind,
                     kDescriptorBindingStorageImageUpdateAfterBind, kDescriptorBindingStorageTexelBufferUpdateAfterBind,
                     kDescriptorBindingUniformBufferUpdateAfterBind,
                     kDescriptorBindingUniformTexelBufferUpdateAfterBind}),
      [&](vk::FeatureId feature) { return device.HasFeature(feature); });
}

}  // namespace

SyncValidator::SyncValidator(state::DeviceState& state)
    : state_(state), reporter_(state.device().instance.reporter), queues_(StagesOf(state.device())) {
  const VkPipelineStageFlags2 stages = StagesOf(state.device());
  const bool takes_uncertain_accesses = state.device().instance.settings.syncval_shader_accesses_heuristic;
  const bool has_synchronization2 = state.device().HasFeature(vk::FeatureId::kSynchronization2);
  const bool has_late_accesses =
      state.device().instance.settings.syncval_submit_time_validation && CanUpdateAfterBind(state.device());
  state.AttachToCommandBuffers(SyncRecording::kSlot, [=](state::CommandBuffer& buffer) {
    auto recording = std::make_unique<SyncRecording>(buffer, stages);
    recording->SetSynchronization2(has_synchronization2);
    recording->TakeUncertainAccesses(takes_uncertain_accesses);
    if (has_late_accesses) recording->EnableLateAccesses();
    return recording;
  });
  if (state.device().instance.settings.syncval_submit_time_validation) state.AttachToQueues(queues_);
}

void SyncValidator::RecordUnknownAccess(const dispatch::Slot& slot, vk::CommandId id) {
  if (SyncRecording* recording = RecordingOf(slot)) recording->NoteUnknownAccess(recording->Begin(id));
}

namespace {

// Accesses of a secondary's draws to the attachments of the instance that it continues (InheritedAccesses), as accesses
// of the vkCmdExecuteCommands. They have tags of their own, so that they can come before or after the secondary's
// commands.
class InheritedAccessesCheck {
 public:
  InheritedAccessesCheck(SyncRecording& recording, messages::Report& report) : recording_(recording), report_(report) {}

  // Returns whether the command is to be recorded.
  bool Check(AttachmentAccesses accesses) {
    if (!Add(accesses)) return true;
    if (CheckLast(recording_, tag_, report_) == CheckResult::kSkipped) return false;
    recording_.attachments.NoteAccessed(SlotsOf(accesses));
    return true;
  }
  // For accesses between barriers: which of those order them is unknown.
  void Record(AttachmentAccesses accesses) {
    if (!Add(accesses)) return;
    for (const RecordedAccess& access : recording_.AccessesOf(tag_)) recording_.context.Update(access, tag_);
    recording_.attachments.NoteAccessed(SlotsOf(accesses));
  }

 private:
  // Returns whether there are any.
  bool Add(AttachmentAccesses& accesses) {
    accesses &= AccessesOfSlots(recording_.attachments.slots());
    if (accesses == 0) return false;
    tag_ = recording_.Begin(vk::CmdExecuteCommands::kId);
    AccessCollector(recording_).AddAttachmentAccesses(recording_.attachments, accesses);
    return true;
  }

  SyncRecording& recording_;
  messages::Report& report_;
  Tag tag_;
};

}  // namespace

// Replays all secondaries before it reports what the replays found.
void SyncValidator::PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  SyncRecording* const recording = RecordingOf(slot);
  if (recording == nullptr || report.skip()) return;
  recording->BeginUndoable();
  const Tag execute = recording->Begin(call.kId);
  std::vector<ExecutionHazard> hazards;
  const auto secondaries = state::Items(call.pCommandBuffers, call.commandBufferCount);
  InheritedAccessesCheck inherited(*recording, report);
  const bool is_inherited = recording->buffer().rendering.is_inherited();
  for (uint32_t i = 0; i < secondaries.size(); ++i) {
    SyncRecording* const secondary = RecordingOf(secondaries[i]);
    if (secondary == nullptr || secondary == recording) continue;
    const InheritedAccesses& accesses = secondary->inherited_accesses();
    if (is_inherited) {
      recording->AppendInheritedAccesses(accesses);
    } else {
      if (!inherited.Check(accesses.before_barriers)) return recording->Undo();
      inherited.Record(accesses.between_barriers);
    }
    const Tag base{recording->command_count()};
    PossibleReadParts parts;
    recording->Execute(execute, *secondary,
                       [&](const ReplayHazard& found) { AddHazard(*recording, found, base, i, parts, hazards); });
    if (!is_inherited && !inherited.Check(accesses.after_barriers)) return recording->Undo();
  }
  for (const ExecutionHazard& hazard : hazards) ReportExecutionHazard(*recording, hazard, report);
  if (report.skip()) return recording->Undo();
  recording->EndUndoable();
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
