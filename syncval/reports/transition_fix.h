// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_
#define ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_

#include <string>

#include "syncval/recording/recording.h"
#include "syncval/reports/fix.h"

// Ways to make the hazard of a layout transition with another command go away. Private to the package.
namespace assay::syncval {

bool IsWait(vk::CommandId id);

// Bits to add to one side of what does a layout transition: the image barrier of a command, with the set of an event
// if it is a wait, or a dependency of a render pass with what is outside of that. tag is the command's, and transition,
// which may be null, what is logged of it; command is "this vkCmdPipelineBarrier2()" or "command 3, …".
Fix AddToTransition(BarrierSide side, const BarrierFlags& flags, const SyncRecording& recording, Tag tag,
                    const RecordedAccess* transition, const std::string& command);

// Of a layout transition by the wait for an event, where no mask helps. Bits of flags are to be added to its barrier
// even so.
Fix SetEventLater(const std::string& wait, const BarrierFlags& flags);

// Of a layout transition that nothing can follow upon as it is: AddToTransition, with the barrier that is to follow.
Fix AddToPriorTransition(const Suggestion& suggestion, const SyncRecording& recording, Tag tag,
                         const RecordedAccess* transition, const std::string& command);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_REPORTS_TRANSITION_FIX_H_
