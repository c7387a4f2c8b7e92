// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/scopes/scope_rules.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace assay::core {
namespace {

using vk::Vuid;
using View = const ScopeView&;

bool IsCapturing(View v) { return v.buffer.draw.transform_feedback_is_active(); }
bool IsSecondary(View v) { return v.buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY; }
bool IsConditional(View v) { return v.buffer.draw.predicate().buffer != VK_NULL_HANDLE; }
bool IsInRendering(View v) { return v.scope.instance() != 0 && v.scope.in_rendering(); }
bool IsInRenderPass(View v) { return v.scope.instance() != 0 && !v.scope.in_rendering(); }
bool IsInherited(View v) { return v.scope.instance() != 0 && v.buffer.rendering.is_inherited(); }
bool InheritsViewports(View v) { return v.scope.draw.inherits_viewports(); }
bool IsBeforeLastSubpass(View v) {
  const state::RenderPass* const pass = v.buffer.rendering.render_pass();
  return IsInRenderPass(v) && pass != nullptr && v.buffer.rendering.subpass_index() + 1 < pass->subpasses.size();
}
bool IsNotRendering(View v) { return IsInRenderPass(v) || IsInherited(v); }
bool HasOtherCount(View v) {
  return IsInRendering(v) && !IsInherited(v) && v.color_count && *v.color_count != v.buffer.rendering.color_count();
}
bool IsStatic(View v, VkDynamicState state) { return !v.pipeline->dynamic.Has(IndexOf(state)); }

constexpr char kCapturing[] = "Transform feedback is active.";
constexpr char kInRenderPass[] = "The render pass instance was not begun with vkCmdBeginRendering.";
constexpr char kInRendering[] = "The render pass instance was begun with vkCmdBeginRendering.";
constexpr char kHasSubpasses[] = "The current subpass is not the last one of the render pass.";
constexpr char kInherits[] = "The command buffer inherits viewports and scissors (viewportScissor2D).";
constexpr char kNotBegunHere[] =
    "The render pass instance was not begun with vkCmdBeginRendering in the command buffer.";
constexpr char kOtherCount[] = "colorAttachmentCount is not that of the render pass instance.";

using Id = vk::CommandId;
// By command.
constexpr ScopeRule kRules[] = {
    {Id::kCmdEndRendering, Vuid("VUID-vkCmdEndRendering-None-06161"), IsInRenderPass, kInRenderPass},
    {Id::kCmdEndRendering, Vuid("VUID-vkCmdEndRendering-commandBuffer-06162"),
     [](View v) { return IsInRendering(v) && IsInherited(v); },
     "The render pass instance was begun in another command buffer."},
    {Id::kCmdEndRendering, Vuid("VUID-vkCmdEndRendering-None-06781"), IsCapturing, kCapturing},
    {Id::kCmdEndRenderPass, Vuid("VUID-vkCmdEndRenderPass-None-06170"), IsInRendering, kInRendering},
    {Id::kCmdEndRenderPass, Vuid("VUID-vkCmdEndRenderPass-None-00910"), IsBeforeLastSubpass, kHasSubpasses},
    {Id::kCmdEndRenderPass, Vuid("VUID-vkCmdEndRenderPass-None-02351"), IsCapturing, kCapturing},
    {Id::kCmdEndRenderPass2, Vuid("VUID-vkCmdEndRenderPass2-None-06171"), IsInRendering, kInRendering},
    {Id::kCmdEndRenderPass2, Vuid("VUID-vkCmdEndRenderPass2-None-03103"), IsBeforeLastSubpass, kHasSubpasses},
    {Id::kCmdEndRenderPass2, Vuid("VUID-vkCmdEndRenderPass2-None-02352"), IsCapturing, kCapturing},
    {Id::kCmdBeginConditionalRenderingEXT, Vuid("VUID-vkCmdBeginConditionalRenderingEXT-None-01980"), IsConditional,
     "Conditional rendering is active."},
    {Id::kCmdEndConditionalRenderingEXT, Vuid("VUID-vkCmdEndConditionalRenderingEXT-None-01985"),
     [](View v) { return !IsConditional(v) && !IsSecondary(v); }, "Conditional rendering is not active."},
    {Id::kCmdEndConditionalRenderingEXT, Vuid("VUID-vkCmdEndConditionalRenderingEXT-None-01986"),
     [](View v) { return IsConditional(v) && v.scope.conditional.instance == 0 && v.scope.instance() != 0; },
     "Conditional rendering was begun outside of the render pass instance."},
    {Id::kCmdEndConditionalRenderingEXT, Vuid("VUID-vkCmdEndConditionalRenderingEXT-None-01987"),
     [](View v) {
       const RecordingScope::Place& begun = v.scope.conditional;
       return IsConditional(v) && begun.instance != 0 &&
              (begun.instance != v.scope.instance() || begun.subpass != v.buffer.rendering.subpass_index());
     },
     "Conditional rendering was begun in another subpass."},
    {Id::kCmdSetViewport, Vuid("VUID-vkCmdSetViewport-commandBuffer-04821"), InheritsViewports, kInherits},
    {Id::kCmdSetViewportWithCount, Vuid("VUID-vkCmdSetViewportWithCount-commandBuffer-04819"), InheritsViewports,
     kInherits},
    {Id::kCmdSetScissor, Vuid("VUID-vkCmdSetScissor-viewportScissor2D-04789"), InheritsViewports, kInherits},
    {Id::kCmdSetScissorWithCount, Vuid("VUID-vkCmdSetScissorWithCount-commandBuffer-04820"), InheritsViewports,
     kInherits},
    {Id::kCmdSetDiscardRectangleEXT, Vuid("VUID-vkCmdSetDiscardRectangleEXT-viewportScissor2D-04788"),
     InheritsViewports, kInherits},
    {Id::kCmdBindPipeline, Vuid("VUID-vkCmdBindPipeline-commandBuffer-04808"),
     [](View v) {
       const bool has_viewports =
           IsStatic(v, VK_DYNAMIC_STATE_VIEWPORT) && IsStatic(v, VK_DYNAMIC_STATE_VIEWPORT_WITH_COUNT);
       return has_viewports ||
              (IsStatic(v, VK_DYNAMIC_STATE_SCISSOR) && IsStatic(v, VK_DYNAMIC_STATE_SCISSOR_WITH_COUNT));
     },
     "The command buffer inherits viewports and scissors, but those of the pipeline are not dynamic."},
    {Id::kCmdBindPipeline, Vuid("VUID-vkCmdBindPipeline-commandBuffer-04809"),
     [](View v) {
       return IsStatic(v, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_EXT) &&
              !IsStatic(v, VK_DYNAMIC_STATE_DISCARD_RECTANGLE_ENABLE_EXT);
     },
     "The command buffer inherits viewports and scissors, but the discard rectangles of the pipeline are not dynamic."},
    {Id::kCmdSetRenderingAttachmentLocations, Vuid("VUID-vkCmdSetRenderingAttachmentLocations-commandBuffer-09511"),
     IsNotRendering, kNotBegunHere},
    {Id::kCmdSetRenderingAttachmentLocations, Vuid("VUID-vkCmdSetRenderingAttachmentLocations-pLocationInfo-09510"),
     HasOtherCount, kOtherCount},
    {Id::kCmdSetRenderingInputAttachmentIndices,
     Vuid("VUID-vkCmdSetRenderingInputAttachmentIndices-commandBuffer-09518"), IsNotRendering, kNotBegunHere},
    {Id::kCmdSetRenderingInputAttachmentIndices,
     Vuid("VUID-vkCmdSetRenderingInputAttachmentIndices-pInputAttachmentIndexInfo-09517"), HasOtherCount, kOtherCount},
    // In a primary command buffer, a label may be one of an earlier submission.
    {Id::kCmdEndDebugUtilsLabelEXT, Vuid("VUID-vkCmdEndDebugUtilsLabelEXT-commandBuffer-01913"),
     [](View v) { return IsSecondary(v) && v.buffer.label_path() == 0; },
     "No label is open in the secondary command buffer."},
};

}  // namespace

std::span<const ScopeRule> ScopeRules::RulesOf(vk::CommandId command) {
  const auto* const first = std::ranges::find(kRules, command, &ScopeRule::command);
  return {first, std::find_if(first, std::end(kRules), [=](const auto& rule) { return rule.command != command; })};
}

void ScopeRules::Check(std::span<const ScopeRule> rules, const ScopeView& view, messages::Report& report) {
  for (const ScopeRule& rule : rules) {
    if (!rule.is_broken(view)) [[likely]]
      continue;
    report.Error(rule.id, {{VK_OBJECT_TYPE_COMMAND_BUFFER, view.buffer.handle()}}, report.location(),
                 std::string(rule.text));
    return;
  }
}

void ScopeRules::PostCallRecord(const vk::CmdBeginConditionalRenderingEXT&, dispatch::Slot& slot) {
  const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
  RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
  if (scope != nullptr) scope->conditional = {scope->instance(), buffer->rendering.subpass_index()};
}

}  // namespace assay::core
