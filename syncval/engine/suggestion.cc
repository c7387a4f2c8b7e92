// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/suggestion.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

#include "absl/functional/function_ref.h"
#include "syncval/engine/event.h"
#include "syncval/engine/fault.h"
#include "syncval/engine/hazard.h"
#include "syncval/engine/transition_marks.h"

namespace assay::syncval {
namespace {

// Suggestions name single stages, which need no queue to say what they stand for.
constexpr VkQueueFlags kAnyQueue = ~VkQueueFlags{0};

const vk::SyncStageAccessInfo& PairOf(vk::SyncAccessIndex index) { return vk::SyncStageAccesses()[index]; }

// A barrier before a use, of whatever is before it. Of a subpass that is a dependency, or a barrier in the subpass.
Barrier BarrierFor(const BarrierFlags& flags, bool is_inside) {
  Barrier barrier = MakeBarrier(flags, kAnyQueue);
  if (!is_inside) return barrier;
  const BarrierScope inside = barrier.src.Inside();
  barrier.src.stages |= inside.stages;
  barrier.src.accesses |= inside.accesses;
  barrier.dst = barrier.dst.Inside();
  return barrier;
}

// What the access conflicts with, or would once it no longer conflicts with reads: the reads of the command that wrote
// last keep nobody from conflicting with the write too.
SyncAccessMask PriorsOf(const AccessState& state, const Hazard& hazard) {
  SyncAccessMask priors = hazard.all_prior_accesses;
  if (state.HasWrite()) priors.Set(state.write_index);
  return priors;
}

// Those that a barrier can follow upon.
VkPipelineStageFlags2 AllNamed(const StageSet& stages) {
  return NamedStages(stages, false) | NamedStages(stages, true) | (stages.ended & ~kTransitionMarks);
}

// What happens in no stage, like a layout transition, and what another queue did, can be followed upon only through
// what has followed upon it.
VkPipelineStageFlags2 StagesToFollow(const StateCopy& prior, vk::SyncAccessIndex index) {
  StageSet stages;
  if (index == prior.state.write_index) {
    const bool is_own = prior.state.source_index == index && PairOf(index).stage != 0;
    stages |= is_own ? StageSet(PairOf(index).stage) : prior.state.available_stages;
  }
  for (const ReadRecord& read : prior.reads) {
    if (read.index == index) stages |= read.stage.is_none() ? read.ordered_stages : read.stage.ToSet();
  }
  return AllNamed(stages);
}

// Everything that a barrier against this hazard may need; too much at times.
void AddNeeds(const Encounter& encounter, const Hazard& hazard, BarrierFlags& flags) {
  flags.dst_stages |= PairOf(encounter.use.index).stage;
  PriorsOf(encounter.prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    const vk::SyncStageAccessInfo& prior = PairOf(index);
    flags.src_stages |= StagesToFollow(encounter.prior, index);
    if (!prior.is_write) return;
    flags.src_access |= prior.access;
    flags.dst_access |= PairOf(encounter.use.index).access;
  });
}

// Takes out every bit of bits, a part of flags, without which solves(flags) still holds; logically later stages first,
// so that what is left is what one would write.
void DropBits(uint64_t& bits, bool are_stages, absl::FunctionRef<bool()> solves) {
  std::vector<uint64_t> order;
  for (uint64_t rest = bits; rest != 0; rest &= rest - 1) order.push_back(rest & (~rest + 1));
  if (are_stages) {
    std::ranges::stable_sort(order, [](uint64_t a, uint64_t b) {
      return std::popcount(vk::LogicallyEarlierStages(a)) > std::popcount(vk::LogicallyEarlierStages(b));
    });
  }
  for (const uint64_t bit : order) {
    bits &= ~bit;
    if (!solves()) bits |= bit;
  }
}

// ---- Semaphores

VkPipelineStageFlags2 SignalStages(vk::SyncAccessIndex prior) {
  return PairOf(prior).stage != 0 ? PairOf(prior).stage : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
}

// Where an access or layout transition of a queue would wait for a semaphore.
struct Waiter {
  QueueIndex queue;
  vk::SyncAccessIndex index;
  VkPipelineStageFlags2 stages;
  // What waits outside is in order before what is inside a subpass that begins later.
  bool is_inside;
};

Waiter WaiterOf(const Use& use) { return {use.queue, use.index, use.stage.outside | use.stage.inside, use.is_inside}; }

// Changes prior as a semaphore does, for that which happens up to its signal.
void ApplySemaphore(const Suggestion::Semaphore& semaphore, const Waiter& waiter, StateCopy& prior) {
  const Barrier barrier = MakeBarrier({semaphore.signal_stages, 0, semaphore.wait_stages, 0}, kAnyQueue);
  const VkPipelineStageFlags2 src = barrier.src.stages.outside;
  StageSet dst = barrier.dst.stages;
  if (waiter.is_inside) dst |= barrier.dst.Inside().stages;
  const bool everything = (semaphore.signal_stages & VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT) != 0;
  const auto is_before = [&](QueueIndex queue, Tag tag) { return queue == semaphore.queue && tag <= semaphore.after; };
  AccessState& state = prior.state;
  for (ReadRecord& read : prior.reads) {
    const bool is_in_scope = everything || (PairOf(read.index).stage & src) != 0;
    if (!is_before(read.queue, read.tag) || !is_in_scope) continue;
    read.ordered_stages |= dst;
    if (read.tag != state.write_tag) state.after_read_stages |= dst;
  }
  const bool is_in_scope = everything || (PairOf(state.write_index).stage & semaphore.signal_stages) != 0;
  if (!state.HasWrite() || !is_before(state.write_queue, state.write_tag) || !is_in_scope) return;
  if ((PairOf(waiter.index).stage & semaphore.wait_stages) != 0) {
    state.visible_to.outside.Set(waiter.index);
    if (waiter.is_inside) state.visible_to.inside.Set(waiter.index);
  }
  state.available_stages |= dst;
}

// Adds the semaphores for what the waiter conflicts with of other queues and cannot be followed upon, and changes prior
// as they would. conflicts(read) and write_conflicts() say what that is of reads and of the last write.
void SolveBySemaphores(const Waiter& waiter, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                       absl::FunctionRef<bool()> write_conflicts, StateCopy& prior,
                       std::vector<Suggestion::Semaphore>& semaphores) {
  const AccessState& state = prior.state;
  const auto solve = [&](QueueIndex queue, Tag tag, vk::SyncAccessIndex index) {
    const Suggestion::Semaphore semaphore{queue, tag, SignalStages(index), waiter.stages};
    if (std::ranges::find(semaphores, semaphore) == semaphores.end()) semaphores.push_back(semaphore);
    ApplySemaphore(semaphore, waiter, prior);
  };
  bool carries = false;
  for (const ReadRecord& read : prior.reads) {
    if (!conflicts(read)) continue;
    carries |= read.tag != state.write_tag;
    if (read.queue == waiter.queue || AllNamed(read.ordered_stages) != 0) continue;
    solve(read.queue, read.tag, read.index);
  }
  // A read that comes to be in order hands the write on.
  const bool is_foreign = state.HasWrite() && state.source_index == vk::kSyncNone;
  if (carries || !is_foreign || AllNamed(state.available_stages) != 0 || !write_conflicts()) return;
  solve(state.write_queue, state.write_tag, state.write_index);
}

// ---- What is tried

// Which chains count: those that the state tells of for certain, or all that there may be.
enum class Chains : uint8_t { kCertain, kPossible };

// What is to be solved: uses that meet states, or a layout transition that does.
class Question {
 public:
  explicit Question(const OtherQueues& queues) : queues_(queues) {}
  virtual ~Question() = default;

