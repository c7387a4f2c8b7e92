// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_SYNC_RULES_H_
#define ASSAY_CORE_BARRIERS_SYNC_RULES_H_

#include <functional>

#include "core/masks/limits.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// The explicit rules of synchronization commands and structures.
//
// What they ask of a mask (masks.h) is decided by sets that are made once for a device (limits.h) from the registry's
// tables; which rule is broken, what its id is and what would be right is looked up in the tables when such a test has
// failed. Barriers of both generations are brought into one form (barriers.h), so that each rule is written once.
// Commands differ in which parts they have and in ids; dependencies.cc has those that are recorded with barriers,
// stage_commands.cc those with a stage alone, submissions.cc what a queue is given, host_commands.cc what the host does
// itself, subpass_dependencies.cc those of render passes.
//
// What depends on what queues have been given and have completed is in queue_rules.h, the layouts of images in
// layout_rules.h, what events were set with in event_rules.h.
namespace assay::core {

// The validator.
class SyncRules {
 public:
  // state must outlive it. leave_out is for tests: rules for which it is true are not reported.
  explicit SyncRules(const state::DeviceState& state, std::function<bool(vk::VuidIndex)> leave_out = {});

  void PreCallValidate(const vk::CmdPipelineBarrier& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPipelineBarrier2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWaitEvents& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWaitEvents2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdSetEvent2& call, messages::Report& report) const;

  void PreCallValidate(const vk::CmdSetEvent& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdResetEvent& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdResetEvent2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteTimestamp& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteTimestamp2& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteBufferMarkerAMD& call, messages::Report& report) const;
  void PreCallValidate(const vk::CmdWriteBufferMarker2AMD& call, messages::Report& report) const;

  void PreCallValidate(const vk::QueueSubmit& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueSubmit2& call, messages::Report& report) const;
  void PreCallValidate(const vk::QueueBindSparse& call, messages::Report& report) const;

  void PreCallValidate(const vk::CreateEvent& call, messages::Report& report) const;
  void PreCallValidate(const vk::SetEvent& call, messages::Report& report) const;
  void PreCallValidate(const vk::ResetEvent& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetEventStatus& call, messages::Report& report) const;
  void PreCallValidate(const vk::WaitSemaphores& call, messages::Report& report) const;
  void PreCallValidate(const vk::SignalSemaphore& call, messages::Report& report) const;
  void PreCallValidate(const vk::GetSemaphoreCounterValue& call, messages::Report& report) const;

  void PreCallValidate(const vk::CreateRenderPass& call, messages::Report& report) const;
  void PreCallValidate(const vk::CreateRenderPass2& call, messages::Report& report) const;

 private:
  const SyncLimits limits_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_BARRIERS_SYNC_RULES_H_
