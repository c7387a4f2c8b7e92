// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording.h"

#include <algorithm>

namespace assay::syncval {

absl::Span<const RecordedAccess> SyncRecording::AccessesOf(Tag tag) const {
  const size_t begin = commands_[tag.value].first_access;
  const size_t end = tag.value + 1 < commands_.size() ? commands_[tag.value + 1].first_access : accesses_.size();
  return absl::MakeSpan(accesses_).subspan(begin, end - begin);
}

const RecordedAccess* SyncRecording::FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
  if (tag.value >= commands_.size()) return nullptr;
  for (const RecordedAccess& logged : AccessesOf(tag)) {
    if (logged.access == access && logged.range.Intersects(range)) return &logged;
  }
  return nullptr;
}

void SyncRecording::Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard) {
  const Tag base{command_count()};
  const auto first_access = static_cast<uint32_t>(accesses_.size());
  for (RecordedCommand command : secondary.commands_) {
    command.first_access += first_access;
    commands_.push_back(command);
  }
  accesses_.insert(accesses_.end(), secondary.accesses_.begin(), secondary.accesses_.end());
  executed_.push_back({execute, Tag{command_count()}, state::Ref<state::CommandBuffer>(&secondary.buffer_)});
  if (secondary.HasUnknownAccess()) {
    last_unknown_access_ = static_cast<int64_t>(base.value) + secondary.last_unknown_access_;
  }
  absl::MutexLock lock(&secondary.replay_);
  context.Replay(secondary.context, base, [&](ReplayHazard found) {
    found.tag.value += base.value;
    on_hazard(found);
  });
}

// Several secondaries of one vkCmdExecuteCommands follow upon each other.
const ExecutedCommands* SyncRecording::FindExecuted(Tag tag) const {
  const auto found = std::ranges::upper_bound(executed_, tag, {}, &ExecutedCommands::end);
  return found != executed_.end() && found->execute < tag ? &*found : nullptr;
}

}  // namespace assay::syncval
