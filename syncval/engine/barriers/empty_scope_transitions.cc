// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/empty_scope_transitions.h"

#include <type_traits>

#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/barriers/access_rules.h"
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

// ---- Chains by stage

ChainsByStage ChainsByStage::OfOtherQueue(uint32_t epoch) {
  ChainsByStage chains(epoch, false, false);
  chains.is_of_other_queue_ = true;
  chains.by_stage_.resize(kAccesses + 1);
  return chains;
}

void ChainsByStage::Make() {
  if (!by_stage_.empty()) return;
  by_stage_.resize(kAccesses + 1);
  const auto where = [this](const auto& set) {
    using Set = std::remove_cvref_t<decltype(set)>;
    return std::pair(is_outside_ ? set : Set(), is_inside_ ? set : Set());
  };
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const auto [outside, inside] = where(stage);
    by_stage_[number].available_stages = StageSet(outside, inside);
  });
  const auto [outside, inside] = where(~SyncAccessMask());
  by_stage_[kAccesses].visible_to = AccessSet(outside, inside);
}

template <typename Change>
void ChainsByStage::ChangeEach(Change&& change) {
  Make();
  const auto change_one = [&](WriteVisibility& visibility) {
    if (visibility == WriteVisibility()) return;
    AccessState state;
    state.write_index = vk::kSyncImageLayoutTransition;
    state.source_index = is_of_other_queue_ ? vk::kSyncNone : vk::kSyncImageLayoutTransition;
    state.visible_to = visibility.visible_to;
    state.available_stages = visibility.available_stages;
    state.epoch = epoch_;
    change(state);
    visibility = {state.visible_to, state.available_stages};
  };
  for (WriteVisibility& visibility : by_stage_) change_one(visibility);
}

void ChainsByStage::CatchUp(const BarrierLog& log) {
  if (epoch_ >= log.epoch()) return;
  ChangeEach([&log](AccessState& state) { log.CatchUp<Mutation::kNone>(state, {}, log.epoch()); });
  epoch_ = log.epoch();
}

void ChainsByStage::Apply(absl::Span<const Barrier* const> barriers, uint32_t next_epoch) {
  ChangeEach([barriers](AccessState& state) { ApplyBarriers<Mutation::kNone>(state, {}, barriers); });
  epoch_ = next_epoch;
}

void ChainsByStage::MapStages(const EventStageMap& map) {
  for (WriteVisibility& visibility : by_stage_) visibility.available_stages = map.Map(visibility.available_stages);
}

void ChainsByStage::ReleaseStages(VkPipelineStageFlags2 stages) {
  for (WriteVisibility& visibility : by_stage_) visibility.available_stages.outside &= ~stages;
}

VkPipelineStageFlags2 ChainsByStage::StagesIn(const BarrierScope& src) const {
  VkPipelineStageFlags2 result = 0;
  ForEachStage(AllStages(), [&](size_t number, VkPipelineStageFlags2 stage) {
    const StageSet stages = by_stage_.empty() ? StageSet(is_outside_ ? stage : 0, is_inside_ ? stage : 0)
                                              : by_stage_[number].available_stages;
    if (stages.IsInFirstScope(src.stages)) result |= stage;
  });
  return result;
}

void ChainsByStage::AddWait(VkPipelineStageFlags2 stages, const BarrierScope& dst) {
  Make();
  ForEachStage(stages, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    by_stage_[number].visible_to |= dst.accesses;
    by_stage_[number].available_stages |= dst.stages;
  });
}

WriteVisibility ChainsByStage::Of(const BarrierScope& dst) const {
  ChainsByStage made = *this;
  made.Make();
  WriteVisibility result;
  ForEachStage(dst.stages.outside, [&](size_t number, VkPipelineStageFlags2 /*stage*/) {
    result.visible_to |= made.by_stage_[number].visible_to;
    result.available_stages |= made.by_stage_[number].available_stages;
  });
  AccessSet own = {dst.accesses.outside, dst.accesses.outside};
  own &= made.by_stage_[kAccesses].visible_to;
  result.visible_to |= own;
  return result;
}

// ---- The table

void EmptyScopeTransitions::Add(const Range& range, Tag tag, uint32_t epoch, bool is_outside, bool is_inside) {
  const bool is_as_last = !chain_sets_.empty() && chain_sets_.back().chains.IsNewAt(epoch) &&
                          chain_sets_.back().chains.IsAlike(is_outside, is_inside);
  if (!is_as_last) AddChains(ChainsByStage(epoch, is_outside, is_inside));
  ++chain_sets_.back().references;
  entries_.push_back({range, tag, static_cast<uint32_t>(chain_sets_.size() - 1)});
}

uint32_t EmptyScopeTransitions::AddChains(ChainsByStage chains) {
  chain_sets_.push_back({.chains = std::move(chains)});
  return static_cast<uint32_t>(chain_sets_.size() - 1);
}

