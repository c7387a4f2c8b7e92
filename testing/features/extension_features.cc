// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "testing/features/extension_features.h"

#include <algorithm>
#include <cstdint>
#include <string_view>

#include "vk/extension_info.h"
#include "vk/feature_info.h"
#include "vk/struct_info.h"
#include "vk/vulkan.h"

namespace assay::test {

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

}  // namespace assay::test
