// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/hooks/instance.h"

#include <cstring>
#include <string_view>

#include "vk/chain.h"
#include "vk/struct_info.h"

namespace assay::dispatch {
namespace {

ValidatorFactory g_validator_factory;

}  // namespace

void SetValidatorFactory(const ValidatorFactory& factory) { g_validator_factory = factory; }
const ValidatorFactory& GetValidatorFactory() { return g_validator_factory; }

const PhysicalDevice& Instance::GetPhysicalDevice(VkPhysicalDevice physical_device) {
  absl::MutexLock lock(&mutex_);
  std::unique_ptr<PhysicalDevice>& record = physical_devices_[physical_device];
  if (record == nullptr) {
    record = std::make_unique<PhysicalDevice>();
    record->handle = physical_device;
    Next<vk::GetPhysicalDeviceProperties>(next)(physical_device, &record->properties);
    Next<vk::GetPhysicalDeviceMemoryProperties>(next)(physical_device, &record->memory_properties);
    uint32_t count = 0;
    const auto get_queue_families = Next<vk::GetPhysicalDeviceQueueFamilyProperties>(next);
    get_queue_families(physical_device, &count, nullptr);
    record->queue_families.resize(count);
    get_queue_families(physical_device, &count, record->queue_families.data());
  }
  return *record;
}

Slot* Instance::Intern(VkObjectType type, uint64_t driver_handle, Slot* physical_device) {
  absl::MutexLock lock(&mutex_);
  Slot*& slot = interned_[{type, driver_handle}];
  if (slot == nullptr) {
    slot = HandleTable::Get().Add(type, driver_handle, this, nullptr,
                                  wraps_handles() ? HandleKind::kWrapped : HandleKind::kUnwrapped, physical_device);
  } else if (physical_device != nullptr && slot->parent != physical_device->index) {
    slot->has_several_physical_devices = true;
  }
  return slot;
}

bool Device::HasFeature(std::string_view feature) const {
  const auto features = vk::Features();
  for (size_t i = 0; i < features.size(); ++i) {
    if (enabled_features[i] && features[i].name == feature) return true;
  }
  return false;
}

void Device::ReadCreateInfo(const VkDeviceCreateInfo& create_info) {
  for (uint32_t i = 0; i < create_info.enabledExtensionCount; ++i) {
    if (const auto id = vk::FindExtension(create_info.ppEnabledExtensionNames[i])) {
      enabled_extensions.set(static_cast<size_t>(*id));
    }
  }
  const auto features = vk::Features();
  enabled_features.assign(features.size(), false);
  const auto read = [&](std::string_view struct_name, VkStructureType type, const void* structure) {
    for (size_t i = 0; i < features.size(); ++i) {
      const bool same = type == VK_STRUCTURE_TYPE_MAX_ENUM ? features[i].struct_name == struct_name
                                                           : features[i].structure_type == type;
      if (!same) continue;
      VkBool32 value;
      std::memcpy(&value, static_cast<const char*>(structure) + features[i].offset, sizeof(value));
      if (value != VK_FALSE) enabled_features[i] = true;
    }
  };
  constexpr std::string_view kCoreFeatures = "VkPhysicalDeviceFeatures";
  if (create_info.pEnabledFeatures != nullptr)
    read(kCoreFeatures, VK_STRUCTURE_TYPE_MAX_ENUM, create_info.pEnabledFeatures);
  for (auto* link = static_cast<const VkBaseInStructure*>(create_info.pNext); link != nullptr; link = link->pNext) {
    if (link->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2) {
      read(kCoreFeatures, VK_STRUCTURE_TYPE_MAX_ENUM,
           &reinterpret_cast<const VkPhysicalDeviceFeatures2*>(link)->features);
    } else if (vk::FindStruct(link->sType) != nullptr) {
      read({}, link->sType, link);
    }
  }
}

}  // namespace assay::dispatch
