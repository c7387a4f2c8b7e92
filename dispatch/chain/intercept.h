// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_INTERCEPT_H_
#define ASSAY_DISPATCH_CHAIN_INTERCEPT_H_

#include <type_traits>

#include "dispatch/chain/overrides.h"
#include "dispatch/handles/dispatchable_table.h"
#include "dispatch/hooks/instance.h"
#include "dispatch/translation/fast_translation.h"
#include "dispatch/translation/translate.h"
#include "dispatch/translation/unknown_object.h"
#include "vk/commands.h"

// One call, end to end, for any command: find what it is dispatched on, run the hooks around the call down, translate
// handles. Every entry point of the layer is an instance of Entry<C>::Call.
namespace assay::dispatch {

// The instance- or device-level owner of a command's hooks and next pointers.
template <class C>
inline constexpr bool kIsDeviceLevel =
    C::kDispatch == vk::DispatchLevel::kDevice || C::kDispatch == vk::DispatchLevel::kQueue ||
    C::kDispatch == vk::DispatchLevel::kCommandBuffer;
template <class C>
using OwnerOf = std::conditional_t<kIsDeviceLevel<C>, Device, Instance>;

template <class C>
inline constexpr bool kReturnsObjects =
    C::kLifetime == vk::LifetimeEffect::kCreate || C::kLifetime == vk::LifetimeEffect::kRetrieve;
// vkGetPipelineKeyKHR reaches handles through what may stand in the pNext chain of its one structure by its text, but
// not by the registry's structextends: the create info of a pipeline.
template <class C>
inline constexpr bool kReachesHandle = C::kReachesHandle || std::is_same_v<C, vk::GetPipelineKeyKHR>;
template <class C>
inline constexpr bool kNeedsTranslation =
    kReachesHandle<C> || kReturnsObjects<C> || C::kLifetime == vk::LifetimeEffect::kDestroy;

// Commands that return an array of pipelines, shaders or pipeline binaries write VK_NULL_HANDLE where one failed, so
// that the others are there even when the result is an error.
template <class C>
inline constexpr bool kReturnsPartialResults = kReturnsObjects<C> && (
                                                                         requires(const C& c) { c.pPipelines; } ||
                                                                         requires(const C& c) { c.pShaders; } ||
                                                                         requires(const C& c) { c.pBinaries; });

// What a command returns when it is not passed on, be it that a callback asked to skip it or that its object is
// unknown.
template <class C>
typename C::Result ResultWhenSkipped() {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return VK_ERROR_VALIDATION_FAILED_EXT;
  } else {
    return typename C::Result();
  }
}

// The first parameter of a command.
template <class C>
const void* DispatchedOn(const C& call) {
  return *reinterpret_cast<void* const*>(&call);
}

// The type of the first parameter.
template <class C>
constexpr VkObjectType DispatchedType() {
  switch (C::kDispatch) {
    case vk::DispatchLevel::kPhysicalDevice:
      return VK_OBJECT_TYPE_PHYSICAL_DEVICE;
    case vk::DispatchLevel::kDevice:
      return VK_OBJECT_TYPE_DEVICE;
    case vk::DispatchLevel::kQueue:
      return VK_OBJECT_TYPE_QUEUE;
    case vk::DispatchLevel::kCommandBuffer:
      return VK_OBJECT_TYPE_COMMAND_BUFFER;
    default:
      return VK_OBJECT_TYPE_INSTANCE;
  }
}

// Null for a handle that is unknown or of an object of another type, a queue passed for a command buffer.
template <class C>
OwnerOf<C>* FindOwner(const C& call) {
  const Slot* slot = DispatchableTable::Get().Find(DispatchedOn(call));
  if (slot == nullptr || slot->type != DispatchedType<C>()) return nullptr;
  if constexpr (kIsDeviceLevel<C>) {
    return slot->device;
  } else {
    return slot->instance;
  }
}

inline Instance* InstanceOf(Instance& instance) { return &instance; }
inline Instance* InstanceOf(Device& device) { return &device.instance; }
inline Device* DeviceOf(Instance&) { return nullptr; }
inline Device* DeviceOf(Device& device) { return &device; }

template <class C>
void RegisterReturned(const C& call, Instance* instance, Device* device, [[maybe_unused]] const void* result) {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    if (*static_cast<const VkResult*>(result) < 0 && !kReturnsPartialResults<C>) return;
  }
  // Only what output pointers point to is written, which is the application's to be written.
  TranslateFromDriver(vk::GetCommandInfo(C::kId), const_cast<C*>(&call), instance, device);
}

// Puts the driver's handles in the place of the application's.
template <class C>
void TranslateHandles(C& call, ScratchArena& arena) {
  if constexpr (HasFastTranslation<C>) {
    if (CanTranslateFast(call)) return TranslateFast(call, arena);
  }
  TranslateToDriver(vk::GetCommandInfo(C::kId), &call, arena);
}

