// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
#define ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_

// Whether every handle of a call stands for an object that exists, is of the right type and is from the right instance,
// device or parent.
//
// The package does four things. It *looks up* a handle: an array access leads to its slot
// (dispatch/handles/handle_table.h); the package keeps no table of handles. It *reports* a handle without a slot as
// stale, foreign or of another type; the handle table remembers the object's name and the command that destroyed it. It
// *notes* the objects of recorded commands, each once, in the command buffer's recording
// (dispatch/handles/recording.h), if one is open. It *reports leaks*: objects that remain when a device or an instance
// is destroyed, in one message for all of them.
//
// The rooms:
//
//   rules       handle_rules.h: the rules about handles, read once from the ids and sentences of the registry. No rule
//               is invented: a handle without a -parameter, -parent or -commonparent id is not checked.
//               destroy_rules.h: allocation callbacks of creation and destruction, children that outlive their parent.
//   handles     handle_check.h: one walker for all commands, over the registry's descriptions of structures. It visits
//               pNext chains, arrays, unions and handles in a uint64_t, and follows the same pointers as handle
//               translation. handle_fast_path.h accepts most correct calls before it.
//   test_cases  for tests.
//
// The recording path: one pass over a short list of offsets accepts most handles (handle_fast_path.h). It costs an
// array access, a comparison of type and device for each, and a bit to test in the recording. Only if a handle is
// wrong, or its place is not simple, does the walker check the call again and word the report.
//
// Not here: objects that a queue has in use, and command buffers whose objects were destroyed (core/lifetime); the
// setting object_lifetime switches them too. VK_NULL_HANDLE is mostly checked by stateless, which knows where it is
// allowed. A descriptor set does not refer to the objects of its descriptors: only the shaders decide which of them a
// draw uses.
//
// Locks: handle checks and recording take none. The few tables beside the slots have a mutex each, which no recorded
// command takes.

#include <cstdint>
#include <type_traits>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/handles/handle_fast_path.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {

// Commands that have handles besides the one that they are dispatched on, or that destroy that one.
template <class C>
inline constexpr bool kHasHandles = C::kReachesHandle || C::kLifetime == vk::LifetimeEffect::kDestroy ||
                                    std::is_same_v<C, vk::CmdExecuteCommands> || std::is_same_v<C, vk::CreateDevice>;

// Recorded commands whose objects are noted. A command buffer does not use the objects that it inherits.
template <class C>
inline constexpr bool kNotesObjects =
    C::kDispatch == vk::DispatchLevel::kCommandBuffer && kHasHandles<C> && !std::is_same_v<C, vk::BeginCommandBuffer>;

// Objects that others are made from, while they exist (origins.h).
template <class C>
concept ChangesOrigins =
    std::is_same_v<C, vk::CreateVideoSessionParametersKHR> || std::is_same_v<C, vk::DestroyVideoSessionParametersKHR> ||
    std::is_same_v<C, vk::CreateSwapchainKHR> || std::is_same_v<C, vk::CreateSharedSwapchainsKHR> ||
    std::is_same_v<C, vk::DestroySwapchainKHR>;

template <class C>
inline constexpr bool kTakesAllocator =
    C::kLifetime == vk::LifetimeEffect::kCreate && requires(const C& c) { c.pAllocator; };

// The validator. One is attached to each instance's hooks and one to each device's.
class ObjectLifetimes {
 public:
  explicit ObjectLifetimes(dispatch::Instance& instance) : instance_(instance) {}
  explicit ObjectLifetimes(dispatch::Device& device)
      : instance_(device.instance),
        device_(&device),
        notes_objects_(device.instance.settings.check_object_in_use || device.instance.settings.check_command_buffer) {}
  ObjectLifetimes(const ObjectLifetimes&) = delete;
  ObjectLifetimes& operator=(const ObjectLifetimes&) = delete;

