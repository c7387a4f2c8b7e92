// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_

#include <string>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "syncval/recording/recording.h"

// Reports of hazards that a command has while it is recorded, with earlier commands of its command buffer.
namespace assay::syncval {

// Reports every hazard of the accesses of the command with this tag. The command is the last of the log and is not yet
// recorded in the context. Accesses that conflict with the same command over the same resource are one report. Accesses
// that may be in order after all (heuristics.h) are not reported. Returns whether anything was reported.
bool ReportAccessHazards(SyncRecording& recording, Tag tag, messages::Report& report);

// The events that a layout transition waits for, if vkCmdWaitEvents or vkCmdWaitEvents2 does it.
struct EventsOfWait {
  absl::Span<const uint64_t> events;
  // As EventCommand::matches_by_access.
  bool matches_by_access = false;
};

// Reports that the layout transition of an image barrier conflicts with an earlier access. member and index name the
// barrier, e.g. "pImageMemoryBarriers" and 0; ranges are what it covers. barrier is as the engine has it for the wait.
void ReportTransitionHazard(SyncRecording& recording, const Hazard& hazard, VkImage image, const char* member,
                            uint32_t index, absl::Span<const Range> ranges, const Barrier& barrier,
                            const EventsOfWait& events, messages::Report& report);

// Reports that an automatic layout transition of a render pass conflicts with an earlier access. access is the
// transition, and ranges are what it covers.
void ReportAutomaticTransitionHazard(SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                                     absl::Span<const RangeBarrier> ranges,
                                     const RenderPassPlan::AutomaticTransition& transition,
                                     const state::RenderPass& render_pass, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_
