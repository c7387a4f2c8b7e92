// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Any data for a validation cache: it is ignored, or all whole hashes of it are taken.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <vector>

#include "dispatch/extensions/validation_cache.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using assay::dispatch::ValidationCache;
  constexpr size_t kHeader = ValidationCache::kHeaderBytes;
  ValidationCache cache;
  cache.Load(data, size);
  const std::vector<uint64_t> found = cache.Hashes();
  std::set<uint64_t> expected;
  for (size_t at = kHeader; at + sizeof(uint64_t) <= size; at += sizeof(uint64_t)) {
    uint64_t hash;
    std::memcpy(&hash, data + at, sizeof(hash));
    expected.insert(hash);
  }
  if (!found.empty() && std::set<uint64_t>(found.begin(), found.end()) != expected) std::abort();
  if (size < kHeader && !found.empty()) std::abort();
  // The same hashes behind the right header are taken, whatever they are.
  std::vector<uint8_t> valid = {kHeader, 0, 0, 0, VK_VALIDATION_CACHE_HEADER_VERSION_ONE_EXT, 0, 0, 0};
  for (char c : {'A', 's', 's', 'a', 'y', ' ', 'c', 'a', 'c', 'h', 'e', ' ', '0', '0', '0', '1'}) {
    valid.push_back(static_cast<uint8_t>(c));
  }
  valid.insert(valid.end(), data + (size < kHeader ? size : kHeader), data + size);
  ValidationCache other;
  other.Load(valid.data(), valid.size());
  const std::vector<uint64_t> all = other.Hashes();
  if (std::set<uint64_t>(all.begin(), all.end()) != expected) std::abort();
  return 0;
}
