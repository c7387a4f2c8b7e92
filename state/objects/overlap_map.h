// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_
#define ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_

#include <algorithm>
#include <cstdint>
#include <map>

namespace assay::state {

// Objects by the ranges that they cover. Ranges may overlap each other. Not thread safe.
template <class T>
class OverlapMap {
 public:
  // An object may cover several ranges.
  void Add(uint64_t begin, uint64_t size, T* object) {
    entries_.emplace(begin, Entry{size, object});
    largest_ = std::max(largest_, size);
  }
  // Removes the range of the object that begins there, if there is one.
  void Remove(uint64_t begin, const T* object) {
    const auto [first, last] = entries_.equal_range(begin);
    const auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second.object == object; });
    if (found != last) entries_.erase(found);
  }
  // Calls f(object) for each range that has a byte of [begin, end).
  template <class F>
  void ForEachOverlap(uint64_t begin, uint64_t end, F&& f) const {
    if (begin >= end) return;
    // A range that begins earlier than this ends before `begin`, even if it is the largest.
    const uint64_t first = begin > largest_ ? begin - largest_ : 0;
    for (auto it = entries_.lower_bound(first); it != entries_.end() && it->first < end; ++it) {
      if (it->second.size > begin || it->first > begin - it->second.size) f(*it->second.object);
    }
  }

 private:
  struct Entry {
    uint64_t size;
    T* object;
  };
  std::multimap<uint64_t, Entry> entries_;
  uint64_t largest_ = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_
