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
// The state does not record whether a chain leads from one prior access to another. Where it does, a bit for one of
// them would do for both. No suggestion depends on that. A semaphore is signalled after all that its queue has done so
// far, which the queue's context has. A layout transition is done in a barrier, not by the wait for an event, whose
// first scope is long past.
//
// Where each of several stages would do, the suggestion has the one that a programmer would write: a stage of the
// device, if there is one. Of these one that the queue's last semaphore waits name, else one that the command names,
// else the logically earliest.
//
// For an access in a subpass, kAddBarrier is a dependency of that subpass as well as a barrier in it, with all earlier
// work in its first scope.
namespace assay::syncval {

struct Suggestion {
  enum class Kind : uint8_t {
    // A barrier of its own before the command.
    kAddBarrier,
    // Bits to add to the barrier that does the layout transition.
    kAddToTransition,
    // Bits to add to the second scope of the earlier barrier whose layout transition the command conflicts with. That
    // barrier has no second scope, so that none is ordered after it. Once it has one, barriers recorded since may be
    // ordered after it and lead to the command, so that its own second scope need not reach so far.
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
  // With kAddToPriorTransition, where that transition is an automatic one for a subpass that has ended: a barrier
  // before the command, too, for the second scope of a dependency of that subpass ends with it.
  BarrierFlags barrier;

  // A semaphore from the queue of a prior access, signalled after a command there, by its tag in the device, with
  // signal_stages in its first scope; waited for by the batch of this command with wait_stages in its second scope; or
  // these bits added to one that there is. Against prior accesses of another queue that no barrier can be ordered
  // after: they did not happen before, or they are in no stage here. An access in no stage is only in the first scope
  // of a signal with all commands.
  struct Semaphore {
    QueueIndex queue = {};
    Tag after;
    VkPipelineStageFlags2 signal_stages = 0;
    VkPipelineStageFlags2 wait_stages = 0;

    friend bool operator==(const Semaphore&, const Semaphore&) = default;
  };
  std::vector<Semaphore> semaphores;

  // With kAddToTransition, what that barrier has already. Empty for a subpass dependency that the application did not
  // write.
  BarrierFlags existing = {};
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
  // Where automatic layout transitions for the current subpass begin.
  Tag automatic_transitions_begin;
  // Of a last write that is a layout transition without second scope.
  const ChainsByStage* chains = nullptr;
};

// What a suggestion may depend on besides the states: the device's stages, and its other queues.
class SuggestionDevice {
 public:
  virtual ~SuggestionDevice() = default;
  // The single stages that the application can name.
  virtual VkPipelineStageFlags2 stages() const = 0;
  // The stage masks of the last semaphore waits of this queue.
  virtual VkPipelineStageFlags2 waited_stages() const = 0;
  // The last tag that has been given.
  virtual Tag now() const = 0;
  // Changes prior, a state of this queue, as a wait by the batch does for a semaphore that its queue signals now.
  virtual void Wait(const Suggestion::Semaphore& semaphore, StateCopy& prior) const = 0;
};
// For a command buffer while it is recorded: it has no other queues.
class RecordingDevice final : public SuggestionDevice {
 public:
  explicit RecordingDevice(VkPipelineStageFlags2 stages) : stages_(stages) {}

  VkPipelineStageFlags2 stages() const override { return stages_; }
  VkPipelineStageFlags2 waited_stages() const override { return 0; }
  Tag now() const override { return Tag{0}; }
  void Wait(const Suggestion::Semaphore& /*semaphore*/, StateCopy& /*prior*/) const override {}

 private:
  VkPipelineStageFlags2 stages_;
};

// A layout transition that is compared with accesses before a tag.
struct CurrentTransition {
  // Its first scope, which includes that of flags. An automatic one may have more in it.
  BarrierScope src;
  // Of its barrier, or of the dependency that bits are to be added to, in the context of a queue with queue_flags.
  BarrierFlags flags;
  VkQueueFlags queue_flags = 0;
  QueueIndex queue = {};
  Tag before;
  // While a subpass is current, at the end of its render pass.
  bool is_inside = false;
  // Of a barrier of a wait for an event: the stages that represent the event, none if it is not set here, and the place
  // where it was set. If the wait names accesses (matches_by_access), also the stages for each kind of access.
  struct WaitedEvent {
    VkPipelineStageFlags2 stages = 0;
    Tag set_at{0};
    std::vector<std::pair<SyncAccessMask, VkPipelineStageFlags2>> by_access;
  };
  std::optional<WaitedEvent> event;
};

// The smallest barrier after which none of the accesses is a hazard, with semaphores where no barrier will do. At
// least one is a hazard. If some can only be solved at an earlier layout transition, the suggestion is for those.
Suggestion SuggestBefore(absl::Span<const StateAccess> state_accesses, const SuggestionDevice& device);
// The smallest addition to the first scope of a barrier with which its layout transition conflicts with none of the
// states, with semaphores as above.
Suggestion SuggestAddition(absl::Span<const StateCopy> states, const CurrentTransition& transition,
                           const SuggestionDevice& device);

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
Suggestion SuggestForRace(const Race& race, absl::Span<const StateAccess> state_accesses,
                          const SuggestionDevice& device);
Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states,
                                      const CurrentTransition& transition, const SuggestionDevice& device);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_SUGGESTION_H_
