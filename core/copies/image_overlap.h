// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_
#define ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_

#include <array>
#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/strings/str_cat.h"
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

// Reports layouts that do not let a command read and write the same subresources of an image. `info` has this image as
// both srcImage and dstImage.
template <class Info>
void CheckOneImageLayouts(const CopyCheck& check, const CopiedImage& image, const Info& info, vk::VuidIndex rule,
                          const messages::Location& parameter) {
  const auto is_general = [](VkImageLayout layout) {
    return layout == VK_IMAGE_LAYOUT_GENERAL || layout == VK_IMAGE_LAYOUT_SHARED_PRESENT_KHR;
  };
  if (is_general(info.srcImageLayout) && is_general(info.dstImageLayout)) return;
  for (uint32_t i = 0; info.pRegions != nullptr && i < info.regionCount; ++i) {
    const VkImageSubresourceLayers& from = info.pRegions[i].srcSubresource;
    const VkImageSubresourceLayers& to = info.pRegions[i].dstSubresource;
    const bool shares_layers = uint64_t{from.baseArrayLayer} < uint64_t{to.baseArrayLayer} + image.LayerCount(to) &&
                               uint64_t{to.baseArrayLayer} < uint64_t{from.baseArrayLayer} + image.LayerCount(from);
    if (from.mipLevel != to.mipLevel || (from.aspectMask & to.aspectMask) == 0 || !shares_layers) continue;
    return ImageReports(check, image, parameter).Must(false, rule, "srcImageLayout", [&] {
      return absl::StrCat("and dstImageLayout must be VK_IMAGE_LAYOUT_GENERAL, as pRegions[", i,
                          "] reads and writes the same subresources of ", image.names.image, ".");
    });
  }
}

// Reports the first area that is written and also read.
void CheckImageOverlap(const CopyCheck& check, const CopiedImage& image, const ImageAreas& read,
                       const ImageAreas& written, vk::VuidIndex rule, const messages::Location& parameter);

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_IMAGE_OVERLAP_H_
