// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_REGIONS_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_REGIONS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "syncval/engine/accesses/access.h"
#include "syncval/engine/ranges/types.h"

// Regions let most accesses be checked without a look at the range map. A *region* is a resource's own part of the
// address space, which no other resource shares. The table has, for each region that a command buffer accesses, the
// bounds of its reads and writes there. An access outside of them conflicts with nothing and is added to a list
// (*pending*). So is one that is ordered after each of the few pending ones that it meets, as far as barriers that
// cover everything tell (OrderedPairs). When another access meets the bounds, the pending accesses of the region go
// into the map, where the access is checked exactly.
namespace assay::syncval {

// The phase of a context: a number that grows with each begin and end of a subpass. It is odd in subpasses.
struct SubpassPhase {
  uint32_t number = 0;

  bool is_inside() const { return number % 2 != 0; }
  friend bool operator==(const SubpassPhase&, const SubpassPhase&) = default;
  template <typename H>
  friend H AbslHashValue(H hash, const SubpassPhase& phase) {
    return H::combine(std::move(hash), phase.number);
  }
};

// An access that is recorded but not in the map yet, or a first access.
struct PendingAccess {
  Access access;
  Tag tag;
  // Of the barrier log, when the access was recorded.
  uint32_t epoch = 0;
  // The next one of the same region.
  uint32_t next = 0;
  // The tag of the first of the equal reads that this one represents; tag is that of the last.
  Tag first_tag;
  // Of the context, when the access was recorded.
  SubpassPhase phase;
  // Whether some of its bytes may have no earlier write of the context, so that a replay must compare it.
  bool is_first = true;
  // A write; those of the region before it that it meets are ordered before it.
  bool is_after_others = false;
};

// A range that has a state of its own in the map, with the state's number, as it was when the map had the version.
struct FoundState {
  Range range{};
  uint32_t state = 0;
  // 0 is no map's.
  uint32_t version = 0;
};

struct Region {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  // Meets nothing and grows to anything.
  static constexpr Range kEmptyRange = {std::numeric_limits<uint64_t>::max(), 0};

  // The region, and the version of the table that the entry is of.
  uint64_t key = 0;
  uint32_t version = 0;
  // Numbers of PendingAccesses.
  uint32_t first_pending = kNone;
  uint32_t last_pending = kNone;
  // Whether anything of the region has been put into the map: if not, the journal has all of its accesses.
  bool is_in_map = false;
  // Of the last access that was found in the map.
  FoundState found;
  // Bounds of all reads and of all writes, those in the map included.
  Range reads = kEmptyRange;
  Range writes = kEmptyRange;

  // The bounds of all accesses; they begin after their end if there are none.
  Range Bounds() const { return {std::min(reads.begin, writes.begin), std::max(reads.end, writes.end)}; }
  bool MayConflict(const Range& range, bool is_write) const {
    return writes.Intersects(range) || (is_write && reads.Intersects(range));
  }
  void Extend(const Range& range, bool is_write) {
    Range& bounds = is_write ? writes : reads;
    bounds = {std::min(bounds.begin, range.begin), std::max(bounds.end, range.end)};
  }
  void Extend(const Region& other) {
    Extend(other.reads, false);
    Extend(other.writes, true);
  }
  // For an access that goes into the map at once.
  void ExtendInMap(const Range& range, bool is_write) {
    Extend(range, is_write);
    is_in_map = true;
  }
};

// The regions that a command buffer accesses, by open addressing.
class RegionTable {
 public:
  void Clear() {
    ++version_;
    region_count_ = 0;
  }

  // The entry of a region, new or not; stays where it is until the next Reserve.
  Region& Get(uint64_t key) {
    for (size_t i = Hash(key) & mask_;; i = (i + 1) & mask_) {
      Region& region = entries_[i];
      if (region.version != version_) {
        region = Region{.key = key, .version = version_};
        ++region_count_;
        return region;
      }
      if (region.key == key) return region;
    }
  }

  bool empty() const { return region_count_ == 0; }
  // The entry of a region; null if there is none.
  const Region* Find(uint64_t key) const {
    if (entries_.empty()) return nullptr;
    for (size_t i = Hash(key) & mask_; entries_[i].version == version_; i = (i + 1) & mask_) {
      if (entries_[i].key == key) return &entries_[i];
    }
    return nullptr;
  }

  // Makes room for as many more regions.
  void Reserve(size_t more) {
    if ((region_count_ + more) * 2 > mask_) [[unlikely]]
      Grow(more);
  }

  // Drops those for which is_needed(region) is false, once there are twice as many as were kept the last time.
  template <typename IsNeeded>
  void DropUnneeded(IsNeeded&& is_needed) {
    if (region_count_ <= drop_above_) return;
    std::vector<Region> kept;
    ForEach([&](const Region& region) {
      if (is_needed(region)) kept.push_back(region);
    });
    entries_.clear();
    region_count_ = 0;
    Grow(kept.size());
    for (const Region& region : kept) Get(region.key) = region;
    drop_above_ = std::max(kFewest, 2 * kept.size());
  }

  template <typename Visit>
  void ForEach(Visit&& visit) {
    for (Region& region : entries_) {
      if (region.version == version_) visit(region);
    }
  }

 private:
  static constexpr size_t kFewest = 64;

  static size_t Hash(uint64_t key) { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> 32); }

  void Grow(size_t more) {
    std::vector<Region> old = std::move(entries_);
    size_t size = std::max(kFewest, old.size());
    while ((region_count_ + more) * 2 >= size) size *= 2;
    entries_.assign(size, Region{});
    mask_ = size - 1;
    region_count_ = 0;
    for (const Region& region : old) {
      if (region.version == version_) Get(region.key) = region;
    }
  }

  std::vector<Region> entries_;
  size_t mask_ = 0;
  size_t region_count_ = 0;
  // See DropUnneeded.
  size_t drop_above_ = kFewest;
  // Entries of other versions are free. Entries begin at 0, so this does not.
  uint32_t version_ = 1;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_REGIONS_H_
