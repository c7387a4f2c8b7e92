// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/commands/command_rules.h"

#include <memory>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/command_info.h"
#include "vk/enum_info.h"

namespace assay::core {
namespace {

using dispatch::Slot;

std::string_view StateName(state::RecordingState state) {
  switch (state) {
    case state::RecordingState::kInitial:
      return "initial";
    case state::RecordingState::kRecording:
      return "recording";
    case state::RecordingState::kExecutable:
      return "executable";
    case state::RecordingState::kInvalid:
      return "invalid";
  }
  return "";
}

std::string QueuesText(VkQueueFlags flags) { return vk::FlagsToString(vk::EnumId::kQueueFlagBits, flags); }

// Reports that a command violates a rule.
class RuleReporter {
 public:
  RuleReporter(messages::Report& report, messages::ObjectRef object, std::string_view parameter)
      : report_(report), object_(object), parameter_(parameter) {}

  void Error(vk::VuidIndex vuid, std::string_view text) const {
    if (vuid == vk::kNoVuid) return;
    const messages::Location command = report_.location();
    report_.Error(vuid, {object_}, command.Dot(parameter_),
                  absl::StrCat(report_.reporter().Describe(object_), " ", text));
  }

 private:
  messages::Report& report_;
  const messages::ObjectRef object_;
  const std::string_view parameter_;
};

// Not on the path of a correct call.
[[gnu::noinline, gnu::cold]] void ReportBrokenRules(const CommandRow& row, const state::CommandBuffer& buffer,
                                                    uint8_t wrong, messages::Report& report) {
  const RuleReporter reporter(report, {VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}, "commandBuffer");
  const vk::CommandInfo& info = vk::GetCommandInfo(report.command());
  if (buffer.recording_state != state::RecordingState::kRecording) {
    reporter.Error(row.recording, absl::StrCat("is in the ", StateName(buffer.recording_state), " state."));
    // The scopes of the command buffer are unknown.
    return;
  }
  if ((buffer.pool.queue_flags & row.queues) == 0) {
    reporter.Error(row.command_pool, absl::StrCat("is from a command pool of queue family ", buffer.pool.queue_family,
                                                  ", which supports ", QueuesText(buffer.pool.queue_flags),
                                                  " and none of ", QueuesText(row.queues), "."));
  }
  if (row.primary_only && buffer.level != VK_COMMAND_BUFFER_LEVEL_PRIMARY) {
    reporter.Error(row.buffer_level, "is a secondary command buffer.");
  }
  if ((wrong & (kInsideRenderPass | kOutsideRenderPass)) != 0) {
    const bool inside = info.render_pass == vk::CommandScope::kInside;
    reporter.Error(row.render_pass,
                   inside ? "is outside of a render pass instance." : "is inside a render pass instance.");
  }
  if ((wrong & (kInsideVideoCoding | kOutsideVideoCoding)) != 0) {
    const bool inside = info.video_coding == vk::CommandScope::kInside;
    reporter.Error(row.video_coding,
                   inside ? "is outside of a video coding scope." : "is inside a video coding scope.");
  }
}

RecordingScope* ScopeOf(VkCommandBuffer handle) {
  const state::CommandBuffer* buffer = state::DeviceState::Get(handle);
  return buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
}

void SetInRenderPass(VkCommandBuffer handle, bool inside) {
  if (RecordingScope* scope = ScopeOf(handle)) scope->SetInRenderPass(inside);
}

void SetInRendering(VkCommandBuffer handle, bool inside) {
  if (RecordingScope* scope = ScopeOf(handle)) scope->SetInRendering(inside);
}

void SetInVideoCoding(VkCommandBuffer handle, bool inside) {
  if (RecordingScope* scope = ScopeOf(handle)) scope->SetInVideoCoding(inside);
}

}  // namespace

void CheckRecorded(const CommandRow& row, const state::CommandBuffer& buffer, messages::Report& report) {
  const RecordingScope* const scope = buffer.Sub<RecordingScope>();
  const uint8_t wrong = scope != nullptr ? scope->bits() & row.wrong_scopes : 0;
  const bool wrong_level = row.primary_only && buffer.level != VK_COMMAND_BUFFER_LEVEL_PRIMARY;
  if (buffer.recording_state != state::RecordingState::kRecording || (buffer.pool.queue_flags & row.queues) == 0 ||
      wrong != 0 || wrong_level) {
    ReportBrokenRules(row, buffer, wrong, report);
  }
}

void CheckQueue(const CommandRow& row, const state::Queue& queue, messages::Report& report) {
  // vkQueueBindSparse is the one command with such a rule.
  if ((queue.flags & VK_QUEUE_SPARSE_BINDING_BIT) != 0) return;
  RuleReporter(report, {VK_OBJECT_TYPE_QUEUE, queue.handle()}, "queue")
      .Error(row.queue_type, absl::StrCat("is of queue family ", queue.family, ", which supports ",
                                          QueuesText(queue.flags), " and not VK_QUEUE_SPARSE_BINDING_BIT."));
}

CommandRules::CommandRules(state::DeviceState& state) {
  const dispatch::Settings& settings = state.device().instance.settings;
  // gpuav asks for the layouts of executions (state::CommandBuffer::wants_layouts).
  const bool keeps_changes = settings.gpuav_enable && settings.gpuav_image_layout;
  state.AttachToCommandBuffers(RecordingScope::kSlot, [keeps_changes](state::CommandBuffer& buffer) {
    return std::make_unique<RecordingScope>(buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY, keeps_changes);
  });
}

void CommandRules::Attach(dispatch::HookBuilder& builder) {
  builder.Attach(*this);
  const CommandTable& table = CommandTable::All();
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<vk::CommandId>(i);
    if (table[id].empty) continue;
    // The hook is called with the row, so no look-up is needed.
    void* const row = const_cast<CommandRow*>(&table[id]);
    if (table[id].queue_type != vk::kNoVuid) {
      builder.AttachValidate(id, row, [](void* of_command, const void*, Slot* slot, messages::Report& report) {
        const state::Queue* queue = state::DeviceState::QueueIn(*slot);
        if (queue != nullptr) CheckQueue(*static_cast<const CommandRow*>(of_command), *queue, report);
      });
    } else {
      builder.AttachValidate(id, row, [](void* of_command, const void*, Slot* slot, messages::Report& report) {
        const state::CommandBuffer* buffer = state::DeviceState::CommandBufferIn(*slot);
        if (buffer != nullptr) CheckRecorded(*static_cast<const CommandRow*>(of_command), *buffer, report);
      });
    }
  }
}

void CommandRules::PostCallRecord(const vk::CmdBeginRenderPass& call) { SetInRenderPass(call.commandBuffer, true); }
void CommandRules::PostCallRecord(const vk::CmdBeginRenderPass2& call) { SetInRenderPass(call.commandBuffer, true); }
void CommandRules::PostCallRecord(const vk::CmdBeginRendering& call) { SetInRendering(call.commandBuffer, true); }
void CommandRules::PostCallRecord(const vk::CmdEndRenderPass& call) { SetInRenderPass(call.commandBuffer, false); }
void CommandRules::PostCallRecord(const vk::CmdEndRenderPass2& call) { SetInRenderPass(call.commandBuffer, false); }
void CommandRules::PostCallRecord(const vk::CmdEndRendering& call) { SetInRendering(call.commandBuffer, false); }
void CommandRules::PostCallRecord(const vk::CmdBeginVideoCodingKHR& call) {
  SetInVideoCoding(call.commandBuffer, true);
}
void CommandRules::PostCallRecord(const vk::CmdEndVideoCodingKHR& call) { SetInVideoCoding(call.commandBuffer, false); }

}  // namespace assay::core
