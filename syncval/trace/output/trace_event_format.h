// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_

#include <string>
#include <vector>

#include "nlohmann/json.hpp"

// The Trace Event Format, as its documentation has it ("JSON Object Format"), for the phases that are written here, and
// what an importer needs besides to leave nothing out.
//
// Importers sort events by time, and take those of one time in the order of the file. Then:
//
//   M           names a process or a thread
//   X           a slice. Of a thread, one ends before or with the one it begins in.
//   i           an instant of a thread, process or all
//   s, f        a flow begins and ends. Each id has one of either, in this order, with the same name and category, and
//               both are within a slice that has begun by then, which is what the arrow hangs on.
namespace assay::syncval::trace {

// What is wrong with a trace, in words; empty if nothing is.
std::vector<std::string> FormatErrors(const nlohmann::json& trace);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_EVENT_FORMAT_H_
