// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_FORWARD_H_
#define ASSAY_DISPATCH_CHAIN_FORWARD_H_

#include <cstdint>
#include <new>
#include <type_traits>

#include "dispatch/chain/command_traits.h"
#include "dispatch/chain/dispatched_on.h"
#include "dispatch/chain/overrides.h"
#include "dispatch/handles/handle_table.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/rewriting/rewriter.h"
#include "dispatch/translation/fast_translation.h"
#include "dispatch/translation/removed_handles.h"
#include "dispatch/translation/returned_handles.h"
#include "dispatch/translation/translate.h"
#include "vk/command_info.h"
#include "vk/commands.h"

// The call down: handles are translated on the way to the next layer or driver and on the way back.
namespace assay::dispatch {

inline Instance* InstanceOf(Instance& instance) { return &instance; }
inline Instance* InstanceOf(Device& device) { return &device.instance; }
inline Device* DeviceOf(Instance&) { return nullptr; }
inline Device* DeviceOf(Device& device) { return &device; }

// Registers the objects that a command returned and writes the application's handles to its output parameters. result
// points to the command's result, or is null when it returns void.
template <class C>
void RegisterReturned(const C& call, Instance* instance, Device* device, [[maybe_unused]] const void* result) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    if (*static_cast<const VkResult*>(result) < 0 && !kReturnsPartialResults<C>) return;
  }
  // The driver has done its part. Without memory for the records of the objects, the application gets the driver's
  // handles, which reach the driver unchanged later.
  try {
    // This writes only to the memory behind output pointers.
    TranslateFromDriver(vk::GetCommandInfo(C::kId), const_cast<C*>(&call), instance, device);
  } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch)
  }
}

// Replaces the application's handles by the driver's in a copy of the parameters.
template <class C>
void TranslateHandles(C& call, ScratchArena& arena) {
  if constexpr (HasFastTranslation<C>) {
    if (CanTranslateFast(call)) return TranslateFast(call, arena);
  }
  TranslateToDriver(vk::GetCommandInfo(C::kId), &call, arena);
}

// Calls down with `copy`, which has the driver's handles. Unregisters the objects that the command destroys, and
// registers those that it returns.
template <class C>
typename C::Result CallDownAndRegister(const C& call, const C& copy, OwnerOf<C>& owner, typename C::Function next) {
  // The next layer may fail before it writes any handle. What the memory held must not be taken for handles then.
  if constexpr (kReturnsPartialResults<C>) ClearReturned(vk::GetCommandInfo(C::kId), &call);
  // Before the call down. As soon as the driver has destroyed the object it may give the same handle to another thread,
  // whose object would be removed otherwise:
  //   A: vkFreeCommandBuffers(…, X) in the driver;  B: vkAllocateCommandBuffers() returns X;  A: removes X
  if constexpr (C::kLifetime == vk::LifetimeEffect::kDestroy) RemoveDestroyed(vk::GetCommandInfo(C::kId), &call);
  if constexpr (std::is_void_v<typename C::Result>) {
    vk::CallDown(copy, next);
    if constexpr (kReturnsObjects<C>) RegisterReturned(call, InstanceOf(owner), DeviceOf(owner), nullptr);
  } else {
    typename C::Result result = vk::CallDown(copy, next);
    if constexpr (kReturnsObjects<C>) RegisterReturned(call, InstanceOf(owner), DeviceOf(owner), &result);
    return result;
  }
}

// Runs the Rewrite hooks over the translated parameters.
template <class C>
void RewriteTranslated(const C& call, C& copy, OwnerOf<C>& owner, Rewriter& rewriter) {
  RunRewrite(owner.hooks[C::kId], &call, &copy, sizeof(C), FindDispatchedOn(call), rewriter);
}

// Whether a validator rewrites the command.
template <class C>
bool IsRewritten(OwnerOf<C>& owner) {
  if constexpr (kMayBeRewritten<C>) {
    return !owner.hooks[C::kId].rewrite().empty();
  } else {
    return false;
  }
}

// ForwardTranslated for a command that is rewritten.
template <class C>
typename C::Result ForwardRewritten(const C& call, C& copy, OwnerOf<C>& owner, typename C::Function next,
                                    ScratchArena& arena) {
  Rewriter rewriter(arena);
  RewriteTranslated(call, copy, owner, rewriter);
  if constexpr (std::is_void_v<typename C::Result>) {
    CallDownAndRegister(call, copy, owner, next);
    rewriter.Finish(VK_SUCCESS);
  } else {
    const typename C::Result result = CallDownAndRegister(call, copy, owner, next);
    if constexpr (std::is_same_v<typename C::Result, VkResult>) {
      rewriter.Finish(result);
    } else {
      rewriter.Finish(VK_SUCCESS);
    }
    return result;
  }
}

// Calls the next layer or driver with the driver's handles, and what validators make of the parameters.
template <class C>
typename C::Result ForwardTranslated(const C& call, OwnerOf<C>& owner, typename C::Function next, ScratchArena& arena) {
  C copy = call;
  if (owner.wraps_handles()) {
    try {
      TranslateHandles(copy, arena);
    } catch (const std::bad_alloc&) {
      return ResultWithoutMemory<C>();
    }
  }
  if constexpr (kMayBeRewritten<C>) {
    if (IsRewritten<C>(owner)) [[unlikely]]
      return ForwardRewritten(call, copy, owner, next, arena);
  }
  return CallDownAndRegister(call, copy, owner, next);
}

// Apart from Forward(), so that a call that needs no arena does not have to make room for one.
template <class C>
[[gnu::noinline]] typename C::Result ForwardInArena(const C& call, OwnerOf<C>& owner, typename C::Function next) {
  ScratchArena arena;
  return ForwardTranslated(call, owner, next, arena);
}

// Calls the next layer or driver in the cheapest way that the command allows.
template <class C>
typename C::Result Forward(const C& call, OwnerOf<C>& owner, typename C::Function next) {
  if constexpr (HasCallDownOverride<C>) {
    return OverrideCallDown(call, owner, next);
  }
  if constexpr (kMayBeRewritten<C> && !HasCallDownOverride<C>) {
    if (IsRewritten<C>(owner)) [[unlikely]] {
      ScratchArena arena;
      return ForwardTranslated(call, owner, next, arena);
    }
  }
  if constexpr (HasCallDownOverride<C>) {
    // Done above.
  } else if constexpr (!kNeedsTranslation<C>) {
    return vk::CallDown(call, next);
  } else if constexpr (C::kDirectHandlesOnly && C::kLifetime == vk::LifetimeEffect::kNone) {
    return vk::CallDown(call, next, [](auto handle) {
      return reinterpret_cast<decltype(handle)>(HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(handle)));
    });
  } else {
    if constexpr (kDestroysOneObject<C>) {
      // Removed before the call down, as in ForwardTranslated.
      if (owner.wraps_handles()) {
        return vk::CallDown(call, next, [](auto handle) {
          return reinterpret_cast<decltype(handle)>(RemoveAndUnwrap(C::kId, reinterpret_cast<uint64_t>(handle)));
        });
      }
    }
    if constexpr (requires { IsWithoutHandles(call); }) {
      if (IsWithoutHandles(call)) return vk::CallDown(call, next);
      return ForwardInArena(call, owner, next);
    } else {
      ScratchArena arena;
      return ForwardTranslated(call, owner, next, arena);
    }
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_FORWARD_H_
