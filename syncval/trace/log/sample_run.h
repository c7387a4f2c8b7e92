// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_TRACE_LOG_SAMPLE_RUN_H_
#define ASSAY_SYNCVAL_TRACE_LOG_SAMPLE_RUN_H_

#include <cstdint>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "syncval/trace/output/trace_json.h"
#include "syncval/trace/output/trace_page.h"
#include "syncval/trace/timeline/trace_builder.h"
#include "syncval/trace/timeline/traced_run.h"

// What tests of the log submit, and how they compare.
namespace assay::syncval::trace {

// All that a recording can have.
inline RecordedTraceRef SampleRecording(const std::string& name = "VkCommandBuffer 0x1[\"frame\" \xff]") {
  RecordingBuilder secondary("VkCommandBuffer 0x2[draws]"), primary(name);
  secondary.Read(1);
  const BarrierFlags flags = {kCopyStage, kWriteAccess, kCopyStage, kReadAccess};
  primary.Copy(0, 1)
      .Barrier(flags, 1)
      .Copy(1, 2)
      .Execute({secondary.Finish()})
      .BeginRenderPass()
      .Dependency(VK_SUBPASS_EXTERNAL, 0, flags)
      .NextSubpass()
      .EndRenderPass()
      .Transition(flags, 3)
      .Ordering(OrderingRule::kRaster)
      .Read(2)
      .Region(TracedRegion::Kind::kLabel, "upload", 0, 3)
      .Region(TracedRegion::Kind::kRendering, "rendering", 1, 2, 1)
      .Hazard(6, 2, 2)
      .Hazard(7, kNone, 2);
  return primary.Finish();
}

inline TracedBatch SampleBatch(BatchPoint point, std::vector<RecordedTraceRef> recordings) {
  TracedBatch batch{.point = point, .command = vk::CommandId::kQueueSubmit2};
  batch.host_time = 1000 * static_cast<int64_t>(point.serial);
  batch.command_buffers = std::move(recordings);
  batch.waits = {{"VkSemaphore 0x7", point.serial, kAllStages, {{0, point.serial - 1}}, "image 1 of VkSwapchainKHR"}};
  batch.signals = {{"VkSemaphore 0x8[\n]", point.serial + 1, kCopyStage}};
  if (point.serial % 3 == 0) batch.presents = {"image 0 of VkSwapchainKHR 0x8"};
  return batch;
}

inline TimelineHazard SampleHazard(BatchPoint at, BatchPoint prior) {
  return {.id = "SYNC-HAZARD-READ-AFTER-WRITE",
          .text = "reads what was written.",
          .fix = "Signal a semaphore.",
          .at = {at, 0, 2},
          .prior = {prior, kNone, 0},
          .resource = "VkBuffer 0x3"};
}

inline Timeline SampleTimeline(uint32_t limit) {
  Timeline timeline(limit);
  timeline.device = "VkDevice 0x9[main]";
  return timeline;
}

// The JSON trace and the page.
inline std::string OutputsOf(const TracedRun& run) {
  std::ostringstream out;
  WriteTraceJson(run.timelines(), out);
  WriteTracePage(run.timelines(), out);
  return out.str();
}

}  // namespace assay::syncval::trace

#endif  // ASSAY_SYNCVAL_TRACE_LOG_SAMPLE_RUN_H_