  // Whether nothing conflicts once the suggestion is followed.
  bool IsSolvedBy(const Suggestion& suggestion, Chains chains) const {
    for (size_t i = 0; i < size(); ++i) {
      if (!IsSolvedBy(suggestion, i, chains)) return false;
    }
    return true;
  }
  bool IsSolvedBy(const Suggestion& suggestion, size_t i, Chains chains) const {
    // What is not known of does not show among what conflicts.
    if (race_ != nullptr && suggestion.semaphores.empty()) return false;
    StateCopy copy = StateAt(i);
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) Wait(semaphore, i, chains, copy);
    return !Conflicts(i, std::move(copy), suggestion.flags, chains);
  }

 protected:
  // Of these alone, if there is a race.
  void SetRace(const Race* race) { race_ = race; }
  // Whether any of those conflicts, by these.
  bool RaceConflicts(const StateCopy& prior, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                     absl::FunctionRef<bool()> write_conflicts) const {
    return std::ranges::any_of(race_->priors, [&](const RacingPrior& racing) {
      const AccessState& state = prior.state;
      if (state.HasWrite() && state.write_queue == race_->queue && state.write_tag == racing.tag &&
          state.write_index == racing.index && write_conflicts()) {
        return true;
      }
      return std::ranges::any_of(prior.reads, [&](const ReadRecord& read) {
        return read.IsOf(racing.index, race_->queue) && read.tag == racing.tag && conflicts(read);
      });
    });
  }
  bool is_race() const { return race_ != nullptr; }

