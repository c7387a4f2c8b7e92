// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_

#include <cstdint>

#include "vk/rules/explicit_rule_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// One test of one number of a structure.
struct ExplicitStep {
  // The number's offset and size in bytes.
  uint32_t offset = 0;
  uint8_t size = 0;
  bool is_signed = false;
  vk::ExplicitTest test{};
  // The size in bytes of the number at plus_offset, which is added; 0 for none.
  uint8_t plus_size = 0;
  uint32_t plus_offset = 0;
  // A structure that holds the number instead if it is in the pNext chain: 64 bits after its pNext.
  VkStructureType replaced_by = VK_STRUCTURE_TYPE_MAX_ENUM;
  // The mask of a test of bits, or the only operand of another test. The operands of kOneOf and kNoneOf are in a list.
  uint64_t operand = 0;
  uint32_t first_value = 0;
  uint32_t value_count = 0;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
