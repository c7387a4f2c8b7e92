// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_MERGE_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_MERGE_H_

#include <cstdint>

#include "absl/types/span.h"
#include "spirv_instrument/fuzz/instruction_list.h"
#include "spirv_instrument/fuzz/random.h"

namespace assay::spirv_instrument::fuzz {

// A module with the sections of two, one behind the other. Equal capabilities, types and constants are there once, so
// that mutations use what is of the one in functions of the other. Entry points of the second get another name where
// both have it, and are left out half of the time. The first's header counts, with the newer version of the two.
Words Merge(absl::Span<const uint32_t> first, absl::Span<const uint32_t> second, Random& random);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_MERGE_H_
