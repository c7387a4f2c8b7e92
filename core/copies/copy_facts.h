// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COPIES_COPY_FACTS_H_
#define ASSAY_CORE_COPIES_COPY_FACTS_H_

#include <cstdint>
#include <vector>

#include "core/formats/format_features.h"
#include "dispatch/dispatch.h"
#include "vk/vulkan.h"

// Private to the package: what the rules of copies ask of a device.
namespace assay::core {

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
