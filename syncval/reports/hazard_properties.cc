// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/reports/hazard_properties.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "syncval/accesses/resource_text.h"
#include "syncval/reports/hazard_text.h"
#include "syncval/reports/submission_text.h"
#include "vk/command_info.h"
#include "vk/struct_info.h"

namespace assay::syncval {
namespace {

using messages::Properties;
using messages::PropertyValue;

// The accesses of each stage.
std::vector<PropertyValue> ByStage(const SyncAccessMask& accesses) {
  std::vector<std::pair<VkPipelineStageFlags2, VkAccessFlags2>> stages;
  accesses.ForEach([&](vk::SyncAccessIndex index) {
    const vk::SyncStageAccessInfo& info = InfoOf(index);
    const auto found = std::ranges::find(stages, info.stage, [](const auto& stage) { return stage.first; });
    if (found != stages.end()) {
      found->second |= info.access;
    } else {
      stages.emplace_back(info.stage, info.access);
    }
  });
  std::vector<PropertyValue> list;
  list.reserve(stages.size());
  for (const auto& [stage, access] : stages) {
    list.push_back(Properties{{"stage", Stages(stage)}, {"access", Accesses(access)}});
  }
  return list;
}

Properties SynchronizationProperties(const Hazard& hazard, vk::SyncAccessIndex access) {
  Properties properties = {{"ordered_stages", Stages(hazard.ordered_stages)},
                           {"visible_to", ByStage(hazard.visible_to)}};
  if (IsTransition(access)) return properties;
  const vk::SyncStageAccessInfo& info = InfoOf(access);
  if ((hazard.ordered_stages & info.stage) == 0) properties.push_back({"missing_stage", Stages(info.stage)});
  const bool after_write = IsTransition(hazard.prior_access) || InfoOf(hazard.prior_access).is_write;
  if (after_write && !hazard.visible_to.Has(access)) properties.push_back({"missing_access", Accesses(info.access)});
  return properties;
}

Properties ResourceProperties(const RecordedAccess& access, absl::Span<const Range> ranges,
                              const messages::Reporter& reporter) {
  Properties properties = ObjectProperties({access.resource_type, access.resource}, reporter);
  std::vector<PropertyValue> parts = RangeProperties(access.resource_type, access.resource, ranges);
  if (!parts.empty()) properties.push_back({"ranges", std::move(parts)});
  return properties;
}

}  // namespace

Properties ObjectProperties(const messages::ObjectRef& object, const messages::Reporter& reporter) {
  Properties properties;
  if (const vk::HandleInfo* info = vk::FindHandle(object.type)) properties.push_back({"type", info->name});
  properties.push_back({"handle", absl::StrCat("0x", absl::Hex(object.handle))});
  if (std::string name = reporter.Name(object); !name.empty()) properties.push_back({"name", std::move(name)});
  return properties;
}

Properties AccessProperties(vk::SyncAccessIndex access, const RecordedAccess* logged) {
  Properties properties;
  if (IsTransition(access)) {
    properties.push_back({"access", "layout transition"});
  } else {
    properties = {{"stage", Stages(InfoOf(access).stage)}, {"access", Accesses(InfoOf(access).access)}};
  }
  if (logged == nullptr) return properties;
  if (logged->role == Role::kDescriptor) {
    properties.push_back({"set", uint64_t{logged->index >> 24}});
    properties.push_back({"binding", uint64_t{logged->index & 0xffffff}});
  } else if (logged->role != Role::kParameter) {
    properties.push_back({"as", NameOf(*logged)});
    if (logged->member != nullptr) properties.push_back({"operation", logged->member});
  } else if (logged->member != nullptr) {
    properties.push_back({"parameter", ParameterText(*logged)});
  }
  return properties;
}

void AddCommandProperties(const SyncRecording& recording, Tag tag, const messages::Reporter& reporter,
                          Properties& properties) {
  const RecordedCommand& command = recording.CommandAt(tag);
  const ExecutedCommands* const executed = recording.FindExecuted(tag);
  const state::CommandBuffer& buffer = executed != nullptr ? *executed->secondary : recording.buffer();
  properties.push_back({"command", vk::GetCommandInfo(command.id).name});
  properties.push_back({"position", uint64_t{command.position} + 1});
  std::vector<PropertyValue> labels;
  for (std::string& label : buffer.LabelsOf(command.label_path)) labels.push_back(std::move(label));
  if (!labels.empty()) properties.push_back({"labels", std::move(labels)});
  properties.push_back({"command_buffer", ObjectProperties({state::CommandBuffer::kType, buffer.handle()}, reporter)});
  if (executed == nullptr) return;
  Properties execute;
  AddCommandProperties(recording, executed->execute, reporter, execute);
  properties.push_back({"executed_by", std::move(execute)});
}

Properties AccessProperties(const SyncRecording& recording, Tag tag, vk::SyncAccessIndex access,
                            const RecordedAccess* logged, const messages::Reporter& reporter) {
  Properties properties = AccessProperties(access, logged);
  AddCommandProperties(recording, tag, reporter, properties);
  return properties;
}

Properties SourceProperties(const UsageSource& source, Tag tag, vk::SyncAccessIndex access,
                            const RecordedAccess* logged, const messages::Reporter& reporter) {
  Properties properties;
  if (IsOutsideCommandBuffers(source)) {
    properties.push_back({"access", source.kind == UsageSource::Kind::kAcquire   ? "acquire"
                                    : source.kind == UsageSource::Kind::kPresent ? "present"
                                                                                 : "bind"});
  } else {
    properties = AccessProperties(access, logged);
    if (HasCommand(source, tag)) {
      AddCommandProperties(*source.Recording(), tag, reporter, properties);
    } else {
      properties.push_back(
          {"command_buffer", ObjectProperties({state::CommandBuffer::kType, source.buffer->handle()}, reporter)});
    }
  }
  if (source.queue == nullptr) return properties;
  properties.push_back({"queue", ObjectProperties({state::Queue::kType, source.queue->handle()}, reporter)});
  properties.push_back({"batch", source.serial});
  properties.push_back({"submitted_by", vk::GetCommandInfo(source.command).name});
  return properties;
}

Properties SameResourceBarrierProperties(const RecordedAccess& access, const RecordedAccess* prior) {
  if (prior == nullptr || prior->resource != access.resource) return {};
  return BarrierProperties(access.resource_type, access.resource, {access.range});
}

Properties HazardProperties(std::string_view id, const Hazard& hazard, const RecordedAccess& access,
                            absl::Span<const Range> ranges, Properties access_properties, Properties prior_properties,
                            Properties fix, const messages::Reporter& reporter) {
  Properties properties = {{"hazard", absl::StripPrefix(id, "SYNC-HAZARD-")},
                           {"access", std::move(access_properties)},
                           {"prior_access", std::move(prior_properties)},
                           {"resource", ResourceProperties(access, ranges, reporter)},
                           {"synchronization", SynchronizationProperties(hazard, access.access)}};
  if (!fix.empty()) properties.push_back({"fix", std::move(fix)});
  return properties;
}

}  // namespace assay::syncval
