// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/access_rules.h"
#include "syncval/engine/access_state.h"
#include "syncval/engine/barrier.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/types.h"

namespace assay::syncval {

// What makes a hazard go away: bits of a barrier, semaphores, or both. It is minimal: without any one of the bits the
// hazard is back. Chains of which the state says nothing are not regarded: that semaphores for other accesses may put
// this one in order as well, by way of further queues; that barriers before the set of an event may lead from one of
// several prior accesses to the stage of the next; that barriers since an earlier layout transition follow upon it once
// it has a stage in its second scope. Nor is where in a render pass it goes: of a use in a subpass, kBefore is as much
// a dependency of that subpass as a barrier in it, with all that is before in its first scope, and semaphores are for
// what comes before the render pass.
struct Suggestion {
  enum class Where : uint8_t {
    // A barrier of its own before the command.
    kBefore,
    // Bits to add to the barrier that does the layout transition.
    kAddToTransition,
    // Bits to add to the second scope of the earlier barrier whose layout transition the command conflicts with. No
    // later barrier can follow upon that one, since it has no second scope.
    kAddToPriorTransition,
    // No barrier is missing, only semaphores.
    kSemaphores,
    // No mask helps. A layout transition that is done by the wait for an event has in its first scope what is before
    // the set of the event, and nothing else: set it later, on this queue, or do the transition in a barrier.
    kSetEventLater,
  };
  Where where = Where::kBefore;
  BarrierFlags flags;

  // A semaphore from the queue of a prior access, signalled after that with signal_stages in its first scope, waited
  // for before the command with wait_stages in its second scope; or these bits added to one that there is. For each
  // prior access of another queue that no barrier can follow upon: nothing is known of it, or what is known of it is in
  // no stage here. What happens in no stage is in the first scope of a signal with all commands only.
  struct Semaphore {
    QueueIndex queue = {};
    Tag after;
    VkPipelineStageFlags2 signal_stages = 0;
    VkPipelineStageFlags2 wait_stages = 0;

    friend bool operator==(const Semaphore&, const Semaphore&) = default;
  };
  std::vector<Semaphore> semaphores;
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

// A layout transition that is compared with accesses before a tag.
struct TransitionUse {
  // What it follows upon, which includes the first scope of flags. An automatic one may follow upon more.
  BarrierScope src;
  // Of its barrier, or of the dependency that bits are to be added to, in the context of a queue with queue_flags.
  BarrierFlags flags;
  VkQueueFlags queue_flags = 0;
  QueueIndex queue = {};
  Tag before;
  // Where the barrier is that of the wait for an event: the stages that stand for it, none if it is not known to be
  // set, and where it was set.
  std::optional<VkPipelineStageFlags2> event_stages;
  Tag set_at;
};

// The smallest barrier after which none of the encounters is a hazard, with semaphores where no barrier will do. At
// least one is a hazard. If some can only be solved at an earlier layout transition, the suggestion is for those.
Suggestion SuggestBefore(absl::Span<const Encounter> encounters);
// The smallest addition to the first scope of a barrier with which its layout transition conflicts with none of the
// states, with semaphores as above.
Suggestion SuggestAddition(absl::Span<const StateCopy> states, const TransitionUse& use);
// What puts an access at a stage, or a layout transition, in order after the one of another queue that it races with.
Suggestion SuggestForRace(const Hazard& race, VkPipelineStageFlags2 stage);
Suggestion SuggestForRaceOfTransition(const Hazard& race, const TransitionUse& use);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTION_H_
