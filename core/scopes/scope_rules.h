// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SCOPES_SCOPE_RULES_H_
#define ASSAY_CORE_SCOPES_SCOPE_RULES_H_

#include <concepts>
#include <span>
#include <string_view>

#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"
#include "vk/vuid.h"

// Where conditional rendering begins and ends, and what a command buffer must not do with viewports and scissors that
// it inherits.
//
// Each rule asks about the command buffer and one or two parameters: a row of one table.
namespace assay::core {

struct ScopeView {
  const state::CommandBuffer& buffer;
  const RecordingScope& scope;
  // The graphics pipeline that the command binds; null if it is not known, or none.
  const PipelineStates* pipeline = nullptr;
};
struct ScopeRule {
  vk::CommandId command;
  vk::VuidIndex id;
  bool (*is_broken)(const ScopeView& view);
  std::string_view text;
};

// Commands with such rules.
template <class C>
concept ScopedCommand =
    std::same_as<C, vk::CmdBeginConditionalRenderingEXT> || std::same_as<C, vk::CmdEndConditionalRenderingEXT> ||
    std::same_as<C, vk::CmdSetViewport> || std::same_as<C, vk::CmdSetViewportWithCount> ||
    std::same_as<C, vk::CmdSetScissor> || std::same_as<C, vk::CmdSetScissorWithCount> ||
    std::same_as<C, vk::CmdSetDiscardRectangleEXT> || std::same_as<C, vk::CmdBindPipeline>;

// The validator.
class ScopeRules {
 public:
  template <ScopedCommand C>
  void PreCallValidate(const C& call, dispatch::Slot& slot, messages::Report& report) const {
    static const std::span<const ScopeRule> rules = RulesOf(C::kId);
    const state::CommandBuffer* const buffer = state::DeviceState::CommandBufferIn(slot);
    const RecordingScope* const scope = buffer != nullptr ? buffer->Sub<RecordingScope>() : nullptr;
    if (scope == nullptr || buffer->recording_state != state::RecordingState::kRecording) return;
    ScopeView view = {*buffer, *scope};
    if constexpr (requires { call.pipeline; }) {
      if (!scope->draw.inherits_viewports() || call.pipelineBindPoint != VK_PIPELINE_BIND_POINT_GRAPHICS) return;
      const auto* const pipeline = state::DeviceState::Get<state::Pipeline>(call.pipeline);
      if (pipeline == nullptr || pipeline->core_data == nullptr) return;
      view.pipeline = static_cast<const PipelineStates*>(pipeline->core_data.get());
    }
    Check(rules, view, report);
  }

  void PostCallRecord(const vk::CmdBeginConditionalRenderingEXT& call, dispatch::Slot& slot);

 private:
  static std::span<const ScopeRule> RulesOf(vk::CommandId command);
  // Reports the first that is broken.
  static void Check(std::span<const ScopeRule> rules, const ScopeView& view, messages::Report& report);
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SCOPES_SCOPE_RULES_H_
