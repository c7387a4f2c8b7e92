// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CACHE_KEY_SET_H_
#define ASSAY_CACHE_KEY_SET_H_

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "absl/types/span.h"

namespace assay::cache {

// What an input was: 128 bits that differ, but for the rarest chance, where the inputs do. The same in every process.
struct Key {
  uint64_t high = 0;
  uint64_t low = 0;

  friend auto operator<=>(const Key& a, const Key& b) = default;
  template <typename H>
  friend H AbslHashValue(H state, const Key& key) {
    return H::combine(std::move(state), key.high, key.low);
  }
};
static_assert(sizeof(Key) == 16);

// The key of words (those of a SPIR-V module) with the options that they are judged by.
Key KeyOf(absl::Span<const uint32_t> words, std::string_view options);

// Keys of inputs that are known to be valid. Thread-safe; no lock is held longer than a look-up or a copy takes, and
// never two at once.
class KeySet {
 public:
  KeySet() = default;
  KeySet(const KeySet&) = delete;
  KeySet& operator=(const KeySet&) = delete;

  bool Contains(const Key& key) const;
  void Insert(const Key& key);
  void Insert(absl::Span<const Key> keys);
  // In ascending order.
  std::vector<Key> Keys() const;
  size_t size() const;

 private:
  mutable absl::Mutex mutex_;
  absl::flat_hash_set<Key> keys_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace assay::cache

#endif  // ASSAY_CACHE_KEY_SET_H_
