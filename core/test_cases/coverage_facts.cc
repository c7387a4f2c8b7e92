// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every synchronization rule whether its negative test passes, one line each.

#include <cstdio>

#include "core/test_cases/sync_test_cases.h"

int main() {
  for (const assay::core::SyncTestCase& test_case : assay::core::SyncTestCases()) {
    const std::string wrong = RunTestCase(test_case);
    std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed", test_case.id.c_str(), wrong.c_str());
  }
}
