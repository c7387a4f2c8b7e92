// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_FORMATS_SHADING_RATE_SIZES_H_
#define ASSAY_CORE_FORMATS_SHADING_RATE_SIZES_H_

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "vk/vuid.h"
#include "vk/vulkan.h"

namespace assay::core {

// The rules of one side of shadingRateAttachmentTexelSize.
struct TexelSizeIds {
  vk::VuidIndex power_of_two;
  vk::VuidIndex most;
  vk::VuidIndex least;
  // Not too many times the other side.
  vk::VuidIndex ratio;
};

// Calls require(is_right, id, text) for the rules of both sides, width first. `limits`: null if they are not known.
template <class F>
void CheckTexelSize(const VkPhysicalDeviceFragmentShadingRatePropertiesKHR* limits, VkExtent2D size,
                    const std::array<TexelSizeIds, 2>& ids, const F& require) {
  constexpr uint32_t VkExtent2D::* kSides[] = {&VkExtent2D::width, &VkExtent2D::height};
  constexpr std::string_view kNames[] = {"width ", "height "};
  for (size_t i = 0; i < ids.size(); ++i) {
    const uint32_t side = size.*kSides[i];
    const std::string has = absl::StrCat("has shadingRateAttachmentTexelSize.", kNames[i], side);
    require(std::has_single_bit(side), ids[i].power_of_two, absl::StrCat(has, ", which is not a power of two."));
    if (limits == nullptr || side == 0) continue;
    const uint32_t most = limits->maxFragmentShadingRateAttachmentTexelSize.*kSides[i];
    const uint32_t least = limits->minFragmentShadingRateAttachmentTexelSize.*kSides[i];
    require(side <= most || most == 0, ids[i].most, absl::StrCat(has, ", which is more than ", most, "."));
    require(side >= least, ids[i].least, absl::StrCat(has, ", which is less than ", least, "."));
    const uint32_t other = size.*kSides[1 - i];
    const uint32_t ratio = limits->maxFragmentShadingRateAttachmentTexelSizeAspectRatio;
    require(other == 0 || ratio == 0 || side / other <= ratio, ids[i].ratio,
            absl::StrCat(has, ", which is more than ", ratio, " times the other side."));
  }
}

}  // namespace assay::core

#endif  // ASSAY_CORE_FORMATS_SHADING_RATE_SIZES_H_
