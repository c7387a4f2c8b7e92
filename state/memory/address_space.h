// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_MEMORY_ADDRESS_SPACE_H_
#define ASSAY_STATE_MEMORY_ADDRESS_SPACE_H_

#include <algorithm>
#include <atomic>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "state/image/subresource_encoder.h"

namespace assay::state {

// Gives out regions of one flat 64-bit address space. In it, every byte that Vulkan commands can touch has an address
// of its own. No region is given out twice: at a terabyte a second, the space lasts for half a year.
class AddressSpace {
 public:
  // Bytes. No memory is that large. A larger size, which only an invalid call can have, is cut to this, so that no
  // address wraps around.
  static constexpr uint64_t kMaxRegion = uint64_t{1} << 50;

  // The address of a region of `size` bytes, aligned to 256 and with a gap before the next region; never 0.
  uint64_t Allocate(uint64_t size) {
    size = std::min(size, kMaxRegion);
    return next_.fetch_add(((size + 255) & ~uint64_t{255}) + 256, std::memory_order_relaxed);
  }

 private:
  std::atomic<uint64_t> next_{256};
};

// Ranges of the AddressSpace.
using AddressRanges = absl::InlinedVector<ByteRange, 4>;

}  // namespace assay::state

#endif  // ASSAY_STATE_MEMORY_ADDRESS_SPACE_H_
