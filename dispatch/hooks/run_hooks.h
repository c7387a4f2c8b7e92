// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
#define ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_

#include <cstdint>

#include "dispatch/hooks/hooks.h"
#include "messages/messages.h"

// Runs the hooks of one call, before and after the call down.
namespace assay::dispatch {

// The PostCallRecord hooks. result points to the command's result, or is null when it returns void.
template <class C>
void RunPostCallRecord(const CommandHooks& hooks, const C& call, const void* result) {
  for (uint16_t i = 0; i < hooks.post_record_count; ++i) {
    const Hook& hook = hooks.post_record()[i];
    hook.post_record(hook.validator, &call, result);
  }
}

// The PreCallValidate and PreCallRecord hooks. False when a callback asked to skip the call. The CallSkipped hooks have
// run then, and the PreCallRecord hooks have not.
template <class C>
bool RunPreCall(const CommandHooks& hooks, const C& call, messages::Reporter& reporter) {
  if (hooks.validate_count != 0) {
    messages::Report report(reporter, C::kId);
    for (uint16_t i = 0; i < hooks.validate_count; ++i) {
      const Hook& hook = hooks.validate()[i];
      hook.validate(hook.validator, &call, report);
    }
    if (report.skip()) {
      for (uint16_t i = 0; i < hooks.skipped_count; ++i)
        hooks.skipped()[i].skipped(hooks.skipped()[i].validator, &call);
      return false;
    }
  }
  for (uint16_t i = 0; i < hooks.pre_record_count; ++i) {
    const Hook& hook = hooks.pre_record()[i];
    hook.pre_record(hook.validator, &call);
  }
  return true;
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_HOOKS_RUN_HOOKS_H_