  template <class C>
    requires kHasHandles<C>
  void PreCallValidate(const C& call, [[maybe_unused]] dispatch::Slot& slot, messages::Report& report) {
    if constexpr (kNotesObjects<C>) {
      CheckHandles(&call, report, notes_objects_ ? OpenRecording(slot) : nullptr);
    } else {
      CheckHandles(&call, report, nullptr);
    }
    if constexpr (C::kLifetime == vk::LifetimeEffect::kDestroy) CheckDestroy(&call, report);
  }

  template <class C>
    requires((ChangesOrigins<C> && C::kLifetime == vk::LifetimeEffect::kDestroy) ||
             std::is_same_v<C, vk::DestroyShaderEXT>)
  void PreCallRecord(const C& call) {
    if constexpr (ChangesOrigins<C>) RemoveOrigin(call);
    if constexpr (std::is_same_v<C, vk::DestroyShaderEXT>) RemoveUncertain(call);
  }

  template <class C>
    requires kNotesObjects<C>
  void CallSkipped(const C&, dispatch::Slot& slot) {
    dispatch::Recording* const recording = notes_objects_ ? OpenRecording(slot) : nullptr;
    if (recording != nullptr) recording->RollBack();
  }

  template <class C>
    requires kTakesAllocator<C>
  void PostCallRecord(const C& call, VkResult result) {
    if (call.pAllocator != nullptr && result >= 0) NoteAllocator(C::kId, &call);
    if constexpr (std::is_same_v<C, vk::CreateShadersEXT>) AddUncertain(call, result);
    if constexpr (ChangesOrigins<C>) {
      if (result >= 0) AddOrigin(call);
    }
  }

  // For tests: all that it knows, as text (object_lifetimes_dump.h).
  template <class Dump>
  void DumpTo(Dump& dump);

 private:
  static dispatch::Recording* OpenRecording(const dispatch::Slot& command_buffer) {
    const auto* data = dispatch::CommandBufferData::In(command_buffer);
    return data != nullptr ? data->open() : nullptr;
  }

  // recording notes the objects of a recorded command; may be null.
  void CheckHandles(const void* call, messages::Report& report, dispatch::Recording* recording);
  [[gnu::noinline]] void CheckEachHandle(const void* call, messages::Report& report, dispatch::Recording* recording);
  // Checks allocation callbacks, children and leaks.
  void CheckDestroy(const void* call, messages::Report& report);
  void CheckAllocator(const void* call, messages::Report& report);
  void CheckLeaks(messages::Report& report);
  void CheckSwapchainsOf(VkSurfaceKHR surface, messages::Report& report);
  void NoteAllocator(vk::CommandId command, const void* call);
  void RemoveOrigin(const vk::DestroyVideoSessionParametersKHR& call);
  void RemoveOrigin(const vk::DestroySwapchainKHR& call);
  void AddOrigin(const vk::CreateVideoSessionParametersKHR& call);
  void AddOrigin(const vk::CreateSwapchainKHR& call);
  void AddOrigin(const vk::CreateSharedSwapchainsKHR& call);
  // Shaders of a vkCreateShadersEXT that did not create all. "It is guaranteed that every element of pShaders will have
  // been overwritten by either VK_NULL_HANDLE or a valid VkShaderEXT handle"; but drivers leave handles of shaders that
  // they did not create, so these shaders are not counted as leaks.
  void AddUncertain(const vk::CreateShadersEXT& call, VkResult result);
  void RemoveUncertain(const vk::DestroyShaderEXT& call);

  const HandleRules& rules_ = HandleRules::All();
  dispatch::Instance& instance_;
  // Null for the validator of the instance.
  dispatch::Device* const device_ = nullptr;
  // Whether the objects of recorded commands are needed.
  const bool notes_objects_ = false;
  const HandleFastPath& fast_path_ = HandleFastPath::Get();
  absl::Mutex uncertain_mutex_;
  absl::flat_hash_set<uint64_t> uncertain_shaders_ ABSL_GUARDED_BY(uncertain_mutex_);
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
