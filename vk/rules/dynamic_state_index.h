// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_RULES_DYNAMIC_STATE_INDEX_H_
#define ASSAY_VK_RULES_DYNAMIC_STATE_INDEX_H_

// The index of a dynamic state in kDynamicStates, without a search: pipelines ask for it hundreds of times. A constant
// state is folded to a constant.

#include <array>
#include <cstddef>
#include <cstdint>

#include "vk/dynamic_state_rules.h"
#include "vk/rules/dynamic_state_rule_info.h"
#include "vk/vulkan.h"

namespace assay::vk {
namespace dynamic_state_index {

// A slot of the table for each product; no two states share one.
inline constexpr int kShift = 32 - 9;
struct Table {
  uint32_t factor = 0;
  std::array<uint8_t, 1u << (32 - kShift)> indices = {};
};

constexpr size_t SlotOf(VkDynamicState state, uint32_t factor) {
  return (static_cast<uint32_t>(state) * factor) >> kShift;
}

constexpr bool Fill(Table& table, uint32_t factor) {
  table.factor = factor;
  table.indices.fill(kNoDynamicState);
  for (size_t i = 0; i < kDynamicStateCount; ++i) {
    uint8_t& index = table.indices[SlotOf(kDynamicStates[i], factor)];
    if (index != kNoDynamicState) return false;
    index = static_cast<uint8_t>(i);
  }
  return true;
}

constexpr Table Make() {
  Table table;
  // Odd multiples of the golden ratio, until one keeps the states apart.
  uint32_t factor = 0x9e3779b1;
  while (!Fill(table, factor)) factor += 0x3c6ef362;
  return table;
}

inline constexpr Table kTable = Make();

}  // namespace dynamic_state_index

// kNoDynamicState for a state that the registry does not have.
constexpr uint8_t DynamicStateIndex(VkDynamicState state) {
  using dynamic_state_index::kTable;
  const uint8_t index = kTable.indices[dynamic_state_index::SlotOf(state, kTable.factor)];
  return index != kNoDynamicState && kDynamicStates[index] == state ? index : kNoDynamicState;
}

}  // namespace assay::vk

#endif  // ASSAY_VK_RULES_DYNAMIC_STATE_INDEX_H_
