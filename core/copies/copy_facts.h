// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPY_FACTS_H_
#define ASSAY_CORE_COPIES_COPY_FACTS_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "dispatch/dispatch.h"
#include "vk/format_info.h"
#include "vk/vulkan.h"

// Private to the package: what the rules of copies ask of a device.
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

// The layouts that images may be in when the host copies from and to them. Empty where they are not known.
struct HostCopyLayouts {
  explicit HostCopyLayouts(const dispatch::Device& device);

  std::vector<VkImageLayout> sources;
  std::vector<VkImageLayout> targets;
};

struct CopyFacts {
  explicit CopyFacts(const dispatch::Device& of);

  const dispatch::Device& device;
  // VkPhysicalDeviceProtectedMemoryProperties::protectedNoFault.
  const bool protected_no_fault;
  // Whether formats tell if images can be copied.
  const bool has_transfer_features;
  // Neither Vulkan 1.1 nor VK_KHR_maintenance1.
  const bool is_oldest;
  const bool maintenance5;
  const bool maintenance8;
  const bool host_image_copy;
  const FormatFeatures features;
  const HostCopyLayouts host_layouts;
};

}  // namespace assay::core

#endif  // ASSAY_CORE_COPIES_COPY_FACTS_H_