  virtual size_t size() const = 0;
  virtual const StateCopy& StateAt(size_t i) const = 0;
  virtual Waiter WaiterAt(size_t i) const = 0;
  virtual bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains chains) const = 0;

 private:
  // What a queue has done up to now includes what it had done by then.
  void Wait(const Suggestion::Semaphore& semaphore, size_t i, Chains chains, StateCopy& prior) const {
    if (chains == Chains::kPossible) return queues_.Wait(semaphore, prior);
    if (is_race()) queues_.Wait({semaphore.queue, semaphore.after, 0, 0}, prior);
    ApplySemaphore(semaphore, WaiterAt(i), prior);
  }

  const OtherQueues& queues_;
  const Race* race_ = nullptr;
};

// An access, or several of one command.
class UseQuestion final : public Question {
 public:
  UseQuestion(absl::Span<const Encounter> encounters, const OtherQueues& queues, const Race* race = nullptr)
      : Question(queues), encounters_(encounters) {
    SetRace(race);
  }

 private:
  size_t size() const override { return encounters_.size(); }
  const StateCopy& StateAt(size_t i) const override { return encounters_[i].prior; }
  Waiter WaiterAt(size_t i) const override { return WaiterOf(encounters_[i].use); }
  bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains /*chains*/) const override {
    const Use& use = encounters_[i].use;
    if (flags != BarrierFlags())
      ApplyBarrier<Fault::kNone>(prior.state, absl::MakeSpan(prior.reads), BarrierFor(flags, use.is_inside));
    Hazard hazard;
    if (!is_race()) return DetectUse(prior.state, prior.reads, use, Range(), hazard);
    return RaceConflicts(
        prior, [&](const ReadRecord& read) { return use.is_write && !HappensBefore(read, use); },
        [&] { return !IsVisible(prior.state, prior.reads, use); });
  }

  absl::Span<const Encounter> encounters_;
};

// Calls visit with each way to take a bit out of a suggestion.
void ForEachFewer(const Suggestion& suggestion, absl::FunctionRef<void(const Suggestion&)> visit) {
  for (size_t i = 0; i < suggestion.semaphores.size(); ++i) {
    for (uint64_t rest = suggestion.semaphores[i].signal_stages; rest != 0; rest &= rest - 1) {
      Suggestion fewer = suggestion;
      fewer.semaphores[i].signal_stages &= ~(rest & (~rest + 1));
      if (fewer.semaphores[i].signal_stages == 0)
        fewer.semaphores.erase(fewer.semaphores.begin() + static_cast<ptrdiff_t>(i));
      visit(fewer);
    }
  }
  for (uint64_t BarrierFlags::*member :
       {&BarrierFlags::src_stages, &BarrierFlags::src_access, &BarrierFlags::dst_stages, &BarrierFlags::dst_access}) {
    for (uint64_t rest = suggestion.flags.*member; rest != 0; rest &= rest - 1) {
      Suggestion fewer = suggestion;
      fewer.flags.*member &= ~(rest & (~rest + 1));
      visit(fewer);
    }
  }
}

