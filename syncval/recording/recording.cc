// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/recording.h"

namespace assay::syncval {

bool SyncRecording::IsDeferred(const RecordedAccess& access, const Hazard& hazard) const {
  const RecordedAccess* const prior = FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
  return access.may_be_outdated() || (prior != nullptr && prior->may_be_outdated());
}

void SyncRecording::Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard) {
  const Tag base = NextTag();
  attachments.NoteOtherDraws();
  log_.Append(execute, secondary.log_, state::Ref<state::CommandBuffer>(&secondary.buffer_));
  events_.Append(secondary.events_, base);
  sparse_buffers_.Append(secondary.sparse_buffers_);
  deferred_hazards_.Append(secondary.deferred_hazards_, base);
  unknown_accesses_.Append(secondary.unknown_accesses_, base);
  // A secondary of a subpass is not allowed elsewhere.
  if (secondary.context.is_in_subpass() != context.is_in_subpass()) {
    operations_.Add(OperationLog::Kind::kLeaveOut, base, {}, {}, NextTag());
    return OrderEverything();
  }
  operations_.Append(secondary.operations_, base);
  late_accesses_.Append(secondary.late_accesses_, base);
  late_writes_ += !secondary.late_accesses_.empty();
  absl::MutexLock lock(&secondary.replay_);
  context.Replay(secondary.context, base, [&](ReplayHazard found) {
    found.tag.value += base.value;
    on_hazard(found);
  });
}

void SyncRecording::Add(LateAccess access) {
  if (!operations_.is_enabled()) return;
  access.tag = Tag{NextTag().value - 1};
  // Draws of one render pass instance share what they write: see MayShareInstance.
  const bool is_write = vk::SyncStageAccesses()[access.access].is_write;
  const bool can_repeat = !is_write || CommandAt(access.tag).is_in_instance;
  late_writes_ += !can_repeat;
  late_accesses_.Add(access, operations_.size() + late_writes_, can_repeat);
}

void SyncRecording::BeginUndoable() {
  context.BeginUndoable(NextTag());
  before_.next = NextTag();
  before_.operations = operations_.size();
  before_.waits_for_host = events_.waits_for_host();
  before_.unknown_accesses = unknown_accesses_;
  before_.render_passes = render_passes_.position();
  before_.attachments = attachments;
}

void SyncRecording::Undo() {
  context.Undo();
  log_.RemoveFrom(before_.next);
  events_.RemoveFrom(before_.next);
  events_.SetWaitsForHost(before_.waits_for_host);
  deferred_hazards_.RemoveFrom(before_.next);
  operations_.ShrinkTo(before_.operations);
  late_accesses_.RemoveFrom(before_.next);
  unknown_accesses_ = before_.unknown_accesses;
  render_passes_.SetPosition(before_.render_passes);
  attachments = before_.attachments;
}

}  // namespace assay::syncval
