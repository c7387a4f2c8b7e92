// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Commands in render pass instances: the next subpass, the end, and what dynamic rendering maps.

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "absl/strings/str_cat.h"
#include "core/render_passes/attachment_views.h"
#include "core/render_passes/render_pass_rules.h"
#include "state/state.h"
#include "vk/chain.h"
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
  if (rule != vk::kNoVuid)
    report.Error(rule, {{VK_OBJECT_TYPE_COMMAND_BUFFER, buffer.handle()}}, where, std::move(text));
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
      absl::StrCat("(", count, ") is not the colorAttachmentCount of the render pass instance (", colors, ")."),
      report);
}

// The attachments of a subpass by kind, with the rule that their images are for offsets of fragment density maps.
void CheckOffsetAttachments(const RenderPassInstance& instance, const auto& say) {
  const state::RenderPass& pass = *instance.render_pass();
  const state::Subpass& subpass = *instance.subpass();
  const auto check = [&](uint32_t attachment, vk::VuidIndex rule) {
    const state::ImageView* const view = instance.ViewOf(attachment);
    constexpr auto kOffset = VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_QCOM;
    const bool fits = view == nullptr || (view->image->create_info.flags & kOffset) != 0;
    if (!fits)
      say(rule, absl::StrCat("is not 0, but attachment ", attachment,
                             " was created without VK_IMAGE_CREATE_FRAGMENT_DENSITY_MAP_OFFSET_BIT_QCOM."));
    return fits;
  };
  const auto check_all = [&](const auto& references, vk::VuidIndex rule) {
    return std::ranges::all_of(references, [&](const auto& reference) { return check(reference.attachment, rule); });
  };
  using Id = vk::VuidIndex;
  constexpr Id kMap = Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-fragmentDensityMapAttachment-06504");
  constexpr Id kDepth = Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-pDepthStencilAttachment-06505");
  constexpr Id kInput = Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-pInputAttachments-06506");
  constexpr Id kColor = Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-pColorAttachments-06507");
  constexpr Id kResolve = Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-pResolveAttachments-06508");
  check(pass.fragment_density_map.attachment, kMap) && check(subpass.depth_stencil.attachment, kDepth) &&
      check_all(subpass.inputs, kInput) && check_all(subpass.colors, kColor) && check_all(subpass.resolves, kResolve);
}

}  // namespace

void RenderPassRules::CheckOffsets(const VkSubpassEndInfo& info, const dispatch::Slot& slot, Report& report) const {
  const auto* const offsets = vk::FindInChain<VkSubpassFragmentDensityMapOffsetEndInfoQCOM>(info.pNext);
  const state::CommandBuffer* const buffer = RecordingIn(slot);
  if (offsets == nullptr || offsets->fragmentDensityOffsetCount == 0 || buffer == nullptr) return;
  const RenderPassInstance& instance = buffer->rendering;
  if (instance.render_pass() == nullptr || instance.subpass() == nullptr) return;
  const Location command = report.location();
  const Location where = command.Dot("pSubpassEndInfo");
  const auto say = [&](vk::VuidIndex rule, std::string text) {
    Say(*buffer, rule, where.Next("VkSubpassFragmentDensityMapOffsetEndInfoQCOM", "fragmentDensityOffsetCount"),
        std::move(text), report);
  };
  const state::AttachmentReference& map = instance.render_pass()->fragment_density_map;
  if (!has_density_offsets_ || !map.is_used()) {
    return say(Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-fragmentDensityMapOffsets-06503"),
               has_density_offsets_ ? "is not 0, but the render pass has no fragment density map."
                                    : "is not 0, but the feature fragmentDensityMapOffset is not enabled.");
  }
  CheckOffsetAttachments(instance, say);
  const state::ImageView* const view = instance.ViewOf(map.attachment);
  const bool is_multiview = instance.view_mask() != 0;
  if (is_multiview && view == nullptr) return;
  const uint32_t needed = is_multiview ? LayersOf(*view) : 1;
  if (offsets->fragmentDensityOffsetCount == needed) return;
  say(is_multiview ? Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-fragmentDensityOffsetCount-06510")
                   : Vuid("VUID-VkSubpassFragmentDensityMapOffsetEndInfoQCOM-fragmentDensityOffsetCount-06511"),
      absl::StrCat("(", offsets->fragmentDensityOffsetCount, ") is not ", needed,
                   is_multiview ? ", the layers of the fragment density map." : ", but there is no multiview."));
}

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
void RenderPassRules::PreCallValidate(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot, Report& report) const {
  Check(kEnd2, slot, report);
  if (call.pSubpassEndInfo != nullptr) CheckOffsets(*call.pSubpassEndInfo, slot, report);
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
    report.Error(Vuid("VUID-VkSubpassBeginInfo-contents-09382"), {}, where.Dot("contents"),
                 std::string(kMixedContents));
  }
}

}  // namespace assay::core
