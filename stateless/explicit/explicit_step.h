// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
#define ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_

#include <cstdint>

#include "vk/rules/explicit_rule_info.h"
#include "vk/vulkan.h"

namespace assay::stateless {

// One test of one number.
struct ExplicitStep {
  // Bytes from the beginning of the structure; of the number.
  uint32_t offset = 0;
  uint8_t size = 0;
  bool is_signed = false;
  vk::ExplicitTest test{};
  // Bytes of the number at plus_offset that is added; 0 for none.
  uint8_t plus_size = 0;
  uint32_t plus_offset = 0;
  // The structure that, if it is in the chain, has the number instead: 64 bits after its pNext.
  VkStructureType replaced_by = VK_STRUCTURE_TYPE_MAX_ENUM;
  // The mask of a test of bits, the only operand of others; those of kOneOf and kNoneOf are in a list.
  uint64_t operand = 0;
  uint32_t first_value = 0;
  uint32_t value_count = 0;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_EXPLICIT_EXPLICIT_STEP_H_
