// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
#define ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_

#include "syncval/recording/recording.h"

// Reasons not to report what the engine takes for a hazard, since it is not told everything. Private to the package.
namespace assay::syncval {

// Whether the access of a command that is being recorded may be in order with the earlier one after all.
bool MayBeInOrder(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access);

// Whether an unmodelled read of what the earlier write wrote would put the access in order, if it stands between them.
bool UnknownReadMayOrder(const Hazard& hazard, vk::SyncAccessIndex access);

// Whether two accesses of one render pass instance may be of different bytes, or in order, though they name the same
// ones. Draws of an instance share what each uses a part of, or uses by atomics: storage that each fragment writes at
// its own place, an attachment of which a draw samples what others do not draw to (a feedback loop).
bool MayShareInstance(vk::SyncAccessIndex prior, vk::SyncAccessIndex access);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
