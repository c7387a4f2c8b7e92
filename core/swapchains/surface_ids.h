// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SWAPCHAINS_SURFACE_IDS_H_
#define ASSAY_CORE_SWAPCHAINS_SURFACE_IDS_H_

#include <vector>

#include "vk/vuid.h"

// The ids of the rules that are rows of tables, for //tools/coverage.
namespace assay::core {

void AddPresentIds(std::vector<vk::VuidIndex>& ids);
void AddSurfaceIds(std::vector<vk::VuidIndex>& ids);
void AddSwapchainIds(std::vector<vk::VuidIndex>& ids);

inline std::vector<vk::VuidIndex> SurfaceIds() {
  std::vector<vk::VuidIndex> ids;
  for (const auto add : {AddPresentIds, AddSurfaceIds, AddSwapchainIds}) add(ids);
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_SWAPCHAINS_SURFACE_IDS_H_
