// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_
#define ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_

#include <functional>
#include <string>
#include <vector>

#include "core/test_cases/sync_test_device.h"

// Test-only: the negative test of every rule and its positive twin. A call that is right must be silent; the same call
// with one thing wrong must be told of by exactly the rule's id.
namespace assay::core {

struct SyncTestCase {
  std::string id;
  // leave_out is not looked at.
  SyncTestOptions options;
  std::function<void(SyncTestDevice&)> wrong;
  std::function<void(SyncTestDevice&)> right;
  // Of the positive twin, when it is the options that are wrong.
  SyncTestOptions right_options;
  // Another id that the wrong call cannot do without; mostly empty.
  std::string also;
};

// Every rule that is checked. Those of one sentence for many structures come from the registry's tables.
const std::vector<SyncTestCase>& SyncTestCases();

// Empty when the test case goes as it should; else what went wrong. With leave_out the negative test is to fail.
std::string RunTestCase(const SyncTestCase& test_case, const std::function<bool(vk::VuidIndex)>& leave_out = {});

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_
