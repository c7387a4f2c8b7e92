// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_HARMLESS_INDEX_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_HARMLESS_INDEX_H_

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/instruction.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// A branch around an access is not enough for every implementation. One that executes both sides under a mask
// (lavapipe) loads the descriptor of a buffer without looking at the mask where the index is the same in all
// invocations, and crashes if there is none. So the index of a guarded access into an array of buffers becomes 0 where
// `condition`, which is known before the access, does not hold: the access chain is repeated before the access with
// another index. To be called before there is a branch: behind it a compiler knows the condition, and the index is what
// it was. Does nothing for other accesses, nor for constant indices that are within arrays of constant length.
void MakeIndexHarmless(Module& module, Instruction access, Id condition);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_HARMLESS_INDEX_H_
