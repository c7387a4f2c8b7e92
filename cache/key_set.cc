// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "cache/key_set.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "cache/checksum.h"

namespace assay::cache {

Key KeyOf(absl::Span<const uint32_t> words, std::string_view options) {
  Checksum sum;
  sum.Add(options);
  sum.Add(std::string_view(reinterpret_cast<const char*>(words.data()), words.size() * sizeof(uint32_t)));
  return {.high = sum.high(), .low = sum.low()};
}

bool KeySet::Contains(const Key& key) const {
  absl::ReaderMutexLock lock(&mutex_);
  return keys_.contains(key);
}

void KeySet::Insert(const Key& key) {
  absl::MutexLock lock(&mutex_);
  keys_.insert(key);
}

void KeySet::Insert(absl::Span<const Key> keys) {
  absl::MutexLock lock(&mutex_);
  keys_.insert(keys.begin(), keys.end());
}

std::vector<Key> KeySet::Keys() const {
  std::vector<Key> keys;
  {
    absl::ReaderMutexLock lock(&mutex_);
    keys.assign(keys_.begin(), keys_.end());
  }
  std::ranges::sort(keys);
  return keys;
}

size_t KeySet::size() const {
  absl::ReaderMutexLock lock(&mutex_);
  return keys_.size();
}

}  // namespace assay::cache
