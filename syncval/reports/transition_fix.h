// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_
#define ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_

#include <string>

#include "syncval/recording/recording.h"
#include "syncval/reports/fix.h"

// Changes that remove the hazard of a layout transition with another command. Private to the package.
namespace assay::syncval {

// For changes of the recording.
inline SyncVersion VersionOf(const SyncRecording& recording) {
  return recording.has_synchronization2() ? SyncVersion::kSynchronization2 : SyncVersion::kSync1;
}

bool IsWait(vk::CommandId id);

// Adding bits to one side of the barrier that does a layout transition. That is the image barrier of a command (for a
// wait, with the set of its event too), or a dependency between a render pass and the commands outside. tag is the
// command's; transition is its logged access and may be null; command is "this vkCmdPipelineBarrier2()" or
// "command 3, …".
Fix AddToTransition(BarrierSide side, const BarrierFlags& flags, const SyncRecording& recording, Tag tag,
                    const RecordedAccess* transition, const std::string& command);

// Setting the event later, for a layout transition by a wait for it that no mask helps. Bits of flags must be added to
// the barrier as well.
Fix SetEventLater(SyncVersion version, const std::string& wait, const BarrierFlags& flags);

// For a layout transition that no later barrier can order others after as it is: AddToTransition, and the barrier to
// record before the later access.
Fix AddToPriorTransition(const Suggestion& suggestion, const SyncRecording& recording, Tag tag,
                         const RecordedAccess* transition, const std::string& command);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_
