// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/unified_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"

namespace assay::spirv_instrument {
namespace {

using Match = std::pair<size_t, size_t>;

// Stretches with no unique lines are compared line by line up to this product of their lengths.
constexpr size_t kMaxTable = 1 << 20;

// A stretch of both texts.
struct Stretch {
  size_t before_begin;
  size_t before_end;
  size_t after_begin;
  size_t after_end;
};

// Lines as numbers: equal lines have one number.
class LineNumbers {
 public:
  std::vector<uint32_t> Of(const std::vector<std::string_view>& lines) {
    std::vector<uint32_t> numbers;
    numbers.reserve(lines.size());
    for (const std::string_view line : lines) {
      numbers.push_back(numbers_.try_emplace(line, static_cast<uint32_t>(numbers_.size())).first->second);
    }
    return numbers;
  }
  size_t size() const { return numbers_.size(); }

 private:
  absl::flat_hash_map<std::string_view, uint32_t> numbers_;
};

class Matcher {
 public:
  Matcher(std::vector<uint32_t> before, std::vector<uint32_t> after, size_t number_count)
      : before_(std::move(before)), after_(std::move(after)), places_(number_count) {}

  std::vector<Match> Run() {
    std::vector<Stretch> stretches = {{0, before_.size(), 0, after_.size()}};
    // A stack, so that depth is no matter. Matches are put in order at the end.
    while (!stretches.empty()) {
      Stretch stretch = stretches.back();
      stretches.pop_back();
      TrimEnds(stretch);
      if (stretch.before_begin == stretch.before_end || stretch.after_begin == stretch.after_end) continue;
      const std::vector<Match> anchors = UniqueLines(stretch);
      if (anchors.empty()) {
        CompareAll(stretch);
      } else {
        Divide(stretch, anchors, stretches);
      }
    }
    std::sort(matches_.begin(), matches_.end());
    return std::move(matches_);
  }

 private:
  // Where a line is in a stretch.
  struct Places {
    uint32_t before_count = 0;
    uint32_t after_count = 0;
    size_t before = 0;
    size_t after = 0;
  };

  void TrimEnds(Stretch& stretch) {
    while (stretch.before_begin < stretch.before_end && stretch.after_begin < stretch.after_end &&
           before_[stretch.before_begin] == after_[stretch.after_begin]) {
      matches_.emplace_back(stretch.before_begin++, stretch.after_begin++);
    }
    while (stretch.before_begin < stretch.before_end && stretch.after_begin < stretch.after_end &&
           before_[stretch.before_end - 1] == after_[stretch.after_end - 1]) {
      matches_.emplace_back(--stretch.before_end, --stretch.after_end);
    }
  }

  // The longest row of lines that are in both parts of the stretch once, in the order of both.
  std::vector<Match> UniqueLines(const Stretch& stretch) {
    for (size_t i = stretch.before_begin; i < stretch.before_end; ++i) {
      Places& places = places_[before_[i]];
      ++places.before_count;
      places.before = i;
    }
    for (size_t i = stretch.after_begin; i < stretch.after_end; ++i) {
      Places& places = places_[after_[i]];
      ++places.after_count;
      places.after = i;
    }
    std::vector<Match> unique;
    for (size_t i = stretch.before_begin; i < stretch.before_end; ++i) {
      const Places& places = places_[before_[i]];
      if (places.before_count == 1 && places.after_count == 1) unique.emplace_back(i, places.after);
    }
    for (size_t i = stretch.before_begin; i < stretch.before_end; ++i) places_[before_[i]] = {};
    for (size_t i = stretch.after_begin; i < stretch.after_end; ++i) places_[after_[i]] = {};
    return LongestIncreasing(unique);
  }

  // The first numbers increase; the result is the longest row in which the second ones do, too.
  static std::vector<Match> LongestIncreasing(const std::vector<Match>& pairs) {
    constexpr size_t kNone = ~size_t{0};
    // For each length, the pair that ends such a row with the smallest second number; for each pair, the one before it.
    std::vector<size_t> ends;
    std::vector<size_t> previous(pairs.size(), kNone);
    for (size_t i = 0; i < pairs.size(); ++i) {
      const auto place = std::lower_bound(ends.begin(), ends.end(), pairs[i].second,
                                          [&](size_t end, size_t second) { return pairs[end].second < second; });
      if (place != ends.begin()) previous[i] = *(place - 1);
      if (place == ends.end()) {
        ends.push_back(i);
      } else {
        *place = i;
      }
    }
    std::vector<Match> row;
    for (size_t i = ends.empty() ? kNone : ends.back(); i != kNone; i = previous[i]) row.push_back(pairs[i]);
    std::reverse(row.begin(), row.end());
    return row;
  }

  void Divide(const Stretch& stretch, const std::vector<Match>& anchors, std::vector<Stretch>& stretches) {
    size_t before = stretch.before_begin;
    size_t after = stretch.after_begin;
    for (const Match& anchor : anchors) {
      matches_.push_back(anchor);
      stretches.push_back({before, anchor.first, after, anchor.second});
      before = anchor.first + 1;
      after = anchor.second + 1;
    }
    stretches.push_back({before, stretch.before_end, after, stretch.after_end});
  }

