// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Suggestions: the bodies of BasicAccessContext for them. See access_context_impl.h.
namespace assay::syncval {

// ---- Copies, in which things are tried

template <Mutation kMutation>
StateCopy BasicAccessContext<kMutation>::CopyOf(const Range& range, AccessState& state) {
  const absl::Span<const ReadRecord> reads = pool_.Reads(state);
  return {.state = state, .reads = {reads.begin(), reads.end()}, .range = range};
}

// One for each part of the copy whose dependency chains differ.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::AddStateAccesses(StateCopy copy, const CurrentAccess& current,
                                                     std::vector<StateAccess>& state_accesses) {
  const size_t before = state_accesses.size();
  if (copy.state.write_index == vk::kSyncImageLayoutTransition) {
    empty_scope_transitions_.ForEach(copy.range, copy.state.write_tag, log_,
                                     [&](const Range& part, const ChainsByStage& chains) {
                                       state_accesses.push_back({copy, current, automatic_transitions_begin_, &chains});
                                       state_accesses.back().prior.range = part;
                                     });
  }
  if (state_accesses.size() == before)
    state_accesses.push_back({std::move(copy), current, automatic_transitions_begin_});
}

template <Mutation kMutation>
void BasicAccessContext<kMutation>::Put(const StateCopy& copy) {
  ChangeEach(copy.range, true, [&](AccessState& state, const Range&) {
    state = copy.state;
    state.epoch = log_.epoch();
    state.read_count = 0;
    state.spill = AccessState::kNoSpill;
    for (const ReadRecord& read : copy.reads) pool_.AddRead(state, read);
  });
}

// As a wait for a semaphore adds what it makes known.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::Add(const StateCopy& copy) {
  incoming_reads_ = copy.reads;
  ChangeEach(copy.range, true, [&](AccessState& state, const Range&) { MergeState(state, copy.state); });
}

// The steps of a log from one on.
template <Mutation kMutation>
void BasicAccessContext<kMutation>::AppendSteps(const BarrierLog& log, uint32_t from) {
  for (uint32_t step = from; step < log.epoch(); ++step) {
    if (log.ChangeAt(step) == SubpassChange::kNone) {
      log_.Append(log.BarriersAt(step));
    } else {
      log_.AppendChange(log.ChangeAt(step), log.BarriersAt(step));
    }
    log_.MarkAccessRecorded();
  }
}

template <Mutation kMutation>
std::vector<StateCopy> BasicAccessContext<kMutation>::CopyStates(absl::Span<const Range> ranges) {
  FlushAll();
  std::vector<StateCopy> states;
  for (const Range& range : ranges) {
    ForEachState(range, [&](const Range& part, AccessState& state) { states.push_back(CopyOf(part, state)); });
  }
  return states;
}

// Of bytes that are alike here and on all other queues, what is known here, if anything.
template <Mutation kMutation>
std::vector<StateCopy> BasicAccessContext<kMutation>::CopyPieces(const Range& range) {
  std::vector<uint64_t> bounds = {range.begin, range.end};
  const auto add_bounds = [&](BasicAccessContext& context) {
    for (const StateCopy& copy : context.CopyStates({&range, 1})) {
      bounds.push_back(copy.range.begin);
      bounds.push_back(copy.range.end);
    }
  };
  add_bounds(*this);
  for (BasicAccessContext* other : other_queues_) add_bounds(*other);
  std::ranges::sort(bounds);
  std::vector<StateCopy> pieces;
  for (size_t i = 1; i < bounds.size(); ++i) {
    const Range piece{bounds[i - 1], bounds[i]};
    if (piece.begin == piece.end) continue;
    std::vector<StateCopy> known = CopyStates({&piece, 1});
    pieces.push_back(known.empty() ? StateCopy{.state = {}, .reads = {}, .range = piece} : std::move(known.front()));
  }
  return pieces;
}

// Semaphores are tried on copies of both queues' contexts.
template <Mutation kMutation>
class BasicAccessContext<kMutation>::OtherQueueContexts final : public OtherQueues {
 public:
  OtherQueueContexts(BasicAccessContext& context, Tag base) : context_(context), base_(base) {}

