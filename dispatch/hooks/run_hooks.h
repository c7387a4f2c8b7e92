// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
#define ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_

#include <type_traits>

#include "absl/base/attributes.h"
#include "dispatch/hooks/hooks.h"
#include "messages/messages.h"
#include "vk/command_id.h"
#include "vk/vulkan.h"

// Runs the hooks of one call, before and after the call down.
//
// PreCallValidate ends at the first validator after which the call is to be skipped. The next ones may rely on what
// that one found missing: a count that is too large, a pointer that is null.
//
// A call that is skipped leaves nothing behind. When a callback asks to skip it:
// - during PreCallValidate, what validators registered with Report::OnSkip() runs, then the CallSkipped hooks, but not
//   those of a validator whose PreCallValidate did not run;
// - during PreCallReport, the PostCallRecord hooks run with VK_ERROR_VALIDATION_FAILED_EXT, as if the driver had failed
//   the call.
//
// Exceptions. A validator that runs out of memory ends its own hook alone; the call goes on. An exception that an
// application's callback throws, and the end of a cancelled thread, pass through. The call has then been skipped.
//
// slot is that of the object that the command is dispatched on, null if there is none; the hooks get it.
//
// The loops that most calls take are inline, with one handler for all hooks of a loop; what seldom happens is not.
namespace assay::dispatch {

// The parts that are out of line. hook is the one that threw: the exception is being handled when these are called, and
// they return after the hooks behind it have run. call points to the command's parameter struct.
// Returns what is behind the last PreCallValidate hook that ran.
const Hook* ValidateAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot,
                                   messages::Report& report);
void RecordAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot);
void PostRecordAfterException(const CommandHooks& hooks, const Hook* hook, const void* call, Slot* slot,
                              const void* result);
// Undoes a call that is skipped. end is behind the last PreCallValidate hook that ran.
void SkipValidated(const CommandHooks& hooks, const Hook* end, const void* call, Slot* slot, messages::Report& report);
// The PreCallReport hooks. False when a callback asked to skip the call, and all is undone.
bool RunPreCallReport(const CommandHooks& hooks, vk::CommandId command, const void* call, Slot* slot,
                      messages::Reporter& reporter);
// The CallSkipped hooks.
void RunCallSkipped(const CommandHooks& hooks, const void* call, Slot* slot);

// The PreCallValidate hooks. False when a callback asked to skip the call, and all is undone.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool RunPreCallValidate(const CommandHooks& hooks, vk::CommandId command,
                                                            const void* call, Slot* slot,
                                                            messages::Reporter& reporter) {
  messages::Report report(reporter, command);
  const Hook* hook = hooks.validate().begin();
  const Hook* const end = hooks.validate().end();
  try {
    for (; hook != end; ++hook) {
      hook->validate(hook->validator, call, slot, report);
      if (report.skip()) [[unlikely]] {
        ++hook;
        break;
      }
    }
  } catch (...) {
    hook = ValidateAfterException(hooks, hook, call, slot, report);
  }
  if (!report.skip()) [[likely]]
    return true;
  SkipValidated(hooks, hook, call, slot, report);
  return false;
}

// The hooks before the call down: PreCallValidate, PreCallRecord, PreCallReport. False when a callback asked to skip
// the call, and all is undone.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline bool RunPreCall(const CommandHooks& hooks, vk::CommandId command, const void* call,
                                                    Slot* slot, messages::Reporter& reporter) {
  if (!hooks.validate().empty() && !RunPreCallValidate(hooks, command, call, slot, reporter)) return false;
  const Hook* hook = hooks.pre_record().begin();
  const Hook* const end = hooks.pre_record().end();
  try {
    for (; hook != end; ++hook) hook->pre_record(hook->validator, call, slot);
  } catch (...) {
    RecordAfterException(hooks, hook, call, slot);
  }
  return hooks.report().empty() || RunPreCallReport(hooks, command, call, slot, reporter);
}
template <class C>
bool RunPreCall(const CommandHooks& hooks, const C& call, Slot* slot, messages::Reporter& reporter) {
  return RunPreCall(hooks, C::kId, static_cast<const void*>(&call), slot, reporter);
}

// The hooks after the call down: PostCallRecord. result points to the command's result, or is null when it returns
// void.
ABSL_ATTRIBUTE_ALWAYS_INLINE inline void RunPostCallRecord(const CommandHooks& hooks, const void* call, Slot* slot,
                                                           const void* result) {
  const Hook* hook = hooks.post_record().begin();
  const Hook* const end = hooks.post_record().end();
  try {
    for (; hook != end; ++hook) hook->post_record(hook->validator, call, slot, result);
  } catch (...) {
    PostRecordAfterException(hooks, hook, call, slot, result);
  }
}
template <class C>
  requires std::is_class_v<C>
void RunPostCallRecord(const CommandHooks& hooks, const C& call, Slot* slot, const void* result) {
  RunPostCallRecord(hooks, static_cast<const void*>(&call), slot, result);
}

// Ends a call that did not return: its thread was cancelled in the driver, or something below threw. Whether the driver
// has done it is not known.
template <class C>
void RunAfterUnwinding(const CommandHooks& hooks, const C& call, Slot* slot) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    const VkResult unknown = VK_ERROR_UNKNOWN;
    RunPostCallRecord(hooks, call, slot, &unknown);
  } else {
    RunCallSkipped(hooks, &call, slot);
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
