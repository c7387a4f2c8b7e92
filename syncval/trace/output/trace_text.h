// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_TEXT_H_
#define ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_TEXT_H_

#include <string>

#include "syncval/trace/timeline/timeline.h"

// How the JSON trace and the page word what they show.
namespace assay::syncval::trace {

// "vkCmdDispatch".
std::string NameOf(vk::CommandId id);
// "reads bytes 0 to 63 of VkBuffer 0x12[particles] (COPY_TRANSFER_READ)".
std::string AccessText(const RecordedTrace& trace, const TracedAccess& access);
// "VK_PIPELINE_STAGE_2_COPY_BIT".
std::string StagesText(VkPipelineStageFlags2 stages);
// "VkQueue 0x12[main], family 0 (graphics, compute, transfer)".
std::string QueueText(const TracedQueue& queue);
// "vkQueueSubmit2() 12".
std::string BatchText(const TracedBatch& batch);
// What was not kept; empty when all was.
std::string DroppedText(const Timeline& timeline);

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_OUTPUT_TRACE_TEXT_H_
