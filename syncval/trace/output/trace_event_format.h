// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"

// Checks the Trace Event Format. The rules are those of its documentation ("JSON Object Format") for the phases that
// the trace has, and those that an importer needs so as to leave nothing out.
//
// Importers sort events by time, and take those of one time in the order of the file. Then:
//
//   M           names a process or a thread
//   X           a slice. Of a thread, one ends before or with the one it begins in.
//   i           an instant of a thread, process or all
//   s, f        a flow begins and ends. Each id has one of either, in this order, with the same name and category. Each
//               of the two is within a slice that has begun by then; the arrow is drawn between these slices.
namespace assay::syncval::trace {

// A sentence for each error of a trace.
std::vector<std::string> FormatErrors(const nlohmann::json& trace);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_
