// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/descriptors/buffer_ranges.h"

#include <algorithm>

namespace assay::gpuav {

using spirv_instrument::AddressRange;

bool BufferRanges::Add(VkBuffer buffer, const AddressRange& range) {
  if (!buffers_.try_emplace(buffer, range).second) return false;
  ends_.emplace(range.begin, range.begin + range.size);
  longest_ = std::max<VkDeviceSize>(longest_, range.size);
  return true;
}

std::optional<AddressRange> BufferRanges::Remove(VkBuffer buffer) {
  const auto node = buffers_.extract(buffer);
  if (node.empty()) return std::nullopt;
  const AddressRange range = node.mapped();
  const auto [first, end] = ends_.equal_range(range.begin);
  ends_.erase(std::find_if(first, end, [&](const auto& at) { return at.second == range.begin + range.size; }));
  return range;
}

bool BufferRanges::Has(VkDeviceAddress address) const {
  for (auto at = ends_.upper_bound(address); at != ends_.begin();) {
    --at;
    if (at->second > address) return true;
    // Those before it end earlier still.
    if (address - at->first >= longest_) return false;
  }
  return false;
}

}  // namespace assay::gpuav
