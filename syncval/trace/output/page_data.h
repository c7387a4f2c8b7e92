// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_

#include <ostream>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// Writes the data of the page as one JSON object. It has each recording once, however often it was submitted, and all
// texts in one table. page/model.js puts the run together and describes each member.
void WritePageData(const std::vector<const Timeline*>& timelines, std::ostream& out);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_PAGE_DATA_H_
