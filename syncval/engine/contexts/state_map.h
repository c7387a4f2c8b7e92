// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MAP_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MAP_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/base/attributes.h"
#include "absl/types/span.h"
#include "syncval/engine/accesses/access_state.h"
#include "syncval/engine/accesses/regions.h"
#include "syncval/engine/accesses/saved_states.h"
#include "syncval/engine/barriers/barrier_log.h"
#include "syncval/engine/barriers/mutation.h"
#include "syncval/engine/contexts/recent_ranges.h"
#include "syncval/engine/ranges/range_map.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// The states of a context by range, with the log of the barriers that cover everything. A state has seen the log up to
// its epoch; CatchUp brings it up to date. Ranges with equal states are joined. Pointers to states are valid until the
// next ChangeEach or RemoveIf.
template <Mutation kMutation>
class StateMap {
 public:
  // Clears everything but keeps the memory.
  void Clear() {
    map_.Clear();
    pool_.Clear();
    log_.Clear();
    recent_.Clear();
    saved_.End();
  }

  // From now on all changes can be undone, until the next call of one of these. Not undone are Clear and StartLogOver,
  // which end this too.
  void BeginUndoable() {
    saved_.Begin();
    epoch_before_ = log_.epoch();
    recent_.Clear();
  }
  void EndUndoable() { saved_.End(); }
  bool is_undoable() const { return saved_.is_on(); }
  // Undoes all changes since BeginUndoable.
  void Undo();

  size_t size() const { return map_.size(); }
  BarrierLog& log() { return log_; }
  const BarrierLog& log() const { return log_; }
  StatePool& pool() { return pool_; }
  absl::Span<ReadRecord> Reads(AccessState& state) { return pool_.Reads(state); }

  ABSL_ATTRIBUTE_ALWAYS_INLINE void CatchUp(AccessState& state) {
    if (state.epoch < log_.epoch()) log_.CatchUp<kMutation>(state, pool_.Reads(state), log_.epoch());
  }

  // The same for the state of a range, which ForEachAsIs has visited.
  void CatchUp(const Range& range, AccessState& state) {
    if (state.epoch >= log_.epoch()) return;
    if (saved_.is_on()) Save(range, pool_.NumberOf(state));
    CatchUp(state);
  }

  // The state of exactly this range if it was found a moment ago, else null. Not up to date.
  AccessState* FindRecent(const Range& range) {
    const uint32_t* const state = recent_.Find(range);
    return state != nullptr ? &pool_[*state] : nullptr;
  }
  // The number of the state of exactly this range; kNoState if there is none.
  uint32_t FindExact(const Range& range) {
    if (const uint32_t* const recent = recent_.Find(range)) return *recent;
    const RangeMap::Cursor cursor = map_.Find(range.begin);
    if (map_.AtEnd(cursor) || map_.At(cursor).range() != range) return kNoState;
    SaveIfUndoable(map_.At(cursor));
    recent_.Add(range, map_.At(cursor).state);
    return map_.At(cursor).state;
  }
  // The same for an access to a region: most are to the bytes that were accessed before.
  uint32_t FindExact(const Range& range, FoundState& found) {
    if (found.version == recent_.version() && found.range == range) return found.state;
    const uint32_t state = FindExact(range);
    if (state != kNoState) found = {range, state, recent_.version()};
    return state;
  }
  static constexpr uint32_t kNoState = ~uint32_t{0};
  // Finds the state of exactly this range, if it has one, for later accesses to a region. Costs little where one range
  // after another is looked up in their order.
  void FindNext(const Range& range, FoundState& found) {
    if (found.version == recent_.version() && found.range == range) return;
    const RangeMap::Cursor cursor = map_.Find(range.begin);
    if (map_.AtEnd(cursor) || map_.At(cursor).range() != range) return;
    SaveIfUndoable(map_.At(cursor));
    found = {range, map_.At(cursor).state, recent_.version()};
  }

