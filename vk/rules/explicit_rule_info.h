// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
#define ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_

#include <array>
#include <cstdint>
#include <span>

#include "vk/command_id.h"
#include "vk/feature_id.h"
#include "vk/rules/limit_info.h"  // IWYU pragma: export
#include "vk/struct_info.h"
#include "vk/vuid.h"

// Explicit valid-usage rules that registry/explicit_rules.py can read: their sentences only test members of one
// structure, or parameters of one command, against numbers that the registry or the device knows.
namespace assay::vk {

enum class ExplicitTest : uint8_t {
  // The number is, or is not, one of the operands.
  kOneOf,
  kNoneOf,
  // Flags have any of the bits; none of them; no others; not all of them.
  kAnyBits,
  kNoBits,
  kOnlyBits,
  kNotAll,
  kMultipleOf,
  kAtLeast,
  kAtMost,
  kBelow,
  kPowerOfTwo,
  kSingleBit,
  // The VkPipelineDynamicStateCreateInfo that the member points to, if any, does not have the state.
  kNoDynamicState,
  // The member is pNext, and its chain has the structure with that sType; or it does not.
  kHasLink,
  kHasNoLink,
  // The VkFormat is of one of the kinds: bits of FormatKind.
  kFormatKind,
  // The limit or property is 0. There is no place.
  kNoLimit,
};

enum FormatKind : uint8_t {
  kColorFormat = 1,
  kDepthFormat = 2,
  kStencilFormat = 4,
  kDepthStencilFormat = 8,
};

// A number, or a limit of the device.
struct ExplicitOperand {
  static constexpr uint16_t kNoLimit = 0xffff;

  int64_t value;
  // Index into Limits().
  uint16_t limit;
};

// A way from a structure to others: to what a pointer leads to, or a structure in the pNext chain.
struct ExplicitHop {
  static constexpr int8_t kEach = -1;

  // The structure: 0 for the rule's owner, n for that to which the n-th hop of the rule leads.
  uint8_t origin;
  // Index of the pointer.
  uint8_t member;
  // Of an array: each element, or only the one with that index.
  int8_t element;
  // If it is not 0, the structure in the chain.
  VkStructureType link;
};

// Where a number is: in a structure (ExplicitHop::origin), and then in inline structures in it.
struct ExplicitPlace {
  static constexpr uint8_t kNoMember = 0xff;

  uint8_t base;
  // Indices of members. Without any, the number is itself an element of the last hop's array.
  std::array<uint8_t, 4> path;

  bool operator==(const ExplicitPlace&) const = default;
};

struct ExplicitTerm {
  uint16_t first_operand;
  uint8_t operand_count;
  ExplicitTest test;
  ExplicitPlace place;
  // Of the number that is added, and of that which is the operand; without a path if there is none.
  ExplicitPlace plus;
  ExplicitPlace other;

  bool has_plus() const { return plus.path[0] != ExplicitPlace::kNoMember; }
  bool has_other() const { return other.path[0] != ExplicitPlace::kNoMember; }
};

// A rule applies if all conditions hold, none of the absent features is enabled and all of the present ones are. Then
// all requirements must hold. A rule without requirements is violated whenever it applies. A rule with hops is about
// each combination of structures and elements to which they lead.
struct ExplicitRuleInfo {
  VuidIndex vuid;
  // If not 0, the rule applies to instances of lower versions only.
  uint32_t before;
  uint16_t first_term;
  uint16_t first_feature;
  uint16_t first_hop;
  uint8_t condition_count;
  uint8_t requirement_count;
  uint8_t absent_count;
  uint8_t present_count;
  uint8_t hop_count;
};

std::span<const ExplicitRuleInfo> ExplicitRulesOf(const StructInfo& structure);
std::span<const ExplicitRuleInfo> ExplicitRulesOf(CommandId command);
std::span<const ExplicitHop> Hops(const ExplicitRuleInfo& rule);
std::span<const ExplicitTerm> Conditions(const ExplicitRuleInfo& rule);
std::span<const ExplicitTerm> Requirements(const ExplicitRuleInfo& rule);
std::span<const ExplicitOperand> Operands(const ExplicitTerm& term);
std::span<const FeatureId> AbsentFeatures(const ExplicitRuleInfo& rule);
std::span<const FeatureId> PresentFeatures(const ExplicitRuleInfo& rule);

// The structure with the number, of the rule's owner and its hops.
const StructInfo& StructAt(const StructInfo& owner, const ExplicitRuleInfo& rule, uint8_t base);
// The first member on a place's path, the last and its structure, and the bytes from the base to the last. Of an
// element, the array. Without a place, no members.
struct ExplicitTarget {
  const MemberInfo* outer = nullptr;
  const MemberInfo* member = nullptr;
  const StructInfo* info = nullptr;
  uint32_t offset = 0;
};
ExplicitTarget TargetOf(const StructInfo& owner, const ExplicitRuleInfo& rule, const ExplicitPlace& place);

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
