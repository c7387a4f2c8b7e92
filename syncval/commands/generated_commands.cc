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

constexpr vk::SyncAccessIndex kInputRead = vk::kSyncCommandPreprocessCommandPreprocessRead;
constexpr vk::SyncAccessIndex kOutputWrite = vk::kSyncCommandPreprocessCommandPreprocessWrite;
constexpr vk::SyncAccessIndex kOutputRead = vk::kSyncDrawIndirectIndirectCommandRead;

Origin At(const char* member) { return {member, kNoIndex}; }

}  // namespace

void SyncValidator::PreCallValidate(const vk::CmdPreprocessGeneratedCommandsEXT& call, messages::Report& report) {
  if (call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoEXT& info = *call.pGeneratedCommandsInfo;
  CheckCommand(call, report, [&](AccessCollector& c) {
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

void SyncValidator::PreCallValidate(const vk::CmdExecuteGeneratedCommandsEXT& call, messages::Report& report) {
  if (call.isPreprocessed == VK_FALSE || call.pGeneratedCommandsInfo == nullptr) return;
  const VkGeneratedCommandsInfoEXT& info = *call.pGeneratedCommandsInfo;
  if (info.preprocessSize == 0) return;
  CheckCommand(call, report, [&](AccessCollector& c) {
    DeviceAddressRange(state_, info.preprocessAddress)
        .AddPossibleRead(c, 0, info.preprocessSize, kOutputRead, At("pGeneratedCommandsInfo.preprocessAddress"));
  });
}

}  // namespace assay::syncval
