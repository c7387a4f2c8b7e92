// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_

#include <ostream>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// Writes what the page shows, as one JSON object. A recording is there once, however often it was submitted, and texts
// are in one table; the page puts the run together. page/model.js reads it and says what each member is.
void WritePageData(const std::vector<const Timeline*>& timelines, std::ostream& out);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_
