// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/features/extension_features.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::test {
namespace {

// Extensions that test devices enable themselves, and extensions that exclude others.
constexpr std::string_view kNotAdded[] = {
    VK_AMD_NEGATIVE_VIEWPORT_HEIGHT_EXTENSION_NAME,
    VK_EXT_BUFFER_DEVICE_ADDRESS_EXTENSION_NAME,
    VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
    VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
    VK_EXT_LAYER_SETTINGS_EXTENSION_NAME,
    VK_KHR_SURFACE_EXTENSION_NAME,
    VK_KHR_SWAPCHAIN_EXTENSION_NAME,
    "VK_KHR_portability_subset",
};

}  // namespace

void* ExtensionFeatures::Enable(const std::vector<const char*>& extensions, const std::set<std::string>& without) {
  void* chain = nullptr;
  structs_.clear();
  for (const vk::FeatureInfo& feature : vk::Features()) {
    const vk::StructInfo* info = vk::FindStruct(feature.structure_type);
    if (info == nullptr || without.contains(std::string(feature.name))) continue;
    const bool is_enabled = std::ranges::any_of(info->extensions, [&](uint16_t extension) {
      return std::ranges::any_of(extensions, [&](std::string_view name) {
        return vk::GetExtensionInfo(static_cast<vk::ExtensionId>(extension)).name == name;
      });
    });
    if (!is_enabled || info->core_version != 0) continue;
    auto found = std::ranges::find(structs_, feature.structure_type, [](const auto& bytes) {
      return reinterpret_cast<const VkBaseOutStructure*>(bytes.data())->sType;
    });
    if (found == structs_.end()) {
      structs_.emplace_back(info->size + sizeof(uint64_t));
      found = structs_.end() - 1;
      auto* base = reinterpret_cast<VkBaseOutStructure*>(found->data());
      base->sType = feature.structure_type;
      base->pNext = static_cast<VkBaseOutStructure*>(chain);
      chain = base;
    }
    *reinterpret_cast<VkBool32*>(found->data() + feature.offset) = VK_TRUE;
  }
  return chain;
}

DeviceOptions ExtensionFeatures::EnableAll(const std::set<std::string>& without, const std::vector<const char*>& more) {
  DeviceOptions options;
  for (uint32_t i = 0; i < vk::kExtensionCount; ++i) {
    const vk::ExtensionInfo& info = vk::GetExtensionInfo(static_cast<vk::ExtensionId>(i));
    if (std::ranges::count(kNotAdded, info.name) != 0) continue;
    (info.instance ? options.instance_extensions : options.device_extensions).push_back(info.name.data());
  }
  options.device_extensions.insert(options.device_extensions.end(), more.begin(), more.end());
  options.features = Enable(options.device_extensions, without);
  return options;
}

DeviceOptions ExtensionFeatures::EnableOnly(std::vector<const char*> extensions, const std::set<std::string>& without) {
  void* const chain = Enable(extensions, without);
  return {.device_extensions = std::move(extensions), .features = chain};
}

}  // namespace assay::test
