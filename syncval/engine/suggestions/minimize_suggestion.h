// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/functional/function_ref.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"

// How a suggestion comes to be minimal: it starts with everything that may be needed, and each bit is asked whether the
// hazard is back without it. What is asked is a HazardsToSolve, of which there is one kind for accesses and one for
// layout transitions. Private to suggestions.
namespace assay::syncval {

// Which chains count: those that the state tells of for certain, or all that there may be.
enum class Chains : uint8_t { kCertain, kPossible };

// What is to be solved: accesses that meet states, or a layout transition that does.
class HazardsToSolve {
 public:
  explicit HazardsToSolve(const OtherQueues& queues) : queues_(queues) {}
  virtual ~HazardsToSolve() = default;

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
    return std::ranges::any_of(race_->prior_accesses, [&](const RacingAccess& racing) {
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
  virtual SemaphoreWait SemaphoreWaitAt(size_t i) const = 0;
  virtual bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains chains) const = 0;

 private:
  // What a queue has done up to now includes what it had done by then.
  void Wait(const Suggestion::Semaphore& semaphore, size_t i, Chains chains, StateCopy& prior) const {
    if (chains == Chains::kPossible) return queues_.Wait(semaphore, prior);
    if (is_race()) queues_.Wait({semaphore.queue, semaphore.after, 0, 0}, prior);
    ApplySemaphore(semaphore, SemaphoreWaitAt(i), prior);
  }

  const OtherQueues& queues_;
  const Race* race_ = nullptr;
};

// Whether the suggestion no longer solves the hazards without any one of its bits.
bool IsMinimal(const HazardsToSolve& hazards, const Suggestion& suggestion, Chains chains);

// Takes out every bit of flags without which solves() still holds.
void Minimize(BarrierFlags& flags, absl::FunctionRef<bool()> solves);
// The same of a suggestion: whole semaphores first, then bits.
void Minimize(const HazardsToSolve& hazards, Chains chains, Suggestion& suggestion);

// Takes out of a suggestion that solves the hazards what it can do without.
void MinimizeWithAllChains(const HazardsToSolve& hazards, const OtherQueues& queues, Suggestion& suggestion);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_
