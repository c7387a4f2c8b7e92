// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// The preprocessing of device-generated commands, and its output where it is executed ("Device-Generated Commands"). A
// count that the device reads may say that there are fewer sequences, so their reads are possible reads. What the
// commands themselves access is unknown, which SyncValidator notes for every command of UnmodelledCommand.

#include "syncval/commands/check.h"
#include "syncval/commands/device_address_range.h"
#include "syncval/commands/sync_validator.h"

namespace assay::syncval {
namespace {

using state::DeviceState;

constexpr vk::SyncAccessIndex kInputRead = vk::kSyncCommandPreprocessCommandPreprocessRead;
constexpr vk::SyncAccessIndex kOutputWrite = vk::kSyncCommandPreprocessCommandPreprocessWrite;
constexpr vk::SyncAccessIndex kOutputRead = vk::kSyncDrawIndirectIndirectCommandRead;

Origin At(const char* member) { return {member, kNoIndex}; }

// With VK_NV_device_generated_commands. Which of several streams the sequences use is up to the layout. Pipelines that
// the sequences choose are read too.
void AddInput(AccessCollector& collector, const VkGeneratedCommandsInfoNV& info) {
  if (info.streamCount != 1 || info.pStreams == nullptr || info.pipelineBindPoint == VK_PIPELINE_BIND_POINT_COMPUTE) {
    collector.AddUnknown();
  }
  if (info.streamCount == 1 && info.pStreams != nullptr) {
    collector.AddPossibleRead(DeviceState::Get<state::Buffer>(info.pStreams->buffer), info.pStreams->offset,
                              VK_WHOLE_SIZE, kInputRead, {"pGeneratedCommandsInfo.pStreams", 0});
  }
  if (info.sequencesIndexBuffer != VK_NULL_HANDLE) {
    collector.AddPossibleRead(DeviceState::Get<state::Buffer>(info.sequencesIndexBuffer), info.sequencesIndexOffset,
                              VkDeviceSize{info.sequencesCount} * sizeof(uint32_t), kInputRead,
                              At("pGeneratedCommandsInfo.sequencesIndexBuffer"));
  }
  if (info.sequencesCountBuffer != VK_NULL_HANDLE) {
    collector.AddBuffer(DeviceState::Get<state::Buffer>(info.sequencesCountBuffer), info.sequencesCountOffset,
                        sizeof(uint32_t), kInputRead, At("pGeneratedCommandsInfo.sequencesCountBuffer"));
  }
}

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdPreprocessGeneratedCommandsEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoEXT& info = *call.pGeneratedCommandsInfo;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    if (info.preprocessSize != 0) {
      DeviceAddressRange(state_, info.preprocessAddress)
          .Add(c, 0, info.preprocessSize, kOutputWrite, At("pGeneratedCommandsInfo.preprocessAddress"));
    }
    if (info.indirectAddressSize != 0) {
      DeviceAddressRange(state_, info.indirectAddress)
          .AddPossibleRead(c, 0, info.indirectAddressSize, kInputRead, At("pGeneratedCommandsInfo.indirectAddress"));
    }
    if (info.sequenceCountAddress != 0) {
      DeviceAddressRange(state_, info.sequenceCountAddress)
          .Add(c, 0, sizeof(uint32_t), kInputRead, At("pGeneratedCommandsInfo.sequenceCountAddress"));
    }
  });
}

void SyncValidator::PreCallValidate(const vk::CmdExecuteGeneratedCommandsEXT& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.isPreprocessed == VK_FALSE || call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoEXT& info = *call.pGeneratedCommandsInfo;
  if (info.preprocessSize == 0) return;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    DeviceAddressRange(state_, info.preprocessAddress)
        .AddPossibleRead(c, 0, info.preprocessSize, kOutputRead, At("pGeneratedCommandsInfo.preprocessAddress"));
  });
}

void SyncValidator::PreCallValidate(const vk::CmdPreprocessGeneratedCommandsNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoNV& info = *call.pGeneratedCommandsInfo;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddBuffer(DeviceState::Get<state::Buffer>(info.preprocessBuffer), info.preprocessOffset, info.preprocessSize,
                kOutputWrite, At("pGeneratedCommandsInfo.preprocessBuffer"));
    AddInput(c, info);
  });
}

void SyncValidator::PreCallValidate(const vk::CmdExecuteGeneratedCommandsNV& call, dispatch::Slot& slot,
                                    messages::Report& report) {
  if (call.isPreprocessed == VK_FALSE || call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoNV& info = *call.pGeneratedCommandsInfo;
  CheckCommand(call, slot, report, [&](AccessCollector& c) {
    c.AddPossibleRead(DeviceState::Get<state::Buffer>(info.preprocessBuffer), info.preprocessOffset,
                      info.preprocessSize, kOutputRead, At("pGeneratedCommandsInfo.preprocessBuffer"));
  });
}

}  // namespace assay::syncval
