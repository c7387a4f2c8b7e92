// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TRACE_H_
#define ASSAY_SYNCVAL_TRACE_TRACE_H_

// The trace of synchronization validation: what the queues of a device did, as files to look at. It has five verbs.
//
// *Record.* While a command buffer is recorded, its CommandTrace (recorded/) collects each command that acts or
// synchronizes. A command comes with the accesses that validation logged for it, its barriers, its regions (labels,
// render passes) and its hazards. A CommandTrace belongs to the thread that records and takes no lock. When recording
// ends, it becomes a RecordedTrace, which never changes. There all names and places are texts, since the objects may be
// gone when it is read.
//
// *Submit.* Tracer, an observer of queues, adds each batch that becomes ready to the device's Timeline (timeline/),
// with references to the recordings of its command buffers. So a command buffer that is submitted a thousand times is
// kept once. The timeline is bounded: it drops the oldest batches, and reports how many.
//
// *Log.* If the process is killed, nobody writes the files. So each batch is also appended to a log (log/), before its
// call goes down. render.cc makes the files from the log of a process that is gone. A process that ends as it should
// removes its log when it has written the files.
//
// *Place.* When the trace is written, every command gets a place on a logical clock (placement.h). barrier_analysis.h
// compares the barriers with those that the run needed.
//
// *Write.* The files (output/) are a JSON trace for Perfetto (trace_json.h) and a page that shows the run
// (trace_page.h; its sources are in page/). trace_file.h writes them when the device is destroyed, or when the process
// ends.
//
// Without the setting the trace costs nothing: the hooks and the observer are not attached. Validation knows the trace
// by one pointer in SyncRecording, and reads it where it reports or is not certain. If the pointer is set, the fast
// path of draws and dispatches is off, since the trace shows their accesses too.

#include "syncval/trace/tracer.h"

#endif  // ASSAY_SYNCVAL_TRACE_TRACE_H_
