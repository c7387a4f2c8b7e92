// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_
#define ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/suggestions/suggestion.h"
#include "syncval/engine/suggestions/suggestion_prior_accesses.h"

// How a suggestion becomes minimal. It starts with everything that may be needed. Each bit is removed, and put back if
// the hazard returns without it. HazardsToSolve decides that. It has one subclass for accesses and one for layout
// transitions. Private to suggestions.
namespace assay::syncval {

// Which of several stages that would do a suggestion has; see suggestion.h.
class StagePreference {
 public:
  // named: the stages that the command itself names.
  StagePreference(const SuggestionDevice& device, VkPipelineStageFlags2 named)
      : stages_(device.stages()), waited_(device.waited_stages()), named_(named) {}

  // The single stages of a set, the best one last.
  std::vector<VkPipelineStageFlags2> InOrder(VkPipelineStageFlags2 stages) const;

 private:
  VkPipelineStageFlags2 stages_;
  VkPipelineStageFlags2 waited_;
  VkPipelineStageFlags2 named_;
};

// The chains that count: those that the state records for certain, or all possible ones.
enum class Chains : uint8_t { kCertain, kPossible };

// The hazards to solve: of accesses that meet states, or of a layout transition that meets them.
class HazardsToSolve {
 public:
  // named: the stages that the command names.
  HazardsToSolve(const SuggestionDevice& device, VkPipelineStageFlags2 named)
      : device_(device), preference_(device, named) {}
  virtual ~HazardsToSolve() = default;

  const StagePreference& preference() const { return preference_; }

  // Whether nothing conflicts with the suggestion applied.
  bool IsSolvedBy(const Suggestion& suggestion, Chains chains) const {
    for (size_t i = 0; i < size(); ++i) {
      if (!IsSolvedBy(suggestion, i, chains)) return false;
    }
    return true;
  }
  bool IsSolvedBy(const Suggestion& suggestion, size_t i, Chains chains) const {
    // Accesses that race are in no state here, so that no conflict shows.
    if (race_ != nullptr && suggestion.semaphores.empty()) return false;
    StateCopy copy = StateAt(i);
    for (const Suggestion::Semaphore& semaphore : suggestion.semaphores) Wait(semaphore, i, chains, copy);
    return !Conflicts(i, std::move(copy), suggestion.flags, chains);
  }

 protected:
  // Limits the hazards to those of a race; null for no limit.
  void SetRace(const Race* race) { race_ = race; }
  // Whether any access of the race conflicts, as these functions decide.
  bool RaceConflicts(const StateCopy& prior, absl::FunctionRef<bool(const ReadRecord&)> conflicts,
                     absl::FunctionRef<bool()> write_conflicts) const {
    return std::ranges::any_of(race_->prior_accesses, [&](const RacingAccess& racing) {
      const AccessState& state = prior.state;
      if (state.HasWrite() && state.write_queue == race_->queue && state.write_tag == racing.tag &&
          state.write_index == racing.index && write_conflicts()) {
        return true;
      }
      return std::ranges::any_of(prior.reads, [&](const ReadRecord& read) {
        return read.index == racing.index && read.queue == race_->queue && read.tag == racing.tag && conflicts(read);
      });
    });
  }
  bool is_race() const { return race_ != nullptr; }

  virtual size_t size() const = 0;
  virtual const StateCopy& StateAt(size_t i) const = 0;
  virtual SemaphoreWait SemaphoreWaitAt(size_t i) const = 0;
  virtual bool Conflicts(size_t i, StateCopy prior, const BarrierFlags& flags, Chains chains) const = 0;

 private:
  // Applies a wait. The work of a queue up to now includes its work up to the signal.
  void Wait(const Suggestion::Semaphore& semaphore, size_t i, Chains chains, StateCopy& prior) const {
    if (chains == Chains::kPossible) return device_.Wait(semaphore, prior);
    if (is_race()) device_.Wait({semaphore.queue, semaphore.after, 0, 0}, prior);
    ApplySemaphore(semaphore, SemaphoreWaitAt(i), prior);
  }

  const SuggestionDevice& device_;
  const StagePreference preference_;
  const Race* race_ = nullptr;
};

// Whether the suggestion no longer solves the hazards without any one of its bits.
bool IsMinimal(const HazardsToSolve& hazards, const Suggestion& suggestion, Chains chains);

// Removes every bit of flags without which solves() still holds.
void Minimize(BarrierFlags& flags, const StagePreference& preference, absl::FunctionRef<bool()> solves);
// The same for a suggestion: whole semaphores first, then bits.
void Minimize(const HazardsToSolve& hazards, Chains chains, Suggestion& suggestion);

// Removes everything from a suggestion without which it still solves the hazards.
void MinimizeWithAllChains(const HazardsToSolve& hazards, const SuggestionDevice& device, Suggestion& suggestion);

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_SUGGESTIONS_MINIMIZE_SUGGESTION_H_
