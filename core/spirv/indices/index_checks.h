// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_
#define ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_

// What modules access through elements of arrays of descriptors:
//
//   descriptor_kinds         the kinds of descriptors, each with its capabilities, and how accesses are followed
//   descriptor_index_checks  indices that are no constants, without the capability for them

#include <string>

#include "core/spirv/module_reader.h"
#include "dispatch/dispatch.h"

namespace assay::core {

// Indices that are no constants. Linear in the module.
void CheckDescriptorIndices(const dispatch::Device& device, ModuleReader& reader);

// Equal for devices on which a module gets the same findings of these.
std::string IndexCheckFeatures(const dispatch::Device& device);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_
