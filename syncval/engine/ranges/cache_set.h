// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RANGES_CACHE_SET_H_
#define ASSAY_SYNCVAL_ENGINE_RANGES_CACHE_SET_H_

#include <array>
#include <cstddef>

namespace assay::syncval {

// The values that were put here last, the latest first: one slot of a hash table for lookups that repeat. It holds
// several values with the same hash. With a single one, a few values in turn would replace each other too often.
template <class T, size_t kCount>
class CacheSet {
 public:
  // The value for which is(const T&) is true; null if there is none.
  template <class Is>
  const T* Find(Is&& is) const {
    for (const T& entry : entries_) {
      if (is(entry)) return &entry;
    }
    return nullptr;
  }
  // Replaces the value for which is_outdated(const T&) is true, or else the oldest.
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
