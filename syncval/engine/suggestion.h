// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/access_rules.h"
#include "syncval/engine/access_state.h"
#include "syncval/engine/barrier.h"

namespace assay::syncval {

// The barrier that makes a hazard go away. It is minimal: without any one of its bits the hazard is back.
struct Suggestion {
  enum class Where : uint8_t {
    // A barrier of its own before the command.
    kBefore,
    // Bits to add to the barrier that does the layout transition.
    kAddToTransition,
    // Bits to add to the second scope of the earlier barrier whose layout transition the command conflicts with. No
    // later barrier can follow upon that one, since it has no second scope.
    kAddToPriorTransition,
    // Stages to add to the semaphores by which the queue knows of what the command conflicts with, which another queue
    // did: source stages to signals that are limited to others, destination stages to waits. No later barrier can
    // follow
    // upon the waits as they are. Where the command conflicts with what its own queue did, too, a barrier with these
    // flags
    // is missing besides.
    kAddToSemaphores,
  };
  Where where = Where::kBefore;
  BarrierFlags flags;
};

// A state that an access meets, taken out of its context.
struct StateCopy {
  AccessState state;
  std::vector<ReadRecord> reads;
};
struct Encounter {
  StateCopy prior;
  Use use;
};

// The smallest barrier after which none of the encounters is a hazard. At least one is. For races there is none: what
// is missing is a semaphore, from the queue of the prior access, signalled after that, to the queue of the access.
Suggestion SuggestBefore(absl::Span<const Encounter> encounters);
// The smallest addition to the first side of a barrier with these flags, with which a layout transition after the scope
// src, which includes that side, conflicts with none of the states.
Suggestion SuggestAddition(absl::Span<const StateCopy> states, const BarrierScope& src, const BarrierFlags& flags,
                           VkQueueFlags queue_flags);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_
