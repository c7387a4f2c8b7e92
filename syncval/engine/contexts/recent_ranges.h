// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECENT_RANGES_H_
#define ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECENT_RANGES_H_

#include <array>
#include <cstddef>
#include <cstdint>

#include "syncval/engine/ranges/cache_set.h"
#include "syncval/engine/ranges/types.h"

namespace assay::syncval {

// The ranges that were found last, each with the state that it has by itself: a command buffer accesses few ranges many
// times. A range is here only while it is exactly one entry of the map. Ranges are found by a hash of where they begin,
// two for each hash.
class RecentRanges {
  struct RecentRange {
    Range range;
    uint32_t state = 0;
    // The entry is valid while this is the current version, which is never 0.
    uint32_t version = 0;
  };
  auto IsOf(const Range& range) const {
    return [&range, this](const RecentRange& recent) { return recent.version == version_ && recent.range == range; };
  }

 public:
  // The number of the state of exactly this range; null if it is not among the recent ones.
  const uint32_t* Find(const Range& range) const {
    const RecentRange* const recent = SetFor(range).Find(IsOf(range));
    return recent != nullptr ? &recent->state : nullptr;
  }
  void Add(const Range& range, uint32_t state) {
    SetFor(range).Put({.range = range, .state = state, .version = version_}, IsOf(range));
  }
  // Drops all of them. Required after each change that ends an entry of the map or moves its ends.
  void Clear() {
    if (++version_ == 0) ++version_;
  }
  uint32_t version() const { return version_; }

 private:
  using Set = CacheSet<RecentRange, 2>;
  static constexpr size_t kBits = 5;

  static size_t Hash(const Range& range) { return (range.begin * 0x9E3779B97F4A7C15u) >> (64 - kBits); }
  Set& SetFor(const Range& range) { return sets_[Hash(range)]; }
  const Set& SetFor(const Range& range) const { return sets_[Hash(range)]; }

  std::array<Set, size_t{1} << kBits> sets_;
  // Counts the changes after which no recent range is valid.
  uint32_t version_ = 1;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_CONTEXTS_RECENT_RANGES_H_
