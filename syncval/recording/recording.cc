// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/recording.h"

namespace assay::syncval {

bool SyncRecording::IsBySparseMemory(const RecordedAccess& access, const Hazard& hazard) const {
  const RecordedAccess* const prior = FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
  return access.is_of_sparse_memory || (prior != nullptr && prior->is_of_sparse_memory);
}

void SyncRecording::Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard) {
  const Tag base = NextTag();
  attachments.NoteOtherDraws();
  log_.Append(execute, secondary.log_, state::Ref<state::CommandBuffer>(&secondary.buffer_));
  events_.Append(secondary.events_, base);
  sparse_buffers_.Append(secondary.sparse_buffers_, base);
  unknown_accesses_.Append(secondary.unknown_accesses_, base);
  // A secondary of a subpass is not allowed elsewhere.
  if (secondary.context.is_in_subpass() != context.is_in_subpass()) return OrderEverything();
  absl::MutexLock lock(&secondary.replay_);
  context.Replay(secondary.context, base, [&](ReplayHazard found) {
    found.tag.value += base.value;
    on_hazard(found);
  });
}

}  // namespace assay::syncval
