// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SECONDARIES_SECONDARY_RULES_H_
#define ASSAY_CORE_SECONDARIES_SECONDARY_RULES_H_

// Where command buffers begin and end, and secondary command buffers in those that execute them.
//
// A secondary command buffer is begun with what it *inherits*: the render pass instance that it continues
// (state::RenderPassInstance), and queries (Inheritance). When it is executed, that is compared with what the other
// command buffer has: the same render pass, formats, samples, views.
//
// A secondary command buffer may execute others. The attachments that it inherits are not known, so that of them only
// the formats are compared. What the secondary does itself is in other rooms: queries, events, layouts, suspended
// render pass instances.

#include "core/formats/format_features.h"
#include "core/recording/recording_scope.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class SecondaryRules {
 public:
  // state must outlive it.
  explicit SecondaryRules(const state::DeviceState& state);

  void PreCallValidate(const vk::BeginCommandBuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::EndCommandBuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::ResetCommandBuffer& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateCommandPool& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot, messages::Report& report) const;

 private:
  const state::DeviceState& state_;
  const FormatFeatures features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_SECONDARIES_SECONDARY_RULES_H_
