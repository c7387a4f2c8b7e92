// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/empty_scope_transitions.h"

namespace assay::syncval {
namespace {

// Appends the parts of a range that are not in another.
void AppendWithout(const Range& range, const Range& other, std::vector<Range>& rest) {
  if (range.begin < other.begin) rest.push_back({range.begin, std::min(range.end, other.begin)});
  if (other.end < range.end) rest.push_back({std::max(range.begin, other.end), range.end});
}

}  // namespace

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
