// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/commands/command_table.h"

#include <string_view>

#include "core/recording/recording_scope.h"

namespace assay::core {
namespace {

// For a scope that the command has a rule about: "outside" where the registry does not say "inside".
uint8_t WrongScope(vk::CommandScope scope, uint8_t inside, uint8_t outside) {
  return scope == vk::CommandScope::kInside ? outside : inside;
}

CommandRow MakeRow(const vk::CommandInfo& info, const std::function<bool(vk::VuidIndex)>& leave_out) {
  CommandRow row;
  const auto find = [&](std::string_view rule) {
    const vk::VuidIndex found = vk::FindVuidOf(info.name, rule);
    if (found == vk::kNoVuid || (leave_out && leave_out(found))) return vk::kNoVuid;
    row.empty = false;
    return found;
  };
  row.recording = find("commandBuffer-recording");
  row.command_pool = find("commandBuffer-cmdpool");
  row.buffer_level = find("bufferlevel");
  row.render_pass = find("renderpass");
  row.video_coding = find("videocoding");
  row.queue_type = find("queuetype");
  if (row.command_pool != vk::kNoVuid) row.queues = info.queues;
  row.primary_only = row.buffer_level != vk::kNoVuid;
  if (row.render_pass != vk::kNoVuid)
    row.wrong_scopes |= WrongScope(info.render_pass, kInsideRenderPass, kOutsideRenderPass);
  if (row.video_coding != vk::kNoVuid) {
    row.wrong_scopes |= WrongScope(info.video_coding, kInsideVideoCoding, kOutsideVideoCoding);
  }
  return row;
}

}  // namespace

CommandTable::CommandTable(const std::function<bool(vk::VuidIndex)>& leave_out) {
  for (size_t i = 0; i < rows_.size(); ++i)
    rows_[i] = MakeRow(vk::GetCommandInfo(static_cast<vk::CommandId>(i)), leave_out);
}

const CommandTable& CommandTable::All() {
  static const CommandTable* const all = new CommandTable;
  return *all;
}

}  // namespace assay::core
