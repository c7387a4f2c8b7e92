// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/recording/recording.h"

#include <algorithm>

namespace assay::syncval {

absl::Span<const RecordedAccess> SyncRecording::AccessesOf(Tag tag) const {
  const size_t begin = commands_[tag.value].first_access;
  const size_t end = tag.value + 1 < commands_.size() ? commands_[tag.value + 1].first_access : accesses_.size();
  return absl::MakeConstSpan(accesses_.data() + begin, end - begin);
}

const RecordedAccess* SyncRecording::FindAccess(Tag tag, vk::SyncAccessIndex access, const Range& range) const {
  if (tag.value >= commands_.size()) return nullptr;
  for (const RecordedAccess& logged : AccessesOf(tag)) {
    if (logged.access == access && logged.range.Intersects(range)) return &logged;
  }
  return nullptr;
}

bool SyncRecording::IsOfSameResource(const RecordedAccess& access, Tag prior, const Hazard& hazard) const {
  const auto region_of = [](const RecordedAccess& of) {
    if (of.resource_type != state::Image::kType) return of.resource;
    const auto* image = state::DeviceState::Get<state::Image>(of.resource);
    return image != nullptr ? image->address : of.resource;
  };
  return prior.value < commands_.size() && std::ranges::any_of(AccessesOf(prior), [&](const RecordedAccess& logged) {
           return logged.is_of_shared_memory() && logged.access == hazard.prior_access &&
                  logged.range.Intersects(hazard.range) && region_of(logged) == region_of(access);
         });
}

bool SyncRecording::IsAliased(uint64_t resource, const Range& range) const {
  return std::ranges::any_of(accesses_, [&](const RecordedAccess& logged) {
    return logged.resource != resource && logged.range.Intersects(range);
  });
}

state::ByteRanges SyncRecording::SparseMemoryRangesOf(const state::Buffer& buffer, VkDeviceSize offset,
                                                      VkDeviceSize size) {
  if (sparse_lookup_time_ == UINT64_MAX) sparse_lookup_time_ = state::SparseMemory::Now();
  NoteSparseBuffer(buffer.handle());
  state::ByteRanges ranges;
  buffer.sparse->AppendBytes({offset, offset + size}, ranges);
  return ranges;
}

void SyncRecording::NoteSparseBuffer(uint64_t buffer) {
  if (std::ranges::find(sparse_buffers_, buffer) == sparse_buffers_.end()) sparse_buffers_.push_back(buffer);
}

bool SyncRecording::IsRebound(uint64_t handle) const {
  const auto* buffer = state::DeviceState::Get<state::Buffer>(handle);
  return buffer == nullptr || buffer->sparse == nullptr || buffer->sparse->last_change() > sparse_lookup_time_;
}

bool SyncRecording::HasOutdatedBindings() const {
  return std::ranges::any_of(sparse_buffers_, [this](uint64_t buffer) { return IsRebound(buffer); });
}

bool SyncRecording::IsBySparseMemory(const RecordedAccess& access, const Hazard& hazard) const {
  const RecordedAccess* const prior = FindAccess(hazard.prior_tag, hazard.prior_access, hazard.range);
  return access.is_of_sparse_memory || (prior != nullptr && prior->is_of_sparse_memory);
}

uint32_t SyncRecording::SubpassOf(Tag tag) const {
  const auto after = std::ranges::upper_bound(subpass_begins_, tag);
  return after == subpass_begins_.begin() ? VK_SUBPASS_EXTERNAL
                                          : static_cast<uint32_t>(after - subpass_begins_.begin() - 1);
}

const RenderPassPlan& SyncRecording::PlanOf(const state::RenderPass& render_pass) {
  Plan& slot = plans_[(reinterpret_cast<uintptr_t>(&render_pass) * 0x9E3779B97F4A7C15u) >> 60];
  if (slot.render_pass.get() != &render_pass) {
    slot.render_pass = state::Ref<state::RenderPass>(const_cast<state::RenderPass*>(&render_pass));
    slot.plan = std::make_unique<RenderPassPlan>(render_pass, queue_flags());
  }
  return *slot.plan;
}

void SyncRecording::Execute(Tag execute, SyncRecording& secondary, AccessContext::OnHazard on_hazard) {
  const Tag base{command_count()};
  const auto first_access = static_cast<uint32_t>(accesses_.size());
  for (RecordedCommand command : secondary.commands_) {
    command.first_access += first_access;
    commands_.push_back(command);
  }
  for (const RecordedAccess& access : secondary.accesses_) accesses_.push_back(access);
  for (EventOperation operation : secondary.event_operations_) {
    operation.tag.value += base.value;
    event_operations_.push_back(operation);
  }
  for (SparseMemoryHazard hazard : secondary.sparse_memory_hazards_) {
    hazard.tag.value += base.value;
    hazard.hazard.prior_tag.value += base.value;
    sparse_memory_hazards_.push_back(hazard);
  }
  sparse_lookup_time_ = std::min(sparse_lookup_time_, secondary.sparse_lookup_time_);
  for (uint64_t buffer : secondary.sparse_buffers_) NoteSparseBuffer(buffer);
  waits_for_host_ |= secondary.waits_for_host_;
  executed_.push_back({execute, Tag{command_count()}, state::Ref<state::CommandBuffer>(&secondary.buffer_)});
  if (secondary.HasUnknownAccess()) {
    if (!HasUnknownAccess()) first_unknown_access_ = Tag{base.value + secondary.first_unknown_access_.value};
    last_unknown_access_ = static_cast<int64_t>(base.value) + secondary.last_unknown_access_;
  }
  // One of a subpass has no place elsewhere.
  if (secondary.context.is_in_subpass() != context.is_in_subpass()) return OrderEverything();
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
