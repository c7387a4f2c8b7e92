// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_GENERATED_COMMANDS_GENERATED_IDS_H_
#define ASSAY_CORE_GENERATED_COMMANDS_GENERATED_IDS_H_

#include <vector>

#include "vk/vuid.h"

// The ids of the rules that are rows of tables, for //tools/coverage.
namespace assay::core {

void AddLayoutIds(std::vector<vk::VuidIndex>& ids);
void AddExecutionSetIds(std::vector<vk::VuidIndex>& ids);
void AddGeneratedInfoIds(std::vector<vk::VuidIndex>& ids);
void AddNvInfoIds(std::vector<vk::VuidIndex>& ids);

inline std::vector<vk::VuidIndex> GeneratedIds() {
  std::vector<vk::VuidIndex> ids;
  for (const auto add : {AddLayoutIds, AddExecutionSetIds, AddGeneratedInfoIds, AddNvInfoIds}) add(ids);
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_GENERATED_COMMANDS_GENERATED_IDS_H_