  Tag now() const override { return Tag{base_.value - 1}; }
  void Wait(const Suggestion::Semaphore& semaphore, StateCopy& prior) const override {
    constexpr VkAccessFlags2 kAll = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    BasicAccessContext* const signaller = Find(semaphore.queue);
    if (signaller == nullptr) return;
    const Barrier barrier = MakeBarrier({semaphore.signal_stages, kAll, semaphore.wait_stages, kAll}, ~VkQueueFlags{0});
    BasicAccessContext theirs;
    theirs.queue_ = signaller->queue_;
    for (const StateCopy& copy : signaller->CopyStates({&prior.range, 1})) theirs.Put(copy);
    Snapshot snapshot;
    theirs.AddToSnapshot(barrier.src, (semaphore.signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0, snapshot);
    BasicAccessContext waited;
    waited.queue_ = context_.queue_;
    waited.MergeSnapshot(snapshot, 0, barrier.dst, VectorClock());
    waited.AppendSteps(context_.log_, context_.replay_epoch_);
    BasicAccessContext ours;
    ours.queue_ = context_.queue_;
    ours.Put(prior);
    for (const StateCopy& copy : waited.CopyStates({&prior.range, 1})) ours.Add(copy);
    prior = ours.CopyStates({&prior.range, 1}).front();
  }
  BasicAccessContext* Find(QueueIndex queue) const {
    const auto found = std::ranges::find(context_.other_queues_, queue, &BasicAccessContext::queue_);
    return found != context_.other_queues_.end() ? *found : nullptr;
  }

 private:
  BasicAccessContext& context_;
  Tag base_;
};

// ---- Suggestions

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestBarrier(absl::Span<const Access> accesses, Tag tag) {
  std::vector<StateAccess> state_accesses;
  for (const Access& access : accesses) {
    for (StateCopy& copy : CopyStates({&access.range, 1}))
      AddStateAccesses(std::move(copy), MakeCurrentAccess(access, tag), state_accesses);
  }
  return SuggestBefore(state_accesses, NoOtherQueues());
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestForTransition(absl::Span<const Range> ranges, const BarrierScope& src,
                                                               const BarrierFlags& flags, VkQueueFlags queue_flags) {
  return SuggestAddition(CopyStates(ranges),
                         {.src = src,
                          .flags = flags,
                          .queue_flags = queue_flags,
                          .queue = queue_,
                          .before = Tag(),
                          .is_inside = phase_.is_inside(),
                          .event = std::nullopt},
                         NoOtherQueues());
}

template <Mutation kMutation>
CurrentTransition BasicAccessContext<kMutation>::MakeCurrentTransition(const ReplayHazard& found, Tag base,
                                                                       VkQueueFlags queue_flags) const {
  CurrentTransition current{.src = found.transition->src,
                            .flags = found.transition->flags,
                            .queue_flags = queue_flags,
                            .queue = queue_,
                            .before = base,
                            .is_inside = phase_.is_inside(),
                            .event = std::nullopt};
  if (found.events.empty()) return current;
  current.src = MakeBarrier(current.flags, queue_flags).src;
  CurrentTransition::WaitedEvent& at = current.event.emplace();
  at.stages = found.transition->src.stages.outside;
  for (const uint64_t event : found.events) {
    const EventTable::Event* const set = events_.Find(event);
    if (set == nullptr) continue;
    at.set_at = std::max(at.set_at, set->tag);
    for (size_t i = 0; found.matches_by_access && i < set->accesses.size(); ++i)
      at.by_access.emplace_back(set->accesses[i], set->StageOf(i));
  }
  return current;
}

// What is not known here of another queue's own accesses, of which the last write, or reads since, race with an access.
template <Mutation kMutation>
Race BasicAccessContext<kMutation>::RaceOf(const ReplayHazard& found, bool is_write) {
  Race race{.queue = found.hazard.prior_queue, .prior_accesses = {}};
  BasicAccessContext* const other = OtherQueueContexts(*this, Tag{0}).Find(race.queue);
  if (other == nullptr) {
    race.prior_accesses.push_back({found.hazard.prior_tag, found.hazard.prior_access});
    return race;
  }
  const auto add = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index) {
    if (queue == race.queue && !known_->Has(queue, tag)) race.prior_accesses.push_back({tag, index});
  };
  for (const StateCopy& copy : other->CopyStates({&found.access.range, 1})) {
    if (copy.state.HasWrite()) add(copy.state.write_queue, copy.state.write_tag, copy.state.write_index);
    if (!is_write) continue;
    for (const ReadRecord& read : copy.reads) add(read.queue, read.tag, read.index);
  }
  return race;
}

template <Mutation kMutation>
Suggestion BasicAccessContext<kMutation>::SuggestForReplay(const ReplayHazard& found, Tag base,
                                                           VkQueueFlags queue_flags) {
  const bool is_race = found.hazard.kind >= HazardKind::kReadRacingWrite;
  const OtherQueueContexts queues(*this, base);
  std::vector<StateCopy> pieces = CopyPieces(found.access.range);
  if (found.transition != nullptr) {
    const CurrentTransition current = MakeCurrentTransition(found, base, queue_flags);
    if (is_race) return SuggestForRaceOfTransition(RaceOf(found, true), pieces, current, queues);
    return SuggestAddition(pieces, current, queues);
  }
  CurrentAccess current = MakeCurrentAccess(found.access, OffsetTag(found.tag, base));
  current.before = base;
  std::vector<StateAccess> state_accesses;
  for (StateCopy& piece : pieces) AddStateAccesses(std::move(piece), current, state_accesses);
  if (is_race) return SuggestForRace(RaceOf(found, current.is_write), state_accesses, queues);
  return SuggestBefore(state_accesses, queues);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_
