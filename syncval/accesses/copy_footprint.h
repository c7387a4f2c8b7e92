// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_COPY_FOOTPRINT_H_
#define ASSAY_SYNCVAL_ACCESSES_COPY_FOOTPRINT_H_

#include <array>
#include <cstdint>

#include "state/state.h"
#include "vk/vulkan.h"

// What copies touch, where the specification wants arithmetic to know: "Copying Data Between Buffers and Images" and
// "Copying Data Between Images".
namespace assay::syncval {

// Bytes of a buffer at regular distances: `count` runs of `length` bytes, each `stride` after the one before, and all
// of that again `repeats` times, `repeat_stride` apart. What lies between the runs is not touched.
struct Footprint {
  VkDeviceSize offset = 0;
  VkDeviceSize length = 0;
  uint64_t count = 0;
  VkDeviceSize stride = 0;
  uint64_t repeats = 1;
  VkDeviceSize repeat_stride = 0;

  // Calls f(offset, length) for each run inside of the first `size` bytes, joining those that touch. No more than
  // kMaxRuns times: a part is better than to take forever over bad input.
  static constexpr uint64_t kMaxRuns = 1u << 16;
  template <class F>
  void ForEach(VkDeviceSize size, F&& f) const;
};

// What the buffer's side of a copy between a buffer and an image is; Region is VkBufferImageCopy or VkBufferImageCopy2.
template <class Region>
Footprint BufferFootprint(const Region& region, const VkImageCreateInfo& image);

// The extent of a copy between images on the target's side: it is given in texels of the source, of which a block
// becomes a block.
VkExtent3D TargetExtent(const VkExtent3D& extent, VkFormat source, VkImageAspectFlags source_aspect, VkFormat target,
                        VkImageAspectFlags target_aspect);

template <class F>
void Footprint::ForEach(VkDeviceSize size, F&& f) const {
  if (length == 0) return;
  // Rows without gaps between are one run, and so are slices.
  Footprint joined = *this;
  if (joined.count > 1 && joined.stride == joined.length) {
    joined.length *= joined.count;
    joined.count = 1;
  }
  if (joined.count == 1 && joined.repeats > 1 && joined.repeat_stride == joined.length) {
    joined.length *= joined.repeats;
    joined.repeats = 1;
  }
  uint64_t runs = 0;
  for (uint64_t i = 0; i < joined.repeats; ++i) {
    for (uint64_t j = 0; j < joined.count; ++j) {
      const VkDeviceSize begin = joined.offset + i * joined.repeat_stride + j * joined.stride;
      if (begin >= size || ++runs > kMaxRuns) break;
      f(begin, joined.length);
    }
    if (joined.offset + i * joined.repeat_stride >= size || runs > kMaxRuns) return;
  }
}

extern template Footprint BufferFootprint(const VkBufferImageCopy& region, const VkImageCreateInfo& image);
extern template Footprint BufferFootprint(const VkBufferImageCopy2& region, const VkImageCreateInfo& image);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ACCESSES_COPY_FOOTPRINT_H_
