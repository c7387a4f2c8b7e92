// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ACCESSES_COPY_FOOTPRINT_H_
#define ASSAY_SYNCVAL_ACCESSES_COPY_FOOTPRINT_H_

#include <array>
#include <cstdint>

#include "state/state.h"
#include "vk/vulkan.h"

// The bytes and texels that copies access: "Copying Data Between Buffers and Images" and "Copying Data Between Images".
namespace assay::syncval {

// Bytes of a buffer at regular distances: `count` runs of `length` bytes, `stride` bytes from one to the next, and all
// of that `repeats` times, `repeat_stride` bytes apart. The bytes between the runs are not accessed.
struct Footprint {
  VkDeviceSize offset = 0;
  VkDeviceSize length = 0;
  uint64_t count = 0;
  VkDeviceSize stride = 0;
  uint64_t repeats = 1;
  VkDeviceSize repeat_stride = 0;

  // Calls f(offset, length) for each run inside of the first `size` bytes, and joins adjacent runs. Calls it at most
  // kMaxRuns times, so that bad input does not take forever.
  static constexpr uint64_t kMaxRuns = 1u << 16;
  template <class F>
  void ForEach(VkDeviceSize size, F&& f) const;
};

// The buffer's side of a copy between a buffer and an image. Region is VkBufferImageCopy or VkBufferImageCopy2.
template <class Region>
Footprint BufferFootprint(const Region& region, const VkImageCreateInfo& image);

// The extent of a copy between images, in texels of the target. The call gives it in texels of the source; one texel
// block of the source becomes one of the target.
VkExtent3D TargetExtent(const VkExtent3D& extent, VkFormat source, VkImageAspectFlags source_aspect, VkFormat target,
                        VkImageAspectFlags target_aspect);

template <class F>
void Footprint::ForEach(VkDeviceSize size, F&& f) const {
  if (length == 0) return;
  // Rows without gaps between them are one run, and so are slices.
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
