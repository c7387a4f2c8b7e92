// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SYNC_SYNC_RULE_TABLES_H_
#define ASSAY_VK_SYNC_SYNC_RULE_TABLES_H_

#include <cstddef>

#include "vk/sync/sync_rule_info.h"

// The generated tables behind sync_rule_info.h.
namespace assay::vk::tables {

extern const StageFeatureRule kStageFeatureRules[];
extern const size_t kStageFeatureRuleCount;
extern const AccessStageRule kAccessStageRules[];
extern const size_t kAccessStageRuleCount;
extern const LayoutUsageRule kLayoutUsageRules[];
extern const size_t kLayoutUsageRuleCount;
extern const LayoutFeatureRule kLayoutFeatureRules[];
extern const size_t kLayoutFeatureRuleCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_SYNC_SYNC_RULE_TABLES_H_
