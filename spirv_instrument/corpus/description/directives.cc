// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/corpus/description/directives.h"

#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"

namespace assay::spirv_instrument::corpus {
namespace {

constexpr absl::string_view kSign = "//@";
constexpr absl::string_view kBeforeValues = " : ";

Directive ParseDirective(absl::string_view text, uint32_t line) {
  Directive directive = {.line = line};
  const size_t end = text.find(' ');
  directive.word = std::string(text.substr(0, end));
  if (end == absl::string_view::npos) return directive;
  directive.rest = std::string(absl::StripAsciiWhitespace(text.substr(end)));
  absl::string_view arguments = directive.rest;
  if (size_t colon = arguments.find(kBeforeValues); colon != absl::string_view::npos) {
    directive.values = std::string(arguments.substr(colon + kBeforeValues.size()));
    arguments = arguments.substr(0, colon);
  }
  directive.arguments = absl::StrSplit(arguments, ' ', absl::SkipEmpty());
  return directive;
}

// The comments of license and version are not about the purpose.
bool IsPurpose(absl::string_view line) {
  return absl::StartsWith(line, "// ") && !absl::StrContains(line, "SPDX-License-Identifier:") &&
         !absl::StrContains(line, "SPDX-FileCopyrightText:");
}

}  // namespace

SourceText ReadSource(absl::string_view text) {
  SourceText source;
  uint32_t number = 0;
  bool has_code = false;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    ++number;
    const absl::string_view stripped = absl::StripAsciiWhitespace(line);
    const size_t sign = stripped.find(kSign);
    if (sign != absl::string_view::npos) {
      const absl::string_view rest = absl::StripAsciiWhitespace(stripped.substr(sign + kSign.size()));
      if (sign == 0) {
        source.directives.push_back(ParseDirective(rest, number));
      } else {
        source.marks.push_back({number, std::string(rest)});
      }
    } else if (IsPurpose(stripped)) {
      if (!has_code && source.directives.empty()) {
        absl::StrAppend(&source.purpose, source.purpose.empty() ? "" : " ", stripped.substr(3));
      }
    } else if (!stripped.empty() && !absl::StartsWith(stripped, "//") && !absl::StartsWith(stripped, "#version")) {
      has_code = true;
    }
  }
  return source;
}

}  // namespace assay::spirv_instrument::corpus
