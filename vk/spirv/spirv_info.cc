// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "vk/spirv/spirv_info.h"

#include <algorithm>

#include "vk/spirv/spirv_tables.h"

namespace assay::vk {

const SpirvRequirement* FindSpirvCapability(uint32_t capability) {
  // Modules declare few capabilities, and this is asked once for a module.
  for (size_t i = 0; i < tables::kSpirvCapabilityCount; ++i) {
    if (tables::kSpirvCapabilities[i].value == capability) return &tables::kSpirvCapabilities[i];
  }
  return nullptr;
}

const SpirvRequirement* FindSpirvExtension(std::string_view name) {
  const SpirvRequirement* const end = tables::kSpirvExtensions + tables::kSpirvExtensionCount;
  const SpirvRequirement* const found =
      std::lower_bound(tables::kSpirvExtensions + 0, end, name,
                       [](const SpirvRequirement& row, std::string_view text) { return row.name < text; });
  return found == end || found->name != name ? nullptr : found;
}

}  // namespace assay::vk
