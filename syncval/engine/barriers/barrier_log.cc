// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/barriers/barrier_log.h"

#include <bit>

namespace assay::syncval {
namespace {

// Barriers with the same stages and different accesses collide, and are told apart by value; most differ in stages.
uint64_t HashOf(SubpassChange change, absl::Span<const Barrier* const> barriers) {
  uint64_t hash = barriers.size() * 4 + static_cast<uint64_t>(change);
  for (const Barrier* barrier : barriers) {
    for (const StageSet& stages : {barrier->src.stages, barrier->dst.stages}) {
      hash = (std::rotl(hash, 29) ^ stages.outside ^ std::rotl(stages.inside, 32)) * 0x9E3779B97F4A7C15u;
    }
  }
  return hash ^ (hash >> 32);
}

bool SameBarriers(absl::Span<const Barrier> a, absl::Span<const Barrier* const> b) {
  return std::ranges::equal(a, b, [](const Barrier& x, const Barrier* y) { return x == *y; });
}

}  // namespace

void BarrierLog::Clear() {
  steps_.clear();
  run_begin_ = 0;
  has_new_accesses_ = true;
  barrier_set_count_ = 0;
  std::ranges::fill(table_, 0);
}

void BarrierLog::Append(absl::Span<const Barrier* const> barriers) {
  if (std::ranges::none_of(barriers, [](const Barrier* barrier) { return barrier->HasEffect(); })) return;
  if (Repeats(barriers)) return;
  AddStep(Intern(SubpassChange::kNone, barriers));
  last_id_ = barriers.size() == 1 ? barriers.front()->id : 0;
  has_new_accesses_ = false;
}

void BarrierLog::AppendChange(SubpassChange change, absl::Span<const Barrier* const> barriers) {
  AddStep(Intern(change, barriers));
  has_new_accesses_ = true;
}

void BarrierLog::AddStep(uint32_t barrier_set) {
  if (!steps_.empty() && (barrier_set != steps_.back() || !barrier_sets_[barrier_set].IsIdempotent()))
    run_begin_ = epoch();
  barrier_sets_[barrier_set].steps.push_back(epoch());
  steps_.push_back(barrier_set);
}

// A barrier set is made for its first step, so those that lose all steps are the last ones.
void BarrierLog::ShrinkTo(uint32_t epoch) {
  if (steps_.size() <= epoch) return;
  for (; steps_.size() > epoch; steps_.pop_back()) barrier_sets_[steps_.back()].steps.pop_back();
  while (barrier_set_count_ > 0 && barrier_sets_[barrier_set_count_ - 1].steps.empty()) --barrier_set_count_;
  std::ranges::fill(table_, 0);
  FillTable();
  run_begin_ = epoch == 0 ? 0 : epoch - 1;
  has_new_accesses_ = true;
}

// Several side by side may form chains when they are applied again, so they are never a repetition.
bool BarrierLog::Repeats(absl::Span<const Barrier* const> barriers) const {
  return !has_new_accesses_ && barriers.size() == 1 && SameBarriers(barrier_sets_[steps_.back()].barriers, barriers);
}

uint32_t BarrierLog::EpochAfter(absl::Span<const Barrier* const> barriers) const {
  const bool no_effect = std::ranges::none_of(barriers, [](const Barrier* barrier) { return barrier->HasEffect(); });
  return no_effect || Repeats(barriers) ? epoch() : epoch() + 1;
}

uint32_t BarrierLog::Intern(SubpassChange change, absl::Span<const Barrier* const> barriers) {
  const auto is_same = [&](const BarrierSet& barrier_set) {
    return barrier_set.change == change && SameBarriers(barrier_set.barriers, barriers);
  };
  if (!steps_.empty() && is_same(barrier_sets_[steps_.back()])) return steps_.back();
  if (size_t{2} * (barrier_set_count_ + 1) > table_.size()) GrowTable();
  const uint64_t hash = HashOf(change, barriers);
  for (uint64_t slot = hash;; ++slot) {
    uint32_t& entry = table_[slot & (table_.size() - 1)];
    if (entry == 0) {
      entry = AddBarrierSet(change, barriers, hash) + 1;
      return entry - 1;
    }
    const BarrierSet& barrier_set = barrier_sets_[entry - 1];
    if (barrier_set.hash == hash && is_same(barrier_set)) return entry - 1;
  }
}

uint32_t BarrierLog::AddBarrierSet(SubpassChange change, absl::Span<const Barrier* const> barriers, uint64_t hash) {
  if (barrier_set_count_ == barrier_sets_.size()) barrier_sets_.emplace_back();
  BarrierSet& barrier_set = barrier_sets_[barrier_set_count_];
  barrier_set.change = change;
  barrier_set.hash = hash;
  barrier_set.steps.clear();
  barrier_set.barriers.clear();
  for (const Barrier* barrier : barriers) barrier_set.barriers.push_back(*barrier);
  barrier_set.pointers.clear();
  for (const Barrier& barrier : barrier_set.barriers) barrier_set.pointers.push_back(&barrier);
  return barrier_set_count_++;
}

void BarrierLog::GrowTable() {
  table_.assign(std::max<size_t>(64, table_.size() * 2), 0);
  FillTable();
}

void BarrierLog::FillTable() {
  for (uint32_t i = 0; i < barrier_set_count_; ++i) {
    uint64_t slot = barrier_sets_[i].hash;
    while (table_[slot & (table_.size() - 1)] != 0) ++slot;
    table_[slot & (table_.size() - 1)] = i + 1;
  }
}

}  // namespace assay::syncval