bool IsMinimal(const Question& question, const Suggestion& suggestion, Chains chains) {
  bool result = true;
  ForEachFewer(suggestion, [&](const Suggestion& fewer) { result &= !question.IsSolvedBy(fewer, chains); });
  return result;
}

// More bits never bring a hazard back, so a bit that is needed now is still needed once others are gone: one pass is
// enough.
void Minimize(BarrierFlags& flags, absl::FunctionRef<bool()> solves) {
  DropBits(flags.src_access, false, solves);
  DropBits(flags.dst_access, false, solves);
  DropBits(flags.src_stages, true, solves);
  DropBits(flags.dst_stages, true, solves);
}

void Minimize(const Question& question, Chains chains, Suggestion& suggestion) {
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  const auto solves = [&] { return question.IsSolvedBy(suggestion, chains); };
  for (size_t i = 0; i < semaphores.size();) {
    const Suggestion::Semaphore dropped = semaphores[i];
    semaphores.erase(semaphores.begin() + static_cast<ptrdiff_t>(i));
    if (!solves()) semaphores.insert(semaphores.begin() + static_cast<ptrdiff_t>(i++), dropped);
  }
  for (Suggestion::Semaphore& semaphore : semaphores) DropBits(semaphore.signal_stages, true, solves);
  Minimize(suggestion.flags, solves);
}

// What is minimal by the chains that are certain may have a bit too many where there are others. Of a semaphore that is
// signalled now all of them are known.
void Settle(const Question& question, const OtherQueues& queues, Suggestion& suggestion) {
  Minimize(question, Chains::kCertain, suggestion);
  std::vector<Suggestion::Semaphore>& semaphores = suggestion.semaphores;
  if (!semaphores.empty() && !IsMinimal(question, suggestion, Chains::kPossible)) {
    for (Suggestion::Semaphore& semaphore : semaphores) semaphore.after = queues.now();
    Minimize(question, Chains::kPossible, suggestion);
  }
  if (suggestion.flags == BarrierFlags() && !semaphores.empty()) suggestion.where = Suggestion::Where::kSemaphores;
}

void SolveBySemaphores(Encounter& encounter, std::vector<Suggestion::Semaphore>& semaphores) {
  const Use& use = encounter.use;
  StateCopy& prior = encounter.prior;
  SolveBySemaphores(
      WaiterOf(use),
      [&](const ReadRecord& read) { return use.is_write && read.tag < use.before && !HappensBefore(read, use); },
      [&] { return !IsVisible(prior.state, prior.reads, use); }, prior, semaphores);
}

// ---- Layout transitions

// The first scope of a transition with more bits. Of an automatic one that is of a dependency, from outside or from a
// subpass.
BarrierScope WithBits(const TransitionUse& use, const BarrierFlags& addition) {
  BarrierFlags sum = use.flags;
  sum.src_stages |= addition.src_stages;
  sum.src_access |= addition.src_access;
  const BarrierScope outside = MakeBarrier(sum, use.queue_flags).src;
  const BarrierScope inside = outside.Inside();
  return {use.src.stages | outside.stages | inside.stages, use.src.accesses | outside.accesses | inside.accesses};
}

// The bits of the wait for an event are those of its set, too, and bear upon what is before that: what is in their
// scope comes to be before the stage of the event. Whether more bits let chains end there that have come about by now
// is not known.
void ApplyToSet(const TransitionUse& use, const BarrierScope& src, Chains chains, StateCopy& prior) {
  const TransitionUse::EventUse& event = *use.event;
  AccessState& state = prior.state;
  StageSet more = src.stages;
  more.outside &= ~use.src.stages.outside;
  more.inside &= ~use.src.stages.inside;
  const auto may_end = [&](const StageSet& stages) { return chains == Chains::kPossible && stages.IsInSource(more); };
  if (state.write_tag < event.set_at &&
      (src.accesses.Has(state.source_index, state.is_write_inside) || may_end(state.available_stages))) {
    state.available_stages |= event.stages;
  }
  if (may_end(state.read_stages | state.after_read_stages)) state.after_read_stages |= event.stages;
  for (ReadRecord& read : prior.reads) {
    if (read.tag >= event.set_at) continue;
    if (!read.stage.ToSet().IsInSource(src.stages) && !may_end(read.ordered_stages)) continue;
    read.ordered_stages |= event.stages;
    if (read.tag != state.write_tag) state.after_read_stages |= event.stages;
  }
}

