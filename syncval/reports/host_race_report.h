// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_HOST_RACE_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_HOST_RACE_REPORT_H_

#include "messages/messages.h"
#include "syncval/queues/submission_hazard.h"

namespace assay::syncval {

// A race of an access by the host with a batch that it does not know to be complete. race is of
// QueueSync::AddHostRaces; report is of the call that does the access. To be called while race.prior->Recording() may
// be read.
messages::Message ComposeHostRace(const SubmissionHazard& race, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_HOST_RACE_REPORT_H_
