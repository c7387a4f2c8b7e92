// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_QUEUES_RESOLVE_LATE_ACCESSES_H_
#define ASSAY_SYNCVAL_QUEUES_RESOLVE_LATE_ACCESSES_H_

#include "syncval/recording/recording.h"

namespace assay::syncval {

// Looks up what the late accesses of a recording access now that it is submitted, and records its commands anew with
// these accesses, each at the place of its command. Returns the context to replay: that of the recording itself if the
// late accesses access nothing known. The hazards between commands of the recording in which late accesses take part
// are in SyncRecording::GetLateResolution(). Descriptors that are the same as at the last submission cost a look-up
// alone.
//
// To be called when a queue executes the recording, while the queues are held.
AccessContext& ResolveLateAccesses(SyncRecording& recording);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_QUEUES_RESOLVE_LATE_ACCESSES_H_
