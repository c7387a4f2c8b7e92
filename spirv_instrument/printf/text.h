// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_PRINTF_TEXT_H_
#define ASSAY_SPIRV_INSTRUMENT_PRINTF_TEXT_H_

#include <cstdint>
#include <string>

#include "absl/types/span.h"
#include "spirv_instrument/printf/format.h"

namespace assay::spirv_instrument {

// The text of a print. `words` are those of all arguments, one behind another, as WordsOf says. Where words are
// missing, as in a record that was cut off, the text ends with "...".
//
// What C has as well looks as C's printf prints it, in the "C" locale whatever the process has set. Components of
// vectors are separated by ", ", each with the flags, width and precision of the conversion. An address is printed as
// %#lx prints it, and 0 as "0x0".
std::string PrintText(const PrintPlan& plan, absl::Span<const PrintArgument> arguments,
                      absl::Span<const uint32_t> words);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_PRINTF_TEXT_H_
