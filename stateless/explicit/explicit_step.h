// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_

#include <cstdint>

#include "stateless/explicit/explicit_bases.h"
#include "vk/rules/explicit_rule_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// One test of one number.
struct ExplicitStep : ExplicitNumber {
  vk::ExplicitTest test{};
  ExplicitNumber plus;
  // The operand, if it is a number too.
  ExplicitNumber other;
  // A structure that holds the number instead if it is in the pNext chain: 64 bits after its pNext.
  VkStructureType replaced_by = VK_STRUCTURE_TYPE_MAX_ENUM;
  // The mask of a test of bits, or the only operand of another test. The operands of kOneOf and kNoneOf are in a list.
  uint64_t operand = 0;
  uint32_t first_value = 0;
  uint32_t value_count = 0;
};

// The structure that replaces the member if it is in the pNext chain; VK_STRUCTURE_TYPE_MAX_ENUM if none does.
VkStructureType ReplacedBy(const vk::StructInfo& info, const vk::MemberInfo& member);

// The number with what is added to it, and the number with which it is compared.
uint64_t LoadNumber(const ExplicitStep& step, const ExplicitBases& bases);
uint64_t OperandOf(const ExplicitStep& step, const ExplicitBases& bases);

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
