// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_BUFFER_BOUNDS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_BUFFER_BOUNDS_H_

#include <memory>

#include "spirv_instrument/passes/frame/pass.h"

namespace assay::spirv_instrument {

// Accesses to buffers past the range of their descriptor: OpLoad, OpStore, OpCopyMemory and atomics, through pointers
// into Uniform and StorageBuffer. Structures, arrays and matrices count whole; matrices by column and by row. What is
// accessed is [begin, end) in bytes from the start of the range. Indices are signed, whatever their type says, and
// narrow ones are extended by their sign, as SPIR-V says; then they count as unsigned, and sums and products saturate,
// so that a negative index is out of bounds. Only the element of OpPtrAccessChain may go back from where the base
// points to, up to the begin of the range. The end decides: it is compared with the size in the descriptor table, which
// is 0 where the descriptor must not be accessed. So a descriptor that was not written is found too, and reported as
// such. A null descriptor holds every access, as Vulkan says.
//
// A runtime array at the end of a block is asked for its length first, which the descriptor itself has: an index below
// OpArrayLength is good, and no table is read. The table decides where it is not, since the range may end in the middle
// of an element.
//
// An access at a constant offset in a block with constant descriptor index is left to the host ("the range has at least
// so many bytes"); so is an index into an array of constant length, but for the comparison with this length.
//
// *Variant*: which operand is the pointer. *Literals*: set, binding, constant part of the descriptor index, how many
// terms this index has, the runtime array, which terms of the offset may be negative, the factor of each id, the length
// of the array of each term of the offset. *Ids*: the terms of the descriptor index, those of the offset. *Span*: the
// constant part of the offset, in bytes.
//
// A pointer from a function parameter is known if all calls pass a part of one variable: indices that only the callers
// know are passed on (PassIndices).
//
// What it does not see, and counts with the reason: a parameter with different variables in different calls; OpPhi and
// OpSelect of pointers, and variables of pointers (variable pointers); OpPtrAccessChain with an element of 64 bits that
// is not constant. OpArrayLength itself accesses no memory. Texel buffers are images here. Loads and stores of
// cooperative matrices and accesses through OpTypeUntypedPointerKHR are not seen.
struct BufferBoundsConfig {
  bool uniform = true;
  bool storage = true;
};

std::unique_ptr<Pass> MakeBufferBounds(const BufferBoundsConfig& config);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_BUFFER_BOUNDS_H_