  // Whether any state meets the range.
  bool HasAny(const Range& range) const {
    const RangeMap::Cursor first = map_.Find(range.begin);
    return !map_.AtEnd(first) && map_.At(first).begin < range.end;
  }

  // Calls visit(Range, AccessState&) on what is known within range, up to date.
  template <typename Visit>
  void ForEachState(const Range& range, Visit&& visit);
  // Calls change(AccessState&) on all states, brought up to date.
  template <typename Change>
  void ChangeAll(Change&& change) {
    for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
      const RangeMap::Entry& entry = map_.At(cursor);
      if (saved_.is_on()) Save(entry.range(), entry.state);
      AccessState& state = pool_[entry.state];
      CatchUp(state);
      change(state);
    }
  }
  // As ForEachState, for all states, which are not brought up to date. To change one, call CatchUp with its range.
  template <typename Visit>
  void ForEachAsIs(Visit&& visit) {
    for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
      const RangeMap::Entry& entry = map_.At(cursor);
      visit(entry.range(), pool_[entry.state]);
    }
  }
  // The same for the states within range.
  template <typename Visit>
  void ForEachAsIs(const Range& range, Visit&& visit) {
    for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
      const RangeMap::Entry& entry = map_.At(cursor);
      if (entry.begin >= range.end) break;
      visit(Range{std::max(entry.begin, range.begin), std::min(entry.end, range.end)}, pool_[entry.state]);
    }
  }

  // The bytes from here on up to the next ones that have a state.
  Range FreeFrom(uint64_t address) const {
    const RangeMap::Cursor next = map_.Find(address);
    return {address, map_.AtEnd(next) ? kEverywhere.end : std::max(map_.At(next).begin, address)};
  }
  // Goes through the states, as they are, in one range after another, which lie in order.
  class Walk {
   public:
    explicit Walk(StateMap& states) : states_(states), cursor_(states.map_.Find(0)) {}

    // As ForEachAsIs.
    template <typename Visit>
    void ForEachAsIs(const Range& range, Visit&& visit) {
      const RangeMap& map = states_.map_;
      while (!map.AtEnd(cursor_) && map.At(cursor_).end <= range.begin) cursor_ = map.Next(cursor_);
      for (; !map.AtEnd(cursor_) && map.At(cursor_).begin < range.end; cursor_ = map.Next(cursor_)) {
        const RangeMap::Entry& entry = map.At(cursor_);
        visit(Range{std::max(entry.begin, range.begin), std::min(entry.end, range.end)}, states_.pool_[entry.state]);
        if (entry.end > range.end) return;
      }
    }

   private:
    StateMap& states_;
    RangeMap::Cursor cursor_;
  };

  // Adds copies of what another map has within a range, in which this one has nothing. Calls change(AccessState&) on
  // each. They count as up to date and are not joined with their neighbours.
  template <typename Change>
  void InsertCopies(StateMap& from, const Range& range, Change&& change);

  // Cuts entries at the ends of range, calls change(AccessState&, Range) on those inside, and joins what is alike
  // afterwards. With fill_gaps, each gap gets a new state first.
  template <typename Change>
  void ChangeEach(const Range& range, bool fill_gaps, Change&& change) {
    ChangeEach(range, fill_gaps, log_.epoch(), std::forward<Change>(change));
  }
  // The same, with the epoch at which new states begin.
  template <typename Change>
  void ChangeEach(const Range& range, bool fill_gaps, uint32_t new_epoch, Change&& change);
  // Removes the states, not brought up to date, of which is_over(AccessState&).
  template <typename IsOver>
  void RemoveIf(IsOver&& is_over) {
    RemoveIf(kEverywhere, std::forward<IsOver>(is_over));
  }
  // The same within a range, which cuts no state.
  template <typename IsOver>
  void RemoveIf(const Range& range, IsOver&& is_over);
  // Brings all states up to date and clears the log.
  void StartLogOver();

 private:
  // Saves the state of an entry, which is about to change, if changes can be undone.
  void Save(const Range& range, uint32_t number) {
    if (!saved_.Note(number)) return;
    AccessState& state = pool_[number];
    saved_.Save(range, state, pool_.Reads(state));
  }
  void SaveIfUndoable(const RangeMap::Entry& entry) {
    if (saved_.is_on()) [[unlikely]]
      Save(entry.range(), entry.state);
  }
  // Notes a new state, which an undo removes.
  void NoteNew(uint32_t number) {
    if (saved_.is_on()) [[unlikely]]
      saved_.Note(number);
  }
  // Cuts an entry in two; returns the second part.
  RangeMap::Cursor Cut(RangeMap::Cursor cursor, uint64_t address);
  // Joins the entries that meet or touch range where they are alike.
  void Join(const Range& range);
  bool IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b);

  RangeMap map_;
  StatePool pool_;
  BarrierLog log_;
  // While changes can be undone, has ranges of saved and of new states alone.
  RecentRanges recent_;
  SavedStates saved_;
  // Of InsertCopies, for its memory.
  std::vector<RangeMap::Entry> inserted_;
  // The log's, at BeginUndoable.
  uint32_t epoch_before_ = 0;
};