// The first scope that the transition has in prior, with more bits.
BarrierScope ScopeIn(const TransitionUse& use, const BarrierFlags& addition, Chains chains, StateCopy& prior) {
  BarrierScope src = WithBits(use, addition);
  if (!use.event.has_value()) return src;
  if (addition != BarrierFlags()) ApplyToSet(use, src, chains, prior);
  VkPipelineStageFlags2 stages = use.event->stages;
  for (const auto& [accesses, of_accesses] : use.event->by_access) {
    if (src.accesses.outside.Intersects(accesses)) stages |= of_accesses;
  }
  return {stages, {}};
}

class TransitionQuestion final : public Question {
 public:
  TransitionQuestion(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues,
                     const Race* race = nullptr)
      : Question(queues), states_(states), use_(use) {
    SetRace(race);
  }

 private:
  size_t size() const override { return states_.size(); }
  const StateCopy& StateAt(size_t i) const override { return states_[i]; }
  Waiter WaiterAt(size_t /*i*/) const override {
    return {use_.queue, vk::kSyncImageLayoutTransition, 0, use_.is_inside};
  }
  bool Conflicts(size_t /*i*/, StateCopy prior, const BarrierFlags& flags, Chains chains) const override {
    const BarrierScope src = ScopeIn(use_, flags, chains, prior);
    Hazard hazard;
    if (!is_race()) return DetectTransition(prior.state, prior.reads, src, use_.before, Range(), hazard);
    return RaceConflicts(
        prior, [&](const ReadRecord& read) { return !IsInSource(read, src); },
        [&] { return DetectTransition(prior.state, {}, src, use_.before, Range(), hazard); });
  }

  absl::Span<const StateCopy> states_;
  const TransitionUse& use_;
};

// What semaphores may order.
VkPipelineStageFlags2 FirstScope(const TransitionUse& use) {
  const StageSet stages = WithBits(use, {}).stages;
  return NamedStages(stages, false) | (use.is_inside ? NamedStages(stages, true) : 0);
}
bool HasFirstScope(const TransitionUse& use) { return FirstScope(use) != 0; }

// A stage by which a wait leads to the transition, once that has a first scope.
VkPipelineStageFlags2 StageToWaitWith(const TransitionUse& use) {
  constexpr VkPipelineStageFlags2 kAll = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  if (!HasFirstScope(use) || (use.flags.src_stages & kAll) != 0) return kAll;
  const VkPipelineStageFlags2 stages = FirstScope(use);
  return stages & (~stages + 1);
}

void SolveBySemaphores(const TransitionUse& use, StateCopy& prior, std::vector<Suggestion::Semaphore>& semaphores) {
  const BarrierScope src = WithBits(use, {});
  const StateCopy original = prior;
  SolveBySemaphores(
      {use.queue, vk::kSyncImageLayoutTransition, StageToWaitWith(use), use.is_inside},
      [&](const ReadRecord& read) { return read.tag < use.before && !IsInSource(read, src); },
      [&] {
        Hazard hazard;
        return DetectTransition(original.state, {}, src, use.before, Range(), hazard);
      },
      prior, semaphores);
}

std::vector<StateCopy> SolveBySemaphores(absl::Span<const StateCopy> states, const TransitionUse& use,
                                         std::vector<Suggestion::Semaphore>& semaphores) {
  std::vector<StateCopy> rest(states.begin(), states.end());
  for (StateCopy& copy : rest) SolveBySemaphores(use, copy, semaphores);
  return rest;
}

