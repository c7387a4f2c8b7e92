// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_JOURNAL_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_JOURNAL_H_

#include <cstdint>
#include <utility>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/access.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/ranges/growing_array.h"
#include "syncval/engine/ranges/types.h"
#include "syncval/engine/replay/replay_plan.h"
#include "vk/vulkan.h"

namespace assay::syncval {

// What a context writes down for its replay, in the order of recording: first accesses, and the range barriers and
// events between them. Global barriers are in the barrier log. See "Replay" in engine.h.
//
// accesses() also holds the accesses that are pending (regions.h). They are kept even where the journal is disabled.
class ReplayJournal {
 public:
  void Clear() {
    accesses_.clear();
    ranges_.clear();
    events_.clear();
    plan_.Clear();
  }
  // How much has been written down.
  struct Position {
    size_t accesses = 0;
    size_t ranges = 0;
    size_t events = 0;
  };
  Position position() const { return {accesses_.size(), ranges_.size(), events_.size()}; }
  // Removes what came since. Nothing may be pending.
  void ShrinkTo(const Position& position) {
    if (accesses_.size() > position.accesses) accesses_.shrink(position.accesses);
    while (ranges_.size() > position.ranges) ranges_.pop_back();
    while (events_.size() > position.events) events_.pop_back();
  }
  // Of a context that is never replayed itself.
  void Disable() { is_enabled_ = false; }
  bool is_enabled() const { return is_enabled_; }

  GrowingArray<PendingAccess>& accesses() { return accesses_; }
  const GrowingArray<PendingAccess>& accesses() const { return accesses_; }
  const EventStep& event(uint32_t number) const { return events_[number]; }

  // Notes that a part of an access is a first access.
  void AddFirstAccess(const Access& access, const Range& part, Tag tag, uint32_t epoch, SubpassPhase phase) {
    if (!is_enabled_) return;
    accesses_.push_back({access, tag, epoch, Region::kNone, tag, phase});
    accesses_.back().access.range = part;
  }

  // Begins a command with range barriers or events. epoch is the log's before the command, epoch_after the log's after
  // it. Required before AddRange and AddEvent.
  void BeginCommand(uint32_t epoch, uint32_t epoch_after) {
    command_epoch_ = epoch;
    command_has_step_ = epoch_after != epoch;
    command_is_new_ = true;
  }
  // Adds a range barrier of the command. is_of_subpass: it is an automatic layout transition.
  void AddRange(const RangeBarrier& range, Tag tag, bool is_of_subpass = false) {
    if (!is_enabled_ || RepeatsLastRange(range)) return;
    // Filled in where it stays: a copy would wait for the stores of its members.
    RangeStep& step = ranges_.emplace_back();
    step.range = range.range;
    step.barrier = *range.barrier;
    step.region = range.region;
    step.tag = tag;
    step.journal_size = static_cast<uint32_t>(accesses_.size());
    step.epoch = command_epoch_;
    step.has_step = command_has_step_;
    step.layout_transition = range.layout_transition;
    step.begins_command = command_is_new_;
    step.is_of_subpass = is_of_subpass;
    command_is_new_ = false;
  }
  // Adds an operation on events instead of the barriers that it does, since those are of this context's stages. stages
  // are those of an event that is set.
  void AddEvent(EventStep::Kind kind, absl::Span<const uint64_t> events, const EventCommand& command,
                std::vector<VkPipelineStageFlags2> stages, Tag tag) {
    if (!is_enabled_) return;
    events_.emplace_back(kind, events, command, std::move(stages));
    ranges_.push_back({.tag = tag,
                       .journal_size = static_cast<uint32_t>(accesses_.size()),
                       .epoch = command_epoch_,
                       .has_step = command_has_step_,
                       .begins_command = true,
                       .event = static_cast<uint32_t>(events_.size() - 1)});
  }

  // Empty until MakePlan.
  ReplayPlan& plan() { return plan_; }
  // Makes the plan of the journal, which is kept until Clear. is_replayed(PendingAccess) as of ReplayPlan::Make.
  template <typename IsReplayed>
  void MakePlan(const BarrierLog& log, RegionTable& regions, IsReplayed&& is_replayed) {
    plan_.Make(accesses_, ranges_, log, is_replayed);
    plan_.AddRegions(regions, accesses_);
  }

 private:
  // Whether nothing came between the last range barrier and this equal one.
  bool RepeatsLastRange(const RangeBarrier& range) const {
    if (command_has_step_ || range.layout_transition || ranges_.empty()) return false;
    const RangeStep& last = ranges_.back();
    return last.range == range.range && last.epoch + (last.has_step ? 1 : 0) == command_epoch_ &&
           last.journal_size == accesses_.size() && !last.layout_transition && last.barrier == *range.barrier;
  }

  GrowingArray<PendingAccess> accesses_;
  bool is_enabled_ = true;
  std::vector<RangeStep> ranges_;
  // The command that AddRange and AddEvent add to.
  uint32_t command_epoch_ = 0;
  bool command_has_step_ = false;
  bool command_is_new_ = false;
  std::vector<EventStep> events_;
  ReplayPlan plan_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_JOURNAL_H_
