// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_QUERIES_QUERY_RULES_H_
#define ASSAY_CORE_QUERIES_QUERY_RULES_H_

// Queries: that the pool has them, that their type is one that the command is for, where results are written to, and
// which queries are active.
//
// A query is *uninitialized* until it is reset, *active* between its begin and its end, *available* when its result
// was written, and *unavailable* after a reset. A query begins and ends in one command buffer, so the recording alone
// decides whether it is active. Whether it is uninitialized or available when a command is executed depends on the
// order of execution. The recording therefore only notes what a command needs, and core/contents reports needs that
// nothing can have met: a query that was never reset by anything, or is waited for while nothing makes it available.
//
// Where a command may wait for queries or take what there is, only a wait needs them to be available.
//
// The rules of several commands have one check each, and a table of their numbers, as in core/copies. Passes of
// performance queries are not tracked. core/video has the rules of video sessions.

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "vk/commands.h"

namespace assay::core {

// The validator. Needs the sub-states that CommandRules attaches.
class QueryRules {
 public:
  explicit QueryRules(const dispatch::Device& device);

  void PreCallValidate(const vk::CmdResetQueryPool& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginQuery& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndQuery& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndQueryIndexedEXT& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteTimestamp& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteTimestamp2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot,
                       messages::Report& report) const;
  void PreCallValidate(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdExecuteCommands& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRenderPass& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRenderPass2& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdEndRendering& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::EndCommandBuffer& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::GetQueryPoolResults& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateQueryPool& call, messages::Report& report) const;
  void PreCallValidate(const vk::ResetQueryPool& call, messages::Report& report) const;

  void PreCallRecord(const vk::CmdBeginQuery& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdBeginQueryIndexedEXT& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdEndQuery& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdEndQueryIndexedEXT& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteTimestamp& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteTimestamp2& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesKHR& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteAccelerationStructuresPropertiesNV& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdWriteMicromapsPropertiesEXT& call, dispatch::Slot& slot) const;
  void PreCallRecord(const vk::CmdCopyQueryPoolResults& call, dispatch::Slot& slot) const;

 private:
  const dispatch::Device& device_;
  // Whether queries are reset and written only by commands that the layer knows.
  const bool knows_contents_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_QUERIES_QUERY_RULES_H_
