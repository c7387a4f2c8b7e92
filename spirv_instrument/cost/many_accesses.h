// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_COST_MANY_ACCESSES_H_
#define ASSAY_SPIRV_INSTRUMENT_COST_MANY_ACCESSES_H_

#include <cstdint>
#include <string>
#include <vector>

#include "spirv_instrument/passes/instrument.h"

namespace assay::spirv_instrument {

// A compute shader with this many accesses, which shares them out among storage buffers, device addresses, images, an
// array of descriptors and divisions. Ten are in a block, in one arm of a selection; every tenth block is in a loop.
std::vector<uint32_t> ManyAccesses(uint32_t count);

// All passes, with all steps or with none.
spirv_instrument::InstrumentConfig AllPasses(bool has_steps);

// What one run takes.
struct Cost {
  size_t words_before = 0;
  size_t words_after = 0;
  // Accesses of any outcome.
  uint64_t accesses = 0;
  uint64_t emitted = 0;
  // The least of all runs.
  double milliseconds = 0;
};

// Runs this often. A module that cannot be instrumented ends the program.
Cost Measure(const std::vector<uint32_t>& words, const InstrumentConfig& config, int runs);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_COST_MANY_ACCESSES_H_
