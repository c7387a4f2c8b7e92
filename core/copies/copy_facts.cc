// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "core/copies/copy_facts.h"

#include <algorithm>
#include <cstddef>

#include "vk/commands.h"

namespace assay::core {
namespace {

bool HasProtectedNoFault(const dispatch::Device& device) {
  const auto* const memory = device.physical_device->Find<VkPhysicalDeviceProtectedMemoryProperties>();
  return memory != nullptr && memory->protectedNoFault == VK_TRUE;
}

}  // namespace

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

HostCopyLayouts::HostCopyLayouts(const dispatch::Device& device) {
  const auto get = dispatch::Next<vk::GetPhysicalDeviceProperties2>(device.instance.next);
  if (!device.HasFeature(vk::FeatureId::kHostImageCopy) || get == nullptr) return;
  VkPhysicalDeviceHostImageCopyProperties layouts = {.sType =
                                                         VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_HOST_IMAGE_COPY_PROPERTIES};
  VkPhysicalDeviceProperties2 properties = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &layouts};
  get(device.physical_device->handle, &properties);
  sources.resize(layouts.copySrcLayoutCount);
  targets.resize(layouts.copyDstLayoutCount);
  layouts.pCopySrcLayouts = sources.data();
  layouts.pCopyDstLayouts = targets.data();
  get(device.physical_device->handle, &properties);
  sources.resize(std::min<size_t>(sources.size(), layouts.copySrcLayoutCount));
  targets.resize(std::min<size_t>(targets.size(), layouts.copyDstLayoutCount));
}

CopyFacts::CopyFacts(const dispatch::Device& of)
    : device(of),
      protected_no_fault(HasProtectedNoFault(of)),
      has_transfer_features(of.Includes(vk::ExtensionId::kKhrMaintenance1)),
      is_oldest(of.physical_device->properties.apiVersion < VK_API_VERSION_1_1 &&
                !of.IsEnabled(vk::ExtensionId::kKhrMaintenance1)),
      maintenance5(of.HasFeature(vk::FeatureId::kMaintenance5)),
      maintenance8(of.HasFeature(vk::FeatureId::kMaintenance8)),
      host_image_copy(of.HasFeature(vk::FeatureId::kHostImageCopy)),
      features(of),
      host_layouts(of) {}

}  // namespace assay::core
