// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands in render pass instances: the next subpass, the end, and what dynamic rendering maps.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/render_passes/render_pass_rules.h"
#include "state/state.h"
#include "vk/vuid.h"

namespace assay::core {
namespace {

using messages::Location;
using messages::Report;
using state::DeviceState;
using state::RenderPassInstance;
using vk::Vuid;

// The command buffer, while it records in a render pass instance; null otherwise.
const state::CommandBuffer* RecordingIn(const dispatch::Slot& slot) {
  const state::CommandBuffer* const buffer = DeviceState::CommandBufferIn(slot);
  const bool is_recording = buffer != nullptr && buffer->recording_state == state::RecordingState::kRecording;
  return is_recording && buffer->rendering.is_active() ? buffer : nullptr;
}

void Say(const state::CommandBuffer& buffer, vk::VuidIndex rule, const Location& where, std::string text,
         Report& report) {
  if (rule != vk::kNoVuid) report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}}, where, std::move(text));
}

// vkCmdNextSubpass and vkCmdEndRenderPass, and their second forms.
struct PassCommand {
  bool is_next;
  vk::VuidIndex has_feedback;
  vk::VuidIndex is_dynamic;
  vk::VuidIndex subpass;
};
constexpr PassCommand kNext = {true, Vuid("VUID-vkCmdNextSubpass-None-02349"), vk::kNoVuid,
                               Vuid("VUID-vkCmdNextSubpass-None-00909")};
constexpr PassCommand kNext2 = {true, Vuid("VUID-vkCmdNextSubpass2-None-02350"), vk::kNoVuid,
                                Vuid("VUID-vkCmdNextSubpass2-None-03102")};
constexpr PassCommand kEnd = {false, Vuid("VUID-vkCmdEndRenderPass-None-02351"),
                              Vuid("VUID-vkCmdEndRenderPass-None-06170"), Vuid("VUID-vkCmdEndRenderPass-None-00910")};
constexpr PassCommand kEnd2 = {false, Vuid("VUID-vkCmdEndRenderPass2-None-02352"),
                               Vuid("VUID-vkCmdEndRenderPass2-None-06171"),
                               Vuid("VUID-vkCmdEndRenderPass2-None-03103")};

void Check(const PassCommand& command, const dispatch::Slot& slot, Report& report) {
  const state::CommandBuffer* const buffer = RecordingIn(slot);
  if (buffer == nullptr || buffer->rendering.is_inherited()) return;
  const RenderPassInstance& instance = buffer->rendering;
  const auto say = [&](vk::VuidIndex rule, std::string text) {
    Say(*buffer, rule, report.location(), std::move(text), report);
  };
  if (buffer->draw.transform_feedback_is_active()) say(command.has_feedback, "Transform feedback is active.");
  if (instance.kind() != RenderPassInstance::Kind::kRenderPass) {
    return say(command.is_dynamic, "The render pass instance was begun with vkCmdBeginRendering.");
  }
  if (instance.render_pass() == nullptr) return;
  const size_t count = instance.render_pass()->subpasses.size(), current = instance.subpass_index();
  if (command.is_next ? current + 1 < count : current + 1 == count) return;
  say(command.subpass, absl::StrCat("The current subpass is ", current, ", and the render pass has ", count, "."));
}

// vkCmdSetRenderingAttachmentLocations and vkCmdSetRenderingInputAttachmentIndices.
struct MappingIds {
  vk::VuidIndex begun_here;
  vk::VuidIndex count;
};
void CheckMapping(const MappingIds& ids, const dispatch::Slot& slot, uint32_t count, std::string_view parameter,
                  Report& report) {
  const state::CommandBuffer* const buffer = RecordingIn(slot);
  if (buffer == nullptr) return;
  const RenderPassInstance& instance = buffer->rendering;
  const Location command = report.location();
  if (instance.is_inherited() || instance.kind() != RenderPassInstance::Kind::kDynamic) {
    return Say(*buffer, ids.begun_here, command,
               "vkCmdBeginRendering did not begin the render pass instance in this command buffer.", report);
  }
  const size_t colors = instance.dynamic().colors.size();
  if (count == colors) return;
  const Location info = command.Dot(parameter);
  Say(*buffer, ids.count, info.Dot("colorAttachmentCount"),
      absl::StrCat("(", count, ") is not the colorAttachmentCount of the render pass instance (", colors, ")."), report);
}

}  // namespace

