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
