// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
#define ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_

#include <cstdint>
#include <span>
#include <string_view>

#include "vk/command_id.h"
#include "vk/struct_info.h"
#include "vk/vuid.h"

// Those explicit valid-usage rules whose sentence says nothing but tests of one structure's members, or one command's
// parameters, against numbers that the registry or the device knows: registry/explicit_rules.py reads them.
namespace assay::vk {

enum class ExplicitTest : uint8_t {
  // The number is, or is not, one of the operands.
  kOneOf,
  kNoneOf,
  // Flags have any of the bits, none of them, no others, not all of them.
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
  // The member is pNext, whose chain has the structure with that sType, or has not.
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

// A number, or what the device says that it is.
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
  // Index into StructInfo::members; and into those of the structure that this one is in line, if it is any.
  uint8_t member;
  uint8_t inner;
  // The member whose number is added, if any.
  uint8_t plus;
};

// While all conditions hold, none of the absent features and all of the present ones are enabled, all requirements must
// hold. Without requirements, that must not be.
struct ExplicitRuleInfo {
  VuidIndex vuid;
  // The rule is of instances with a lower version, if not 0.
  uint32_t before;
  uint16_t first_term;
  uint16_t first_feature;
  uint8_t condition_count;
  uint8_t requirement_count;
  uint8_t absent_count;
  uint8_t present_count;
};

// A member of VkPhysicalDeviceLimits, or of a structure that extends VkPhysicalDeviceProperties2.
struct LimitInfo {
  // "VkPhysicalDeviceLimits::maxViewports".
  std::string_view name;
  std::string_view struct_name;
  // VK_STRUCTURE_TYPE_MAX_ENUM for VkPhysicalDeviceLimits.
  VkStructureType structure_type;
  // Bytes.
  uint32_t offset;
  uint8_t size;
  // Of the array that the member is, if it is one.
  uint8_t index;
  bool is_array;
};

std::span<const ExplicitRuleInfo> ExplicitRulesOf(const StructInfo& structure);
std::span<const ExplicitRuleInfo> ExplicitRulesOf(CommandId command);
std::span<const ExplicitTerm> Conditions(const ExplicitRuleInfo& rule);
std::span<const ExplicitTerm> Requirements(const ExplicitRuleInfo& rule);
std::span<const ExplicitOperand> Operands(const ExplicitTerm& term);
// "sparseBinding"; with the name of its structure and :: before it where the name alone would not do.
std::span<const std::string_view> AbsentFeatures(const ExplicitRuleInfo& rule);
std::span<const std::string_view> PresentFeatures(const ExplicitRuleInfo& rule);
std::span<const LimitInfo> Limits();

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_EXPLICIT_RULE_INFO_H_
