// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_
#define ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_

// What modules access through elements of arrays of descriptors, and of arrays in push constants:
//
//   descriptor_kinds         the kinds of descriptors, each with its capabilities, and how accesses are followed
//   descriptor_index_checks  indices that are no constants, without the capability for them
//   invocation_values        values of an invocation, as sums of its place in the workgroup and of what all have
//   non_uniform_checks       indices that differ between invocations, without capability or decoration
//
// An index is non-uniform only where the module proves it. Silent: fragment shaders and all others without workgroups,
// accesses behind branches and calls, indices from memory or of operations that may make different numbers equal.

#include <string>

#include "core/spirv/indices/descriptor_kinds.h"
#include "core/spirv/module_finding.h"
#include "core/spirv/module_reader.h"
#include "dispatch/dispatch.h"

namespace assay::core {

// Indices that certainly differ between invocations that execute an access together. Linear in the module.
void CheckNonUniformIndices(const dispatch::Device& device, ModuleReader& reader);

// Indices that are no constants. Linear in the module. Call it after CheckNonUniformIndices(): what that reported is
// not reported here.
void CheckDescriptorIndices(const dispatch::Device& device, ModuleReader& reader);

// Whether CheckNonUniformIndices() found an index into an array of that kind, and no capability for it.
bool IsReportedAsNonUniform(const ModuleFindings& findings, DescriptorKind kind);

// Equal for devices on which a module gets the same findings of these.
std::string IndexCheckFeatures(const dispatch::Device& device);
// The part of CheckNonUniformIndices().
std::string NonUniformCheckFeatures(const dispatch::Device& device);

}  // namespace assay::core

#endif  // ASSAY_CORE_SPIRV_INDICES_INDEX_CHECKS_H_
