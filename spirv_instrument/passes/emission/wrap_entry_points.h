// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_WRAP_ENTRY_POINTS_H_
#define ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_WRAP_ENTRY_POINTS_H_

#include "spirv_instrument/ir/id.h"
#include "spirv_instrument/ir/module.h"

namespace assay::spirv_instrument {

// Makes every entry point a function that calls `first`, then the function that the entry point was, and then `last`:
// what comes last is there once, however many places that function returns from. `first` and `last` are functions
// without parameters that return nothing. Execution modes go to the new functions; names stay where they are. What ends
// an invocation elsewhere leaves `last` out.
void WrapEntryPoints(Module& module, Id first, Id last);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PASSES_EMISSION_WRAP_ENTRY_POINTS_H_