template <Mutation kMutation>
template <typename Visit>
void StateMap<kMutation>::ForEachState(const Range& range, Visit&& visit) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor); cursor = map_.Next(cursor)) {
    const RangeMap::Entry& entry = map_.At(cursor);
    if (entry.begin >= range.end) break;
    SaveIfUndoable(entry);
    if (entry.range() == range) recent_.Add(range, entry.state);
    AccessState& state = pool_[entry.state];
    CatchUp(state);
    visit(Range{std::max(entry.begin, range.begin), std::min(entry.end, range.end)}, state);
  }
}

template <Mutation kMutation>
template <typename Change>
void StateMap<kMutation>::InsertCopies(StateMap& from, const Range& range, Change&& change) {
  inserted_.clear();
  from.ForEachAsIs(range, [&](const Range& part, AccessState& copied) {
    from.CatchUp(copied);
    const uint32_t number = pool_.Add(copied, from.Reads(copied));
    NoteNew(number);
    AccessState& state = pool_[number];
    state.epoch = log_.epoch();
    change(state);
    inserted_.push_back({part.begin, part.end, number});
  });
  map_.Insert(map_.Find(range.begin), inserted_);
}

template <Mutation kMutation>
template <typename Change>
void StateMap<kMutation>::ChangeEach(const Range& range, bool fill_gaps, uint32_t new_epoch, Change&& change) {
  RangeMap::Cursor cursor = map_.Find(range.begin);
  if (!map_.AtEnd(cursor) && map_.At(cursor).begin < range.begin) cursor = Cut(cursor, range.begin);
  uint64_t position = range.begin;
  while (position < range.end) {
    const uint64_t next = map_.AtEnd(cursor) ? range.end : std::min(map_.At(cursor).begin, range.end);
    if (next > position) {
      if (fill_gaps) {
        const uint32_t state = pool_.Add();
        NoteNew(state);
        pool_[state].epoch = new_epoch;
        cursor = map_.Insert(cursor, {position, next, state});
        change(pool_[state], Range{position, next});
        cursor = map_.Next(cursor);
      }
      position = next;
      continue;
    }
    if (map_.At(cursor).end > range.end) cursor = map_.Previous(Cut(cursor, range.end));
    SaveIfUndoable(map_.At(cursor));
    change(pool_[map_.At(cursor).state], map_.At(cursor).range());
    position = map_.At(cursor).end;
    cursor = map_.Next(cursor);
  }
  Join(range);
}

