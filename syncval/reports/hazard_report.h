// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_

#include <string>

#include "absl/types/span.h"
#include "messages/messages.h"
#include "syncval/recording/recording.h"

namespace assay::syncval {

// Reports every hazard of the accesses of the command with this tag, which is the last of the log and is not yet
// recorded in the context. Accesses that conflict with the same command over the same resource are one report. What may
// be in order nevertheless is none; returns whether anything was reported.
bool ReportAccessHazards(SyncRecording& recording, Tag tag, messages::Report& report);

// What a layout transition waits for, if it is done by the wait for events.
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

// Reports that an automatic layout transition, which is this access to these ranges, conflicts with an earlier access.
void ReportAutomaticTransitionHazard(SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access,
                                     absl::Span<const RangeBarrier> ranges,
                                     const RenderPassPlan::AutomaticTransition& transition,
                                     const state::RenderPass& render_pass, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HAZARD_REPORT_H_
