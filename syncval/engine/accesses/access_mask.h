// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_MASK_H_
#define ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_MASK_H_

#include <bit>
#include <cstddef>
#include <cstdint>

#include "vk/sync/sync_info.h"

namespace assay::syncval {

// A set of stage/access pairs, one bit for each vk::SyncAccessIndex. The registry has fewer than 192 of them.
class SyncAccessMask {
 public:
  static constexpr size_t kBits = 192;

  static_assert(vk::kSyncAccessCount <= kBits);

  constexpr SyncAccessMask() = default;
  explicit constexpr SyncAccessMask(vk::SyncAccessIndex index) { Set(index); }

  constexpr void Set(vk::SyncAccessIndex index) { words_[Word(index)] |= Bit(index); }
  constexpr bool Has(vk::SyncAccessIndex index) const { return (words_[Word(index)] & Bit(index)) != 0; }
  constexpr bool Empty() const { return (words_[0] | words_[1] | words_[2]) == 0; }
  constexpr size_t Count() const {
    const auto count = [](uint64_t word) { return static_cast<size_t>(std::popcount(word)); };
    return count(words_[0]) + count(words_[1]) + count(words_[2]);
  }
  constexpr bool Contains(const SyncAccessMask& other) const { return (other & ~*this).Empty(); }
  constexpr bool Intersects(const SyncAccessMask& other) const { return !(*this & other).Empty(); }

  constexpr SyncAccessMask& operator|=(const SyncAccessMask& other) {
    for (size_t i = 0; i < kWords; ++i) words_[i] |= other.words_[i];
    return *this;
  }
  constexpr SyncAccessMask& operator&=(const SyncAccessMask& other) {
    for (size_t i = 0; i < kWords; ++i) words_[i] &= other.words_[i];
    return *this;
  }
  constexpr SyncAccessMask operator~() const {
    SyncAccessMask result;
    for (size_t i = 0; i < kWords; ++i) result.words_[i] = ~words_[i];
    return result;
  }
  friend constexpr SyncAccessMask operator|(SyncAccessMask a, const SyncAccessMask& b) { return a |= b; }
  friend constexpr SyncAccessMask operator&(SyncAccessMask a, const SyncAccessMask& b) { return a &= b; }
  friend constexpr bool operator==(const SyncAccessMask&, const SyncAccessMask&) = default;

  // Calls visit(vk::SyncAccessIndex) for each member, in the order of the indices.
  template <typename Visit>
  void ForEach(Visit&& visit) const {
    for (size_t i = 0; i < kWords; ++i) {
      for (uint64_t rest = words_[i]; rest != 0; rest &= rest - 1) {
        visit(static_cast<vk::SyncAccessIndex>(i * 64 + static_cast<size_t>(std::countr_zero(rest))));
      }
    }
  }

 private:
  static constexpr size_t kWords = kBits / 64;
  static constexpr size_t Word(vk::SyncAccessIndex index) { return static_cast<size_t>(index) / 64; }
  static constexpr uint64_t Bit(vk::SyncAccessIndex index) { return uint64_t{1} << (static_cast<size_t>(index) % 64); }

  uint64_t words_[kWords] = {};
};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_ACCESSES_ACCESS_MASK_H_
