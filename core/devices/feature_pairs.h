// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_
#define ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_

#include <span>

#include "vk/feature_id.h"
#include "vk/vuid.h"

// For the package and its tests.
namespace assay::core {

// A feature that needs another one, or excludes it.
struct FeaturePair {
  vk::VuidIndex id;
  vk::FeatureId feature;
  bool needs;
  vk::FeatureId other;
};
std::span<const FeaturePair> FeaturePairs();

}  // namespace assay::core

#endif  // ASSAY_CORE_DEVICES_FEATURE_PAIRS_H_
