// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
#define ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_

#include <type_traits>

#include "dispatch/hooks/hooks.h"
#include "messages/messages.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Runs the hooks of one call, before and after the call down.
//
// A call that is skipped leaves nothing behind. When a callback asks to skip it:
// - during PreCallValidate, what validators registered with Report::OnSkip() runs, then the CallSkipped hooks;
// - during PreCallReport, the PostCallRecord hooks run with VK_ERROR_VALIDATION_FAILED_EXT, as if the driver had failed
//   the call.
//
// Exceptions. A validator that runs out of memory ends its own hook alone; the call goes on. An exception that an
// application's callback throws, and the end of a cancelled thread, pass through. The call has then been skipped.
namespace assay::dispatch {

// The hooks before the call down: PreCallValidate, PreCallRecord, PreCallReport. call points to the command's parameter
// struct. False when a callback asked to skip the call, and all is undone.
bool RunPreCall(const CommandHooks& hooks, vk::CommandId command, const void* call, messages::Reporter& reporter);
// The PostCallRecord hooks. result points to the command's result, or is null when it returns void.
void RunPostCallRecord(const CommandHooks& hooks, const void* call, const void* result);
// The CallSkipped hooks.
void RunCallSkipped(const CommandHooks& hooks, const void* call);

template <class C>
bool RunPreCall(const CommandHooks& hooks, const C& call, messages::Reporter& reporter) {
  return RunPreCall(hooks, C::kId, static_cast<const void*>(&call), reporter);
}
template <class C>
  requires std::is_class_v<C>
void RunPostCallRecord(const CommandHooks& hooks, const C& call, const void* result) {
  RunPostCallRecord(hooks, static_cast<const void*>(&call), result);
}

// Ends a call that did not return: its thread was cancelled in the driver, or something below threw. Whether the driver
// has done it is not known.
template <class C>
void RunAfterUnwinding(const CommandHooks& hooks, const C& call) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    const VkResult unknown = VK_ERROR_UNKNOWN;
    RunPostCallRecord(hooks, call, &unknown);
  } else {
    RunCallSkipped(hooks, &call);
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
