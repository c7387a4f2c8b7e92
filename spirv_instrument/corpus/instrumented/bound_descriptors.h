// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_BOUND_DESCRIPTORS_H_
#define ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_BOUND_DESCRIPTORS_H_

#include <cstdint>
#include <string_view>

#include "spirv_instrument/corpus/description/description.h"
#include "spirv_instrument/passes/frame/wanted_check.h"
#include "spirv_instrument/runtime/descriptor_table.h"

// What a host knows of the descriptors that are bound.
namespace assay::spirv_instrument::corpus {

// Whether the resource is destroyed before the run.
bool IsDestroyed(const Setup& setup, std::string_view resource);

// Null if there is none.
const BindingDescription* FindBinding(const Setup& setup, uint32_t set, uint32_t binding);

// The descriptors of a binding of a set, the variable count considered; 1 for an inline uniform block.
uint32_t DescriptorCount(const BindingDescription& binding);

// A descriptor of a binding of the setup. `index` is below DescriptorCount.
DescriptorState StateOf(const Setup& setup, const BindingDescription& binding, uint32_t index);

// Whether a condition that a shader left to the host holds. A null descriptor holds every access.
bool Holds(const Setup& setup, const HostCondition& condition);

}  // namespace assay::spirv_instrument::corpus

#endif  // ASSAY_SPIRV_INSTRUMENT_CORPUS_INSTRUMENTED_BOUND_DESCRIPTORS_H_
