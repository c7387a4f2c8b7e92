// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access_mask.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/hazard.h"
#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/empty_scope_transitions.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// What makes a hazard go away: bits of a barrier, semaphores, or both. It is minimal: without any one of the bits the
// hazard is back. Where the state does not tell whether a chain leads from one prior access to another, which would
// make a bit for one of them do for both, what is suggested does not depend on that: a semaphore is signalled by what
// its queue has done so far, of which the queue's context does tell; and a layout transition is done in a barrier and
// not by the wait for an event, whose first scope is from long ago.
//
// Of an access in a subpass, kAddBarrier is as much a dependency of that subpass as a barrier in it, with all that is
// before in its first scope.
struct Suggestion {
  enum class Kind : uint8_t {
    // A barrier of its own before the command.
    kAddBarrier,
    // Bits to add to the barrier that does the layout transition.
    kAddToTransition,
    // Bits to add to the second scope of the earlier barrier whose layout transition the command conflicts with. No
    // later barrier can follow upon that one, since it has no second scope. Once it has one, barriers that have been
    // recorded since may follow upon it and lead to the command, so that its own second scope need not reach so far.
    kAddToPriorTransition,
    // No barrier is missing, only semaphores.
    kAddSemaphores,
    // A layout transition that is done by the wait for an event has in its first scope what is before the set of the
    // event, and nothing else. Set it right before the wait, on this queue, or do the transition in a barrier there; in
    // either case with these bits added to the first scope, and after these semaphores.
    kSetEventLater,
  };
  Kind kind = Kind::kAddBarrier;
  BarrierFlags flags;
  // With kAddToPriorTransition, where that transition is an automatic one for a subpass that has ended: a barrier
  // before the command, too, for the second scope of a dependency of that subpass ends with it.
  BarrierFlags barrier;

  // A semaphore from the queue of a prior access, signalled after a command there, by its tag in the device, with
  // signal_stages in its first scope; waited for by the batch of this command with wait_stages in its second scope; or
  // these bits added to one that there is. Against prior accesses of another queue that no barrier can follow upon:
  // nothing is known of them, or what is known of them is in no stage here. What happens in no stage is in the first
  // scope of a signal with all commands only.
  struct Semaphore {
    QueueIndex queue = {};
    Tag after;
    VkPipelineStageFlags2 signal_stages = 0;
    VkPipelineStageFlags2 wait_stages = 0;

    friend bool operator==(const Semaphore&, const Semaphore&) = default;
  };
  std::vector<Semaphore> semaphores;
};

// A state that an access meets, taken out of its context, and where.
struct StateCopy {
  AccessState state;
  std::vector<ReadRecord> reads;
  Range range;
};
struct StateAccess {
  StateCopy prior;
  CurrentAccess current;
  // Where automatic layout transitions for the current subpass begin.
  Tag automatic_transitions_begin;
  // Of a last write that is a layout transition without second scope.
  const ChainsByStage* chains = nullptr;
};

// What is known on other queues, asked when something may depend on it.
class OtherQueues {
 public:
  virtual ~OtherQueues() = default;
  // The tag before all that comes next.
  virtual Tag now() const = 0;
  // Changes prior, of this queue, as a wait for a semaphore does that is signalled now with all that its queue knows,
  // and waited for by the batch.
  virtual void Wait(const Suggestion::Semaphore& semaphore, StateCopy& prior) const = 0;
};
// For a command buffer while it is recorded: there is nothing of other queues.
const OtherQueues& NoOtherQueues();

// A layout transition that is compared with accesses before a tag.
struct CurrentTransition {
  // What it follows upon, which includes the first scope of flags. An automatic one may follow upon more.
  BarrierScope src;
  // Of its barrier, or of the dependency that bits are to be added to, in the context of a queue with queue_flags.
  BarrierFlags flags;
  VkQueueFlags queue_flags = 0;
  QueueIndex queue = {};
  Tag before;
  // While a subpass is current, at the end of its render pass.
  bool is_inside = false;
  // Where the barrier is that of the wait for an event: the stages that stand for it, none if it is not known to be
  // set, and where it was set. Where the wait says which accesses it follows upon, those stages that it would with
  // more.
  struct WaitedEvent {
    VkPipelineStageFlags2 stages = 0;
    Tag set_at{0};
    std::vector<std::pair<SyncAccessMask, VkPipelineStageFlags2>> by_access;
  };
  std::optional<WaitedEvent> event;
};

// The smallest barrier after which none of the accesses is a hazard, with semaphores where no barrier will do. At
// least one is a hazard. If some can only be solved at an earlier layout transition, the suggestion is for those.
Suggestion SuggestBefore(absl::Span<const StateAccess> state_accesses, const OtherQueues& queues);
// The smallest addition to the first scope of a barrier with which its layout transition conflicts with none of the
// states, with semaphores as above.
Suggestion SuggestAddition(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                           const OtherQueues& queues);

// What of another queue races with an access.
struct RacingAccess {
  Tag tag;
  vk::SyncAccessIndex index = {};
};
struct Race {
  QueueIndex queue = {};
  std::vector<RacingAccess> prior_accesses;
};
// What puts an access, which meets these states, in order after all that it races with of another queue.
Suggestion SuggestForRace(const Race& race, absl::Span<const StateAccess> state_accesses, const OtherQueues& queues);
Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states,
                                      const CurrentTransition& transition, const OtherQueues& queues);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_H_
