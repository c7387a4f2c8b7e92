// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/available_stages.h"

#include <algorithm>
#include <cstdint>

#include "vk/enum_info.h"
#include "vk/extension_info.h"
#include "vk/sync/sync_info.h"
#include "vk/sync/sync_rule_info.h"

namespace assay::vk {
namespace {

// Extensions bring their stages together with VK_KHR_synchronization2, which says nothing about the stage itself.
bool IsBroughtBy(const EnumValue& value, const std::function<bool(std::string_view)>& is_enabled) {
  if (value.extensions.empty() || value.core_version != 0) return true;
  return std::ranges::any_of(value.extensions, [&](uint16_t id) {
    const auto extension = static_cast<ExtensionId>(id);
    return extension != ExtensionId::kKhrSynchronization2 && is_enabled(GetExtensionInfo(extension).name);
  });
}

}  // namespace

VkPipelineStageFlags2 DisabledStages(const std::function<bool(std::string_view)>& is_enabled) {
  VkPipelineStageFlags2 disabled = 0;
  for (const StageFeatureRule& rule : StageFeatureRules()) {
    if ((disabled & rule.stages) == rule.stages) continue;
    const auto enabled = [&](std::string_view name) { return !name.empty() && is_enabled(name); };
    if (std::ranges::none_of(rule.features, enabled)) disabled |= rule.stages;
  }
  return disabled;
}

VkPipelineStageFlags2 AvailableStages(const std::function<bool(std::string_view)>& is_enabled) {
  VkPipelineStageFlags2 single = 0;
  for (const SyncStageInfo& info : SyncStages()) {
    if (info.single) single |= info.stage;
  }
  VkPipelineStageFlags2 available = 0;
  for (const EnumValue& value : GetEnumInfo(EnumId::kPipelineStageFlagBits2).values) {
    const auto stage = static_cast<VkPipelineStageFlags2>(value.value);
    if ((single & stage) == stage && IsBroughtBy(value, is_enabled)) available |= stage;
  }
  return available & ~DisabledStages(is_enabled);
}

}  // namespace assay::vk
