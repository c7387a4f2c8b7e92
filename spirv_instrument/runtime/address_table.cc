// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/runtime/address_table.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "spirv_instrument/runtime/layout.h"

namespace assay::spirv_instrument {
namespace {

constexpr uint32_t kQuadWords = 4;
// The shader shifts by 32 less this.
constexpr uint32_t kMinPageShift = 12;
constexpr uint32_t kMaxPageShift = 31;
constexpr uint32_t kMaxBucketBits = 26;
// More buckets are made until no page is further from its place.
constexpr uint32_t kMostProbes = 8;

struct Range {
  uint64_t begin;
  uint64_t end;
};

// Part of a page that an access may begin in, and where that access has to end.
struct PageRange {
  uint32_t page;
  uint32_t begin;
  uint64_t end;
};

struct Page {
  uint32_t number;
  // In a list of PageRange.
  size_t first;
  size_t count;
};

// Sorted, and without those that lie in another one, so that begins and ends both grow.
absl::StatusOr<std::vector<Range>> Normalize(absl::Span<const AddressRange> ranges) {
  std::vector<Range> sorted;
  for (const AddressRange& range : ranges) {
    if (range.size == 0) continue;
    if (range.size > ~uint64_t{0} - range.begin) {
      return absl::InvalidArgumentError("a range goes past the last address");
    }
    sorted.push_back({range.begin, range.begin + range.size});
  }
  // Of those with one begin, the longest comes first.
  std::sort(sorted.begin(), sorted.end(),
            [](const Range& a, const Range& b) { return std::tuple(a.begin, b.end) < std::tuple(b.begin, a.end); });
  std::vector<Range> kept;
  for (const Range& range : sorted) {
    if (kept.empty() || range.end > kept.back().end) kept.push_back(range);
  }
  return kept;
}

uint64_t CountPages(absl::Span<const Range> ranges, uint32_t shift) {
  uint64_t count = 0;
  for (const Range& range : ranges) count += ((range.end - 1) >> shift) - (range.begin >> shift) + 1;
  return count;
}

std::optional<uint32_t> FindPageShift(absl::Span<const Range> ranges, uint32_t wanted) {
  const uint64_t limit = std::max<uint64_t>(kMaxPages, 2 * ranges.size());
  for (uint32_t shift = std::clamp(wanted, kMinPageShift, kMaxPageShift); shift <= kMaxPageShift; ++shift) {
    const bool page_has_32_bits = ranges.empty() || (ranges.back().end - 1) >> shift <= 0xffffffff;
    if (page_has_32_bits && CountPages(ranges, shift) <= limit) return shift;
  }
  return std::nullopt;
}

std::vector<PageRange> SplitIntoPages(absl::Span<const Range> ranges, uint32_t shift) {
  std::vector<PageRange> parts;
  for (const Range& range : ranges) {
    const uint64_t first = range.begin >> shift;
    for (uint64_t page = first; page <= (range.end - 1) >> shift; ++page) {
      const uint64_t begin = page == first ? range.begin - (page << shift) : 0;
      parts.push_back({static_cast<uint32_t>(page), static_cast<uint32_t>(begin), range.end});
    }
  }
  std::sort(parts.begin(), parts.end(), [](const PageRange& a, const PageRange& b) {
    return std::tuple(a.page, a.begin, b.end) < std::tuple(b.page, b.begin, a.end);
  });
  // Of ranges that reach into a page from before it, the longest is enough.
  const auto is_covered = [](const PageRange& kept, const PageRange& other) {
    return kept.page == other.page && kept.begin == other.begin;
  };
  parts.erase(std::unique(parts.begin(), parts.end(), is_covered), parts.end());
  return parts;
}

std::vector<Page> FindPages(absl::Span<const PageRange> parts) {
  std::vector<Page> pages;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (pages.empty() || pages.back().number != parts[i].page) pages.push_back({parts[i].page, i, 0});
    ++pages.back().count;
  }
  return pages;
}

uint32_t BucketOf(uint32_t page, uint32_t bits) { return (page * kPageHash) >> (32 - bits); }

struct Buckets {
  uint32_t bits = 1;
  uint32_t probes = 0;
  // Indices of pages; -1 for a free one. There are probes - 1 behind the last place.
  std::vector<int32_t> pages;
};

// The buckets of a number of bits; a page may be at its place or behind it.
Buckets Place(absl::Span<const Page> pages, uint32_t bits) {
  Buckets buckets{.bits = bits};
  buckets.pages.assign((size_t{1} << bits) + pages.size(), -1);
  for (size_t i = 0; i < pages.size(); ++i) {
    const uint32_t place = BucketOf(pages[i].number, bits);
    uint32_t probe = 0;
    while (buckets.pages[place + probe] >= 0) ++probe;
    buckets.pages[place + probe] = static_cast<int32_t>(i);
    buckets.probes = std::max(buckets.probes, probe + 1);
  }
  buckets.pages.resize((size_t{1} << bits) + std::max(buckets.probes, 1u) - 1);
  return buckets;
}

Buckets FindBuckets(absl::Span<const Page> pages) {
  uint32_t bits = std::max<uint32_t>(1, std::bit_width(2 * pages.size()));
  Buckets buckets = Place(pages, bits);
  while (buckets.probes > kMostProbes && bits < kMaxBucketBits) buckets = Place(pages, ++bits);
  return buckets;
}

uint32_t RoomOf(const PageRange& part, uint32_t shift) {
  const uint64_t begin = (uint64_t{part.page} << shift) + part.begin;
  return static_cast<uint32_t>(std::min<uint64_t>(part.end - begin, 0xffffffff));
}

uint32_t RoomInRange(uint32_t offset, uint32_t begin, uint32_t room) {
  if (offset < begin || offset - begin >= room) return 0;
  return room - (offset - begin);
}

}  // namespace

