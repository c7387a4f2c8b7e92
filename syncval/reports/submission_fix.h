// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_SUBMISSION_FIX_H_
#define ASSAY_SYNCVAL_REPORTS_SUBMISSION_FIX_H_

#include "messages/messages.h"
#include "syncval/queues/submission_hazard.h"
#include "syncval/reports/fix.h"

// Ways to make a hazard between submissions go away. Private to the package.
namespace assay::syncval {

// For accesses by one queue: a barrier, or bits of one. Empty where the command that needs it is unknown.
Fix BarrierFix(const SubmissionHazard& hazard, const messages::Reporter& reporter);

// For accesses by two queues, or by a queue and the presentation engine: a semaphore, or stages of one.
Fix SemaphoreFix(const SubmissionHazard& hazard, const messages::Reporter& reporter);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_SUBMISSION_FIX_H_
