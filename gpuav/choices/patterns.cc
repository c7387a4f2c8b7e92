// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "gpuav/choices/patterns.h"

#include <fnmatch.h>

#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace assay::gpuav {

Patterns::Patterns(std::string_view patterns) {
  for (std::string_view pattern : absl::StrSplit(patterns, ',')) {
    pattern = absl::StripAsciiWhitespace(pattern);
    if (!pattern.empty()) patterns_.emplace_back(pattern);
  }
}

bool Patterns::Match(const std::string& name) const {
  return !name.empty() && std::ranges::any_of(patterns_, [&](const std::string& pattern) {
    return fnmatch(pattern.c_str(), name.c_str(), FNM_NOESCAPE) == 0;
  });
}

}  // namespace assay::gpuav
