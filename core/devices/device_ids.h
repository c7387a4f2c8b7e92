// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_DEVICE_IDS_H_
#define ASSAY_CORE_DEVICES_DEVICE_IDS_H_

#include <vector>

#include "core/devices/feature_pairs.h"
#include "vk/vuid.h"

// The ids of the rules that are rows of tables, for //tools/coverage.
namespace assay::core {

void AddDeviceCreationIds(std::vector<vk::VuidIndex>& ids);
void AddEngineIds(std::vector<vk::VuidIndex>& ids);
void AddInstanceCreationIds(std::vector<vk::VuidIndex>& ids);
void AddPhysicalDeviceQueryIds(std::vector<vk::VuidIndex>& ids);

inline std::vector<vk::VuidIndex> DeviceIds() {
  std::vector<vk::VuidIndex> ids;
  for (const FeaturePair& pair : FeaturePairs()) ids.push_back(pair.id);
  for (const auto add : {AddDeviceCreationIds, AddEngineIds, AddInstanceCreationIds, AddPhysicalDeviceQueryIds})
    add(ids);
  return ids;
}

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_DEVICE_IDS_H_
