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

// A suggestion resolves a hazard: by bits of a barrier, by semaphores, or by both. It is minimal: without any one of
// the bits the hazard returns.
//
// The state does not record whether a chain leads from one prior access to another. If one does, a bit for one of them
// would do for both. No suggestion depends on that. A suggested semaphore is signalled after all work of its queue so
// far, which the queue's context has. A suggested layout transition is done in a barrier. The wait for an event is no
// choice, since its first scope is long past.
//
// For an access in a subpass, kAddBarrier is both a dependency of that subpass and a barrier in it. Its first scope
// includes all earlier work.
namespace assay::syncval {

struct Suggestion {
  enum class Kind : uint8_t {
    // A barrier of its own before the command.
    kAddBarrier,
    // Bits to add to the barrier that does the layout transition.
    kAddToTransition,
    // Bits to add to the second scope of the earlier barrier whose layout transition the command conflicts with. That
    // barrier has no second scope, so no barrier is ordered after it. Once it has one, barriers recorded since may be
    // ordered after it and lead to the command. Its own second scope need not reach so far then.
    kAddToPriorTransition,
    // No barrier is missing, only semaphores.
    kAddSemaphores,
    // The layout transition of a wait for an event has only accesses before the set in its first scope. Set the event
    // right before the wait, on this queue, or do the transition in a barrier there. Either way add these bits to the
    // first scope, and wait for these semaphores before.
    kSetEventLater,
  };
  Kind kind = Kind::kAddBarrier;
  BarrierFlags flags;
  // For kAddToPriorTransition, if that transition is an automatic one for a subpass that has ended: a barrier before
  // the command is needed too. The second scope of a dependency of that subpass ends with the subpass.
  BarrierFlags barrier;

  // A semaphore from the queue of a prior access. It is signalled after a command there, whose tag in the device is
  // `after`, with signal_stages in its first scope. The batch of the current command waits for it, with wait_stages in
  // its second scope. A semaphore that already exists may get these bits instead.
  //
  // The prior access is one of another queue that no barrier can be ordered after: it did not happen before, or it is
  // in no stage here. Only a signal with all commands has an access in no stage in its first scope.
  struct Semaphore {
    QueueIndex queue = {};
    Tag after;
    VkPipelineStageFlags2 signal_stages = 0;
    VkPipelineStageFlags2 wait_stages = 0;

    friend bool operator==(const Semaphore&, const Semaphore&) = default;
  };
  std::vector<Semaphore> semaphores;
};

// A copy of a state that an access meets, with its range.
struct StateCopy {
  AccessState state;
  std::vector<ReadRecord> reads;
  Range range;
};
struct StateAccess {
  StateCopy prior;
  CurrentAccess current;
  // The place where automatic layout transitions for the current subpass begin.
  Tag automatic_transitions_begin;
  // The chains of a last write that is a layout transition without second scope.
  const ChainsByStage* chains = nullptr;
};

// The other queues of the device, for suggestions that may depend on them.
class OtherQueues {
 public:
  virtual ~OtherQueues() = default;
  // The last tag that the device has given.
  virtual Tag now() const = 0;
  // Changes `prior`, a state of this queue, as a wait of the current batch does, for a semaphore that its queue signals
  // now.
  virtual void Wait(const Suggestion::Semaphore& semaphore, StateCopy& prior) const = 0;
};
// For a command buffer while it is recorded: there are no other queues.
const OtherQueues& NoOtherQueues();

// A layout transition to compare with the accesses before a tag.
struct CurrentTransition {
  // Its first scope, which includes the first scope of `flags`. That of an automatic transition may include more.
  BarrierScope src;
  // The flags of its barrier, or of the dependency to add bits to, in the context of a queue with queue_flags.
  BarrierFlags flags;
  VkQueueFlags queue_flags = 0;
  QueueIndex queue = {};
  Tag before;
  // Whether a subpass is current, as it is at the end of a render pass.
  bool is_inside = false;
  // For a barrier of a wait for an event: the stages that represent the event (none if it is not set here), and the
  // place where it was set. If the wait names accesses (matches_by_access), also the stages for each kind of access.
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

// An access of another queue that races with the current one.
struct RacingAccess {
  Tag tag;
  vk::SyncAccessIndex index = {};
};
struct Race {
  QueueIndex queue = {};
  std::vector<RacingAccess> prior_accesses;
};
// Orders an access, which meets these states, after all accesses of another queue that it races with.
Suggestion SuggestForRace(const Race& race, absl::Span<const StateAccess> state_accesses, const OtherQueues& queues);
Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states,
                                      const CurrentTransition& transition, const OtherQueues& queues);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_H_