void EmptyScopeTransitions::DropFrom(Tag tag) {
  for (; !entries_.empty() && entries_.back().tag >= tag; entries_.pop_back())
    --chain_sets_[entries_.back().chains].references;
  while (!chain_sets_.empty() && chain_sets_.back().references == 0) chain_sets_.pop_back();
}

void EmptyScopeTransitions::Cut(const Range& range, Tag tag) {
  for (size_t i = Find(tag); i < entries_.size() && entries_[i].tag == tag; ++i) {
    for (const uint64_t address : {range.begin, range.end}) {
      Entry& entry = entries_[i];
      if (address <= entry.range.begin || address >= entry.range.end) continue;
      Entry rest = entry;
      rest.range.begin = address;
      entry.range.end = address;
      ++chain_sets_[rest.chains].references;
      entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(i) + 1, rest);
    }
  }
}

template <typename Change>
void EmptyScopeTransitions::ChangeWithin(const Range& range, Tag tag, Change&& change) {
  Cut(range, tag);
  // Of those that others have too, and of their copies.
  std::vector<std::pair<uint32_t, uint32_t>> copies;
  for (size_t i = Find(tag); i < entries_.size() && entries_[i].tag == tag; ++i) {
    Entry& entry = entries_[i];
    if (!entry.range.Intersects(range)) continue;
    if (chain_sets_[entry.chains].references == 1) {
      change(chain_sets_[entry.chains].chains);
      continue;
    }
    auto copy = std::ranges::find(copies, entry.chains, &std::pair<uint32_t, uint32_t>::first);
    if (copy == copies.end()) {
      const uint32_t added = AddChains(chain_sets_[entry.chains].chains);
      change(chain_sets_[added].chains);
      copies.emplace_back(entry.chains, added);
      copy = copies.end() - 1;
    }
    --chain_sets_[entry.chains].references;
    ++chain_sets_[copy->second].references;
    entry.chains = copy->second;
  }
}

void EmptyScopeTransitions::Apply(const Range& range, Tag tag, absl::Span<const Barrier* const> barriers,
                                  uint32_t next_epoch, const BarrierLog& log) {
  ChangeWithin(range, tag, [&](ChainsByStage& chains) {
    chains.CatchUp(log);
    chains.Apply(barriers, next_epoch);
  });
}

void EmptyScopeTransitions::DropReplaced(ForEachLastWritten for_each_last_written) {
  std::vector<Entry> entries;
  std::vector<SharedChains> chain_sets;
  std::vector<uint32_t> numbers(chain_sets_.size(), ~uint32_t{0});
  for (const Entry& entry : entries_) {
    const size_t first = entries.size();
    for_each_last_written(entry.range, entry.tag, [&](const Range& part) {
      if (entries.size() > first && entries.back().range.end == part.begin) {
        entries.back().range.end = part.end;
        return;
      }
      uint32_t& number = numbers[entry.chains];
      if (number == ~uint32_t{0}) {
        number = static_cast<uint32_t>(chain_sets.size());
        chain_sets.push_back({.chains = std::move(chain_sets_[entry.chains].chains)});
      }
      ++chain_sets[number].references;
      entries.push_back({part, entry.tag, number});
    });
  }
  entries_ = std::move(entries);
  chain_sets_ = std::move(chain_sets);
  drop_above_ = std::max(kFew, 2 * entries_.size());
}

void EmptyScopeTransitions::Resolve(const EmptyScopeTransitions& recorded, Tag base, const EventStageMap& map,
                                    uint32_t epoch) {
  DropFrom(base);
  const size_t first = chain_sets_.size();
  for (const SharedChains& theirs : recorded.chain_sets_) {
    ChainsByStage& ours = chain_sets_[AddChains(theirs.chains)].chains;
    ours.MapStages(map);
    ours.MoveTo(epoch);
  }
  for (const Entry& entry : recorded.entries_) {
    const auto chains = static_cast<uint32_t>(first + entry.chains);
    ++chain_sets_[chains].references;
    entries_.push_back({entry.range, Tag{entry.tag.value + base.value}, chains});
  }
}

void EmptyScopeTransitions::AddWait(const Range& range, Tag tag, VkPipelineStageFlags2 stages, const BarrierScope& dst,
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
    const uint32_t chains = AddChains(ChainsByStage::OfOtherQueue(log.epoch()));
    ++chain_sets_[chains].references;
    entries_.insert(entries_.begin() + static_cast<ptrdiff_t>(begin), {part, tag, chains});
  }
  ChangeWithin(range, tag, [&](ChainsByStage& chains) {
    chains.CatchUp(log);
    chains.AddWait(stages, dst);
  });
}

}  // namespace assay::syncval
