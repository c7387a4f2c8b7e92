// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/commands/command_rule_test_cases.h"

#include <cstdint>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/commands/command_rules.h"
#include "testing/messages/collected_messages.h"

namespace assay::core {
namespace {

// The command buffer or queue of a test case.
struct Situation {
  VkQueueFlags queues;
  bool secondary = false;
  bool recording = true;
  bool in_render_pass = false;
  bool in_video_coding = false;
};

std::vector<std::string> Check(const CommandTable& table, vk::CommandId id, const Situation& situation) {
  test::CollectedReport collected(id);
  if (vk::GetCommandInfo(id).dispatch == vk::DispatchLevel::kQueue) {
    CheckQueue(table[id], state::Queue(reinterpret_cast<VkQueue>(uint64_t{8}), 0, situation.queues), collected.report);
    return collected.received.Ids();
  }
  const VkCommandPoolCreateInfo pool_info = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
  const auto pool = state::MakeRef<state::CommandPool>(8, pool_info, situation.queues);
  state::CommandBuffer buffer(
      reinterpret_cast<VkCommandBuffer>(uint64_t{8}), *pool,
      situation.secondary ? VK_COMMAND_BUFFER_LEVEL_SECONDARY : VK_COMMAND_BUFFER_LEVEL_PRIMARY);
  auto scope = std::make_unique<RecordingScope>(situation.secondary);
  scope->SetInRenderPass(situation.in_render_pass);
  scope->SetInVideoCoding(situation.in_video_coding);
  buffer.Attach(RecordingScope::kSlot, std::move(scope));
  buffer.recording_state = situation.recording ? state::RecordingState::kRecording : state::RecordingState::kExecutable;
  CheckRecorded(table[id], buffer, collected.report);
  return collected.received.Ids();
}

// The queue types that the specification's sentence names, from which the registry's metadata was made.
VkQueueFlags QueuesOfSentence(std::string_view text) {
  constexpr std::pair<std::string_view, VkQueueFlags> kWords[] = {{"graphics", VK_QUEUE_GRAPHICS_BIT},
                                                                  {"compute", VK_QUEUE_COMPUTE_BIT},
                                                                  {"transfer", VK_QUEUE_TRANSFER_BIT},
                                                                  {"decode", VK_QUEUE_VIDEO_DECODE_BIT_KHR},
                                                                  {"encode", VK_QUEUE_VIDEO_ENCODE_BIT_KHR},
                                                                  {"optical flow", VK_QUEUE_OPTICAL_FLOW_BIT_NV},
                                                                  {"sparse binding", VK_QUEUE_SPARSE_BINDING_BIT}};
  VkQueueFlags queues = 0;
  for (const auto& [word, queue] : kWords) {
    if (text.find(word) != std::string_view::npos) queues |= queue;
  }
  return queues;
}

// A situation in which the command may be recorded.
Situation RightFor(vk::CommandId id) {
  const vk::CommandInfo& info = vk::GetCommandInfo(id);
  vk::VuidIndex found{};
  Situation right{.queues = ~VkQueueFlags{0}};
  if (vk::FindVuid(absl::StrCat("VUID-", info.name, "-commandBuffer-cmdpool"), &found)) {
    right.queues = QueuesOfSentence(vk::GetVuid(found).text);
  }
  right.in_render_pass = info.render_pass == vk::CommandScope::kInside;
  right.in_video_coding = info.video_coding == vk::CommandScope::kInside;
  return right;
}

Situation WrongFor(const CommandRule& rule) {
  const std::string_view id = vk::GetVuid(rule.vuid).id;
  Situation wrong = RightFor(rule.command);
  if (id.ends_with("-recording")) wrong.recording = false;
  if (id.ends_with("-cmdpool")) wrong.queues = ~wrong.queues;
  if (id.ends_with("-bufferlevel")) wrong.secondary = true;
  if (id.ends_with("-renderpass")) wrong.in_render_pass = !wrong.in_render_pass;
  if (id.ends_with("-videocoding")) wrong.in_video_coding = !wrong.in_video_coding;
  if (id.ends_with("-queuetype")) wrong.queues = ~VkQueueFlags{VK_QUEUE_SPARSE_BINDING_BIT};
  return wrong;
}

}  // namespace

std::vector<CommandRule> CommandRulesOfRegistry() {
  std::vector<CommandRule> rules;
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const auto id = static_cast<vk::CommandId>(i);
    for (std::string_view rule : {"commandBuffer-recording", "commandBuffer-cmdpool", "bufferlevel", "renderpass",
                                  "videocoding", "queuetype"}) {
      vk::VuidIndex found{};
      if (vk::FindVuid(absl::StrCat("VUID-", vk::GetCommandInfo(id).name, "-", rule), &found))
        rules.push_back({id, found});
    }
  }
  return rules;
}

std::string TestCommandRule(const CommandTable& table, const CommandRule& rule) {
  const std::vector<std::string> right = Check(table, rule.command, RightFor(rule.command));
  if (!right.empty()) return absl::StrCat("right, but gives ", absl::StrJoin(right, ", "));
  const std::vector<std::string> wrong = Check(table, rule.command, WrongFor(rule));
  if (wrong == std::vector<std::string>{std::string(vk::GetVuid(rule.vuid).id)}) return {};
  return absl::StrCat("wrong, but gives ", absl::StrJoin(wrong, ", "));
}

}  // namespace assay::core
