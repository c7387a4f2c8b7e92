// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_INTERCEPT_H_
#define ASSAY_DISPATCH_CHAIN_INTERCEPT_H_

#include <exception>
#include <type_traits>

#include "dispatch/chain/command_traits.h"
#include "dispatch/chain/dispatched_on.h"
#include "dispatch/chain/forward.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/hooks/run_hooks.h"
#include "dispatch/translation/unknown_object.h"
#include "messages/messages.h"
#include "vk/commands.h"

// One call of any command, from the entry point to the return: find the object that it is dispatched on, run the hooks
// around the call down, and translate handles (forward.h). Every entry point of the layer is an instance of
// Entry<C>::Call.
namespace assay::dispatch {

// The owner of the command's hooks and next pointers. slot is that of the object that it is dispatched on.
template <class C>
OwnerOf<C>& OwnerIn(const Slot& slot) {
  if constexpr (kIsDeviceLevel<C>) {
    return *slot.device;
  } else {
    return *slot.instance;
  }
}

// Whether a command's work goes on after it returned. Its outputs are not there yet then.
template <class C>
bool IsDeferred(const C&, typename C::Result result) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return result == VK_OPERATION_DEFERRED_KHR;
  } else {
    return false;
  }
}

inline messages::Reporter& ReporterOf(Instance& instance) { return instance.reporter; }
inline messages::Reporter& ReporterOf(Device& device) { return device.reporter(); }

// One call end to end: the hooks before, the call down, the hooks after.
//
// Every recorded command passes here, so the loops over hooks are inline. There is no array in the frame that could
// overflow, but the room that a Report has within itself counts as one; the check for that is left out.
template <class C>
[[gnu::no_stack_protector]] typename C::Result Run(const C& call) {
  Slot* const slot = FindDispatchedOn(call);
  if (slot == nullptr) {
    ReportUnknownObject(C::kId, DispatchedOn(call));
    return ResultWhenSkipped<C>();
  }
  OwnerOf<C>& owner = OwnerIn<C>(*slot);
  const auto next = Next<C>(owner.next);
  if (next == nullptr) return ResultWhenSkipped<C>();
  const CommandHooks& hooks = owner.hooks[C::kId];
  if (hooks.empty()) return Forward(call, owner, next);
  const void* const parameters = &call;
  if (!RunPreCall(hooks, C::kId, parameters, slot, ReporterOf(owner))) return ResultWhenSkipped<C>();
  // What unwinds a call is not caught, but a thread that was cancelled in the driver must not count as inside for good.
  if constexpr (std::is_void_v<typename C::Result>) {
    try {
      Forward(call, owner, next);
    } catch (...) {
      RunAfterUnwinding(hooks, call, slot);
      throw;
    }
    RunPostCallRecord(hooks, parameters, slot, nullptr);
  } else {
    typename C::Result result;
    try {
      result = Forward(call, owner, next);
    } catch (...) {
      RunAfterUnwinding(hooks, call, slot);
      throw;
    }
    if (!IsDeferred(call, result)) RunPostCallRecord(hooks, parameters, slot, &result);
    return result;
  }
}

template <class C, class F = typename C::Function>
struct Entry;

// The function that the application calls. Exceptions that are not the layer's pass through: those of an application's
// callback, and the unwinding of a cancelled thread. The layer's own, for want of memory, end where they are thrown:
// see run_hooks.h and forward.h for hooks and for handles. What is left are overrides, which then fail.
template <class C, class R, class... A>
struct Entry<C, R(VKAPI_PTR*)(A...)> {
  static VKAPI_ATTR R VKAPI_CALL Call(A... arguments) {
    if constexpr (HasCallOverride<C>) {
      try {
        return OverrideCall(C{arguments...});
      } catch (const std::exception&) {
        if (messages::IsFromCallback(std::current_exception())) throw;
        return ResultWithoutMemory<C>();
      }
    } else {
      return Run(C{arguments...});
    }
  }
};

// The layer's function for a command. intercept_table.h collects these functions from the shards.
template <class C>
PFN_vkVoidFunction EntryPoint() {
  return reinterpret_cast<PFN_vkVoidFunction>(static_cast<typename C::Function>(&Entry<C>::Call));
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_INTERCEPT_H_
