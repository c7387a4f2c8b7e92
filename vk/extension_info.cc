// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/extension_info.h"

#include <algorithm>

#include "vk/extension_tables.h"

namespace assay::vk {

const ExtensionInfo& GetExtensionInfo(ExtensionId id) { return tables::kExtensions[static_cast<size_t>(id)]; }

std::optional<ExtensionId> FindExtension(std::string_view name) {
  const std::span<const ExtensionInfo> extensions(tables::kExtensions, kExtensionCount);
  auto found = std::ranges::lower_bound(extensions, name, {}, &ExtensionInfo::name);
  if (found == extensions.end() || found->name != name) return std::nullopt;
  return static_cast<ExtensionId>(found - extensions.begin());
}

std::span<const FeatureInfo> Features() { return {tables::kFeatures, tables::kFeatureCount}; }

std::string_view FeatureName(FeatureId id) { return tables::kFeatureNames[static_cast<size_t>(id)]; }

std::optional<FeatureId> FindFeature(std::string_view name) {
  // The id without an author's name comes before the others.
  for (size_t i = 0; i < kFeatureIdCount; ++i) {
    if (tables::kFeatureNames[i] == name) return static_cast<FeatureId>(i);
  }
  return std::nullopt;
}

std::span<const ImplicitFeature> ImplicitFeatures() {
  return {tables::kImplicitFeatures, tables::kImplicitFeatureCount};
}

}  // namespace assay::vk
