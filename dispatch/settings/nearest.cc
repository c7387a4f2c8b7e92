// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "dispatch/settings/nearest.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string_view>
#include <vector>

#include "absl/strings/ascii.h"

namespace assay::dispatch {

size_t EditDistance(std::string_view a, std::string_view b) {
  const auto same = [](char x, char y) { return absl::ascii_tolower(x) == absl::ascii_tolower(y); };
  // A row has the distances from the first i characters of a to all beginnings of b. row is for i, last for i - 1, and
  // before for i - 2.
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    before.swap(last);
    last.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same(a[i - 1], b[j - 1]) ? 0 : 1)});
      const bool exchanged = i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]);
      if (exchanged) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

std::string_view Nearest(std::string_view text, std::span<const std::string_view> candidates) {
  std::string_view nearest;
  size_t smallest = text.size() / 3 + 1;
  for (std::string_view candidate : candidates) {
    const size_t distance = EditDistance(text, candidate);
    if (distance < smallest) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace assay::dispatch
