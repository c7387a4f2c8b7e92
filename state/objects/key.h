// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATE_OBJECTS_KEY_H_
#define ASSAY_STATE_OBJECTS_KEY_H_

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

// Keys: numbers that stand for the bindings and dynamic state of a command buffer. Private to the package.
namespace assay::state {

// Mixes two numbers. Sums of the results are keys, so equal results for different numbers must be improbable.
inline uint64_t Mix(uint64_t a, uint64_t b) {
  const uint64_t product = (a ^ (b * 0x9E3779B97F4A7C15u)) * 0xD6E8FEB86659FD93u;
  return product ^ (product >> 32);
}

// Mixes a value that has no padding. Each word is mixed by itself, so that the processor can do it in parallel.
template <class T>
uint64_t MixValue(uint64_t salt, const T& value) {
  static_assert(std::has_unique_object_representations_v<T>);
  const auto* bytes = reinterpret_cast<const char*>(&value);
  uint64_t sum = 0;
  for (size_t i = 0; i < sizeof(T); i += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, bytes + i, sizeof(T) - i < sizeof(word) ? sizeof(T) - i : sizeof(word));
    sum += Mix(salt << 16 | i, word + 1);
  }
  return sum;
}

}  // namespace assay::state

#endif  // ASSAY_STATE_OBJECTS_KEY_H_
