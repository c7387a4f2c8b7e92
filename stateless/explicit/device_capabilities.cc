// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/explicit/device_capabilities.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <memory>

#include "vk/commands.h"
#include "vk/extension_info.h"
#include "vk/struct_info.h"
#include "vk/walk/load_store.h"

namespace assay::stateless {
namespace {

// A structure that holds features of many extensions.
bool IsCollection(std::string_view struct_name) {
  return struct_name == "VkPhysicalDeviceFeatures" || struct_name.starts_with("VkPhysicalDeviceVulkan1");
}

// The structures that extend VkPhysicalDeviceProperties2, as one chain.
class PropertyChain {
 public:
  void Add(const vk::StructInfo& info) {
    std::unique_ptr<std::byte[]>& memory = memory_[info.structure_type];
    if (memory != nullptr) return;
    memory = std::make_unique<std::byte[]>(info.size);
    auto* link = reinterpret_cast<VkBaseOutStructure*>(memory.get());
    link->sType = info.structure_type;
    link->pNext = first_;
    first_ = link;
  }
  VkBaseOutStructure* first() const { return first_; }
  // Null when it was not added.
  const void* Find(VkStructureType type) const {
    const auto found = memory_.find(type);
    return found == memory_.end() ? nullptr : found->second.get();
  }

 private:
  std::map<VkStructureType, std::unique_ptr<std::byte[]>> memory_;
  VkBaseOutStructure* first_ = nullptr;
};

}  // namespace

QueriedDeviceCapabilities::QueriedDeviceCapabilities(const dispatch::Device& device, const EnabledApi& enabled)
    : device_(device) {
  const auto features = vk::Features();
  for (size_t i = 0; i < features.size(); ++i) {
    if (device.enabled_features[i]) features_.push_back(features[i].name);
  }
  std::ranges::sort(features_);
  QueryLimits(enabled);
}

bool QueriedDeviceCapabilities::HasFeature(std::string_view feature) const {
  const size_t colons = feature.find("::");
  if (colons == std::string_view::npos) return std::ranges::binary_search(features_, feature);
  const std::string_view struct_name = feature.substr(0, colons);
  const std::string_view name = feature.substr(colons + 2);
  const auto features = vk::Features();
  for (size_t i = 0; i < features.size(); ++i) {
    const bool is_it =
        features[i].name == name && (features[i].struct_name == struct_name || IsCollection(features[i].struct_name));
    if (is_it && device_.enabled_features[i]) return true;
  }
  return false;
}

bool QueriedDeviceCapabilities::HasExtension(std::string_view extension) const {
  const auto id = vk::FindExtension(extension);
  return id.has_value() && device_.IsEnabled(*id);
}

void QueriedDeviceCapabilities::QueryLimits(const EnabledApi& enabled) {
  const VkPhysicalDevice physical_device = device_.physical_device->handle;
  const auto get = dispatch::Next<vk::GetPhysicalDeviceProperties2>(device_.instance.next);
  PropertyChain chain;
  for (const vk::LimitInfo& limit : vk::Limits()) {
    const vk::StructInfo* info = vk::FindStruct(limit.structure_type);
    if (info != nullptr && get != nullptr && enabled.Has(*info)) chain.Add(*info);
  }
  if (chain.first() != nullptr) {
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, chain.first(), {}};
    get(physical_device, &properties);
  }
  for (const vk::LimitInfo& limit : vk::Limits()) {
    const bool is_core = limit.structure_type == VK_STRUCTURE_TYPE_MAX_ENUM;
    const void* from = is_core ? &device_.physical_device->properties.limits : chain.Find(limit.structure_type);
    std::optional<uint64_t>& value = limits_.emplace_back();
    if (from != nullptr) value = vk::LoadUnsigned(static_cast<const char*>(from) + limit.offset, limit.size);
  }
}

}  // namespace assay::stateless
