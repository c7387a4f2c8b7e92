// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_
#define ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_

#include <functional>
#include <string>
#include <vector>

#include "core/test_cases/sync_device.h"

// Test-only: the negative test of every rule and its positive twin. A valid call must report nothing. The same call
// with one member changed must report exactly the rule's id.
namespace assay::core {

struct SyncTestCase {
  std::string id;
  // leave_out is ignored.
  SyncTestOptions options;
  std::function<void(SyncDevice&)> wrong;
  std::function<void(SyncDevice&)> right;
  // The options of the positive twin.
  SyncTestOptions right_options;
};

// Every rule that is checked. Those of one sentence for many structures come from the registry's tables.
const std::vector<SyncTestCase>& SyncTestCases();

// Runs the test case. Returns an empty string if it passes, else what went wrong. With a leave_out that is true for the
// id, the negative test must fail.
std::string RunTestCase(const SyncTestCase& test_case, const std::function<bool(vk::VuidIndex)>& leave_out = {});

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_
