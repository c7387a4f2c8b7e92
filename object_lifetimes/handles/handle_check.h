// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_
#define ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_

#include <cstdint>
#include <string_view>

#include "dispatch/dispatch.h"
#include "messages/messages.h"
#include "object_lifetimes/rules/handle_rules.h"
#include "vk/struct_info.h"

namespace assay::object_lifetimes {

// Checks every handle that a call's parameters lead to, and reports those that violate a rule. VK_NULL_HANDLE violates
// none here: stateless checks where it is allowed. Pointers that the specification calls ignored are not followed.
class HandleCheck {
 public:
  // device is null for a call on an instance or physical device. Valid handles are noted in the recording, if it is not
  // null.
  HandleCheck(const HandleRules& rules, dispatch::Instance& instance, dispatch::Device* device, const void* call,
              messages::Report& report, dispatch::Recording* recording = nullptr)
      : rules_(rules), instance_(instance), device_(device), call_(call), report_(report), recording_(recording) {}

  void Run();

 private:
  // The object that all handles of one structure must be from, as far as it is known.
  struct Common {
    const StructRules& rules;
    const void* base;
    // Null until the first handle; for a command's parameters, the object that it is dispatched on.
    const void* ancestor = nullptr;
    std::string_view first_member;
    // One message for each structure, however many of its handles differ.
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
  void CheckImageInfos(const void* structure, const messages::Location& where);

  // The object of that kind that the slot's object is from; null if it is unknown.
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
  dispatch::Recording* const recording_;
};

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_HANDLES_HANDLE_CHECK_H_
