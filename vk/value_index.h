// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_VALUE_INDEX_H_
#define ASSAY_VK_VALUE_INDEX_H_

#include <cstddef>
#include <cstdint>
#include <span>

namespace assay::vk {

// A constant-time map from an enumerant to a small number. Enumerants of core are small numbers; those of the extension
// with number n are 1000000000 + (n - 1) * 1000 + offset. So the values fall into blocks: 0 for core, n for an
// extension.
struct ValueIndex {
  // The first slot of each block, and one more.
  std::span<const uint16_t> starts;
  std::span<const uint16_t> slots;

  static constexpr uint16_t kNone = 0xffff;

  constexpr uint16_t Find(int64_t value) const {
    const int64_t extension_value = value - 1000000000;
    const size_t block = extension_value < 0 ? 0 : static_cast<size_t>(extension_value / 1000 + 1);
    if (value < 0 || block + 1 >= starts.size()) return kNone;
    const size_t slot = starts[block] + static_cast<size_t>(block == 0 ? value : extension_value % 1000);
    return slot < starts[block + 1] ? slots[slot] : kNone;
  }
};

}  // namespace assay::vk

#endif  // ASSAY_VK_VALUE_INDEX_H_
