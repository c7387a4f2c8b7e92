// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
#define ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_

// Whether every handle that a call is given stands for an object that is there, of the right type and from the right
// place.
//
// Its verbs are *look up* (a handle leads to its slot by an array access, dispatch/handle_table.h; none is kept here),
// *blame* (a handle without a slot is stale, foreign or of another type: the handle table remembers which command
// destroyed it, and its name), and *count out* (what is left when a device or an instance goes is a leak, one message
// for all of it).
//
//   handle_rules.h    which rules there are: read from the ids and sentences of the registry, once. No rule is
//   invented: a handle for
//                     which the registry has neither a -parameter, -parent nor -commonparent id is not looked at.
//   handle_check.h    one walker for all commands, over the registry's descriptions of structures: pNext chains,
//   arrays, unions and
//                     handles in a uint64_t included. It follows the same pointers that handle translation follows.
//   destroy_rules.h   allocation callbacks on both ends of a life, children that outlive their parent.
//   submissions.h     what the queues are busy with.
//
// The recording path: most handles are found to be right by one pass over a short list of offsets (quick_handles.h): an
// array access, a type and a device to compare for each. Only if something is wrong with one, or not simple, does the
// walker look again, and words the report. VK_NULL_HANDLE is mostly left to stateless, which knows where it is allowed.
//
// Locks: handle checks take none. Submissions and the few tables beside the slots have a mutex each, which no recorded
// command takes.

#include <memory>
#include <type_traits>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/quick_handles.h"
#include "object_lifetimes/submissions.h"
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
  requires(kHasHandles<C> || ChecksSubmissions<C>) void PreCallValidate(const C& call, messages::Report& report) {
    if constexpr (kHasHandles<C>) CheckHandles(&call, report);
    if constexpr (C::kLifetime == vk::LifetimeEffect::kDestroy) CheckDestroy(&call, report);
    if constexpr (ChecksSubmissions<C>) submissions_->Check(call, report);
  }

  template <class C>
  requires BeforeSubmissions<C>
  void PreCallRecord(const C& call) { submissions_->BeforeCall(call); }
  void PreCallRecord(const vk::DestroyVideoSessionParametersKHR& call);
  void PreCallRecord(const vk::DestroySwapchainKHR& call);

  template <class C>
  requires(kTakesAllocator<C> || AfterSubmissions<C>) void PostCallRecord(const C& call, VkResult result) {
    if constexpr (kTakesAllocator<C>) {
      if (call.pAllocator != nullptr && result >= 0) NoteAllocator(C::kId, &call);
    }
    if constexpr (AfterSubmissions<C>) submissions_->AfterCall(call, result);
    if constexpr (std::is_same_v<C, vk::CreateVideoSessionParametersKHR> || std::is_same_v<C, vk::CreateSwapchainKHR> ||
                  std::is_same_v<C, vk::CreateSharedSwapchainsKHR>) {
      if (result >= 0) NoteOrigin(call);
    }
  }

 private:
  void CheckHandles(const void* call, messages::Report& report);
  // Allocation callbacks, children, leaks.
  void CheckDestroy(const void* call, messages::Report& report);
  void CheckAllocator(const void* call, messages::Report& report);
  void CheckLeaks(messages::Report& report);
  void CheckSwapchainsOf(VkSurfaceKHR surface, messages::Report& report);
  void NoteAllocator(vk::CommandId command, const void* call);
  void NoteOrigin(const vk::CreateVideoSessionParametersKHR& call);
  void NoteOrigin(const vk::CreateSwapchainKHR& call);
  void NoteOrigin(const vk::CreateSharedSwapchainsKHR& call);

  dispatch::Instance& instance_;
  // Null for the instance's own.
  dispatch::Device* const device_ = nullptr;
  const QuickHandles& quick_handles_ = QuickHandles::Get();
  std::unique_ptr<Submissions> submissions_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_OBJECT_LIFETIMES_H_
