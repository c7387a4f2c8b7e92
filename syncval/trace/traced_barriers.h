// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TRACED_BARRIERS_H_
#define ASSAY_SYNCVAL_TRACE_TRACED_BARRIERS_H_

#include "syncval/trace/recorded/command_trace.h"
#include "vk/commands.h"

// Makes the barriers of a trace from the parameters of commands. Private to the package.
namespace assay::syncval::trace {

// Adds the barriers of the call to the command that was begun last. is_event: the command waits for events.
void TraceBarriers(const vk::CmdPipelineBarrier& call, bool is_event, CommandTrace& trace);
void TraceBarriers(const vk::CmdPipelineBarrier2& call, bool is_event, CommandTrace& trace);
void TraceBarriers(const vk::CmdWaitEvents& call, bool is_event, CommandTrace& trace);
void TraceBarriers(const vk::CmdWaitEvents2& call, bool is_event, CommandTrace& trace);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TRACED_BARRIERS_H_
