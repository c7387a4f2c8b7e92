// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RANGES_RANGE_MAP_H_
#define ASSAY_SYNCVAL_ENGINE_RANGES_RANGE_MAP_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// Disjoint ranges in order, each with the number of a state; what lies between them has none.
//
// The ranges lie sorted in chunks of fixed size, and the chunks in one vector: a B-tree of two levels. Inserting moves
// half a chunk at most, and at times half the vector of chunk pointers; a search is two binary searches over memory
// that lies together.
class RangeMap {
 public:
  struct Entry {
    uint64_t begin;
    uint64_t end;
    uint32_t state;

    Range range() const { return {begin, end}; }
  };
  // Where an entry is. Insert and Erase invalidate all others than those they return.
  struct Cursor {
    size_t chunk;
    uint32_t slot;

    friend bool operator==(const Cursor&, const Cursor&) = default;
  };

  size_t size() const { return size_; }
  void Clear();

  // The first entry that ends after address. A search near the last one costs little.
  Cursor Find(uint64_t address) const {
    if (IsFirstAfter(hint_, address)) return hint_;
    return Search(address);
  }
  bool AtEnd(const Cursor& cursor) const { return cursor.chunk == chunk_count_; }
  bool AtBegin(const Cursor& cursor) const { return cursor.chunk == 0 && cursor.slot == 0; }
  const Entry& At(const Cursor& cursor) const { return chunks_[cursor.chunk]->entries[cursor.slot]; }
  Cursor Next(Cursor cursor) const {
    if (++cursor.slot == chunks_[cursor.chunk]->count) cursor = {cursor.chunk + 1, 0};
    return cursor;
  }
  Cursor Previous(Cursor cursor) const {
    if (cursor.slot != 0) return {cursor.chunk, cursor.slot - 1};
    return {cursor.chunk - 1, chunks_[cursor.chunk - 1]->count - 1};
  }

  // Puts entry before the one at cursor, which may be the end; returns where it is.
  Cursor Insert(Cursor cursor, const Entry& entry);
  // The same for several, in order.
  void Insert(Cursor cursor, absl::Span<const Entry> entries);
  // Removes the entries from first up to last, exclusive; returns where last is then.
  Cursor Erase(Cursor first, Cursor last);
  // Moves one end of an entry; it must not run into its neighbours.
  void SetBegin(const Cursor& cursor, uint64_t begin) { chunks_[cursor.chunk]->entries[cursor.slot].begin = begin; }
  void SetEnd(const Cursor& cursor, uint64_t end);

 private:
  static constexpr uint32_t kChunkSize = 64;

  // Whether cursor, wherever it was once, is the first entry that ends after address.
  bool IsFirstAfter(const Cursor& cursor, uint64_t address) const {
    if (cursor.chunk >= chunk_count_) return false;
    const Chunk& chunk = *chunks_[cursor.chunk];
    if (cursor.slot >= chunk.count || chunk.entries[cursor.slot].end <= address) return false;
    if (cursor.slot != 0) return chunk.entries[cursor.slot - 1].end <= address;
    return cursor.chunk == 0 || ends_[cursor.chunk - 1] <= address;
  }
  Cursor Search(uint64_t address) const;
  struct Chunk {
    uint32_t count = 0;
    std::array<Entry, kChunkSize> entries;
  };

  void UpdateEnd(size_t chunk) { ends_[chunk] = chunks_[chunk]->entries[chunks_[chunk]->count - 1].end; }
  void AddChunk(size_t position);
  Cursor SplitChunk(Cursor cursor);
  // Where an entry can be put before the one at cursor: in a chunk that has room.
  Cursor MakeRoom(Cursor cursor);

  // The first chunk_count_ are in use; none of these is empty.
  std::vector<std::unique_ptr<Chunk>> chunks_;
  // The end of the last entry of each chunk in use.
  std::vector<uint64_t> ends_;
  size_t chunk_count_ = 0;
  size_t size_ = 0;
  // What the last search found.
  mutable Cursor hint_ = {0, 0};
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_RANGES_RANGE_MAP_H_
