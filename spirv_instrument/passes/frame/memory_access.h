// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MEMORY_ACCESS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MEMORY_ACCESS_H_

#include <cstdint>

#include "absl/container/inlined_vector.h"
#include "absl/types/span.h"
#include "spirv/unified1/spirv.hpp11"
#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"

namespace assay::spirv_instrument {

// A pointer that an instruction reads or writes through.
struct MemoryAccess {
  Id pointer = kNoId;
  // Which operand it is.
  uint32_t operand = 0;
  // From the memory operand Aligned; 0 without.
  uint32_t alignment = 0;
};

// The instructions that access memory by a typed pointer, and as much of it as the pointer's type has: OpLoad, OpStore,
// OpCopyMemory, atomic instructions.
absl::Span<const spv::Op> MemoryAccessOpcodes();
// Those of them that are atomic.
absl::Span<const spv::Op> AtomicOpcodes();
bool IsAtomic(spv::Op op);

// The accesses of such an instruction: one, or two for OpCopyMemory, the target first.
absl::InlinedVector<MemoryAccess, 2> MemoryAccessesOf(Instruction instruction);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_FRAME_MEMORY_ACCESS_H_
