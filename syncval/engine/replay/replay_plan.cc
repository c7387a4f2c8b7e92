// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/replay/replay_plan.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace assay::syncval {

EventStep::EventStep(Kind kind, absl::Span<const uint64_t> events, const EventCommand& command,
                     std::vector<VkPipelineStageFlags2> stages)
    : kind_(kind),
      events_(events.begin(), events.end()),
      matches_by_access_(command.matches_by_access),
      stages_(std::move(stages)),
      barriers_(std::make_unique<std::vector<Barrier>>()) {
  barriers_->reserve(command.globals.size() + command.ranges.size());
  for (const Barrier* barrier : command.globals) {
    barriers_->push_back(*barrier);
    globals_.push_back(&barriers_->back());
  }
  const Barrier* previous = nullptr;
  for (RangeBarrier range : command.ranges) {
    if (range.barrier != previous) barriers_->push_back(*range.barrier);
    previous = range.barrier;
    range.barrier = &barriers_->back();
    ranges_.push_back(range);
  }
}

void ReplayPlan::AddRegions(RegionTable& regions, absl::Span<const PendingAccess> journal) {
  regions_.clear();
  const auto has_event = [](const Command& command) { return command.event != RangeStep::kNoEvent; };
  const auto has_region = [&](const PlannedAccess& access) { return journal[access.number].access.region != 0; };
  if (std::ranges::any_of(commands_, has_event) || !std::ranges::all_of(accesses_, has_region) ||
      std::ranges::count(ranges_, 0u, &RangeBarrier::region) != 0) {
    return;
  }
  regions.ForEach([this](const Region& region) { regions_.push_back({region}); });
  const auto key = [](const RegionUse& use) { return use.region.key; };
  std::ranges::sort(regions_, {}, key);
  const auto find = [&](uint64_t region) { return std::ranges::lower_bound(regions_, region, {}, key); };
  // Of a region that is not accessed, a barrier may name a part too.
  for (const RangeBarrier& range : ranges_) {
    const auto use = find(range.region);
    if (use != regions_.end() && use->region.key == range.region) use->has_barrier = true;
  }
  for (PlannedAccess& access : accesses_)
    access.region = static_cast<uint32_t>(find(journal[access.number].access.region) - regions_.begin());
  ConnectRegions(journal);
}

void ReplayPlan::ConnectRegions(absl::Span<const PendingAccess> journal) {
  constexpr size_t kNone = std::numeric_limits<size_t>::max();
  // Of each region: its last access so far.
  std::vector<size_t> last(regions_.size(), kNone);
  for (size_t begin = 0, end = 0; begin < accesses_.size(); begin = end) {
    bool is_apart = true;
    for (; end < accesses_.size(); ++end) {
      PlannedAccess& access = accesses_[end];
      const PendingAccess& first = journal[access.number];
      if (first.first_tag != journal[accesses_[begin].number].first_tag) break;
      if (first.phase.is_inside()) regions_[access.region].is_in_subpass = true;
      is_apart = is_apart && (last[access.region] == kNone || last[access.region] < begin);
      last[access.region] = end;
    }
    for (size_t i = begin; i < end; ++i) accesses_[i].is_apart_in_command = is_apart;
  }
  for (const size_t access : last) {
    if (access != kNone) accesses_[access].is_last_of_region = true;
  }
}

void ReplayPlan::AddStepsUpTo(uint32_t epoch, const BarrierLog& log) {
  for (; next_step_ < epoch; ++next_step_) {
    // A barrier changes nothing when it is applied again with no access between. Several side by side may.
    if (!commands_.empty()) {
      const Command& last = commands_.back();
      if (last.step != kNoStep && last.range_count == 0 && last.event == RangeStep::kNoEvent &&
          last.accesses_before == accesses_.size() && log.BarriersAt(last.step).size() == 1 &&
          log.ChangeAt(next_step_) == SubpassChange::kNone && log.IsSameBarrierSet(last.step, next_step_)) {
        continue;
      }
    }
    commands_.push_back({.accesses_before = static_cast<uint32_t>(accesses_.size()), .step = next_step_});
  }
}

size_t ReplayPlan::AddCommand(absl::Span<const RangeStep> ranges, const BarrierLog& log) {
  const RangeStep& first = ranges.front();
  AddStepsUpTo(first.epoch, log);
  Command command{.accesses_before = static_cast<uint32_t>(accesses_.size()),
                  .first_range = static_cast<uint32_t>(ranges_.size()),
                  .tag = first.tag,
                  .is_of_subpass = first.is_of_subpass};
  if (first.has_step) command.step = next_step_++;
  if (first.event != RangeStep::kNoEvent) {
    command.event = first.event;
    commands_.push_back(command);
    return 1;
  }
  do {
    const RangeStep& range = ranges[command.range_count++];
    ranges_.push_back({range.range, &range.barrier, range.layout_transition, range.region});
  } while (command.range_count < ranges.size() && !ranges[command.range_count].begins_command);
  commands_.push_back(command);
  return command.range_count;
}

}  // namespace assay::syncval
