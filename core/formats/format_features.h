// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_
#define ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_

#include <array>
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

  // Of images. Nothing where they depend on more than format and tiling.
  std::optional<VkFormatFeatureFlags2> Of(const vk::FormatInfo& format, VkImageTiling tiling) const;
  std::optional<VkFormatFeatureFlags2> OfBuffers(const vk::FormatInfo& format) const { return Of(format, kBuffers); }
  // Of images of any tiling ("potential format features"). Nothing where images may have DRM format modifiers, whose
  // features are others.
  std::optional<VkFormatFeatureFlags2> Potential(VkFormat format) const;
  // Whether the features say if a format has this one. VkFormatFeatureFlags, all that older devices have, lack some.
  bool Know(VkFormatFeatureFlags2 feature) const { return has_all_ || feature <= kOldest; }

 private:
  enum Kind : uint8_t { kLinear, kOptimal, kBuffers, kKinds };
  // Not among those of any format.
  static constexpr uint64_t kUnknown = ~uint64_t{0};
  static constexpr VkFormatFeatureFlags2 kOldest = 0x7fffffff;
  struct Features {
    std::array<std::atomic<uint64_t>, kKinds> of;
  };

  std::optional<VkFormatFeatureFlags2> Of(const vk::FormatInfo& format, Kind kind) const;
  bool Query(VkFormat format, Features& out) const;

  const dispatch::Device& device_;
  // Whether the driver has VkFormatProperties3.
  const bool has_all_;
  const std::unique_ptr<Features[]> features_;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_FORMATS_FORMAT_FEATURES_H_
