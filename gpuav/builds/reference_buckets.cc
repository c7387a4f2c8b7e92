// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/builds/reference_buckets.h"

#include <algorithm>
#include <atomic>

namespace assay::gpuav {

ReferenceBuckets::ReferenceBuckets(absl::Span<uint64_t> slots) : slots_(slots), copy_(slots.size()) {
  for (size_t i = 0; i < copy_.size(); ++i) Write(i, 0);
}

std::array<size_t, 2> ReferenceBuckets::PlacesOf(uint64_t address) const {
  uint32_t first = (static_cast<uint32_t>(address) ^ static_cast<uint32_t>(address >> 32) * kHighHash) * kFirstHash;
  first ^= first >> 16;
  uint32_t second = first * kSecondHash;
  second ^= second >> 16;
  return {(first & (count() - 1)) * kSlots, (second & (count() - 1)) * kSlots};
}

void ReferenceBuckets::Write(size_t slot, uint64_t value) {
  copy_[slot] = value;
  std::atomic_ref(slots_[slot]).store(value, std::memory_order_relaxed);
}

bool ReferenceBuckets::Insert(uint64_t address) {
  if (copy_.empty()) return false;
  // The one with more room.
  const auto used = [this](size_t place) {
    return kSlots - std::count(&copy_[place], &copy_[place] + kSlots, uint64_t{0});
  };
  const auto [first, second] = PlacesOf(address);
  const size_t place = used(second) < used(first) ? second : first;
  for (size_t slot = place; slot < place + kSlots; ++slot) {
    if (copy_[slot] != 0) continue;
    Write(slot, address);
    return true;
  }
  return false;
}

void ReferenceBuckets::Remove(uint64_t address) {
  if (copy_.empty()) return;
  for (const size_t place : PlacesOf(address)) {
    for (size_t slot = place; slot < place + kSlots; ++slot) {
      if (copy_[slot] == address) return Write(slot, 0);
    }
  }
}

bool ReferenceBuckets::Has(uint64_t address) const {
  if (copy_.empty()) return false;
  return std::ranges::any_of(PlacesOf(address), [&](size_t place) {
    const absl::Span<const uint64_t> bucket = slots_.subspan(place, kSlots);
    return std::ranges::find(bucket, address) != bucket.end();
  });
}

}  // namespace assay::gpuav
