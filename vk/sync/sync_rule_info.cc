// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/sync/sync_rule_info.h"

#include "absl/strings/str_cat.h"
#include "vk/enum_info.h"
#include "vk/sync/sync_rule_tables.h"

namespace assay::vk {

std::string LayoutUsageRule::UsagesText() const {
  std::string text;
  for (VkImageUsageFlags one_of : usages) {
    if (one_of == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", and ", FlagsToString(EnumId::kImageUsageFlagBits, one_of));
  }
  return text;
}

std::span<const StageFeatureRule> StageFeatureRules() {
  return {tables::kStageFeatureRules, tables::kStageFeatureRuleCount};
}
std::span<const AccessStageRule> AccessStageRules() {
  return {tables::kAccessStageRules, tables::kAccessStageRuleCount};
}
std::span<const LayoutUsageRule> LayoutUsageRules() {
  return {tables::kLayoutUsageRules, tables::kLayoutUsageRuleCount};
}
std::span<const LayoutFeatureRule> LayoutFeatureRules() {
  return {tables::kLayoutFeatureRules, tables::kLayoutFeatureRuleCount};
}

}  // namespace assay::vk
