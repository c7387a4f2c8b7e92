// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_DEVICE_ADDRESS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_DEVICE_ADDRESS_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Accesses through pointers into PhysicalStorageBuffer that are outside of all live buffers, go across the end of one,
// or are misaligned: OpLoad, OpStore, OpCopyMemory and atomics. The pointer may come from anywhere: memory, a
// conversion from integers, a parameter, OpPhi; what counts is its value. Access chains of any depth are one offset
// from it. So members of one structure behind one pointer are one thing with different spans. Indices are signed,
// whatever their type says, and extended to 64 bits, as SPIR-V says: one may go back.
//
// An access of n bytes at address a is good if one live range holds [a, a + n), and a is a multiple of the alignment
// that the instruction says (memory operand Aligned), or of the size of an atomic. What is in a row-major matrix needs
// no more alignment than its components have.
//
// *Variant*: range or alignment, and which operand is the pointer. *Literals*: a constant that is added, the stride of
// each term. *Ids*: the pointer, the terms of the offset. *Span*: of a range the constant part of the offset, in bytes;
// of an alignment how many low bits of the address have to be 0.
//
// What it does not see: loads and stores of cooperative matrices, and accesses through OpTypeUntypedPointerKHR. Whether
// the range is a buffer that the shader may use as it does (usage flags) is not asked. A module whose structures have
// integers of 8 or 16 bits that it may not compute with gets the capability Int64 (Emitter::AddressOf).
struct DeviceAddressConfig {
  bool alignment = true;
};

std::unique_ptr<Pass> MakeDeviceAddress(const DeviceAddressConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_DEVICE_ADDRESS_H_
