// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
#define ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_

#include "syncval/recording/recording.h"

// Heuristics: reasons not to report a hazard that the engine finds, since it does not model everything. Private to the
// package.
namespace assay::syncval {

// Whether the access of the command that is being recorded may be in order with the earlier one after all.
bool MayBeInOrder(const SyncRecording& recording, const Hazard& hazard, vk::SyncAccessIndex access);

// Whether an unmodelled read between the earlier write and the access would put the access in order.
bool UnknownReadMayOrder(const Hazard& hazard, vk::SyncAccessIndex access);

// Whether two accesses of one render pass instance to the same ranges may be to different bytes, or in order. Draws of
// an instance share resources of which each accesses a part, or which they access by atomics: storage that each
// fragment writes at its own place, or an attachment of which a draw samples texels that others do not draw to (a
// feedback loop).
bool MayShareInstance(vk::SyncAccessIndex prior, vk::SyncAccessIndex access);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
