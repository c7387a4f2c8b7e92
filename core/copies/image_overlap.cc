// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/image_overlap.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace assay::core {

ImageArea::ImageArea(const CopiedImage& image, const VkImageSubresourceLayers& layers,
                     const std::array<int64_t, 3>& offset, const std::array<int64_t, 3>& extent)
    : aspects(layers.aspectMask), level(layers.mipLevel) {
  begin[0] = layers.baseArrayLayer;
  end[0] = begin[0] + image.LayerCount(layers);
  for (size_t i = 0; i < 3; ++i) {
    begin[i + 1] = std::min(offset[i], offset[i] + extent[i]);
    end[i + 1] = std::max(offset[i], offset[i] + extent[i]);
  }
}

bool ImageArea::Overlaps(const ImageArea& other) const {
  if ((aspects & other.aspects) == 0 || level != other.level) return false;
  for (size_t i = 0; i < 4; ++i) {
    if (std::max(begin[i], other.begin[i]) >= std::min(end[i], other.end[i])) return false;
  }
  return true;
}

void CheckImageOverlap(const CopyCheck& check, const CopiedImage& image, const ImageAreas& read,
                       const ImageAreas& written, vk::VuidIndex rule, const messages::Location& parameter) {
  for (uint32_t i = 0; i < written.size(); ++i) {
    for (uint32_t j = 0; j < read.size(); ++j) {
      if (!written[i].Overlaps(read[j])) [[likely]]
        continue;
      return check.Require(false, rule, image.object, parameter.Dot("pRegions", i), [&] {
        return std::pair(absl::StrCat("writes texels of ", check.report().reporter().Describe(image.object),
                                      " that pRegions[", j, "] reads."),
                         "");
      });
    }
  }
}

}  // namespace assay::core
