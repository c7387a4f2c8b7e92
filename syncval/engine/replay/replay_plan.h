// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_PLAN_H_
#define ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_PLAN_H_

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/barriers/barrier.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// A buffer or image barrier over one range. An image whose subresources lie apart gives one of these for each part.
struct RangeBarrier {
  Range range;
  // Of the BarrierCache, or anything that lives through the call.
  const Barrier* barrier = nullptr;
  // The image's layout changes between the barrier's two sides: an access to the whole range.
  bool layout_transition = false;
  // As Access::region.
  uint64_t region = 0;
};

// A range barrier that affects accesses before the command buffer: the command buffer had not yet written all of its
// range.
struct RangeStep {
  Range range;
  Barrier barrier;
  uint64_t region = 0;
  Tag tag;
  // The length of the journal of first accesses when it was recorded.
  uint32_t journal_size = 0;
  // Of the barrier log before the command; whether the command added a step to it.
  uint32_t epoch = 0;
  bool has_step = false;
  bool layout_transition = false;
  // Whether it is the first of its command. The others come directly after it.
  bool begins_command = false;
  // A transition that no barrier of a command does; see AccessContext::RecordAutomaticTransitions.
  bool is_of_subpass = false;
  // Instead of all of this, an operation on an event.
  uint32_t event = kNoEvent;

  static constexpr uint32_t kNoEvent = std::numeric_limits<uint32_t>::max();
};

// The barriers of the set of an event and of the wait for it. vkCmdSetEvent2 and vkCmdWaitEvents2 name the same ones.
// vkCmdSetEvent has stages only, and vkCmdWaitEvents names the accesses that become available. So that set gets a
// global barrier without accesses, and one for each kind of access that the wait may name.
struct EventCommand {
  absl::Span<const Barrier* const> globals;
  absl::Span<const RangeBarrier> ranges;
  // Of a wait: its barriers are ordered after those barriers of the set that have no accesses, or some of its own.
  bool matches_by_access = false;
};

// An operation on an event, for the replay.
class EventStep {
 public:
  enum class Kind : uint8_t { kSet, kReset, kWait };

  // Only a wait has several events. stages are those of the event where it was recorded.
  EventStep(Kind kind, absl::Span<const uint64_t> events, const EventCommand& command,
            std::vector<VkPipelineStageFlags2> stages);
  EventStep(EventStep&&) = default;
  EventStep& operator=(EventStep&&) = default;

  Kind kind() const { return kind_; }
  uint64_t event() const { return events_.front(); }
  absl::Span<const uint64_t> events() const { return events_; }
  absl::Span<const VkPipelineStageFlags2> stages() const { return stages_; }
  EventCommand command() const { return {globals_, ranges_, matches_by_access_}; }

 private:
  Kind kind_;
  std::vector<uint64_t> events_;
  bool matches_by_access_;
  std::vector<VkPipelineStageFlags2> stages_;
  // globals_ and ranges_ point to these.
  std::unique_ptr<std::vector<Barrier>> barriers_;
  std::vector<const Barrier*> globals_;
  std::vector<RangeBarrier> ranges_;
};

// The part of a recorded command buffer that a replay repeats, in order: its first accesses and its barriers.
class ReplayPlan {
 public:
  static constexpr uint32_t kNoStep = std::numeric_limits<uint32_t>::max();

  // The barriers of one command.
  struct Command {
    // How many of accesses() come before it.
    uint32_t accesses_before = 0;
    // Of the barrier log.
    uint32_t step = kNoStep;
    // Of ranges().
    uint32_t first_range = 0;
    uint32_t range_count = 0;
    Tag tag;
    // As RangeStep::event.
    uint32_t event = RangeStep::kNoEvent;
    // As RangeStep::is_of_subpass.
    bool is_of_subpass = false;
  };

  // A first access that is replayed.
  struct PlannedAccess {
    // Its position in the journal.
    uint32_t number = 0;
    // The rest requires regions(). The number of its region there.
    uint32_t region = 0;
    // Whether all accesses of its command are to different regions.
    bool is_apart_in_command = false;
    // Whether it is the last one of its region.
    bool is_last_of_region = false;
  };

  // A region that the command buffer accesses.
  struct RegionUse {
    Region region;
    // A barrier or layout transition names a part of it.
    bool has_barrier = false;
    // It is accessed in a subpass.
    bool is_in_subpass = false;
    // During a replay; see RecordingReplay::FindRegions.
    Region* known = nullptr;
    bool may_race = true;
    bool may_conflict = true;
    bool is_apart = false;
    bool is_left_to_map = false;
  };

  bool is_made() const { return is_made_; }
  void Clear() { is_made_ = false; }
  // The regions by address, once the plan is made. Empty if something is accessed outside of all regions, or if events
  // are used.
  std::vector<RegionUse>& regions() { return regions_; }
  // Adds them. Required after Make.
  void AddRegions(RegionTable& regions, absl::Span<const PendingAccess> journal);
  const RegionUse& RegionOf(const PlannedAccess& access) const { return regions_[access.region]; }
  // Makes the plan of a journal. is_replayed(PendingAccess) returns whether a first access is to be replayed.
  template <typename IsReplayed>
  void Make(absl::Span<const PendingAccess> journal, absl::Span<const RangeStep> ranges, const BarrierLog& log,
            IsReplayed&& is_replayed);

  absl::Span<const PlannedAccess> accesses() const { return accesses_; }
  absl::Span<const Command> commands() const { return commands_; }
  // How many ranges the barriers of all commands have.
  size_t range_count() const { return ranges_.size(); }
  absl::Span<const RangeBarrier> RangesOf(const Command& command) const {
    return absl::MakeConstSpan(ranges_).subspan(command.first_range, command.range_count);
  }

 private:
  void AddStepsUpTo(uint32_t epoch, const BarrierLog& log);
  // Adds the command that begins at ranges[0]; returns how many of them it has.
  size_t AddCommand(absl::Span<const RangeStep> ranges, const BarrierLog& log);
  // Fills in what accesses and regions have of each other.
  void ConnectRegions(absl::Span<const PendingAccess> journal);

  bool is_made_ = false;
  uint32_t next_step_ = 0;
  std::vector<PlannedAccess> accesses_;
  std::vector<Command> commands_;
  std::vector<RangeBarrier> ranges_;
  std::vector<RegionUse> regions_;
};

template <typename IsReplayed>
void ReplayPlan::Make(absl::Span<const PendingAccess> journal, absl::Span<const RangeStep> ranges,
                      const BarrierLog& log, IsReplayed&& is_replayed) {
  is_made_ = true;
  next_step_ = 0;
  accesses_.clear();
  commands_.clear();
  ranges_.clear();
  for (uint32_t i = 0; i < journal.size(); ++i) {
    while (!ranges.empty() && ranges.front().journal_size <= i) ranges.remove_prefix(AddCommand(ranges, log));
    if (!is_replayed(journal[i])) continue;
    AddStepsUpTo(journal[i].epoch, log);
    accesses_.push_back({.number = i});
  }
  while (!ranges.empty()) ranges.remove_prefix(AddCommand(ranges, log));
  AddStepsUpTo(log.epoch(), log);
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_REPLAY_REPLAY_PLAN_H_
