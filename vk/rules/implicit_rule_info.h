// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_IMPLICIT_RULE_INFO_H_
#define ASSAY_VK_RULES_IMPLICIT_RULE_INFO_H_

#include <cstdint>
#include <span>

#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

// The implicit valid-usage rules about one member of a structure or one parameter of a command. There is no rule
// without an id in the registry.
namespace assay::vk {

enum class ImplicitRuleKind : uint8_t {
  // sType is the structure's own.
  kStructureType,
  // The pNext chain has only structures that may extend this one.
  kNext,
  // No two structures of the chain have the same sType, except those that may.
  kUnique,
  // The requirement depends on the member's kind: a handle is not null, an enumerant or a combination of flag bits is
  // known, a pointer leads to the right number of valid elements, a string is UTF-8.
  kParameter,
  // The length of an array is not 0. The member is the length, or with kMemberOfPointee the array.
  kLength,
  // Flags are not 0.
  kRequiredBitmask,
  // Flags are 0.
  kZeroBitmask,
};

enum ImplicitRuleFlag : uint8_t {
  // kParameter: null, or 0, is valid too. kLength: 0 is valid while every optional array of the length is null.
  kRuleOptional = 1,
  // Handles in the array may be null.
  kRuleNullableElements = 2,
};

struct ImplicitRuleInfo {
  static constexpr uint8_t kNoAlternative = 0xff;

  VuidIndex vuid;
  // Index into StructInfo::members.
  uint8_t member;
  // If the member is a union: index of the union's member that the rule is about. The rule applies when the selector
  // selects it.
  uint8_t alternative;
  ImplicitRuleKind kind;
  // Bits of ImplicitRuleFlag.
  uint8_t flags;
};

// In the order of the members, and of ImplicitRuleKind for each. structure must be an element of Structs().
std::span<const ImplicitRuleInfo> ImplicitRulesOf(const StructInfo& structure);
std::span<const ImplicitRuleInfo> ImplicitRulesOf(CommandId command);

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_IMPLICIT_RULE_INFO_H_
