// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_DISPATCH_CHAIN_COMMAND_TRAITS_H_
#define ASSAY_DISPATCH_CHAIN_COMMAND_TRAITS_H_

#include <type_traits>

#include "dispatch/hooks/instance.h"
#include "vk/command_enums.h"
#include "vk/commands.h"

// What dispatch needs to know of a command at compile time, derived from its registry record.
namespace assay::dispatch {

template <class C>
inline constexpr bool kIsDeviceLevel = vk::IsDeviceLevel(C::kDispatch);

// The object that owns a command's hooks and next pointers.
template <class C>
using OwnerOf = std::conditional_t<kIsDeviceLevel<C>, Device, Instance>;

template <class C>
inline constexpr bool kReturnsObjects =
    C::kLifetime == vk::LifetimeEffect::kCreate || C::kLifetime == vk::LifetimeEffect::kRetrieve;

// vkGetPipelineKeyKHR reaches handles through the pNext chain of its one structure, which has the create info of a
// pipeline. The specification's text says so; the registry's structextends do not.
template <class C>
inline constexpr bool kReachesHandle = C::kReachesHandle || std::is_same_v<C, vk::GetPipelineKeyKHR>;

template <class C>
inline constexpr bool kNeedsTranslation =
    kReachesHandle<C> || kReturnsObjects<C> || C::kLifetime == vk::LifetimeEffect::kDestroy;

// Whether a command returns partial results: it creates several pipelines, shaders or pipeline binaries at once, and
// one that fails does not undo the others. The driver writes VK_NULL_HANDLE for those that failed, and the others exist
// even when the result is an error. No other type of object is created in this way, so the type of the output parameter
// decides.
template <class Parameter>
inline constexpr bool kIsPartialOutput =
    std::is_same_v<Parameter, VkPipeline*> || std::is_same_v<Parameter, VkShaderEXT*> ||
    std::is_same_v<Parameter, VkPipelineBinaryHandlesInfoKHR*>;
template <class Function>
inline constexpr bool kHasPartialOutput = false;
template <class R, class... A>
inline constexpr bool kHasPartialOutput<R(VKAPI_PTR*)(A...)> = (kIsPartialOutput<A> || ...);
template <class C>
inline constexpr bool kReturnsPartialResults = (kReturnsObjects<C>) && (kHasPartialOutput<typename C::Function>);

// Whether a command is vkDestroyBuffer(device, buffer, pAllocator) or one like it.
template <class C>
inline constexpr bool kDestroysOneObject =
    (C::kLifetime == vk::LifetimeEffect::kDestroy) && (C::kDispatch == vk::DispatchLevel::kDevice) &&
    (C::kDirectHandlesOnly) && (sizeof(C) == 3 * sizeof(void*));

// The result of a command that is not called down: a callback asked to skip it, or its object is unknown.
template <class C>
typename C::Result ResultWhenSkipped() {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return VK_ERROR_VALIDATION_FAILED_EXT;
  } else {
    return typename C::Result();
  }
}

// The result of a command that the layer has no memory for and does not call down.
template <class C>
typename C::Result ResultWithoutMemory() {
  if constexpr (std::is_same_v<typename C::Result, VkResult>) {
    return VK_ERROR_OUT_OF_HOST_MEMORY;
  } else {
    return typename C::Result();
  }
}

}  // namespace assay::dispatch

#endif  // ASSAY_DISPATCH_CHAIN_COMMAND_TRAITS_H_