  // The longest common subsequence, by a table of the lengths of those of all ends.
  void CompareAll(const Stretch& stretch) {
    const size_t rows = stretch.before_end - stretch.before_begin;
    const size_t columns = stretch.after_end - stretch.after_begin;
    if (rows > kMaxTable / columns) return;
    std::vector<uint32_t> lengths((rows + 1) * (columns + 1), 0);
    const auto length = [&](size_t row, size_t column) -> uint32_t& { return lengths[row * (columns + 1) + column]; };
    const auto is_equal = [&](size_t row, size_t column) {
      return before_[stretch.before_begin + row] == after_[stretch.after_begin + column];
    };
    for (size_t row = rows; row-- > 0;) {
      for (size_t column = columns; column-- > 0;) {
        length(row, column) = is_equal(row, column) ? length(row + 1, column + 1) + 1
                                                    : std::max(length(row + 1, column), length(row, column + 1));
      }
    }
    for (size_t row = 0, column = 0; row < rows && column < columns;) {
      if (is_equal(row, column)) {
        matches_.emplace_back(stretch.before_begin + row++, stretch.after_begin + column++);
      } else if (length(row + 1, column) >= length(row, column + 1)) {
        ++row;
      } else {
        ++column;
      }
    }
  }

  std::vector<uint32_t> before_;
  std::vector<uint32_t> after_;
  // By number of a line; all empty between calls of UniqueLines.
  std::vector<Places> places_;
  std::vector<Match> matches_;
};

// Lines without their ends. `has_end` is whether the last one has an end.
std::vector<std::string_view> SplitLines(std::string_view text, bool& has_end) {
  std::vector<std::string_view> lines;
  has_end = text.empty() || text.back() == '\n';
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

// "7,2": the first line and how many there are; the count is left out for one line. Without lines, the number is that
// of the line before.
std::string Range(size_t begin, size_t end) {
  if (end - begin == 1) return absl::StrCat(begin + 1);
  return absl::StrCat(begin == end ? begin : begin + 1, ",", end - begin);
}

class DiffWriter {
 public:
  DiffWriter(std::string_view before, std::string_view after)
      : before_(SplitLines(before, before_has_end_)), after_(SplitLines(after, after_has_end_)) {}

  std::string Hunks(size_t context) {
    std::vector<Match> matches = CommonLines(before_, after_);
    // A last line with an end differs from one without.
    if (!matches.empty() && before_has_end_ != after_has_end_ &&
        (matches.back().first + 1 == before_.size() || matches.back().second + 1 == after_.size())) {
      matches.pop_back();
    }
    matches.emplace_back(before_.size(), after_.size());
    std::string text;
    size_t before = 0;
    size_t after = 0;
    for (const Match& match : matches) {
      if (before != match.first || after != match.second)
        Change(before, match.first, after, match.second, context, text);
      before = match.first + 1;
      after = match.second + 1;
    }
    Flush(context, text);
    return text;
  }

 private:
  void Change(size_t before, size_t before_end, size_t after, size_t after_end, size_t context, std::string& text) {
    if (has_hunk_ && before - hunk_before_end_ > 2 * context) Flush(context, text);
    if (!has_hunk_) {
      const size_t lead = std::min({context, before, after});
      hunk_before_ = before - lead;
      hunk_after_ = after - lead;
      hunk_before_end_ = hunk_before_;
      hunk_after_end_ = hunk_after_;
      has_hunk_ = true;
    }
    AppendContext(before);
    for (; hunk_before_end_ < before_end; ++hunk_before_end_) Append('-', before_, hunk_before_end_, before_has_end_);
    for (; hunk_after_end_ < after_end; ++hunk_after_end_) Append('+', after_, hunk_after_end_, after_has_end_);
  }

  // Lines that are the same, up to one of the first text.
  void AppendContext(size_t before_end) {
    for (; hunk_before_end_ < before_end; ++hunk_before_end_, ++hunk_after_end_) {
      Append(' ', before_, hunk_before_end_, before_has_end_);
    }
  }

  void Append(char mark, const std::vector<std::string_view>& lines, size_t line, bool has_end) {
    body_ += mark;
    absl::StrAppend(&body_, lines[line], "\n");
    if (line + 1 == lines.size() && !has_end) body_ += "\\ No newline at end of file\n";
  }

  void Flush(size_t context, std::string& text) {
    if (!has_hunk_) return;
    const size_t rest = std::min(before_.size() - hunk_before_end_, after_.size() - hunk_after_end_);
    AppendContext(hunk_before_end_ + std::min(context, rest));
    absl::StrAppend(&text, "@@ -", Range(hunk_before_, hunk_before_end_), " +", Range(hunk_after_, hunk_after_end_),
                    " @@\n", body_);
    body_.clear();
    has_hunk_ = false;
  }

  bool before_has_end_ = true;
  bool after_has_end_ = true;
  std::vector<std::string_view> before_;
  std::vector<std::string_view> after_;
  // The hunk that is being written: its lines so far.
  bool has_hunk_ = false;
  size_t hunk_before_ = 0;
  size_t hunk_before_end_ = 0;
  size_t hunk_after_ = 0;
  size_t hunk_after_end_ = 0;
  std::string body_;
};

}  // namespace

std::vector<Match> CommonLines(const std::vector<std::string_view>& before,
                               const std::vector<std::string_view>& after) {
  LineNumbers numbers;
  std::vector<uint32_t> before_numbers = numbers.Of(before);
  std::vector<uint32_t> after_numbers = numbers.Of(after);
  return Matcher(std::move(before_numbers), std::move(after_numbers), numbers.size()).Run();
}

std::string UnifiedDiff(std::string_view before_name, std::string_view before, std::string_view after_name,
                        std::string_view after, size_t context) {
  if (before == after) return "";
  return absl::StrCat("--- ", before_name, "\n+++ ", after_name, "\n", DiffWriter(before, after).Hunks(context));
}

}  // namespace assay::spirv_instrument
