// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_FUZZ_RANDOM_H_
#define ASSAY_SPIRV_INSTRUMENT_FUZZ_RANDOM_H_

#include <cstddef>
#include <cstdint>

#include "absl/types/span.h"

namespace assay::spirv_instrument::fuzz {

// Numbers that a seed decides, the same with every library. SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15u;
    uint64_t value = state_;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
  }
  // Less than the limit; 0 for 0.
  size_t Below(size_t limit) { return limit == 0 ? 0 : Next() % limit; }
  bool OneIn(size_t count) { return Below(count) == 0; }
  // `values` must not be empty.
  template <typename T>
  const T& Pick(absl::Span<const T> values) {
    return values[Below(values.size())];
  }

 private:
  uint64_t state_;
};

}  // namespace assay::spirv_instrument::fuzz

#endif  // ASSAY_SPIRV_INSTRUMENT_FUZZ_RANDOM_H_
