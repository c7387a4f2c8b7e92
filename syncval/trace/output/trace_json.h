// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_JSON_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_JSON_H_

#include <ostream>
#include <vector>

#include "syncval/trace/timeline/timeline.h"

namespace assay::syncval::trace {

// Writes the devices in the Trace Event Format, which Perfetto and chrome://tracing load: a process for each device, a
// thread for each queue and one for frames; submissions, command buffers, labels, render passes and commands as nested
// slices; semaphores and what barriers order as flows; hazards as instants. A microsecond of the trace is a tick of the
// logical clock (placement.h), not time; when a batch was submitted is among its arguments.
void WriteTraceJson(const std::vector<const Timeline*>& timelines, std::ostream& out);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_JSON_H_
