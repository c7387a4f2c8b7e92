// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands with a stage mask and no barriers.

#include <bit>

#include "absl/strings/str_cat.h"
#include "core/barriers/sync_rules.h"
#include "core/masks/masks.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;

// The rules of a command's stage mask; vk::kNoVuid where the command does not have the rule.
struct StageIds {
  MaskMember place;
  // The queue family supports the stages.
  vk::VuidIndex queue_family = vk::kNoVuid;
  // The mask has one bit at most.
  vk::VuidIndex single_stage = vk::kNoVuid;
  // VK_PIPELINE_STAGE_HOST_BIT is not in the mask.
  vk::VuidIndex host = vk::kNoVuid;
  // The queue family has timestamps.
  vk::VuidIndex timestamp_bits = vk::kNoVuid;
};

void CheckTimestampBits(const Check& check, vk::VuidIndex vuid, uint32_t family) {
  const auto& families = check.limits.device.physical_device->queue_families;
  if (family >= families.size() || families[family].timestampValidBits != 0) [[likely]]
    return;
  check.Error(vuid, check.report.location(),
              absl::StrCat("is recorded for queue family ", family, ", whose timestampValidBits is 0."),
              "Record it for a queue family that has timestamps.");
}

void CheckStage(const Check& check, const StageIds& ids, VkPipelineStageFlags2 stages, uint32_t family) {
  const Location command = check.report.location();
  const Location mask = command.Dot(ids.place.member);
  // With synchronization2 a mask may be 0, whatever is enabled.
  if (stages != 0 || check.version == SyncVersion::kSync1) CheckStages(check, ids.place, stages, mask);
  if (ids.queue_family != vk::kNoVuid) CheckFamilyStages(check, ids.queue_family, stages, family, mask);
  if (ids.single_stage != vk::kNoVuid && std::popcount(stages) > 1) [[unlikely]] {
    check.Error(ids.single_stage, mask, absl::StrCat("(", check.Stages(stages), ") is more than one stage."),
                "Name the last of them.");
  }
  if (ids.host != vk::kNoVuid) CheckNoHostStage(check, ids.host, stages, mask);
  if (ids.timestamp_bits != vk::kNoVuid) CheckTimestampBits(check, ids.timestamp_bits, family);
}

template <class C>
void CheckCommand(const SyncLimits& limits, const C& call, messages::Report& report, const StageIds& ids,
                  VkPipelineStageFlags2 stages, SyncVersion version) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  const Check check{limits, report, messages::Object(call.commandBuffer), version};
  CheckStage(check, ids, stages, buffer->pool.queue_family);
}

}  // namespace

void SyncRules::PreCallValidate(const vk::CmdSetEvent& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdSetEvent", "stageMask"},
      .queue_family = vk::Vuid("VUID-vkCmdSetEvent-stageMask-06457"),
      .host = vk::Vuid("VUID-vkCmdSetEvent-stageMask-01149"),
  };
  CheckCommand(limits_, call, report, kIds, call.stageMask, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdResetEvent& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdResetEvent", "stageMask"},
      .queue_family = vk::Vuid("VUID-vkCmdResetEvent-stageMask-06458"),
      .host = vk::Vuid("VUID-vkCmdResetEvent-stageMask-01153"),
  };
  CheckCommand(limits_, call, report, kIds, call.stageMask, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdResetEvent2& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdResetEvent2", "stageMask"},
      .host = vk::Vuid("VUID-vkCmdResetEvent2-stageMask-03830"),
  };
  CheckCommand(limits_, call, report, kIds, call.stageMask, SyncVersion::kSync2);
}

void SyncRules::PreCallValidate(const vk::CmdWriteTimestamp& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdWriteTimestamp", "pipelineStage"},
      .queue_family = vk::Vuid("VUID-vkCmdWriteTimestamp-pipelineStage-04074"),
      .timestamp_bits = vk::Vuid("VUID-vkCmdWriteTimestamp-timestampValidBits-00829"),
  };
  CheckCommand(limits_, call, report, kIds, call.pipelineStage, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdWriteTimestamp2& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdWriteTimestamp2", "stage"},
      .queue_family = vk::Vuid("VUID-vkCmdWriteTimestamp2-stage-03860"),
      .single_stage = vk::Vuid("VUID-vkCmdWriteTimestamp2-stage-03859"),
      .timestamp_bits = vk::Vuid("VUID-vkCmdWriteTimestamp2-timestampValidBits-03863"),
  };
  CheckCommand(limits_, call, report, kIds, call.stage, SyncVersion::kSync2);
}

void SyncRules::PreCallValidate(const vk::CmdWriteBufferMarkerAMD& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdWriteBufferMarkerAMD", "pipelineStage"},
      .queue_family = vk::Vuid("VUID-vkCmdWriteBufferMarkerAMD-pipelineStage-04074"),
  };
  CheckCommand(limits_, call, report, kIds, call.pipelineStage, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdWriteBufferMarker2AMD& call, messages::Report& report) const {
  static constexpr StageIds kIds = {
      .place = {"vkCmdWriteBufferMarker2AMD", "stage"},
      .queue_family = vk::Vuid("VUID-vkCmdWriteBufferMarker2AMD-stage-03895"),
      .single_stage = vk::Vuid("VUID-vkCmdWriteBufferMarker2AMD-stage-03894"),
  };
  CheckCommand(limits_, call, report, kIds, call.stage, SyncVersion::kSync2);
}

}  // namespace assay::core