void RenderPassRules::PreCallValidate(const vk::CmdNextSubpass&, dispatch::Slot& slot, Report& report) const {
  Check(kNext, slot, report);
}
void RenderPassRules::PreCallValidate(const vk::CmdNextSubpass2& call, dispatch::Slot& slot, Report& report) const {
  Check(kNext2, slot, report);
  if (call.pSubpassBeginInfo != nullptr) CheckContents(*call.pSubpassBeginInfo, report);
}
void RenderPassRules::PreCallValidate(const vk::CmdEndRenderPass&, dispatch::Slot& slot, Report& report) const {
  Check(kEnd, slot, report);
}
void RenderPassRules::PreCallValidate(const vk::CmdEndRenderPass2&, dispatch::Slot& slot, Report& report) const {
  Check(kEnd2, slot, report);
}

void RenderPassRules::PreCallValidate(const vk::CmdEndRendering&, dispatch::Slot& slot, Report& report) const {
  const state::CommandBuffer* const buffer = RecordingIn(slot);
  if (buffer == nullptr) return;
  const Location command = report.location();
  if (buffer->draw.transform_feedback_is_active())
    Say(*buffer, Vuid("VUID-vkCmdEndRendering-None-06781"), command, "Transform feedback is active.", report);
  if (buffer->rendering.is_inherited()) {
    Say(*buffer, Vuid("VUID-vkCmdEndRendering-commandBuffer-06162"), command,
        "The render pass instance was begun in another command buffer.", report);
  } else if (buffer->rendering.kind() != RenderPassInstance::Kind::kDynamic) {
    Say(*buffer, Vuid("VUID-vkCmdEndRendering-None-06161"), command,
        "The render pass instance was not begun with vkCmdBeginRendering.", report);
  }
}

void RenderPassRules::PreCallValidate(const vk::CmdSetRenderingAttachmentLocations& call, dispatch::Slot& slot,
                                      Report& report) const {
  if (call.pLocationInfo == nullptr) return;
  CheckMapping({Vuid("VUID-vkCmdSetRenderingAttachmentLocations-commandBuffer-09511"),
                Vuid("VUID-vkCmdSetRenderingAttachmentLocations-pLocationInfo-09510")},
               slot, call.pLocationInfo->colorAttachmentCount, "pLocationInfo", report);
}
void RenderPassRules::PreCallValidate(const vk::CmdSetRenderingInputAttachmentIndices& call, dispatch::Slot& slot,
                                      Report& report) const {
  if (call.pInputAttachmentIndexInfo == nullptr) return;
  CheckMapping({Vuid("VUID-vkCmdSetRenderingInputAttachmentIndices-commandBuffer-09518"),
                Vuid("VUID-vkCmdSetRenderingInputAttachmentIndices-pInputAttachmentIndexInfo-09517")},
               slot, call.pInputAttachmentIndexInfo->colorAttachmentCount, "pInputAttachmentIndexInfo", report);
}

void RenderPassRules::CheckContents(const VkSubpassBeginInfo& info, Report& report) const {
  const Location command = report.location();
  const Location where = command.Dot("pSubpassBeginInfo");
  if (info.contents == VK_SUBPASS_CONTENTS_INLINE_AND_SECONDARY_COMMAND_BUFFERS_KHR && !may_mix_contents_) {
    report.Error(Vuid("VUID-VkSubpassBeginInfo-contents-09382"), {}, where.Dot("contents"), std::string(kMixedContents));
  }
}

}  // namespace assay::core
