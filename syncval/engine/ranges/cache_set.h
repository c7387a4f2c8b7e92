// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RANGES_CACHE_SET_H_
#define ASSAY_SYNCVAL_ENGINE_RANGES_CACHE_SET_H_

#include <array>
#include <cstddef>

namespace assay::syncval {

// What was put here last, the latest first: one place of a table of what is looked up again and again, for as many with
// the same hash. With a single one, a few that are used in turns would meet somewhere too often.
template <class T, size_t kCount>
class CacheSet {
 public:
  // Null if there is none that is(const T&).
  template <class Is>
  const T* Find(Is&& is) const {
    for (const T& entry : entries_) {
      if (is(entry)) return &entry;
    }
    return nullptr;
  }
  // Instead of the one that is_outdated(const T&) by it, or else of the oldest.
  template <class Is>
  void Put(const T& value, Is&& is_outdated) {
    size_t place = 0;
    while (place + 1 < kCount && !is_outdated(entries_[place])) ++place;
    for (; place > 0; --place) entries_[place] = entries_[place - 1];
    entries_[0] = value;
  }

 private:
  std::array<T, kCount> entries_;
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_RANGES_CACHE_SET_H_
