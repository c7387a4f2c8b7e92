// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_MESSAGES_FILTER_PATTERN_H_
#define ASSAY_MESSAGES_FILTER_PATTERN_H_

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace assay::messages {

// Whether text matches the pattern: '*' matches any bytes or none, '?' any one byte, anything else itself.
bool MatchesWildcard(std::string_view pattern, std::string_view text);

// Message ids that a user named: by name, with wildcards ("SYNC-HAZARD-*"), or by the number that callbacks receive for
// an id (MessageIdNumber()), decimal with or without sign, or hexadecimal with 0x.
class IdPattern {
 public:
  explicit IdPattern(std::string_view text);

  bool Matches(std::string_view id) const;
  const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::optional<int32_t> number_;
};

}  // namespace assay::messages

#endif  // ASSAY_MESSAGES_FILTER_PATTERN_H_