// Calls the next layer with the driver's handles and enters what it returns.
template <class C>
typename C::Result ForwardTranslated(const C& call, OwnerOf<C>& owner, typename C::Function next, ScratchArena& arena) {
  C copy = call;
  if (owner.wraps_handles()) {
    TranslateHandles(copy, arena);
  }
  // Should something below fail before it writes them, what happens to be there is not taken for handles.
  if constexpr (kReturnsPartialResults<C>) ClearReturned(vk::GetCommandInfo(C::kId), &call);
  // Before the call down, since as soon as the driver has destroyed the object it may give the same handle to another
  // thread, whose object would then be removed:
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

// vkDestroyBuffer(device, buffer, pAllocator) and all like it.
template <class C>
inline constexpr bool kDestroysOneObject = C::kLifetime ==
                                               vk::LifetimeEffect::kDestroy&& C::kDirectHandlesOnly&& C::kDispatch ==
                                               vk::DispatchLevel::kDevice &&
                                           sizeof(C) == 3 * sizeof(void*);

template <class C>
typename C::Result Forward(const C& call, OwnerOf<C>& owner, typename C::Function next) {
  if constexpr (HasCallDownOverride<C>) {
    return OverrideCallDown(call, owner, next);
  } else if constexpr (!kNeedsTranslation<C>) {
    return vk::CallDown(call, next);
  } else if constexpr (C::kDirectHandlesOnly && C::kLifetime == vk::LifetimeEffect::kNone) {
    return vk::CallDown(call, next, [](auto handle) {
      return reinterpret_cast<decltype(handle)>(HandleTable::Get().ToDriver(reinterpret_cast<uint64_t>(handle)));
    });
  } else {
    if constexpr (kDestroysOneObject<C>) {
      // Taken out before the call down, as in ForwardTranslated.
      if (owner.wraps_handles()) {
        return vk::CallDown(call, next, [](auto handle) {
          return reinterpret_cast<decltype(handle)>(RemoveAndUnwrap(C::kId, reinterpret_cast<uint64_t>(handle)));
        });
      }
    }
    ScratchArena arena;
    return ForwardTranslated(call, owner, next, arena);
  }
}

template <class C>
void RunPostCallRecord(const CommandHooks& hooks, const C& call, const void* result) {
  for (uint16_t i = 0; i < hooks.post_record_count; ++i) {
    const Hook& hook = hooks.post_record()[i];
    hook.post_record(hook.validator, &call, result);
  }
}

// PreCallValidate and PreCallRecord; false when the call is to be skipped.
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

inline messages::Reporter& ReporterOf(Instance& instance) { return instance.reporter; }
inline messages::Reporter& ReporterOf(Device& device) { return device.reporter(); }

template <class C>
typename C::Result Run(const C& call) {
  OwnerOf<C>* const owner = FindOwner(call);
  if (owner == nullptr) {
    ReportUnknownObject(C::kId, DispatchedOn(call));
    return ResultWhenSkipped<C>();
  }
  const auto next = Next<C>(owner->next);
  if (next == nullptr) return ResultWhenSkipped<C>();
  const CommandHooks& hooks = owner->hooks[C::kId];
  if (hooks.empty()) return Forward(call, *owner, next);
  if (!RunPreCall(hooks, call, ReporterOf(*owner))) return ResultWhenSkipped<C>();
  if constexpr (std::is_void_v<typename C::Result>) {
    Forward(call, *owner, next);
    RunPostCallRecord(hooks, call, nullptr);
  } else {
    const typename C::Result result = Forward(call, *owner, next);
    if (!IsDeferred(call, result)) RunPostCallRecord(hooks, call, &result);
    return result;
  }
}

template <class C, class F = typename C::Function>
struct Entry;

// The function that the application calls. No exception crosses it: out of memory is reported as the command can report
// it.
template <class C, class R, class... A>
struct Entry<C, R(VKAPI_PTR*)(A...)> {
  static VKAPI_ATTR R VKAPI_CALL Call(A... arguments) {
    try {
      if constexpr (HasCallOverride<C>) {
        return OverrideCall(C{arguments...});
      } else {
        return Run(C{arguments...});
      }
    } catch (...) {
      if constexpr (std::is_same_v<R, VkResult>) {
        return VK_ERROR_OUT_OF_HOST_MEMORY;
      } else {
        return R();
      }
    }
  }
};

// The layer's function for a command, in any of the shards that intercept_table.h collects.
template <class C>
PFN_vkVoidFunction EntryPoint() {
  return reinterpret_cast<PFN_vkVoidFunction>(static_cast<typename C::Function>(&Entry<C>::Call));
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_INTERCEPT_H_
