// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_WRITE_TRACE_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_WRITE_TRACE_H_

#include <string>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// "/tmp/run.json" gives "/tmp/run".
std::string StemOf(const std::string& path);

// The page beside a JSON trace: "/tmp/run.json" gives "/tmp/run.html".
std::string PagePathOf(const std::string& json_path);

// Writes the JSON trace and, beside it, the page. False if one of them cannot be written; errno is the reason.
bool WriteTrace(const std::vector<const Timeline*>& timelines, const std::string& json_path);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_WRITE_TRACE_H_
