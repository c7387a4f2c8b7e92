// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_TEXT_H_
#define ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_TEXT_H_

#include <string>

#include "syncval/engine/engine.h"
#include "syncval/trace/recorded/recorded_trace.h"

namespace assay::syncval::trace {

// The barrier as code to paste, with these masks: a VkMemoryBarrier2, VkBufferMemoryBarrier2, VkImageMemoryBarrier2 or
// VkSubpassDependency2. It has the members that differ between barriers; `…` stands for those that stay as they are.
std::string BarrierText(const RecordedTrace& trace, const TracedBarrier& barrier, const BarrierFlags& flags);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_TIMELINE_BARRIER_TEXT_H_