void AddNeeds(const StateCopy& prior, const Hazard& hazard, BarrierFlags& addition) {
  PriorsOf(prior.state, hazard).ForEach([&](vk::SyncAccessIndex index) {
    addition.src_stages |= StagesToFollow(prior, index);
    if (PairOf(index).is_write) addition.src_access |= PairOf(index).access;
  });
}

// Whether what conflicts is a layout transition for a subpass that has ended.
bool IsOfEndedSubpass(const Encounter& encounter) {
  const bool is_current = encounter.use.is_inside && encounter.prior.state.write_tag >= encounter.changes_begin;
  return (encounter.prior.state.available_stages.ended & kForSubpass) != 0 && !is_current;
}

// Bits of the second scope of earlier layout transitions, which the encounters lack, and of a barrier that follows upon
// them.
bool IsSolvedAtPriorTransition(Encounter encounter, const Suggestion& suggestion) {
  const Use& use = encounter.use;
  AccessState& state = encounter.prior.state;
  BarrierFlags flags = suggestion.flags;
  if ((state.available_stages.ended & kReadsInNoStage) != 0) flags.dst_access |= VK_ACCESS_2_MEMORY_READ_BIT;
  if ((state.available_stages.ended & kWritesInNoStage) != 0) flags.dst_access |= VK_ACCESS_2_MEMORY_WRITE_BIT;
  const Outlook now(0, true, use.is_inside);
  const Outlook& outlook = encounter.outlook != nullptr ? *encounter.outlook : now;
  const FollowUp follow_up = outlook.Of(MakeBarrier(flags, kAnyQueue).dst);
  state.visible_to |= follow_up.visible_to;
  state.available_stages |= follow_up.available_stages;
  ApplyBarrier<Fault::kNone>(state, absl::MakeSpan(encounter.prior.reads),
                             BarrierFor(suggestion.barrier, use.is_inside));
  Hazard hazard;
  return !DetectUse(state, encounter.prior.reads, use, Range(), hazard);
}

Suggestion SuggestAtPriorTransition(absl::Span<const Encounter> encounters) {
  Suggestion suggestion{
      .where = Suggestion::Where::kAddToPriorTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  const bool are_of_ended = std::ranges::all_of(encounters, IsOfEndedSubpass);
  for (const Encounter& encounter : encounters) {
    flags.dst_stages |= encounter.use.stage.outside | encounter.use.stage.inside;
    flags.dst_access |= PairOf(encounter.use.index).access;
  }
  if (are_of_ended) {
    suggestion.barrier = {flags.dst_stages, 0, flags.dst_stages, flags.dst_access};
    flags.dst_access = 0;
  }
  const auto solves = [&] {
    return std::ranges::all_of(encounters, [&](const Encounter& encounter) {
      return IsOfEndedSubpass(encounter) != are_of_ended || IsSolvedAtPriorTransition(encounter, suggestion);
    });
  };
  Minimize(flags, solves);
  Minimize(suggestion.barrier, solves);
  return suggestion;
}

// Bits for what is in the first scope of no semaphore.
void AddNeeds(absl::Span<const StateCopy> states, const TransitionUse& use, BarrierFlags& flags) {
  for (StateCopy copy : states) {
    const BarrierScope src = ScopeIn(use, {}, Chains::kCertain, copy);
    Hazard hazard;
    if (DetectTransition(copy.state, copy.reads, src, use.before, Range(), hazard)) AddNeeds(copy, hazard, flags);
  }
}

// The same transition in a barrier.
TransitionUse InBarrier(const TransitionUse& use) {
  TransitionUse result = use;
  result.event.reset();
  return result;
}

// The bits for a wait and its set, if it is certain that they solve the hazard and none is too many.
std::optional<Suggestion> AdditionToEvent(absl::Span<const StateCopy> states, const TransitionUse& use,
                                          const OtherQueues& queues) {
  const TransitionQuestion question(states, use, queues);
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  AddNeeds(states, use, suggestion.flags);
  if (!question.IsSolvedBy(suggestion, Chains::kCertain)) return std::nullopt;
  Minimize(question, Chains::kCertain, suggestion);
  if (!IsMinimal(question, suggestion, Chains::kPossible)) return std::nullopt;
  return suggestion;
}

Suggestion AdditionToBarrier(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues) {
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  BarrierFlags& flags = suggestion.flags;
  std::vector<StateCopy> rest = SolveBySemaphores(states, use, suggestion.semaphores);
  if (!suggestion.semaphores.empty() && !HasFirstScope(use)) {
    // With a first scope, reads of this queue may hand on what semaphores seemed to be needed for.
    flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    TransitionUse wider = use;
    wider.flags.src_stages |= flags.src_stages;
    suggestion.semaphores.clear();
    rest = SolveBySemaphores(states, wider, suggestion.semaphores);
  }
  AddNeeds(rest, use, flags);
  Settle(TransitionQuestion(states, use, queues), queues, suggestion);
  return suggestion;
}

// Of what another queue did, the last and its stages, or less.
Suggestion::Semaphore SemaphoreFor(const Race& race, VkPipelineStageFlags2 wait_stages) {
  Suggestion::Semaphore semaphore{.queue = race.queue, .after = Tag{0}, .signal_stages = 0, .wait_stages = wait_stages};
  for (const RacingPrior& prior : race.priors) {
    semaphore.after = std::max(semaphore.after, prior.tag);
    semaphore.signal_stages |= SignalStages(prior.index);
  }
  return semaphore;
}

class NoQueues final : public OtherQueues {
 public:
  Tag now() const override { return Tag{0}; }
  void Wait(const Suggestion::Semaphore& /*semaphore*/, StateCopy& /*prior*/) const override {}
};

}  // namespace

