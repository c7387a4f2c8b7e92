// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_TOOL_STATISTICS_TEXT_H_
#define ASSAY_SPIRV_INSTRUMENT_TOOL_STATISTICS_TEXT_H_

#include <string>

#include "absl/types/span.h"
#include "spirv_instrument/passes/frame/statistics.h"

namespace assay::spirv_instrument {

// What --stats prints: words and time of the run; for each pass what it costs when it runs alone, and what became of
// the accesses that it is about, each outcome with its number. `alone` has the statistics of a run of each pass of
// `all`, in the same order.
std::string StatisticsText(const Statistics& all, absl::Span<const Statistics> alone);

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_TOOL_STATISTICS_TEXT_H_
