// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "messages/filter/pattern.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "messages/message/message.h"

namespace assay::messages {
namespace {

// The 32 bits of a number, which may be written with or without sign.
std::optional<int32_t> ParseNumber(std::string_view text) {
  uint32_t bits = 0;
  int32_t number = 0;
  if (absl::StartsWithIgnoreCase(text, "0x")) {
    if (absl::SimpleHexAtoi(text, &bits)) return static_cast<int32_t>(bits);
  } else if (absl::SimpleAtoi(text, &number)) {
    return number;
  } else if (absl::SimpleAtoi(text, &bits)) {
    return static_cast<int32_t>(bits);
  }
  return std::nullopt;
}

}  // namespace

bool MatchesWildcard(std::string_view pattern, std::string_view text) {
  size_t p = 0, t = 0;
  // The position after the last '*' of the pattern, and the position in text where the rest was last tried.
  size_t after_star = pattern.npos, tried = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      after_star = ++p;
      tried = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p;
      ++t;
    } else if (after_star != pattern.npos) {
      p = after_star;
      t = ++tried;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

IdPattern::IdPattern(std::string_view text)
    : text_(absl::StripAsciiWhitespace(text)), number_(ParseNumber(absl::StripAsciiWhitespace(text))) {}

bool IdPattern::Matches(std::string_view id) const {
  if (id.empty()) return false;
  return number_.has_value() ? MessageIdNumber(id) == *number_ : MatchesWildcard(text_, id);
}

}  // namespace assay::messages
