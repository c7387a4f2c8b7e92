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

bool IsSecondary(View v) { return v.buffer.level == VK_COMMAND_BUFFER_LEVEL_SECONDARY; }
bool IsConditional(View v) { return v.buffer.draw.predicate().buffer != VK_NULL_HANDLE; }
bool InheritsViewports(View v) { return v.scope.draw.inherits_viewports(); }
bool IsStatic(View v, VkDynamicState state) { return !v.pipeline->dynamic.Has(IndexOf(state)); }

constexpr char kInherits[] = "The command buffer inherits viewports and scissors (viewportScissor2D).";

using Id = vk::CommandId;
// By command.
constexpr ScopeRule kRules[] = {
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
