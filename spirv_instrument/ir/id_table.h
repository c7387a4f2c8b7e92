// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SPIRV_INSTRUMENT_IR_ID_TABLE_H_
#define ASSAY_SPIRV_INSTRUMENT_IR_ID_TABLE_H_

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "spirv_instrument/ir/id.h"

namespace assay::spirv_instrument {

// A value for each id, T() to begin with. It is flat where ids are dense, as compilers number them, and a hash map
// beyond: a module of a few words with an id of four million costs a few entries.
template <typename T>
class IdTable {
 public:
  // Ids below `dense_count` are flat from the beginning; see Module::dense_id_count().
  explicit IdTable(uint32_t dense_count = 0) : dense_(dense_count) {}

  T Get(Id id) const {
    const uint32_t number = ToNumber(id);
    if (number < dense_.size()) return dense_[number];
    const auto found = sparse_.find(number);
    return found == sparse_.end() ? T() : found->second;
  }

  // The reference is valid until the next call of this.
  T& operator[](Id id) {
    const uint32_t number = ToNumber(id);
    if (number < dense_.size()) return dense_[number];
    if (number < dense_.size() + kGap) return Extend(number);
    return sparse_[number];
  }

  void Clear() {
    std::fill(dense_.begin(), dense_.end(), T());
    sparse_.clear();
  }

 private:
  // New ids are counted up; so many may be left out in between.
  static constexpr uint32_t kGap = 16;

  T& Extend(uint32_t number) {
    const auto first = static_cast<uint32_t>(dense_.size());
    dense_.resize(number + 1);
    for (uint32_t i = first; i <= number && !sparse_.empty(); ++i) {
      const auto found = sparse_.find(i);
      if (found == sparse_.end()) continue;
      dense_[i] = std::move(found->second);
      sparse_.erase(found);
    }
    return dense_[number];
  }

  std::vector<T> dense_;
  absl::flat_hash_map<uint32_t, T> sparse_;
};

}  // namespace assay::spirv_instrument

#endif  // ASSAY_SPIRV_INSTRUMENT_IR_ID_TABLE_H_
