// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_COST_MEDIAN_H_
#define ASSAY_TESTING_GPU_COST_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace assay::test {

// 0 of nothing.
inline double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_COST_MEDIAN_H_
