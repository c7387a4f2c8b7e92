// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_
#define ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_

#include <cstdint>
#include <string_view>

#include "absl/functional/function_ref.h"
#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/recording/recording.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/struct_info.h"

namespace assay::object_lifetimes {

// The slot of a live object of that type, dispatchable or not, or null.
dispatch::Slot* FindSlot(VkObjectType type, uint64_t handle);

// Calls visit with each handle that a parameter, one handle or an array of them, has, and its place in the array; not
// with VK_NULL_HANDLE.
void ForEachHandle(vk::CommandId command, const vk::MemberInfo& parameter, const void* call,
                   absl::FunctionRef<void(messages::ObjectRef object, uint32_t i)> visit);

// Looks at every handle that one call's parameters lead to and reports those that break a rule. VK_NULL_HANDLE breaks
// none here: whether it is allowed is for stateless to say. Pointers that the specification calls ignored are not
// followed.
class HandleCheck {
 public:
  // device is null for a call on an instance or physical device. Good handles are noted in the recording, if not null.
  HandleCheck(const HandleRules& rules, dispatch::Instance& instance, dispatch::Device* device, const void* call,
              messages::Report& report, Recording* recording = nullptr)
      : rules_(rules), instance_(instance), device_(device), call_(call), report_(report), recording_(recording) {}

  void Run();

 private:
  // What the handles of one structure must have in common, as far as it is known.
  struct Common {
    const StructRules& rules;
    const void* base;
    // Null until the first handle is seen; for a command's parameters the object that it is dispatched on.
    const void* ancestor = nullptr;
    std::string_view first_member;
    // One message a structure, however many of its handles differ.
    bool reported = false;
  };

  void CheckMembers(const StructRules& rules, const void* base, const messages::Location& where, Common& common);
  void CheckStruct(const StructRules& rules, const void* base, const messages::Location& where);
  void CheckChain(const void* head, const messages::Location& where);
  void CheckStructMember(const StructRules& rules, const Step& step, const void* base, const messages::Location& where);
  void CheckUnion(const vk::StructInfo& parent, const vk::MemberInfo& member, const void* parent_base,
                  const StructRules& rules, const void* base, const messages::Location& where);
  void CheckHandles(const Step& step, const void* base, const messages::Location& where, Common& common);
  void CheckHandle(const Step& step, VkObjectType type, uint64_t handle, const messages::Location& where,
                   Common& common);
  void CheckImageInfos(const void* write, const messages::Location& where);

  // The object of that kind that the slot's object is from; null when it is not known.
  const void* AncestorOf(const dispatch::Slot& slot, Ancestor kind) const;
  // The object of that kind that the parameters name: the first parameter or another member of the structure.
  const void* AncestorNamed(Ancestor kind, const Common& common) const;

  void ReportInvalid(vk::VuidIndex rule, VkObjectType type, uint64_t handle, const messages::Location& where);
  void ReportForeign(vk::VuidIndex rule, const dispatch::Slot& slot, Ancestor kind, const messages::Location& where,
                     std::string_view other);

  const HandleRules& rules_;
  dispatch::Instance& instance_;
  dispatch::Device* const device_;
  const void* const call_;
  messages::Report& report_;
  Recording* const recording_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_
