// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_IMAGE_ACCESS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_IMAGE_ACCESS_H_

#include <cstdint>

#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// The instructions whose first operand is an image or a sampled image: sampling, fetching, reading, writing, and their
// sparse forms; and those that only ask for its size, levels, samples or level of detail.
absl::Span<const spv::Op> ImageAccessOpcodes();
absl::Span<const spv::Op> ImageQueryOpcodes();
bool IsImageQuery(spv::Op op);

// The OpTypeImage of an image or sampled image value, or of what a pointer to one points to; null for others.
Instruction ImageTypeOf(const Module& module, Id value);

// If an atomic instruction goes to a texel, the OpImageTexelPointer that it has its pointer from; null otherwise.
Instruction TexelPointerOf(const Module& module, Instruction atomic);

// The descriptor types that a variable may be bound to, as bits of DescriptorType: Vulkan, "Shader Resource and
// Descriptor Type Correspondence". 0 if it is no variable with a descriptor.
uint32_t DescriptorTypesOf(Module& module, Id variable);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_OPERANDS_IMAGE_ACCESS_H_
