// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_PARAMETERS_DEPTH_REGIONS_H_
#define ASSAY_GPUAV_PARAMETERS_DEPTH_REGIONS_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/parameters/parameter_faults.h"
#include "vk/commands.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

// The rule of depths that a command copies from a buffer to an image: without VK_EXT_depth_range_unrestricted, they are
// between 0 and 1. Only depths that are floats can be others.
namespace assay::gpuav {

bool HasFloatDepths(VkFormat format);

// A region of such a copy.
struct DepthRegion {
  // In pRegions.
  uint32_t index = 0;
  // Bytes, in the buffer.
  VkDeviceSize offset = 0;
  // From the first texel to behind the last one that is looked at.
  VkDeviceSize bytes = 0;
  // Texels in the buffer: from one row to the next, and rows from one slice or layer to the next.
  uint32_t row_length = 0;
  uint32_t image_height = 0;
  // What is written. Either the extent has one slice, or there is one layer.
  VkOffset3D origin = {};
  VkExtent3D extent = {};
  uint32_t layers = 0;
  uint32_t first_layer = 0;
  uint32_t mip_level = 0;
};

// Nothing if the region is of another aspect, has no texels, or is not in the buffer, of which this is the size.
std::optional<DepthRegion> DepthRegionOf(const VkBufferImageCopy& region, uint32_t index,
                                         const VkImageCreateInfo& image, VkDeviceSize buffer_size);

// `words` has the bytes of all regions, one behind the other. The byte of the fault is that in the buffer. NaN is not
// between 0 and 1.
std::vector<ParameterFault> FindDepthFaults(vk::CommandId command, absl::Span<const DepthRegion> regions,
                                            absl::Span<const uint32_t> words);

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_PARAMETERS_DEPTH_REGIONS_H_
