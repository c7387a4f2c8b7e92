// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_EXTENSION_TABLES_H_
#define ASSAY_VK_EXTENSION_TABLES_H_

#include <cstddef>
#include <string_view>

#include "vk/extension_info.h"
#include "vk/feature_info.h"

// The generated tables behind extension_info.h and feature_info.h.
namespace assay::vk::tables {

// Indexed by ExtensionId.
extern const ExtensionInfo kExtensions[];
extern const FeatureInfo kFeatures[];
extern const size_t kFeatureCount;
// Indexed by FeatureId.
extern const std::string_view kFeatureNames[];
extern const ImplicitFeature kImplicitFeatures[];
extern const size_t kImplicitFeatureCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_EXTENSION_TABLES_H_
