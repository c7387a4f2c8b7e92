// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_

#include <algorithm>

#include "syncval/engine/contexts/access_context.h"

// Suggestions: the bodies of BasicAccessContext for them. See access_context_impl.h.
namespace assay::syncval {

// ---- Copies, in which things are tried

template <Fault kFault>
StateCopy BasicAccessContext<kFault>::CopyOf(const Range& range, AccessState& state) {
  const absl::Span<const ReadRecord> reads = pool_.Reads(state);
  return {.state = state, .reads = {reads.begin(), reads.end()}, .range = range};
}

// One for each part of the copy that has an outlook of its own.
template <Fault kFault>
void BasicAccessContext<kFault>::AddEncounters(StateCopy copy, const Use& use, std::vector<Encounter>& encounters) {
  const size_t before = encounters.size();
  if (copy.state.write_index == vk::kSyncImageLayoutTransition) {
    bare_.ForEach(copy.range, copy.state.write_tag, log_, [&](const Range& part, const Outlook& outlook) {
      encounters.push_back({copy, use, changes_begin_, &outlook});
      encounters.back().prior.range = part;
    });
  }
  if (encounters.size() == before) encounters.push_back({std::move(copy), use, changes_begin_});
}

template <Fault kFault>
void BasicAccessContext<kFault>::Put(const StateCopy& copy) {
  ChangeEach(copy.range, true, [&](AccessState& state, const Range&) {
    state = copy.state;
    state.epoch = log_.epoch();
    state.read_count = 0;
    state.spill = AccessState::kNoSpill;
    for (const ReadRecord& read : copy.reads) pool_.AddRead(state, read);
  });
}

// As a wait for a semaphore adds what it makes known.
template <Fault kFault>
void BasicAccessContext<kFault>::Add(const StateCopy& copy) {
  incoming_reads_ = copy.reads;
  ChangeEach(copy.range, true, [&](AccessState& state, const Range&) { ImportState(state, copy.state); });
}

// The steps of a log from one on.
template <Fault kFault>
void BasicAccessContext<kFault>::Follow(const BarrierLog& log, uint32_t from) {
  for (uint32_t step = from; step < log.epoch(); ++step) {
    if (log.ChangeAt(step) == SubpassChange::kNone) {
      log_.Append(log.BatchAt(step));
    } else {
      log_.AppendChange(log.ChangeAt(step), log.BatchAt(step));
    }
    log_.MarkUsed();
  }
}

template <Fault kFault>
std::vector<StateCopy> BasicAccessContext<kFault>::CopyStates(absl::Span<const Range> ranges) {
  FlushAll();
  std::vector<StateCopy> states;
  for (const Range& range : ranges) {
    ForEachKnown(range, [&](const Range& part, AccessState& state) { states.push_back(CopyOf(part, state)); });
  }
  return states;
}

// Of bytes that are alike here and on all other queues, what is known here, if anything.
template <Fault kFault>
std::vector<StateCopy> BasicAccessContext<kFault>::CopyPieces(const Range& range) {
  std::vector<uint64_t> bounds = {range.begin, range.end};
  const auto add_bounds = [&](BasicAccessContext& context) {
    for (const StateCopy& copy : context.CopyStates({&range, 1})) {
      bounds.push_back(copy.range.begin);
      bounds.push_back(copy.range.end);
    }
  };
  add_bounds(*this);
  for (BasicAccessContext* other : others_) add_bounds(*other);
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
template <Fault kFault>
class BasicAccessContext<kFault>::Others final : public OtherQueues {
 public:
  Others(BasicAccessContext& context, Tag base) : context_(context), base_(base) {}

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
    theirs.Export(barrier.src, (semaphore.signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0, snapshot);
    BasicAccessContext waited;
    waited.queue_ = context_.queue_;
    waited.Import(snapshot, 0, barrier.dst, Horizon());
    waited.Follow(context_.log_, context_.replay_epoch_);
    BasicAccessContext ours;
    ours.queue_ = context_.queue_;
    ours.Put(prior);
    for (const StateCopy& copy : waited.CopyStates({&prior.range, 1})) ours.Add(copy);
    prior = ours.CopyStates({&prior.range, 1}).front();
  }
  BasicAccessContext* Find(QueueIndex queue) const {
    const auto found = std::ranges::find(context_.others_, queue, &BasicAccessContext::queue_);
    return found != context_.others_.end() ? *found : nullptr;
  }

 private:
  BasicAccessContext& context_;
  Tag base_;
};

// ---- Suggestions

template <Fault kFault>
Suggestion BasicAccessContext<kFault>::SuggestBarrier(absl::Span<const Access> accesses, Tag tag) {
  std::vector<Encounter> encounters;
  for (const Access& access : accesses) {
    for (StateCopy& copy : CopyStates({&access.range, 1}))
      AddEncounters(std::move(copy), MakeUse(access, tag), encounters);
  }
  return SuggestBefore(encounters, NoOtherQueues());
}

template <Fault kFault>
Suggestion BasicAccessContext<kFault>::SuggestForChange(absl::Span<const Range> ranges, const BarrierScope& src,
                                                        const BarrierFlags& flags, VkQueueFlags queue_flags) {
  return SuggestAddition(CopyStates(ranges),
                         {.src = src,
                          .flags = flags,
                          .queue_flags = queue_flags,
                          .queue = queue_,
                          .before = Tag(),
                          .is_inside = scope_.is_inside(),
                          .event = std::nullopt},
                         NoOtherQueues());
}

template <Fault kFault>
TransitionUse BasicAccessContext<kFault>::MakeTransitionUse(const ReplayHazard& found, Tag base,
                                                            VkQueueFlags queue_flags) const {
  TransitionUse use{.src = found.transition->src,
                    .flags = found.transition->flags,
                    .queue_flags = queue_flags,
                    .queue = queue_,
                    .before = base,
                    .is_inside = scope_.is_inside(),
                    .event = std::nullopt};
  if (found.events.empty()) return use;
  use.src = MakeBarrier(use.flags, queue_flags).src;
  TransitionUse::EventUse& at = use.event.emplace();
  at.stages = found.transition->src.stages.outside;
  for (const uint64_t event : found.events) {
    const EventTable::Event* const set = events_.Find(event);
    if (set == nullptr) continue;
    at.set_at = std::max(at.set_at, set->tag);
    for (size_t i = 0; found.goes_by_access && i < set->accesses.size(); ++i)
      at.by_access.emplace_back(set->accesses[i], set->StageOf(i));
  }
  return use;
}

// What is not known here of another queue's own accesses, of which the last write, or reads since, race with a use.
template <Fault kFault>
Race BasicAccessContext<kFault>::RaceOf(const ReplayHazard& found, bool is_write) {
  Race race{.queue = found.hazard.prior_queue, .priors = {}};
  BasicAccessContext* const other = Others(*this, Tag{0}).Find(race.queue);
  if (other == nullptr) {
    race.priors.push_back({found.hazard.prior_tag, found.hazard.prior_access});
    return race;
  }
  const auto add = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index) {
    if (queue == race.queue && !known_->Has(queue, tag)) race.priors.push_back({tag, index});
  };
  for (const StateCopy& copy : other->CopyStates({&found.access.range, 1})) {
    if (copy.state.HasWrite()) add(copy.state.write_queue, copy.state.write_tag, copy.state.write_index);
    if (!is_write) continue;
    for (const ReadRecord& read : copy.reads) add(read.queue, read.tag, read.index);
  }
  return race;
}

template <Fault kFault>
Suggestion BasicAccessContext<kFault>::SuggestForReplay(const ReplayHazard& found, Tag base, VkQueueFlags queue_flags) {
  const bool is_race = found.hazard.kind >= HazardKind::kReadRacingWrite;
  const Others queues(*this, base);
  std::vector<StateCopy> pieces = CopyPieces(found.access.range);
  if (found.transition != nullptr) {
    const TransitionUse use = MakeTransitionUse(found, base, queue_flags);
    if (is_race) return SuggestForRaceOfTransition(RaceOf(found, true), pieces, use, queues);
    return SuggestAddition(pieces, use, queues);
  }
  Use use = MakeUse(found.access, Later(found.tag, base));
  use.before = base;
  std::vector<Encounter> encounters;
  for (StateCopy& piece : pieces) AddEncounters(std::move(piece), use, encounters);
  if (is_race) return SuggestForRace(RaceOf(found, use.is_write), encounters, queues);
  return SuggestBefore(encounters, queues);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_SUGGEST_IMPL_H_
