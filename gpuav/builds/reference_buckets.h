// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_BUILDS_REFERENCE_BUCKETS_H_
#define ASSAY_GPUAV_BUILDS_REFERENCE_BUCKETS_H_

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "gpuav/builds/layout.h"

namespace assay::gpuav {

// A set of addresses in memory that a shader looks into while the host changes it (layout.h). The host reads a copy of
// its own, since reading that memory may be slow.
class ReferenceBuckets {
 public:
  static constexpr size_t kSlots = size_t{kQuadsOfBucket} * 2;

  ReferenceBuckets() = default;
  // Makes the buckets empty. Their number is a power of two.
  explicit ReferenceBuckets(absl::Span<uint64_t> slots);

  // The address, which is not 0, is not in the set. False if the set has to move to more buckets first.
  bool Insert(uint64_t address);
  // Nothing if the address is not in the set.
  void Remove(uint64_t address);
  // What the shader finds.
  bool Has(uint64_t address) const;

  size_t count() const { return copy_.size() / kSlots; }
  const std::vector<uint64_t>& slots() const { return copy_; }

 private:
  // The first slots of the two buckets.
  std::array<size_t, 2> PlacesOf(uint64_t address) const;
  void Write(size_t slot, uint64_t value);

  absl::Span<uint64_t> slots_;
  std::vector<uint64_t> copy_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_BUILDS_REFERENCE_BUCKETS_H_