template <Mutation kMutation>
template <typename IsOver>
void StateMap<kMutation>::RemoveIf(const Range& range, IsOver&& is_over) {
  for (RangeMap::Cursor cursor = map_.Find(range.begin); !map_.AtEnd(cursor) && map_.At(cursor).begin < range.end;) {
    SaveIfUndoable(map_.At(cursor));
    const uint32_t number = map_.At(cursor).state;
    if (!is_over(pool_[number])) {
      cursor = map_.Next(cursor);
      continue;
    }
    recent_.Clear();
    pool_.Remove(number);
    cursor = map_.Erase(cursor, map_.Next(cursor));
  }
}

template <Mutation kMutation>
void StateMap<kMutation>::StartLogOver() {
  saved_.End();
  ForEachAsIs([this](const Range&, AccessState& state) {
    CatchUp(state);
    state.epoch = 0;
  });
  log_.Clear();
}

template <Mutation kMutation>
RangeMap::Cursor StateMap<kMutation>::Cut(RangeMap::Cursor cursor, uint64_t address) {
  recent_.Clear();
  const RangeMap::Entry entry = map_.At(cursor);
  SaveIfUndoable(entry);
  map_.SetEnd(cursor, address);
  const uint32_t second = pool_.Copy(entry.state);
  NoteNew(second);
  return map_.Insert(map_.Next(cursor), {address, entry.end, second});
}

template <Mutation kMutation>
bool StateMap<kMutation>::IsJoinable(const RangeMap::Entry& a, const RangeMap::Entry& b) {
  if (a.end != b.begin) return false;
  AccessState& x = pool_[a.state];
  AccessState& y = pool_[b.state];
  if (x.write_tag != y.write_tag || x.read_count != y.read_count) return false;
  CatchUp(a.range(), x);
  CatchUp(b.range(), y);
  return pool_.Same(a.state, b.state);
}

template <Mutation kMutation>
void StateMap<kMutation>::Join(const Range& range) {
  // From the entry that touches range at its begin to the one that touches it at its end.
  RangeMap::Cursor cursor = map_.Find(range.begin == 0 ? 0 : range.begin - 1);
  while (!map_.AtEnd(cursor) && map_.At(cursor).end <= range.end) {
    const RangeMap::Cursor second = map_.Next(cursor);
    RangeMap::Cursor last = second;
    RangeMap::Entry joined = map_.At(cursor);
    while (joined.end <= range.end && !map_.AtEnd(last) && IsJoinable(joined, map_.At(last))) {
      SaveIfUndoable(map_.At(cursor));
      SaveIfUndoable(map_.At(last));
      joined.end = map_.At(last).end;
      pool_.Remove(map_.At(last).state);
      last = map_.Next(last);
    }
    if (last != second) {
      recent_.Clear();
      map_.Erase(second, last);
      map_.SetEnd(cursor, joined.end);
    }
    if (joined.range() == range) recent_.Add(range, joined.state);
    cursor = map_.Next(cursor);
  }
}

// What was saved takes the place of what is there now in its range.
template <Mutation kMutation>
void StateMap<kMutation>::Undo() {
  const auto erase = [this](RangeMap::Cursor cursor) {
    pool_.Remove(map_.At(cursor).state);
    return map_.Erase(cursor, map_.Next(cursor));
  };
  for (RangeMap::Cursor cursor = map_.Find(0); !map_.AtEnd(cursor);)
    cursor = saved_.IsNoted(map_.At(cursor).state) ? erase(cursor) : map_.Next(cursor);
  for (const SavedStates::Entry& entry : saved_.entries()) {
    const uint32_t number = pool_.Add();
    AccessState& state = pool_[number];
    state = entry.state;
    state.spill = AccessState::kNoSpill;
    state.read_count = 0;
    for (const ReadRecord& read : saved_.ReadsOf(entry)) pool_.AddRead(state, read);
    map_.Insert(map_.Find(entry.range.begin), {entry.range.begin, entry.range.end, number});
  }
  log_.ShrinkTo(epoch_before_);
  recent_.Clear();
  saved_.End();
}

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_STATE_MAP_H_
