// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_EXECUTION_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_EXECUTION_REPORT_H_

#include <cstdint>
#include <vector>

#include "messages/messages.h"
#include "syncval/recording/possible_reads.h"
#include "syncval/recording/recording.h"

// Reports of hazards of executed secondaries: the commands of a secondary with those that the primary recorded before
// vkCmdExecuteCommands.
namespace assay::syncval {

// A hazard of one command of an executed secondary. Tags are of the primary's log.
struct ExecutionHazard {
  // The part of the access that conflicts.
  RecordedAccess access;
  Tag tag;
  Hazard hazard;
  // Of the secondary in pCommandBuffers.
  uint32_t index = 0;
  Suggestion fix;
};

// Adds what the replay of a secondary found to hazards, unless one there has the same resource and earlier command.
// To be called from the replay, with one `parts` for all hazards of it. base is the tag that the replay begins at,
// index the secondary's in pCommandBuffers.
void AddHazard(SyncRecording& primary, ReplayHazard found, Tag base, uint32_t index, PossibleReadParts& parts,
               std::vector<ExecutionHazard>& hazards);

// report is of vkCmdExecuteCommands.
void ReportExecutionHazard(const SyncRecording& primary, const ExecutionHazard& hazard, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_EXECUTION_REPORT_H_