absl::StatusOr<std::vector<uint32_t>> MakeAddressTable(absl::Span<const AddressRange> ranges,
                                                       AddressTableOptions options) {
  const absl::StatusOr<std::vector<Range>> normalized = Normalize(ranges);
  if (!normalized.ok()) return normalized.status();
  const std::optional<uint32_t> shift = FindPageShift(*normalized, options.page_shift);
  if (!shift) return absl::InvalidArgumentError("no page size fits these addresses");
  const std::vector<PageRange> parts = SplitIntoPages(*normalized, *shift);
  const std::vector<Page> pages = FindPages(parts);
  const Buckets buckets = FindBuckets(pages);

  std::vector<uint32_t> words((kFirstBucketQuad + buckets.pages.size()) * kQuadWords);
  words[kPageShiftWord] = *shift;
  words[kBucketBitsWord] = buckets.bits;
  words[kProbesWord] = buckets.probes;
  for (size_t i = 0; i < buckets.pages.size(); ++i) {
    if (buckets.pages[i] < 0) continue;
    const Page& page = pages[buckets.pages[i]];
    const size_t bucket = (kFirstBucketQuad + i) * kQuadWords;
    words[bucket + kPageWord] = page.number;
    words[bucket + kRangeCountWord] = static_cast<uint32_t>(page.count);
    if (page.count == 1) {
      words[bucket + kRangeBeginWord] = parts[page.first].begin;
      words[bucket + kRangeRoomWord] = RoomOf(parts[page.first], *shift);
      continue;
    }
    words[bucket + kRangeListWord] = static_cast<uint32_t>(words.size() / kQuadWords);
    for (size_t j = page.first; j < page.first + page.count; ++j) {
      words.push_back(parts[j].begin);
      words.push_back(RoomOf(parts[j], *shift));
    }
    words.resize((words.size() + kQuadWords - 1) / kQuadWords * kQuadWords);
  }
  return words;
}

// In words what checks/addresses.glsl does.
uint32_t RoomAt(absl::Span<const uint32_t> table, uint64_t address) {
  const uint32_t shift = table[kPageShiftWord];
  if (address >> shift > 0xffffffff) return 0;
  const auto page = static_cast<uint32_t>(address >> shift);
  const auto offset = static_cast<uint32_t>(address & ((uint64_t{1} << shift) - 1));
  const uint32_t first = kFirstBucketQuad + BucketOf(page, table[kBucketBitsWord]);
  for (uint32_t probe = 0; probe < table[kProbesWord]; ++probe) {
    const absl::Span<const uint32_t> bucket = table.subspan((first + probe) * size_t{kQuadWords}, kQuadWords);
    const uint32_t count = bucket[kRangeCountWord];
    if (count == 0) return 0;
    if (bucket[kPageWord] != page) continue;
    if (count == 1) return RoomInRange(offset, bucket[kRangeBeginWord], bucket[kRangeRoomWord]);
    const absl::Span<const uint32_t> list = table.subspan(bucket[kRangeListWord] * size_t{kQuadWords}, 2 * count);
    uint32_t low = 0;
    for (uint32_t high = count; high - low > 1;) {
      const uint32_t middle = (low + high) / 2;
      (list[2 * middle] <= offset ? low : high) = middle;
    }
    return RoomInRange(offset, list[2 * low], list[2 * low + 1]);
  }
  return 0;
}

}  // namespace assay::spirv_instrument
