// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_RESOURCES_RESOURCE_IDS_H_
#define ASSAY_CORE_RESOURCES_RESOURCE_IDS_H_

#include <vector>

#include "vk/vuid.h"

// The ids of the rules that are rows of tables, for //tools/coverage.
namespace assay::core {

void AddBufferIds(std::vector<vk::VuidIndex>& ids);
void AddConversionIds(std::vector<vk::VuidIndex>& ids);
void AddImageIds(std::vector<vk::VuidIndex>& ids);
void AddImageSupportIds(std::vector<vk::VuidIndex>& ids);
void AddImageViewIds(std::vector<vk::VuidIndex>& ids);
void AddSamplerIds(std::vector<vk::VuidIndex>& ids);
void AddSubresourceIds(std::vector<vk::VuidIndex>& ids);

inline std::vector<vk::VuidIndex> ResourceIds() {
  std::vector<vk::VuidIndex> ids;
  for (const auto add : {AddBufferIds, AddConversionIds, AddImageIds, AddImageSupportIds, AddImageViewIds,
                         AddSamplerIds, AddSubresourceIds}) {
    add(ids);
  }
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_RESOURCES_RESOURCE_IDS_H_
