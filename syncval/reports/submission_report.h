// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_SUBMISSION_REPORT_H_
#define ASSAY_SYNCVAL_REPORTS_SUBMISSION_REPORT_H_

#include <cstdint>

#include "messages/messages.h"
#include "syncval/queues/submission_hazard.h"

// Reports of hazards between submissions: the accesses of a batch with those of an earlier one, of another queue or of
// the presentation engine.
namespace assay::syncval {

// As messages::Message::cause.
uint64_t CauseOf(const SubmissionHazard& hazard, const messages::Reporter& reporter);

// report is of the call that made the batch ready. Another call may have submitted the batch. To be called while both
// sources' Recording() may be read.
messages::Message ComposeSubmissionHazard(const SubmissionHazard& hazard, messages::Report& report);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_SUBMISSION_REPORT_H_
