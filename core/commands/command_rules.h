// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COMMANDS_COMMAND_RULES_H_
#define ASSAY_CORE_COMMANDS_COMMAND_RULES_H_

#include "core/commands/command_table.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// Checks a command against the command buffer that records it.
void CheckRecorded(const CommandRow& row, const state::CommandBuffer& buffer, messages::Report& report);
// Checks a command against its queue.
void CheckQueue(const CommandRow& row, const state::Queue& queue, messages::Report& report);

// The validator of the implicit rules of recorded commands.
//
// It attaches one check to every command with such rules. The check reads the command's row of the table
// (command_table.h) and the command buffer's state. The validator also attaches a RecordingScope to each command buffer
// and records there whether the command buffer is inside a render pass instance or a video coding scope.
class CommandRules {
 public:
  // Must be made before the first command buffer is allocated; state must outlive it.
  explicit CommandRules(state::DeviceState& state);

  // Attaches the checks and the record hooks below.
  void Attach(dispatch::HookBuilder& builder);

  void PostCallRecord(const vk::CmdBeginRenderPass& call);
  void PostCallRecord(const vk::CmdBeginRenderPass2& call);
  void PostCallRecord(const vk::CmdBeginRendering& call);
  void PostCallRecord(const vk::CmdEndRenderPass& call);
  void PostCallRecord(const vk::CmdEndRenderPass2& call);
  void PostCallRecord(const vk::CmdEndRendering& call);
  void PostCallRecord(const vk::CmdBeginVideoCodingKHR& call);
  void PostCallRecord(const vk::CmdEndVideoCodingKHR& call);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COMMANDS_COMMAND_RULES_H_
