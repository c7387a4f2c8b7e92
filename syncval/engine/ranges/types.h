// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_SYNCVAL_ENGINE_RANGES_TYPES_H_
#define ASSAY_SYNCVAL_ENGINE_RANGES_TYPES_H_

#include <compare>
#include <cstdint>
#include <limits>

namespace assay::syncval {

// The position of a command in the log of its command buffer, which the caller keeps. Commands are given in the order
// of their tags. All accesses and barriers of one command have the same tag.
struct Tag {
  uint32_t value = std::numeric_limits<uint32_t>::max();

  friend constexpr auto operator<=>(const Tag&, const Tag&) = default;
};

// A queue of the device, as the caller numbers them. In a command buffer, which has one queue only, all are 0.
enum class QueueIndex : uint8_t {};

// Bytes [begin, end) of the address space, in which each memory allocation and each image with an opaque layout has a
// region of its own. Not empty where the engine is given one, and end is less than 2^64 - 1.
struct Range {
  uint64_t begin = 0;
  uint64_t end = 0;

  constexpr uint64_t Size() const { return end - begin; }
  constexpr bool Intersects(const Range& other) const { return begin < other.end && other.begin < end; }
  constexpr bool Contains(const Range& other) const { return begin <= other.begin && other.end <= end; }
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

inline constexpr Range kEverywhere = {0, std::numeric_limits<uint64_t>::max()};

}  // namespace assay::syncval

#endif  // ASSAY_SYNCVAL_ENGINE_RANGES_TYPES_H_
