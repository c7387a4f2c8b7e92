// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/formats/format_features.h"

#include <cstddef>

#include "vk/commands.h"

namespace assay::core {

FormatFeatures::FormatFeatures(const dispatch::Device& device)
    : device_(device), features_(std::make_unique<std::atomic<uint64_t>[]>(vk::Formats().size())) {
  for (size_t i = 0; i < vk::Formats().size(); ++i) features_[i].store(kUnknown, std::memory_order_relaxed);
}

std::optional<VkFormatFeatureFlags> FormatFeatures::Of(const vk::FormatInfo& format, VkImageTiling tiling) const {
  if (tiling != VK_IMAGE_TILING_OPTIMAL && tiling != VK_IMAGE_TILING_LINEAR) return std::nullopt;
  std::atomic<uint64_t>& known = features_[&format - vk::Formats().data()];
  uint64_t features = known.load(std::memory_order_relaxed);
  if (features == kUnknown) {
    const auto get = dispatch::Next<vk::GetPhysicalDeviceFormatProperties>(device_.instance.next);
    if (get == nullptr) return std::nullopt;
    VkFormatProperties properties = {};
    get(device_.physical_device->handle, format.format, &properties);
    features = (uint64_t{properties.linearTilingFeatures} << 32) | properties.optimalTilingFeatures;
    known.store(features, std::memory_order_relaxed);
  }
  return static_cast<VkFormatFeatureFlags>(tiling == VK_IMAGE_TILING_LINEAR ? features >> 32 : features);
}

std::optional<VkFormatFeatureFlags2> FormatFeatures::OfLinear(const vk::FormatInfo& format) const {
  const auto get = dispatch::Next<vk::GetPhysicalDeviceFormatProperties2>(device_.instance.next);
  if (get == nullptr || !device_.Includes(vk::ExtensionId::kKhrFormatFeatureFlags2)) return std::nullopt;
  VkFormatProperties3 more = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
  VkFormatProperties2 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &more};
  get(device_.physical_device->handle, format.format, &properties);
  return more.linearTilingFeatures;
}

}  // namespace assay::core
