// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
#define ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_

#include "syncval/recording/recording.h"

// Heuristics: reasons not to report a hazard that the engine finds, since it does not model everything. Private to the
// package.
namespace assay::syncval {

// Whether the access of the command that is being recorded may be in order with the earlier one after all.
bool MayBeInOrder(const SyncRecording& recording, const Hazard& hazard, const RecordedAccess& access);

// Whether a possible read conflicts in all of its range, and with what is certain.
bool ConflictsEverywhere(AccessContext& context, const RecordedAccess& possible_read, Tag tag);

// Of a hazard with a possible read by the command `prior` of this recording: whether the access is to all of the range
// of that, so that the hazard is certain.
bool CoversPossibleRead(const SyncRecording& recording, Tag prior, const Hazard& hazard, const RecordedAccess& access);

// Whether the access of the command that is being recorded is in hazard, as far as possible reads are concerned.
bool IsInHazard(SyncRecording& recording, const RecordedAccess& access, Tag tag);

// Whether an unmodelled read between the earlier write and the access would put the access in order.
bool UnknownReadMayOrder(const Hazard& hazard, vk::SyncAccessIndex access);

// Whether two accesses of one render pass instance to the same ranges may be to different bytes, or in order. Draws of
// an instance share resources of which each accesses a part: storage that each fragment writes at its own place, or an
// attachment of which a draw samples texels that others do not draw to (a feedback loop). Transform feedback orders
// itself. MayBeInOrder knows more.
bool MayShareInstance(vk::SyncAccessIndex prior, vk::SyncAccessIndex access);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_RECORDING_HEURISTICS_H_
