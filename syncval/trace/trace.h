// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TRACE_H_
#define ASSAY_SYNCVAL_TRACE_TRACE_H_

// The sight of synchronization validation: what the queues of a device did, to be looked at.
//
// Four verbs:
//
//   record   While a command buffer is recorded, each command that acts or synchronizes is entered with the accesses
//   that
//            validation logged for it, its barriers, the regions that it is in (labels, render passes) and its hazards:
//            CommandTrace, one for each command buffer, no lock. When recording ends, it becomes a RecordedTrace, which
//            never changes, and in which all names and places are texts, since the objects may be gone when it is read.
//   submit   Each batch that becomes ready is entered into the device's Timeline, with references to the recordings of
//            its command buffers: Tracer, an observer of queues. So a command buffer that is submitted a thousand times
//            is kept once. The timeline is bounded: the oldest batches go, and how many went is said.
//   place    When the trace is written, every command gets its place on a logical clock (placement.h) and barriers are
//            judged by what the run needed (barrier_analysis.h).
//   write    As a JSON trace for Perfetto (trace_json.h) and as a page of its own (trace_page.h, page/), when the
//   device
//            is destroyed, or else when the process ends (trace_file.h).
//
// Who is not traced pays nothing: the hooks and the observer are attached only when the setting is on. Validation
// itself knows of the trace by one pointer in SyncRecording, looked at where it reports or is not sure; when it is set,
// draws and dispatches that are like ones before are looked at all the same, for their accesses are to be shown.

#include "syncval/trace/tracer.h"

#endif  // ASSAY_SYNCVAL_TRACE_TRACE_H_
