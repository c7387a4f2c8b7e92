// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_GPUAV_CHOICES_PATTERNS_H_
#define ASSAY_GPUAV_CHOICES_PATTERNS_H_

#include <string>
#include <string_view>
#include <vector>

namespace assay::gpuav {

// The value of a setting that chooses by names: patterns, which commas separate. "*" stands for any characters and "?"
// for one.
class Patterns {
 public:
  explicit Patterns(std::string_view patterns);

  // There is no pattern, so that nothing is left out.
  bool empty() const { return patterns_.empty(); }
  // Whether one of them matches. None matches "".
  bool Match(const std::string& name) const;

 private:
  std::vector<std::string> patterns_;
};

}  // namespace assay::gpuav

#endif  // ASSAY_GPUAV_CHOICES_PATTERNS_H_
