// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_REPLAY_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_REPLAY_REPORT_H_

#include <cstdint>
#include <vector>

#include "messages/messages.h"
#include "syncval/queues/queue_sync.h"
#include "syncval/recording/recording.h"

// Reports of hazards that a replay found: of a secondary in its primary, of a command buffer on its queue.
namespace assay::syncval {

// A hazard of a command of an executed secondary with what the primary did before. Tags are of the primary's log.
struct ExecutionHazard {
  // The part of it that conflicts.
  RecordedAccess access;
  Tag tag;
  Hazard hazard;
  // Of pCommandBuffers.
  uint32_t index = 0;
  Suggestion fix;
};

// To be called from the replay. base is what it begins at. Adds nothing that says what another one said.
void AddHazard(SyncRecording& primary, const ReplayHazard& found, Tag base, uint32_t index,
               std::vector<ExecutionHazard>& hazards);
void ReportExecutionHazard(const SyncRecording& primary, const ExecutionHazard& hazard, messages::Report& report);

// As messages::Message::cause.
uint64_t CauseOf(const SubmissionHazard& hazard, const messages::Reporter& reporter);
// report is of the call that made the batch ready, which need not be the one that submitted it.
messages::Message ComposeSubmissionHazard(const SubmissionHazard& hazard, messages::Report& report);

// Of QueueSync::AddHostRaces; report is of the call that does the access.
void ReportHostRace(const SubmissionHazard& race, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_REPLAY_REPORT_H_
