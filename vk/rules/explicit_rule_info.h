// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
#define ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_

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

struct ExplicitTerm {
  static constexpr uint8_t kNoMember = 0xff;

  uint16_t first_operand;
  uint8_t operand_count;
  ExplicitTest test;
  // Index into StructInfo::members. If that member is an inline structure, inner is an index into its members.
  uint8_t member;
  uint8_t inner;
  // The member whose number is added, if any.
  uint8_t plus;
};

// A rule applies if all conditions hold, none of the absent features is enabled and all of the present ones are. Then
// all requirements must hold. A rule without requirements is violated whenever it applies.
struct ExplicitRuleInfo {
  VuidIndex vuid;
  // If not 0, the rule applies to instances of lower versions only.
  uint32_t before;
  uint16_t first_term;
  uint16_t first_feature;
  uint8_t condition_count;
  uint8_t requirement_count;
  uint8_t absent_count;
  uint8_t present_count;
};

std::span<const ExplicitRuleInfo> ExplicitRulesOf(const StructInfo& structure);
std::span<const ExplicitRuleInfo> ExplicitRulesOf(CommandId command);
std::span<const ExplicitTerm> Conditions(const ExplicitRuleInfo& rule);
std::span<const ExplicitTerm> Requirements(const ExplicitRuleInfo& rule);
std::span<const ExplicitOperand> Operands(const ExplicitTerm& term);
std::span<const FeatureId> AbsentFeatures(const ExplicitRuleInfo& rule);
std::span<const FeatureId> PresentFeatures(const ExplicitRuleInfo& rule);

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
