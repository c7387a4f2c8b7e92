// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUEUES_SUSPENSION_RULES_H_
#define ASSAY_CORE_QUEUES_SUSPENSION_RULES_H_

#include "core/recording/recording_scope.h"
#include "messages/messages.h"
#include "vk/commands.h"

// Suspended render pass instances, which another instance of the same batch must resume (VK_RENDERING_SUSPENDING_BIT,
// VK_RENDERING_RESUMING_BIT). Each recording keeps the two ends of its instances (RenderingChain); a submission appends
// them to one another.
namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class SuspensionRules {
 public:
  void PreCallRecord(const vk::CmdBeginRendering& call);
  void PreCallRecord(const vk::CmdBeginRenderPass& call);
  void PreCallRecord(const vk::CmdBeginRenderPass2& call);
  void PreCallRecord(const vk::CmdExecuteCommands& call);

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_QUEUES_SUSPENSION_RULES_H_
