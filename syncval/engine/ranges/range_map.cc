// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "syncval/engine/ranges/range_map.h"

#include <algorithm>

namespace assay::syncval {

void RangeMap::Clear() {
  chunk_count_ = 0;
  size_ = 0;
  ends_.clear();
}

RangeMap::Cursor RangeMap::Search(uint64_t address) const {
  if (hint_.chunk < chunk_count_ && hint_.slot < chunks_[hint_.chunk]->count) {
    const Cursor next = Next(hint_);
    if (IsFirstAfter(next, address)) return hint_ = next;
    const Cursor previous = AtBegin(hint_) ? hint_ : Previous(hint_);
    if (IsFirstAfter(previous, address)) return hint_ = previous;
  }
  const auto chunk = static_cast<size_t>(std::upper_bound(ends_.begin(), ends_.end(), address) - ends_.begin());
  if (chunk == chunk_count_) return {chunk_count_, 0};
  const Chunk& entries = *chunks_[chunk];
  const auto first = entries.entries.begin();
  const auto found = std::upper_bound(first, first + entries.count, address,
                                      [](uint64_t value, const Entry& entry) { return value < entry.end; });
  return hint_ = {chunk, static_cast<uint32_t>(found - first)};
}

RangeMap::Cursor RangeMap::MakeRoom(Cursor cursor) {
  // Before the first entry of a chunk is after the last of the one before it, which is where streams of rising
  // addresses append.
  if (cursor.slot == 0 && cursor.chunk != 0 && chunks_[cursor.chunk - 1]->count < kChunkSize) {
    cursor = {cursor.chunk - 1, chunks_[cursor.chunk - 1]->count};
  }
  if (cursor.chunk == chunk_count_) {
    AddChunk(chunk_count_);
  } else if (chunks_[cursor.chunk]->count == kChunkSize) {
    cursor = SplitChunk(cursor);
  }
  return cursor;
}

RangeMap::Cursor RangeMap::Insert(Cursor cursor, const Entry& entry) {
  cursor = MakeRoom(cursor);
  Chunk& chunk = *chunks_[cursor.chunk];
  const auto position = chunk.entries.begin() + cursor.slot;
  if (cursor.slot != chunk.count)
    std::copy_backward(position, chunk.entries.begin() + chunk.count, chunk.entries.begin() + chunk.count + 1);
  *position = entry;
  ++chunk.count;
  ++size_;
  UpdateEnd(cursor.chunk);
  return hint_ = cursor;
}

void RangeMap::Insert(Cursor cursor, absl::Span<const Entry> entries) {
  while (!entries.empty()) {
    cursor = MakeRoom(cursor);
    Chunk& chunk = *chunks_[cursor.chunk];
    const auto count = static_cast<uint32_t>(std::min<size_t>(kChunkSize - chunk.count, entries.size()));
    const auto position = chunk.entries.begin() + cursor.slot;
    std::copy_backward(position, chunk.entries.begin() + chunk.count, chunk.entries.begin() + chunk.count + count);
    std::copy(entries.begin(), entries.begin() + count, position);
    chunk.count += count;
    size_ += count;
    UpdateEnd(cursor.chunk);
    cursor.slot += count;
    entries.remove_prefix(count);
  }
}

RangeMap::Cursor RangeMap::Erase(Cursor first, Cursor last) {
  if (first == last) return last;
  if (first.chunk == last.chunk) {
    Chunk& chunk = *chunks_[first.chunk];
    std::copy(chunk.entries.begin() + last.slot, chunk.entries.begin() + chunk.count,
              chunk.entries.begin() + first.slot);
    chunk.count -= last.slot - first.slot;
    size_ -= last.slot - first.slot;
    // last was in this chunk, so the chunk is not empty.
    UpdateEnd(first.chunk);
    return first;
  }
  // Whole chunks in the middle go; so does the first when nothing is left in front.
  size_t keep = first.chunk;
  if (first.slot != 0) {
    size_ -= chunks_[first.chunk]->count - first.slot;
    chunks_[first.chunk]->count = first.slot;
    UpdateEnd(first.chunk);
    ++keep;
  }
  for (size_t i = keep; i < last.chunk; ++i) size_ -= chunks_[i]->count;
  std::rotate(chunks_.begin() + static_cast<ptrdiff_t>(keep), chunks_.begin() + static_cast<ptrdiff_t>(last.chunk),
              chunks_.begin() + static_cast<ptrdiff_t>(chunk_count_));
  ends_.erase(ends_.begin() + static_cast<ptrdiff_t>(keep), ends_.begin() + static_cast<ptrdiff_t>(last.chunk));
  chunk_count_ -= last.chunk - keep;
  return Erase({keep, 0}, {keep, last.slot});
}

void RangeMap::SetEnd(const Cursor& cursor, uint64_t end) {
  chunks_[cursor.chunk]->entries[cursor.slot].end = end;
  UpdateEnd(cursor.chunk);
}

void RangeMap::AddChunk(size_t position) {
  if (chunk_count_ == chunks_.size()) chunks_.push_back(std::make_unique<Chunk>());
  std::rotate(chunks_.begin() + static_cast<ptrdiff_t>(position),
              chunks_.begin() + static_cast<ptrdiff_t>(chunk_count_),
              chunks_.begin() + static_cast<ptrdiff_t>(chunk_count_) + 1);
  chunks_[position]->count = 0;
  ends_.insert(ends_.begin() + static_cast<ptrdiff_t>(position), 0);
  ++chunk_count_;
}

RangeMap::Cursor RangeMap::SplitChunk(Cursor cursor) {
  AddChunk(cursor.chunk + 1);
  Chunk& low = *chunks_[cursor.chunk];
  Chunk& high = *chunks_[cursor.chunk + 1];
  constexpr uint32_t kHalf = kChunkSize / 2;
  std::copy(low.entries.begin() + kHalf, low.entries.end(), high.entries.begin());
  low.count = kHalf;
  high.count = kChunkSize - kHalf;
  UpdateEnd(cursor.chunk);
  UpdateEnd(cursor.chunk + 1);
  return cursor.slot <= kHalf ? cursor : Cursor{cursor.chunk + 1, cursor.slot - kHalf};
}

}  // namespace assay::syncval
