// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_BARRIERS_CHAINS_BY_STAGE_H_
#define ASSAY_SYNCVAL_ENGINE_BARRIERS_CHAINS_BY_STAGE_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/stage_set.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/events/event.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// V and C of the state of a transition.
struct WriteVisibility {
  AccessSet visible_to;
  StageSet available_stages;

  friend bool operator==(const WriteVisibility&, const WriteVisibility&) = default;
};

// The dependency chains from a layout transition without second scope, by the stage that would begin them. See
// empty_scope_transitions.h.
class ChainsByStage {
 public:
  // At the transition itself, where second scopes are outside of the current subpass, inside, or both.
  ChainsByStage(uint32_t epoch, bool is_outside, bool is_inside)
      : epoch_(epoch), is_outside_(is_outside), is_inside_(is_inside) {}
  // For a transition of another queue, before any wait.
  static ChainsByStage OfOtherQueue(uint32_t epoch);

  // Whether nothing has come since the transition, in the log or otherwise.
  bool IsNewAt(uint32_t epoch) const { return epoch_ == epoch && by_stage_.empty(); }
  bool IsAlike(bool is_outside, bool is_inside) const { return is_outside_ == is_outside && is_inside_ == is_inside; }

  // Applies what it has not seen of the log.
  void CatchUp(const BarrierLog& log);
  // Applies the barriers of one command, after which it has seen the log up to next_epoch.
  void Apply(absl::Span<const Barrier* const> barriers, uint32_t next_epoch);
  // For a log that begins anew, or another context's.
  void MoveTo(uint32_t epoch) { epoch_ = epoch; }
  void MapStages(const EventStageMap& map);
  void ReleaseStages(VkPipelineStageFlags2 stages);

  // The stages for which the transition is in the first scope of a semaphore.
  VkPipelineStageFlags2 StagesIn(const BarrierScope& src) const;
  // Orders the transition before the second scope of a wait, for these stages.
  void AddWait(VkPipelineStageFlags2 stages, const BarrierScope& dst);

  // V and C of the transition if it had this second scope.
  WriteVisibility Of(const BarrierScope& dst) const;

 private:
  // The place for accesses that are visible by the second access scope alone. The stages of commands are below.
  static constexpr size_t kAccesses = kFirstEventStage;

  void Make();
  template <typename Change>
  void ChangeEach(Change&& change);

  uint32_t epoch_;
  bool is_outside_;
  bool is_inside_;
  bool is_of_other_queue_ = false;
  // By the number of a stage. Empty while nothing has been applied since the transition.
  std::vector<WriteVisibility> by_stage_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_BARRIERS_CHAINS_BY_STAGE_H_
