// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_RULES_DESTROY_RULES_H_
#define ASSAY_OBJECT_LIFETIMES_RULES_DESTROY_RULES_H_

#include "object_lifetimes/rules/handle_rules.h"
#include "vk/command_info.h"

namespace assay::object_lifetimes {

// The rules of a command that destroys objects, found by the sentences of its explicit valid usage.
struct DestroyRules {
  // The parameter with the destroyed objects, and pAllocator; null if there is none.
  const vk::MemberInfo* object = nullptr;
  const vk::MemberInfo* allocator = nullptr;
  // "If VkAllocationCallbacks were provided when …, a compatible set of callbacks must be provided here".
  vk::VuidIndex with_allocator = vk::kNoVuid;
  // "If no VkAllocationCallbacks were provided when …, pAllocator must be NULL".
  vk::VuidIndex without_allocator = vk::kNoVuid;
  // "All child objects created … must have been destroyed prior to …".
  vk::VuidIndex children = vk::kNoVuid;
};

// Built at the first call. All is empty for commands that destroy nothing.
const DestroyRules& DestroyRulesOf(vk::CommandId command);

// Whether an application must destroy objects of the type with a command.
bool IsDestroyedByApplication(VkObjectType type);

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_RULES_DESTROY_RULES_H_
