// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/ir/debug/source_text.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/strip.h"

namespace assay::spirv_instrument {
namespace {

struct Directive {
  uint32_t number;
  // "" if it names none.
  std::string_view file;
};

// The directive that a line is; nullopt for any other line.
std::optional<Directive> ParseDirective(std::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (!absl::ConsumePrefix(&line, "#")) return std::nullopt;
  line = absl::StripLeadingAsciiWhitespace(line);
  if (absl::ConsumePrefix(&line, "line")) line = absl::StripLeadingAsciiWhitespace(line);
  size_t digits = 0;
  while (digits < line.size() && absl::ascii_isdigit(static_cast<unsigned char>(line[digits]))) ++digits;
  Directive directive = {};
  if (!absl::SimpleAtoi(line.substr(0, digits), &directive.number)) return std::nullopt;
  line.remove_prefix(digits);
  const size_t begin = line.find('"');
  if (begin == std::string_view::npos) return directive;
  line.remove_prefix(begin + 1);
  directive.file = line.substr(0, line.find('"'));
  return directive;
}

}  // namespace

SourceText::SourceText(std::string_view text) : text_(text) {
  stretches_.push_back({.file = {}, .number = 1, .first = 0, .count = 0});
  size_t begin = 0;
  while (begin < text.size()) {
    const size_t end = text.find('\n', begin);
    const size_t next = end == std::string_view::npos ? text.size() : end + 1;
    starts_.push_back(static_cast<uint32_t>(begin));
    ++stretches_.back().count;
    if (const std::optional<Directive> directive = ParseDirective(text.substr(begin, next - begin))) {
      // A directive without a file goes on with the file before it.
      const std::string_view file = directive->file.empty() ? stretches_.back().file : directive->file;
      stretches_.push_back({.file = file, .number = directive->number, .first = starts_.size(), .count = 0});
    }
    begin = next;
  }
  starts_.push_back(static_cast<uint32_t>(text.size()));
}

std::string_view SourceText::LineAt(size_t index) const {
  std::string_view line = text_.substr(starts_[index], starts_[index + 1] - starts_[index]);
  absl::ConsumeSuffix(&line, "\n");
  absl::ConsumeSuffix(&line, "\r");
  return line;
}

std::string_view SourceText::Line(std::string_view file, uint32_t number) const {
  const Stretch* best = nullptr;
  for (const Stretch& stretch : stretches_) {
    const bool has_line = stretch.number <= number && number - stretch.number < stretch.count;
    const bool is_file = stretch.file.empty() || stretch.file == file;
    if (has_line && is_file && (best == nullptr || stretch.number >= best->number)) best = &stretch;
  }
  return best == nullptr ? std::string_view() : LineAt(best->first + (number - best->number));
}

}  // namespace assay::spirv_instrument