const OtherQueues& NoOtherQueues() {
  static const NoQueues queues;
  return queues;
}

Suggestion SuggestBefore(absl::Span<const Encounter> encounters, const OtherQueues& queues) {
  const UseQuestion question(encounters, queues);
  Suggestion suggestion;
  for (Encounter encounter : encounters) {
    SolveBySemaphores(encounter, suggestion.semaphores);
    Hazard hazard;
    if (DetectUse(encounter.prior.state, encounter.prior.reads, encounter.use, Range(), hazard))
      AddNeeds(encounter, hazard, suggestion.flags);
  }
  std::vector<Encounter> rest;
  for (size_t i = 0; i < encounters.size(); ++i) {
    if (!question.IsSolvedBy(suggestion, i, Chains::kCertain)) rest.push_back(encounters[i]);
  }
  if (!rest.empty()) return SuggestAtPriorTransition(rest);
  Settle(question, queues, suggestion);
  return suggestion;
}

Suggestion SuggestAddition(absl::Span<const StateCopy> states, const TransitionUse& use, const OtherQueues& queues) {
  if (!use.event.has_value()) return AdditionToBarrier(states, use, queues);
  if (const std::optional<Suggestion> addition = AdditionToEvent(states, use, queues)) return *addition;
  Suggestion suggestion = AdditionToBarrier(states, InBarrier(use), queues);
  suggestion.where = Suggestion::Where::kSetEventLater;
  return suggestion;
}

Suggestion SuggestForRace(const Race& race, absl::Span<const Encounter> encounters, const OtherQueues& queues) {
  Suggestion suggestion{.where = Suggestion::Where::kSemaphores, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, WaiterOf(encounters.front().use).stages));
  Settle(UseQuestion(encounters, queues, &race), queues, suggestion);
  return suggestion;
}

Suggestion SuggestForRaceOfTransition(const Race& race, absl::Span<const StateCopy> states, const TransitionUse& use,
                                      const OtherQueues& queues) {
  const TransitionUse in_barrier = InBarrier(use);
  Suggestion suggestion{.where = Suggestion::Where::kAddToTransition, .flags = {}, .barrier = {}, .semaphores = {}};
  suggestion.semaphores.push_back(SemaphoreFor(race, StageToWaitWith(in_barrier)));
  if (!HasFirstScope(in_barrier)) suggestion.flags.src_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  Settle(TransitionQuestion(states, in_barrier, queues, &race), queues, suggestion);
  if (use.event.has_value()) suggestion.where = Suggestion::Where::kSetEventLater;
  return suggestion;
}

}  // namespace assay::syncval
