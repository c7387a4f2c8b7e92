// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SPIRV_BUILTIN_RULE_TABLES_H_
#define ASSAY_VK_SPIRV_BUILTIN_RULE_TABLES_H_

#include <cstddef>

#include "vk/spirv/builtin_rule_info.h"

// The generated table behind builtin_rule_info.h.
namespace assay::vk::tables {

// By built-in and id.
extern const BuiltInRule kBuiltInRules[];
extern const size_t kBuiltInRuleCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_SPIRV_BUILTIN_RULE_TABLES_H_
