// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_SHRINK_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_SHRINK_H_

#include <cstddef>

#include "absl/functional/function_ref.h"
#include "spirv_instrument/fuzz/fuzz.h"

namespace assay::spirv_instrument::fuzz {

// Leaves out of an input what is not needed for `is_wanted`, which is true for the input itself: functions, blocks,
// branches, instructions, ids of interfaces; passes and settings. Asks about at most so many inputs.
Input Shrink(Input input, size_t max_tries, absl::FunctionRef<bool(const Input&)> is_wanted);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_SHRINK_H_
