// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/command_log.h"

#include <algorithm>
#include <utility>

namespace assay::syncval {

void CommandLog::Append(Tag execute, const CommandLog& log, state::Ref<state::CommandBuffer> secondary) {
  const Tag begin = NextTag();
  const auto first_access = static_cast<uint32_t>(accesses_.size());
  for (RecordedCommand command : log.commands_) {
    command.first_access += first_access;
    commands_.push_back(command);
  }
  for (const RecordedAccess& access : log.accesses_) accesses_.push_back(access);
  executed_.push_back({execute, begin, NextTag(), std::move(secondary)});
}

absl::Span<const RecordedAccess> CommandLog::AccessesOf(Tag tag) const {
  const size_t begin = commands_[tag.value].first_access;
  const size_t end = tag.value + 1 < commands_.size() ? commands_[tag.value + 1].first_access : accesses_.size();
  return absl::MakeConstSpan(accesses_.data() + begin, end - begin);
}

const RecordedAccess* CommandLog::FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
  if (tag.value >= commands_.size()) return nullptr;
  for (const RecordedAccess& logged : AccessesOf(tag)) {
    if (logged.access == access && logged.range.Intersects(range)) return &logged;
  }
  return nullptr;
}

const RecordedAccess* CommandLog::FindPossibleRead(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
  if (tag.value >= commands_.size()) return nullptr;
  for (const RecordedAccess& logged : AccessesOf(tag)) {
    if (logged.is_possible_read() && logged.access == access && logged.range.Intersects(range)) return &logged;
  }
  return nullptr;
}

// The secondaries of one vkCmdExecuteCommands lie one behind the other, with its own accesses to attachments between
// them.
const ExecutedCommands* CommandLog::FindExecuted(Tag tag) const {
  const auto found = std::ranges::upper_bound(executed_, tag, {}, &ExecutedCommands::end);
  return found != executed_.end() && found->begin <= tag ? &*found : nullptr;
}

bool CommandLog::IsOfSameResource(const RecordedAccess& access, Tag prior, const Hazard& hazard) const {
  const auto region_of = [](const RecordedAccess& of) {
    if (of.resource_type != state::Image::kType) return of.resource;
    const auto* image = state::DeviceState::Get<state::Image>(of.resource);
    return image != nullptr ? image->address : of.resource;
  };
  return prior.value < commands_.size() &&
         std::ranges::any_of(
             AccessesOf(prior),
             [&](const RecordedAccess& logged) {
               return logged.is_of_shared_memory() && logged.access == hazard.prior_access &&
                      logged.range.Intersects(hazard.range) && region_of(logged) == region_of(access);
             });
}

bool CommandLog::IsAliased(uint64_t resource, const Range& range) const {
  return std::ranges::any_of(accesses_, [&](const RecordedAccess& logged) {
    return logged.resource != resource && logged.range.Intersects(range);
  });
}

}  // namespace assay::syncval
