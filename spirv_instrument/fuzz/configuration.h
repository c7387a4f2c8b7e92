// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_CONFIGURATION_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_CONFIGURATION_H_

#include <cstdint>

#include "spirv_instrument/passes/instrument.h"

// Configurations as a word. Each word stands for one. 0 is all passes and all steps, as they are without settings; each
// bit makes a difference to that:
//
//   0 to 9     leave out a pass, in the order of PassNames(), but image_layout
//   10 to 13   leave out a step: same values, dominated, spans, hoisted
//   14, 15     leave to the host what is certain; if 15 is set, nothing
//   16, 17     the runtime is reached by push constants; if 17 is set, by specialization constants
//   18, 19     push constants are at byte 16, 64 or, with both bits, 4096; 120 without
//   20         only report
//   21         at most three checks
//   22         look for NaN and infinities
//   23         count blocks by subgroups in all modules; with 24, never
//   24         remove prints whose format is wrong
//   25         descriptor set 0, as if the application did not use it
//   26         parts of passes are off
//   27         report at the end
//   28         with 16 or 17, descriptors are in descriptor buffers
//   29         leave out image_layout, which is younger than the words of seeds
namespace assay::spirv_instrument::fuzz {

InstrumentConfig ConfigurationOf(uint32_t word);

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_CONFIGURATION_H_
