// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
#define ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_

// Whether every handle that a call is given stands for an object that is there, of the right type and from the right
// place.
//
// Its verbs are *look up* (a handle leads to its slot by an array access, dispatch/handles/handle_table.h; none is kept
// here), *blame* (a handle without a slot is stale, foreign or of another type: the handle table remembers which
// command destroyed it, and its name), *note* (a recorded command's objects are listed, each once, in its command
// buffer's recording), *hold* (a submitted batch holds the recordings that it executes until the application knows that
// it is complete), and *count out* (what is left when a device or an instance goes is a leak, one message for all of
// it).
//
//   handle_rules.h    which rules there are: read from the ids and sentences of the registry, once. No rule is
//                     invented: a handle for which the registry has neither a -parameter, -parent nor -commonparent id
//                     is not looked at.
//   handle_check.h    one walker for all commands, over the registry's descriptions of structures: pNext chains,
//                     arrays, unions and handles in a uint64_t included. It follows the same pointers that handle
//                     translation follows.
//   destroy_rules.h   allocation callbacks on both ends of a life, children that outlive their parent.
//   recording.h       the objects of a command buffer.
//   references.h      which objects are made of others: a view of an image, an image of memory.
//   in_use_rules.h    which commands must not be called on what a queue is busy with, by the sentences of the registry.
//   submissions.h     what the queues are busy with, and how the application learns that they are not any more.
//
// The recording path: most handles are found to be right by one pass over a short list of offsets (handle_fast_path.h):
// an array access, a type and a device to compare for each, and a bit to test in the recording. Only if something is
// wrong with one, or not simple, does the walker look again, and words the report. VK_NULL_HANDLE is mostly left to
// stateless, which knows where it is allowed.
//
// What a descriptor set's descriptors refer to is not held with the set: which of them a draw uses only its shaders
// say.
//
// Locks: handle checks and recording take none. Submissions and the few tables beside the slots have a mutex each,
// which no recorded command takes.

#include <memory>
#include <type_traits>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/handles/handle_fast_path.h"
#include "object_lifetimes/in_use/submissions.h"
#include "object_lifetimes/recording/recording.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/commands.h"

namespace assay::object_lifetimes {

// Commands with handles besides the one that they are dispatched on, or that end that one.
template <class C>
inline constexpr bool kHasHandles = C::kReachesHandle || C::kLifetime == vk::LifetimeEffect::kDestroy ||
                                    std::is_same_v<C, vk::CmdExecuteCommands> || std::is_same_v<C, vk::CreateDevice>;

template <class C>
concept ChecksSubmissions = requires(Submissions& s, const C& c, messages::Report& r) {
  s.Check(c, r);
};
template <class C>
concept BeforeSubmissions = requires(Submissions& s, const C& c) {
  s.BeforeCall(c);
};
template <class C>
concept AfterSubmissions = requires(Submissions& s, const C& c, VkResult r) {
  s.AfterCall(c, r);
};

// Recorded commands that are given objects, which are noted. What a command buffer inherits is not used by it.
template <class C>
inline constexpr bool kNotesObjects =
    C::kDispatch == vk::DispatchLevel::kCommandBuffer&& kHasHandles<C> && !std::is_same_v<C, vk::BeginCommandBuffer>;

// Commands that end or reset objects that a queue may be busy with.
template <class C>
inline constexpr bool kMayEndUse =
    C::kLifetime == vk::LifetimeEffect::kDestroy || std::is_same_v<C, vk::ResetFences> ||
    std::is_same_v<C, vk::ResetCommandPool> || std::is_same_v<C, vk::ResetCommandBuffer> ||
    std::is_same_v<C, vk::ResetDescriptorPool> || std::is_same_v<C, vk::BeginCommandBuffer>;

template <class C>
concept NotesReferences = requires(References& references, const C& c) {
  references.Note(c);
};

template <class C>
inline constexpr bool kTakesAllocator = C::kLifetime == vk::LifetimeEffect::kCreate&& requires(const C& c) {
  c.pAllocator;
};

// The validator. One is attached to each instance's hooks and one to each device's.
class ObjectLifetimes {
 public:
  explicit ObjectLifetimes(dispatch::Instance& instance) : instance_(instance) {}
  explicit ObjectLifetimes(dispatch::Device& device)
      : instance_(device.instance), device_(&device), submissions_(std::make_unique<Submissions>(device)) {}
  ObjectLifetimes(const ObjectLifetimes&) = delete;
  ObjectLifetimes& operator=(const ObjectLifetimes&) = delete;

  template <class C>
  requires(kHasHandles<C> || ChecksSubmissions<C> || kMayEndUse<C>) void PreCallValidate(const C& call,
                                                                                         messages::Report& report) {
    if constexpr (kNotesObjects<C>) {
      CheckHandles(&call, report, OpenRecording(call.commandBuffer));
    } else if constexpr (kHasHandles<C>) {
      CheckHandles(&call, report, nullptr);
    }
    if constexpr (kMayEndUse<C>) {
      if (submissions_ != nullptr) submissions_->CheckInUse(&call, report);
    }
    if constexpr (C::kLifetime == vk::LifetimeEffect::kDestroy) CheckDestroy(&call, report);
    if constexpr (ChecksSubmissions<C>) submissions_->Check(call, report);
  }

  template <class C>
  requires(BeforeSubmissions<C> || kMayEndUse<C>) void PreCallRecord(const C& call) {
    if constexpr (std::is_same_v<C, vk::DestroyVideoSessionParametersKHR> ||
                  std::is_same_v<C, vk::DestroySwapchainKHR>) {
      RemoveOrigin(call);
    }
    if constexpr (BeforeSubmissions<C>) submissions_->BeforeCall(call);
    if constexpr (kMayEndUse<C>) {
      if (submissions_ != nullptr) submissions_->BeforeEnd(C::kId, &call);
    }
  }

  template <class C>
  requires kNotesObjects<C>
  void CallSkipped(const C& call) {
    if (Recording* recording = OpenRecording(call.commandBuffer)) recording->RollBack();
  }

  template <class C>
  requires(kTakesAllocator<C> || AfterSubmissions<C> || NotesReferences<C>) void PostCallRecord(const C& call,
                                                                                                VkResult result) {
    if constexpr (kTakesAllocator<C>) {
      if (call.pAllocator != nullptr && result >= 0) NoteAllocator(C::kId, &call);
    }
    if constexpr (AfterSubmissions<C>) submissions_->AfterCall(call, result);
    if constexpr (NotesReferences<C>) {
      if (result >= 0) submissions_->references().Note(call);
    }
    if constexpr (std::is_same_v<C, vk::CreateVideoSessionParametersKHR> || std::is_same_v<C, vk::CreateSwapchainKHR> ||
                  std::is_same_v<C, vk::CreateSharedSwapchainsKHR>) {
      if (result >= 0) AddOrigin(call);
    }
  }

 private:
  static Recording* OpenRecording(VkCommandBuffer command_buffer) {
    const CommandBufferData* data = CommandBufferData::Of(command_buffer);
    return data != nullptr ? data->open() : nullptr;
  }

  // recording: what a recorded command's objects are noted in; may be null.
  void CheckHandles(const void* call, messages::Report& report, Recording* recording);
  // Allocation callbacks, children, leaks.
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

  const HandleRules& rules_ = HandleRules::All();
  dispatch::Instance& instance_;
  // Null for the instance's own.
  dispatch::Device* const device_ = nullptr;
  const HandleFastPath& fast_path_ = HandleFastPath::Get();
  std::unique_ptr<Submissions> submissions_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
