// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/empty_scope_transitions.h"

#include <type_traits>

#include "syncval/engine/barriers/access_rules.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/barriers/mutation.h"
#include "vk/sync/sync_info.h"

namespace assay::syncval {
namespace {

// All that a second scope may have.
VkPipelineStageFlags2 AllStages() {
  constexpr BarrierFlags kAll = {.dst_stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_2_HOST_BIT};
  static const VkPipelineStageFlags2 stages = MakeBarrier(kAll, ~VkQueueFlags{0}).dst.stages.outside;
  return stages;
}

// Calls visit(the number of a stage, the stage).
template <typename Visit>
void ForEachStage(VkPipelineStageFlags2 stages, Visit&& visit) {
  for (uint64_t rest = stages & ~kAllEventStages; rest != 0; rest &= rest - 1) {
    visit(static_cast<size_t>(std::countr_zero(rest)), rest & (~rest + 1));
  }
}

// Appends what of a range is not in another.
void AppendWithout(const Range& range, const Range& other, std::vector<Range>& rest) {
  if (range.begin < other.begin) rest.push_back({range.begin, std::min(range.end, other.begin)});
  if (other.end < range.end) rest.push_back({std::max(range.begin, other.end), range.end});
}

}  // namespace

// ---- Outlooks

Outlook Outlook::OfOtherQueue(uint32_t epoch) {
  Outlook outlook(epoch, false, false);
  outlook.is_of_other_queue_ = true;
  outlook.follow_ups_.resize(kAccesses + 1);
  return outlook;
}

void Outlook::Make() {
  if (!follow_ups_.empty()) return;
  follow_ups_.resize(kAccesses + 1);
  const auto where = [this](const auto& set) {
    using Set = std::remove_cvref_t<decltype(set)>;
    return std::pair(is_outside_ ? set : Set(), is_inside_ ? set : Set());
  };
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const auto [outside, inside] = where(stage);
    follow_ups_[number].available_stages = StageSet(outside, inside);
  });
  const auto [outside, inside] = where(~SyncAccessMask());
  follow_ups_[kAccesses].visible_to = AccessSet(outside, inside);
}

template <typename Change>
void Outlook::ChangeEach(Change&& change) {
  Make();
  const auto change_one = [&](FollowUp& follow_up) {
    if (follow_up == FollowUp()) return;
    AccessState state;
    state.write_index = vk::kSyncImageLayoutTransition;
    state.source_index = is_of_other_queue_ ? vk::kSyncNone : vk::kSyncImageLayoutTransition;
    state.visible_to = follow_up.visible_to;
    state.available_stages = follow_up.available_stages;
    state.epoch = epoch_;
    change(state);
    follow_up = {state.visible_to, state.available_stages};
  };
  for (FollowUp& follow_up : follow_ups_) change_one(follow_up);
}

void Outlook::CatchUp(const BarrierLog& log) {
  if (epoch_ >= log.epoch()) return;
  ChangeEach([&log](AccessState& state) { log.CatchUp<Fault::kNone>(state, {}, log.epoch()); });
  epoch_ = log.epoch();
}

void Outlook::Apply(absl::Span<const Barrier* const> barriers, uint32_t next_epoch) {
  ChangeEach([barriers](AccessState& state) { ApplyBarriers<Fault::kNone>(state, {}, barriers); });
  epoch_ = next_epoch;
}

void Outlook::MapStages(const EventStageMap& map) {
  for (FollowUp& follow_up : follow_ups_) follow_up.available_stages = map.Map(follow_up.available_stages);
}

void Outlook::ReleaseStages(VkPipelineStageFlags2 stages) {
  for (FollowUp& follow_up : follow_ups_) follow_up.available_stages.outside &= ~stages;
}

VkPipelineStageFlags2 Outlook::StagesIn(const BarrierScope& src) const {
  VkPipelineStageFlags2 result = 0;
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const StageSet stages = follow_ups_.empty() ? StageSet(is_outside_ ? stage : 0, is_inside_ ? stage : 0)
                                                : follow_ups_[number].available_stages;
    if (stages.IsInSource(src.stages)) result |= stage;
  });
  return result;
}

void Outlook::AddWait(VkPipelineStageFlags2 stages, const BarrierScope& dst) {
  Make();
  ForEachStage(stages, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    follow_ups_[number].visible_to |= dst.accesses;
    follow_ups_[number].available_stages |= dst.stages;
  });
}

FollowUp Outlook::Of(const BarrierScope& dst) const {
  Outlook made = *this;
  made.Make();
  FollowUp result;
  ForEachStage(dst.stages.outside, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    result.visible_to |= made.follow_ups_[number].visible_to;
    result.available_stages |= made.follow_ups_[number].available_stages;
  });
  AccessSet own = {dst.accesses.outside, dst.accesses.outside};
  own &= made.follow_ups_[kAccesses].visible_to;
  result.visible_to |= own;
  return result;
}

// ---- The table

void BareTransitions::Add(const Range& range, Tag tag, uint32_t epoch, bool is_outside, bool is_inside) {
  const bool is_as_last = !outlooks_.empty() && outlooks_.back().outlook.IsNewAt(epoch) &&
                          outlooks_.back().outlook.IsAlike(is_outside, is_inside);
  if (!is_as_last) AddOutlook(Outlook(epoch, is_outside, is_inside));
  ++outlooks_.back().users;
  entries_.push_back({range, tag, static_cast<uint32_t>(outlooks_.size() - 1)});
}

