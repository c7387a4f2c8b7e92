// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_BARRIERS_SYNC_RULES_H_
#define ASSAY_CORE_BARRIERS_SYNC_RULES_H_

#include <functional>

#include "core/masks/limits.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "state/state.h"
#include "vk/commands.h"

// The explicit rules of synchronization commands and structures that one call decides.
//
// A mask is checked by a test or two of sets that are made once for each device (core/masks). Only when a test has
// failed do the registry's tables decide which rule is violated, what its id is and what would be valid.
//
// Barriers of sync1 and synchronization2 are brought into one form (barriers.h), so each rule is written once. Commands
// differ in their parts and in their ids:
//
//   sync1_dependencies.cc, sync2_dependencies.cc   commands with memory barriers
//   barriers_in_render_pass.cc                     the same inside render pass instances
//   stage_commands.cc                              commands with a stage mask alone
//   submissions.cc                                 submissions to queues
//   host_commands.cc                               events and semaphores at the host
//   subpass_dependencies.cc                        subpass dependencies of render passes
//
// Not here: that a command needs a feature at all (stateless), rules that depend on earlier submissions (core/queues),
// the layouts of images (core/layouts), and what events were set with (core/events).
namespace assay::core {

// The validator.
class SyncRules {
 public:
  // state must outlive it. leave_out is for tests: rules for which it is true are not reported.
  explicit SyncRules(const state::DeviceState& state, std::function<bool(vk::VuidIndex)> leave_out = {});

  void PreCallValidate(const vk::CmdPipelineBarrier& call, dispatch::Slot& slot, messages::Report& report) const;
  void PreCallValidate(const vk::CmdPipelineBarrier2& call, dispatch::Slot& slot, messages::Report& report) const;
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
