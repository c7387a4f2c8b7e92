// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_HOOKS_SUBMISSION_READER_H_
#define ASSAY_STATE_HOOKS_SUBMISSION_READER_H_

#include "state/queues/submission.h"
#include "vk/commands.h"

// From commands that submit to batches, in the order of the call and not yet numbered. Private to the package.
namespace assay::state {

Batches ReadBatches(const vk::QueueSubmit& call);
Batches ReadBatches(const vk::QueueSubmit2& call);
Batches ReadBatches(const vk::QueueBindSparse& call);
Batches ReadBatches(const vk::QueuePresentKHR& call);

}  // namespace assay::state

#endif  // ASSAY_STATE_HOOKS_SUBMISSION_READER_H_