uint32_t BareTransitions::AddOutlook(Outlook outlook) {
  outlooks_.push_back({.outlook = std::move(outlook)});
  return static_cast<uint32_t>(outlooks_.size() - 1);
}

void BareTransitions::DropFrom(Tag tag) {
  for (; !entries_.empty() && entries_.back().tag >= tag; entries_.pop_back())
    --outlooks_[entries_.back().outlook].users;
  while (!outlooks_.empty() && outlooks_.back().users == 0) outlooks_.pop_back();
}

void BareTransitions::Cut(const Range& range, Tag tag) {
  for (size_t i = Find(tag); i < entries_.size() && entries_[i].tag == tag; ++i) {
    for (const uint64_t address : {range.begin, range.end}) {
      Entry& entry = entries_[i];
      if (address <= entry.range.begin || address >= entry.range.end) continue;
      Entry rest = entry;
      rest.range.begin = address;
      entry.range.end = address;
      ++outlooks_[rest.outlook].users;
      entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(i) + 1, rest);
    }
  }
}

template <typename Change>
void BareTransitions::ChangeWithin(const Range& range, Tag tag, Change&& change) {
  Cut(range, tag);
  // Of those that others have too, and of their copies.
  std::vector<std::pair<uint32_t, uint32_t>> copies;
  for (size_t i = Find(tag); i < entries_.size() && entries_[i].tag == tag; ++i) {
    Entry& entry = entries_[i];
    if (!entry.range.Intersects(range)) continue;
    if (outlooks_[entry.outlook].users == 1) {
      change(outlooks_[entry.outlook].outlook);
      continue;
    }
    auto copy = std::ranges::find(copies, entry.outlook, &std::pair<uint32_t, uint32_t>::first);
    if (copy == copies.end()) {
      const uint32_t added = AddOutlook(outlooks_[entry.outlook].outlook);
      change(outlooks_[added].outlook);
      copies.emplace_back(entry.outlook, added);
      copy = copies.end() - 1;
    }
    --outlooks_[entry.outlook].users;
    ++outlooks_[copy->second].users;
    entry.outlook = copy->second;
  }
}

void BareTransitions::Apply(const Range& range, Tag tag, absl::Span<const Barrier* const> barriers, uint32_t next_epoch,
                            const BarrierLog& log) {
  ChangeWithin(range, tag, [&](Outlook& outlook) {
    outlook.CatchUp(log);
    outlook.Apply(barriers, next_epoch);
  });
}

void BareTransitions::Settle(ForEachLeft for_each_left) {
  std::vector<Entry> entries;
  std::vector<Counted> outlooks;
  std::vector<uint32_t> numbers(outlooks_.size(), ~uint32_t{0});
  for (const Entry& entry : entries_) {
    const size_t first = entries.size();
    for_each_left(entry.range, entry.tag, [&](const Range& part) {
      if (entries.size() > first && entries.back().range.end == part.begin) {
        entries.back().range.end = part.end;
        return;
      }
      uint32_t& number = numbers[entry.outlook];
      if (number == ~uint32_t{0}) {
        number = static_cast<uint32_t>(outlooks.size());
        outlooks.push_back({.outlook = std::move(outlooks_[entry.outlook].outlook)});
      }
      ++outlooks[number].users;
      entries.push_back({part, entry.tag, number});
    });
  }
  entries_ = std::move(entries);
  outlooks_ = std::move(outlooks);
  settle_above_ = std::max(kFew, 2 * entries_.size());
}

void BareTransitions::Resolve(const BareTransitions& recorded, Tag base, const EventStageMap& map, uint32_t epoch) {
  DropFrom(base);
  const size_t first = outlooks_.size();
  for (const Counted& theirs : recorded.outlooks_) {
    Outlook& ours = outlooks_[AddOutlook(theirs.outlook)].outlook;
    ours.MapStages(map);
    ours.MoveTo(epoch);
  }
  for (const Entry& entry : recorded.entries_) {
    const auto outlook = static_cast<uint32_t>(first + entry.outlook);
    ++outlooks_[outlook].users;
    entries_.push_back({entry.range, Tag{entry.tag.value + base.value}, outlook});
  }
}

void BareTransitions::AddWait(const Range& range, Tag tag, VkPipelineStageFlags2 stages, const BarrierScope& dst,
                              const BarrierLog& log) {
  const size_t begin = Find(tag);
  // What of the range no entry has yet.
  std::vector<Range> unknown = {range};
  for (size_t i = begin; i < entries_.size() && entries_[i].tag == tag; ++i) {
    std::vector<Range> rest;
    for (const Range& part : unknown) AppendWithout(part, entries_[i].range, rest);
    unknown = std::move(rest);
  }
  for (const Range& part : unknown) {
    const uint32_t outlook = AddOutlook(Outlook::OfOtherQueue(log.epoch()));
    ++outlooks_[outlook].users;
    entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(begin), {part, tag, outlook});
  }
  ChangeWithin(range, tag, [&](Outlook& outlook) {
    outlook.CatchUp(log);
    outlook.AddWait(stages, dst);
  });
}

}  // namespace assay::syncval
