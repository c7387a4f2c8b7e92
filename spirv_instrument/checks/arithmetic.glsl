// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Reports the first component that is not good, if there is one. `type` is what error_codes.h says of arithmetic, with
// the component left out. Components that the values do not have are good.
void ReportArithmetic(const uint instruction, const uint code, const uint type, const uvec4 good, const uvec4 first_low,
                      const uvec4 first_high, const uvec4 second_low, const uvec4 second_high) {
  for (uint i = 0u; i < 4u; ++i) {
    if (good[i] != 0u) continue;
    ReportFault(instruction, code, first_low[i], first_high[i], second_low[i], second_high[i], type | i);
    return;
  }
}
