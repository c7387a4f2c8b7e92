// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_DESCRIPTORS_BUFFER_RANGES_H_
#define ASSAY_GPUAV_DESCRIPTORS_BUFFER_RANGES_H_

#include <cstddef>
#include <map>
#include <optional>

#include "absl/container/flat_hash_map.h"
#include "spirv_instrument/runtime/address_table.h"
#include "vk/vulkan.h"

namespace assay::gpuav {

// The device addresses of live buffers, which may overlap. Not thread-safe.
class BufferRanges {
 public:
  // False if the buffer is there already.
  bool Add(VkBuffer buffer, const spirv_instrument::AddressRange& range);
  // Nothing if the buffer is not there.
  std::optional<spirv_instrument::AddressRange> Remove(VkBuffer buffer);
  // Whether a buffer has this address.
  bool Has(VkDeviceAddress address) const;

  size_t size() const { return buffers_.size(); }

 private:
  absl::flat_hash_map<VkBuffer, spirv_instrument::AddressRange> buffers_;
  // Where ranges end, by where they begin. None is longer than longest_.
  std::multimap<VkDeviceAddress, VkDeviceAddress> ends_;
  VkDeviceSize longest_ = 0;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_DESCRIPTORS_BUFFER_RANGES_H_
