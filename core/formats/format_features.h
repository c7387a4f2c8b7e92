// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_
#define ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>

#include "dispatch/dispatch.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"

// What a device can do with images of a format: copy, blit, filter, access atomically. Several rooms ask, each for the
// formats that commands meet, so that the answers are kept. Formats do not change while a device lives, and few of them
// are used.
namespace assay::core {

// The features of formats. The driver is asked once for each format, by whichever thread comes first.
class FormatFeatures {
 public:
  explicit FormatFeatures(const dispatch::Device& device);

  // Nothing where they depend on more than format and tiling.
  std::optional<VkFormatFeatureFlags> Of(const vk::FormatInfo& format, VkImageTiling tiling) const;
  // All features of linear images. The driver is asked each time.
  std::optional<VkFormatFeatureFlags2> OfLinear(const vk::FormatInfo& format) const;

 private:
  // Not among those of any format.
  static constexpr uint64_t kUnknown = ~uint64_t{0};

  const dispatch::Device& device_;
  // By format: the features of linear images in the upper half, those of optimal images in the lower.
  const std::unique_ptr<std::atomic<uint64_t>[]> features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_
