// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_VIDEO_VIDEO_IDS_H_
#define ASSAY_CORE_VIDEO_VIDEO_IDS_H_

#include <vector>

#include "vk/vuid.h"

// The ids of the rules that are rows of tables, for //tools/coverage.
namespace assay::core {

void AddAv1EncodingIds(std::vector<vk::VuidIndex>& ids);
void AddVideoSessionIds(std::vector<vk::VuidIndex>& ids);
void AddVideoParameterIds(std::vector<vk::VuidIndex>& ids);
void AddVideoQueryIds(std::vector<vk::VuidIndex>& ids);

inline std::vector<vk::VuidIndex> VideoIds() {
  std::vector<vk::VuidIndex> ids;
  for (const auto add : {AddAv1EncodingIds, AddVideoSessionIds, AddVideoParameterIds, AddVideoQueryIds}) add(ids);
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_VIDEO_VIDEO_IDS_H_
