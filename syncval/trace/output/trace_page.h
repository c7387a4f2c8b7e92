// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_PAGE_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_PAGE_H_

#include <ostream>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// Writes one HTML page that shows the devices and needs nothing else: no network, no other file.
void WriteTracePage(const std::vector<const Timeline*>& timelines, std::ostream& out);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_PAGE_H_
