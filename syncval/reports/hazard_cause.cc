// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/hazard_cause.h"

#include <string>

#include "syncval/reports/submission_text.h"

namespace assay::syncval {

HazardCause::HazardCause(std::string_view id, const Hazard& hazard, const messages::Reporter& reporter)
    : reporter_(reporter) {
  Add(id, hazard.prior_access, hazard.ordered_stages);
  hazard.visible_to.ForEach([&](vk::SyncAccessIndex index) { Add(index); });
}

void HazardCause::AddResource(VkObjectType type, uint64_t handle) {
  const std::string name = reporter_.Name({type, handle});
  Add(type, name, name.empty() ? handle : 0);
}

void HazardCause::AddCommandBuffer(const state::CommandBuffer& buffer) {
  Add(reporter_.Name({state::CommandBuffer::kType, buffer.handle()}));
}

void HazardCause::AddCommand(const SyncRecording& recording, Tag tag) {
  const RecordedCommand& command = recording.CommandAt(tag);
  const ExecutedCommands* const executed = recording.FindExecuted(tag);
  const state::CommandBuffer& buffer = executed != nullptr ? *executed->secondary : recording.buffer();
  Add(command.id, command.position, buffer.LabelsOf(command.label_path));
  AddCommandBuffer(buffer);
  if (executed != nullptr) AddCommand(recording, executed->execute);
}

void HazardCause::AddSource(const UsageSource& source, Tag tag) {
  Add(source.kind, source.queue != nullptr ? source.queue->handle() : 0, source.command, source.batch_index,
      source.index);
  if (HasCommand(source, tag)) AddCommand(*source.Recording(), tag);
}

void HazardCause::AddAccess(const RecordedAccess* access) {
  if (access == nullptr) return Add(0);
  Add(access->access, access->role, access->index, std::string_view(access->member != nullptr ? access->member : ""));
  AddResource(access->resource_type, access->resource);
}

}  // namespace assay::syncval
