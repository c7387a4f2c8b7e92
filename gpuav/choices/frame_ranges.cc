// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/choices/frame_ranges.h"

#include <algorithm>
#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"

namespace assay::gpuav {
namespace {

std::optional<uint64_t> ParseNumber(std::string_view text) {
  uint64_t number = 0;
  if (!absl::SimpleAtoi(absl::StripAsciiWhitespace(text), &number)) return std::nullopt;
  return number;
}

}  // namespace

std::optional<FrameRanges::Range> FrameRanges::ParseRange(std::string_view text) {
  const size_t dash = text.find('-');
  const std::optional<uint64_t> first = ParseNumber(text.substr(0, dash));
  if (!first) return std::nullopt;
  if (dash == std::string_view::npos) return Range{*first, *first};
  const std::string_view end = absl::StripAsciiWhitespace(text.substr(dash + 1));
  if (end.empty()) return Range{*first, std::numeric_limits<uint64_t>::max()};
  const std::optional<uint64_t> last = ParseNumber(end);
  if (!last || *last < *first) return std::nullopt;
  return Range{*first, *last};
}

std::optional<FrameRanges> FrameRanges::Parse(std::string_view text) {
  FrameRanges ranges;
  for (std::string_view part : absl::StrSplit(text, ',')) {
    part = absl::StripAsciiWhitespace(part);
    if (part.empty()) continue;
    const std::optional<Range> range = ParseRange(part);
    if (!range) return std::nullopt;
    ranges.ranges_.push_back(*range);
  }
  return ranges;
}

bool FrameRanges::Has(uint64_t frame) const {
  return std::ranges::any_of(ranges_,
                             [frame](const Range& range) { return range.first <= frame && frame <= range.last; });
}

}  // namespace assay::gpuav
