// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_TESTING_GPU_COST_MEDIAN_H_
#define ASSAY_TESTING_GPU_COST_MEDIAN_H_

#include <algorithm>
#include <cstddef>
#include <vector>

namespace assay::test {

// Of an even number, the mean of the two in the middle; of none, 0.
inline double Median(std::vector<double> values) {
  if (values.empty()) return 0;
  std::ranges::sort(values);
  const size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace assay::test

#endif  // ASSAY_TESTING_GPU_COST_MEDIAN_H_
