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

// Features and queue family of the mask, and with one_stage that it has no more than one bit.
struct StageIds {
  MaskMember place;
  vk::VuidIndex family;
  const vk::VuidIndex* feature = nullptr;
  const vk::VuidIndex* one_stage = nullptr;
  const vk::VuidIndex* no_host = nullptr;
  const vk::VuidIndex* timestamp_bits = nullptr;
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
  if (ids.feature != nullptr && !check.limits.synchronization2) {
    check.Error(*ids.feature, command, "needs the synchronization2 feature, which is not enabled.",
                "Enable synchronization2 at vkCreateDevice().");
  }
  // The second generation may name no stage, whatever is enabled.
  if (stages != 0 || check.version == SyncVersion::kSync1) CheckStages(check, ids.place, stages, mask);
  CheckFamilyStages(check, ids.family, stages, family, mask);
  if (ids.one_stage != nullptr && std::popcount(stages) > 1) [[unlikely]] {
    check.Error(*ids.one_stage, mask, absl::StrCat("(", check.Stages(stages), ") is more than one stage."),
                "Name the last of them.");
  }
  if (ids.no_host != nullptr) CheckNoHostStage(check, *ids.no_host, stages, mask);
  if (ids.timestamp_bits != nullptr) CheckTimestampBits(check, *ids.timestamp_bits, family);
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
  static constexpr vk::VuidIndex kNoHost = vk::Vuid("VUID-vkCmdSetEvent-stageMask-01149");
  static constexpr StageIds kIds = {
      {"vkCmdSetEvent", "stageMask"}, vk::Vuid("VUID-vkCmdSetEvent-stageMask-06457"), nullptr, nullptr, &kNoHost};
  CheckCommand(limits_, call, report, kIds, call.stageMask, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdResetEvent& call, messages::Report& report) const {
  static constexpr vk::VuidIndex kNoHost = vk::Vuid("VUID-vkCmdResetEvent-stageMask-01153");
  static constexpr StageIds kIds = {
      {"vkCmdResetEvent", "stageMask"}, vk::Vuid("VUID-vkCmdResetEvent-stageMask-06458"), nullptr, nullptr, &kNoHost};
  CheckCommand(limits_, call, report, kIds, call.stageMask, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdResetEvent2& call, messages::Report& report) const {
  const state::CommandBuffer* buffer = state::DeviceState::Get(call.commandBuffer);
  if (buffer == nullptr) return;
  const Check check{limits_, report, messages::Object(call.commandBuffer)};
  const Location command = report.location();
  const Location mask = command.Dot("stageMask");
  if (!limits_.synchronization2) {
    check.Error(vk::Vuid("VUID-vkCmdResetEvent2-synchronization2-03829"), command,
                "needs the synchronization2 feature, which is not enabled.",
                "Enable synchronization2 at vkCreateDevice().");
  }
  if (call.stageMask != 0) CheckStages(check, {"vkCmdResetEvent2", "stageMask"}, call.stageMask, mask);
  CheckNoHostStage(check, vk::Vuid("VUID-vkCmdResetEvent2-stageMask-03830"), call.stageMask, mask);
}

void SyncRules::PreCallValidate(const vk::CmdWriteTimestamp& call, messages::Report& report) const {
  static constexpr vk::VuidIndex kBits = vk::Vuid("VUID-vkCmdWriteTimestamp-timestampValidBits-00829");
  static constexpr StageIds kIds = {{"vkCmdWriteTimestamp", "pipelineStage"},
                                    vk::Vuid("VUID-vkCmdWriteTimestamp-pipelineStage-04074"),
                                    nullptr,
                                    nullptr,
                                    nullptr,
                                    &kBits};
  CheckCommand(limits_, call, report, kIds, call.pipelineStage, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdWriteTimestamp2& call, messages::Report& report) const {
  static constexpr vk::VuidIndex kFeature = vk::Vuid("VUID-vkCmdWriteTimestamp2-synchronization2-03858");
  static constexpr vk::VuidIndex kOne = vk::Vuid("VUID-vkCmdWriteTimestamp2-stage-03859");
  static constexpr vk::VuidIndex kBits = vk::Vuid("VUID-vkCmdWriteTimestamp2-timestampValidBits-03863");
  static constexpr StageIds kIds = {{"vkCmdWriteTimestamp2", "stage"},
                                    vk::Vuid("VUID-vkCmdWriteTimestamp2-stage-03860"),
                                    &kFeature,
                                    &kOne,
                                    nullptr,
                                    &kBits};
  CheckCommand(limits_, call, report, kIds, call.stage, SyncVersion::kSync2);
}

void SyncRules::PreCallValidate(const vk::CmdWriteBufferMarkerAMD& call, messages::Report& report) const {
  static constexpr StageIds kIds = {{"vkCmdWriteBufferMarkerAMD", "pipelineStage"},
                                    vk::Vuid("VUID-vkCmdWriteBufferMarkerAMD-pipelineStage-04074")};
  CheckCommand(limits_, call, report, kIds, call.pipelineStage, SyncVersion::kSync1);
}

void SyncRules::PreCallValidate(const vk::CmdWriteBufferMarker2AMD& call, messages::Report& report) const {
  static constexpr vk::VuidIndex kFeature = vk::Vuid("VUID-vkCmdWriteBufferMarker2AMD-synchronization2-03893");
  static constexpr vk::VuidIndex kOne = vk::Vuid("VUID-vkCmdWriteBufferMarker2AMD-stage-03894");
  static constexpr StageIds kIds = {{"vkCmdWriteBufferMarker2AMD", "stage"},
                                    vk::Vuid("VUID-vkCmdWriteBufferMarker2AMD-stage-03895"),
                                    &kFeature,
                                    &kOne};
  CheckCommand(limits_, call, report, kIds, call.stage, SyncVersion::kSync2);
}

}  // namespace assay::core
