// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/sync_validator.h"

#include <memory>

#include "syncval/check.h"

namespace assay::syncval {
namespace {

template <class C>
void OrderEverything(const C& call) {
  if (SyncRecording* recording = RecordingOf(call.commandBuffer)) recording->OrderEverything();
}

}  // namespace

SyncValidator::SyncValidator(state::DeviceState& state) {
  state.AttachToCommandBuffers(SyncRecording::kSlot,
                               [](state::CommandBuffer& buffer) { return std::make_unique<SyncRecording>(buffer); });
}

void SyncValidator::RecordUnknownAccess(VkCommandBuffer buffer, vk::CommandId id) {
  if (SyncRecording* recording = RecordingOf(buffer)) recording->NoteUnknownAccess(recording->Begin(id));
}

void SyncValidator::PreCallRecord(const vk::CmdWaitEvents& call) { OrderEverything(call); }
void SyncValidator::PreCallRecord(const vk::CmdWaitEvents2& call) { OrderEverything(call); }
void SyncValidator::PreCallRecord(const vk::CmdExecuteCommands& call) { OrderEverything(call); }

}  // namespace assay::syncval
