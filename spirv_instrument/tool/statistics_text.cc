// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "spirv_instrument/tool/statistics_text.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/types/span.h"

namespace assay::spirv_instrument {
namespace {

double Milliseconds(const Statistics& statistics) { return static_cast<double>(statistics.nanoseconds) / 1e6; }

int64_t AddedWords(const Statistics& statistics) {
  return static_cast<int64_t>(statistics.words_after) - static_cast<int64_t>(statistics.words_before);
}

// "12 emitted, 3 dominated"
std::string Outcomes(const PassStatistics& pass) {
  std::string text;
  for (size_t i = 0; i < kOutcomeCount; ++i) {
    const auto outcome = static_cast<Outcome>(i);
    if (pass.Count(outcome) == 0) continue;
    absl::StrAppend(&text, text.empty() ? "" : ", ", pass.Count(outcome), " ", NameOf(outcome));
  }
  return text.empty() ? "nothing to check" : text;
}

}  // namespace

std::string StatisticsText(const Statistics& all, absl::Span<const Statistics> alone) {
  std::string text = absl::StrFormat("%d words became %d (%+d) in %.3f ms.\n\n", all.words_before, all.words_after,
                                     AddedWords(all), Milliseconds(all));
  constexpr std::string_view kTitle = "pass";
  size_t width = kTitle.size();
  for (const PassStatistics& pass : all.passes) width = std::max(width, pass.pass.size());
  const int name_width = static_cast<int>(width);
  absl::StrAppendFormat(&text, "%-*s  %8s  %9s  %s\n", name_width, kTitle, "words", "ms", "checks");
  for (size_t i = 0; i < all.passes.size() && i < alone.size(); ++i) {
    absl::StrAppendFormat(&text, "%-*s  %+8d  %9.3f  %s\n", name_width, all.passes[i].pass, AddedWords(alone[i]),
                          Milliseconds(alone[i]), Outcomes(all.passes[i]));
  }
  return text + "\nWords and time of a pass are those of the pass alone.\n";
}

}  // namespace assay::spirv_instrument
