// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_VK_SPIRV_SPIRV_TABLES_H_
#define ASSAY_VK_SPIRV_SPIRV_TABLES_H_

#include <cstddef>

#include "vk/spirv/spirv_info.h"

// The generated tables behind spirv_info.h.
namespace assay::vk::tables {

// By name.
extern const SpirvRequirement kSpirvCapabilities[];
extern const size_t kSpirvCapabilityCount;
extern const SpirvRequirement kSpirvExtensions[];
extern const size_t kSpirvExtensionCount;

}  // namespace assay::vk::tables

#endif  // ASSAY_VK_SPIRV_SPIRV_TABLES_H_
