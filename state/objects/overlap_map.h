// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_
#define ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <utility>

#include "absl/container/inlined_vector.h"

namespace assay::state {

// Objects by the ranges that they cover. Ranges may overlap each other. Not thread safe.
//
// Ranges are sorted by size class, from one power of two to the next, and then by where they begin. Those of a class
// that reach a byte begin at most two such powers before it. So a large range does not make look-ups among many small
// ones longer.
template <class T>
class OverlapMap {
 public:
  // An object may cover several ranges. An empty range has no byte.
  void Add(uint64_t begin, uint64_t size, T* object) {
    if (size == 0) return;
    const int size_class = std::bit_width(size) - 1;
    entries_.emplace(Key{size_class, begin}, Entry{size, object});
    used_classes_ |= uint64_t{1} << size_class;
  }
  // Removes the range of the object that begins there, if there is one.
  void Remove(uint64_t begin, const T* object) {
    for (uint64_t rest = used_classes_; rest != 0; rest &= rest - 1) {
      const int size_class = std::countr_zero(rest);
      const auto [first, last] = entries_.equal_range({size_class, begin});
      const auto found = std::find_if(first, last, [&](const auto& entry) { return entry.second.object == object; });
      if (found == last) continue;
      entries_.erase(found);
      const auto left = entries_.lower_bound({size_class, 0});
      if (left == entries_.end() || left->first.first != size_class) used_classes_ &= ~(uint64_t{1} << size_class);
      return;
    }
  }
  // Calls f(object) for each range that has a byte of [begin, end), in the order of their beginnings.
  template <class F>
  void ForEachOverlap(uint64_t begin, uint64_t end, F&& f) const {
    if (begin >= end) return;
    absl::InlinedVector<std::pair<uint64_t, T*>, 8> found;
    for (uint64_t rest = used_classes_; rest != 0; rest &= rest - 1) {
      const int size_class = std::countr_zero(rest);
      // A range of the class that begins earlier than this ends before `begin`.
      const uint64_t largest = ~uint64_t{0} >> (63 - size_class);
      const uint64_t first = begin > largest ? begin - largest : 0;
      for (auto it = entries_.lower_bound({size_class, first}); it != entries_.end(); ++it) {
        const auto [of_class, at] = it->first;
        const Entry& entry = it->second;
        if (of_class != size_class || at >= end) break;
        if (entry.size > begin || at > begin - entry.size) found.emplace_back(at, entry.object);
      }
    }
    std::ranges::sort(found, {}, [](const auto& range) { return range.first; });
    for (const auto& [at, object] : found) f(*object);
  }

 private:
  struct Entry {
    uint64_t size;
    T* object;
  };
  // The number of the size's highest bit, and the beginning.
  using Key = std::pair<int, uint64_t>;

  std::multimap<Key, Entry> entries_;
  // A bit for each class that has a range.
  uint64_t used_classes_ = 0;
};

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_OVERLAP_MAP_H_
