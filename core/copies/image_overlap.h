// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_
#define ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_

#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "core/copies/copied_image.h"
#include "core/copies/copy_check.h"

// Private to the package: texels of one image that are read and written at once.
namespace assay::core {

// Texels of one level.
struct ImageArea {
  // Negative extents reach back from the offset, as in blits.
  ImageArea(const CopiedImage& image, const VkImageSubresourceLayers& layers, const std::array<int64_t, 3>& offset,
            const std::array<int64_t, 3>& extent);

  bool Overlaps(const ImageArea& other) const;

  VkImageAspectFlags aspects;
  uint32_t level;
  // The layers, and the three axes: [begin, end).
  std::array<int64_t, 4> begin;
  std::array<int64_t, 4> end;
};
using ImageAreas = absl::InlinedVector<ImageArea, 4>;

// Reports the first area that is written and also read.
void CheckImageOverlap(const CopyCheck& check, const CopiedImage& image, const ImageAreas& read,
                       const ImageAreas& written, vk::VuidIndex rule, const messages::Location& parameter);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_
