// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/formats/format_features.h"

#include <cstddef>

#include "vk/commands.h"

namespace assay::core {

FormatFeatures::FormatFeatures(const dispatch::Device& device)
    : device_(device),
      has_all_(device.Includes(vk::ExtensionId::kKhrFormatFeatureFlags2) &&
               dispatch::Next<vk::GetPhysicalDeviceFormatProperties2>(device.instance.next) != nullptr),
      features_(std::make_unique<Features[]>(vk::Formats().size())) {
  for (size_t i = 0; i < vk::Formats().size(); ++i) {
    for (std::atomic<uint64_t>& features : features_[i].of) features.store(kUnknown, std::memory_order_relaxed);
  }
}

bool FormatFeatures::Query(VkFormat format, Features& out) const {
  const VkPhysicalDevice physical_device = device_.physical_device->handle;
  VkFormatProperties3 properties = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_3};
  if (has_all_) {
    VkFormatProperties2 older = {.sType = VK_STRUCTURE_TYPE_FORMAT_PROPERTIES_2, .pNext = &properties};
    dispatch::Next<vk::GetPhysicalDeviceFormatProperties2>(device_.instance.next)(physical_device, format, &older);
  } else {
    const auto get = dispatch::Next<vk::GetPhysicalDeviceFormatProperties>(device_.instance.next);
    if (get == nullptr) return false;
    VkFormatProperties oldest = {};
    get(physical_device, format, &oldest);
    properties.linearTilingFeatures = oldest.linearTilingFeatures;
    properties.optimalTilingFeatures = oldest.optimalTilingFeatures;
    properties.bufferFeatures = oldest.bufferFeatures;
  }
  out.of[kLinear].store(properties.linearTilingFeatures, std::memory_order_relaxed);
  out.of[kOptimal].store(properties.optimalTilingFeatures, std::memory_order_relaxed);
  out.of[kBuffers].store(properties.bufferFeatures, std::memory_order_relaxed);
  return true;
}

std::optional<VkFormatFeatureFlags2> FormatFeatures::Of(const vk::FormatInfo& format, Kind kind) const {
  Features& all = features_[&format - vk::Formats().data()];
  if (all.of[kind].load(std::memory_order_relaxed) == kUnknown && !Query(format.format, all)) return std::nullopt;
  return all.of[kind].load(std::memory_order_relaxed);
}

std::optional<VkFormatFeatureFlags2> FormatFeatures::Potential(VkFormat format) const {
  const vk::FormatInfo* const info = vk::GetFormatInfo(format);
  if (info == nullptr || device_.IsEnabled(vk::ExtensionId::kExtImageDrmFormatModifier)) return std::nullopt;
  const auto linear = Of(*info, kLinear);
  const auto optimal = Of(*info, kOptimal);
  return linear && optimal ? std::optional(*linear | *optimal) : std::nullopt;
}

std::optional<VkFormatFeatureFlags2> FormatFeatures::Of(const vk::FormatInfo& format, VkImageTiling tiling) const {
  if (tiling == VK_IMAGE_TILING_OPTIMAL) return Of(format, kOptimal);
  return tiling == VK_IMAGE_TILING_LINEAR ? Of(format, kLinear) : std::nullopt;
}

}  // namespace assay::core
