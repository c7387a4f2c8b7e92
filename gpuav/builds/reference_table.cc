// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/builds/reference_table.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "gpuav/builds/layout.h"

namespace assay::gpuav {
namespace {

constexpr uint32_t kQuadWords = 4;
constexpr VkDeviceSize kHeaderBytes = VkDeviceSize{kFirstBucketsQuad + kMaxBuckets} * kQuadWords * sizeof(uint32_t);
constexpr size_t kFirstCount = 64;

}  // namespace

bool ReferenceTable::Make() {
  if (is_made()) return !is_lost_;
  header_ = memory_.Allocate(kHeaderBytes);
  if (!is_made()) return false;
  std::ranges::fill(header_.words(), 0u);
  return Grow();
}

void ReferenceTable::Write(uint32_t word, uint32_t value) {
  std::atomic_ref(header_.mapped[word]).store(value, std::memory_order_relaxed);
}

bool ReferenceTable::Grow() {
  MemoryRange range;
  ReferenceBuckets buckets;
  for (size_t count = std::max(kFirstCount, 2 * buckets_.count()); !range; count *= 2) {
    const size_t slots = count * ReferenceBuckets::kSlots;
    if (arrays_ < kMaxBuckets) range = memory_.Allocate(slots * sizeof(uint64_t));
    if (!range) {
      is_lost_ = true;
      SetUnknown(has_unknown_);
      return false;
    }
    buckets = ReferenceBuckets({reinterpret_cast<uint64_t*>(range.mapped), slots});
    const bool has_room = std::ranges::all_of(
        buckets_.slots(), [&](uint64_t address) { return address == 0 || buckets.Insert(address); });
    if (!has_room) memory_.Free(std::exchange(range, {}));
  }
  buckets_ = std::move(buckets);
  Publish(range);
  return true;
}

void ReferenceTable::Publish(const MemoryRange& range) {
  const uint32_t quad = (kFirstBucketsQuad + arrays_) * kQuadWords;
  Write(quad, static_cast<uint32_t>(range.address));
  Write(quad + 1, static_cast<uint32_t>(range.address >> 32));
  Write(quad + kBucketMaskWord, static_cast<uint32_t>(buckets_.count() - 1));
  // Who reads the number finds the buckets.
  FlushWrites();
  Write(kCurrentBucketsWord, arrays_++);
  FlushWrites();
}

void ReferenceTable::Add(VkDeviceAddress address) {
  while (is_made() && !is_lost_ && !buckets_.Insert(address)) Grow();
  FlushWrites();
}

void ReferenceTable::Remove(VkDeviceAddress address) { buckets_.Remove(address); }

void ReferenceTable::SetUnknown(bool has_unknown) {
  has_unknown_ = has_unknown;
  if (!is_made()) return;
  Write(kUnknownWord, has_unknown_ || is_lost_ ? 1 : 0);
  FlushWrites();
}

}  // namespace assay::gpuav
