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

struct SyncTrial {
  std::string id;
  // leave_out is not looked at.
  BenchOptions options;
  std::function<void(SyncBench&)> wrong;
  std::function<void(SyncBench&)> right;
  // Of the positive twin, when it is the options that are wrong.
  BenchOptions right_options;
  // Another id that the wrong call cannot do without; mostly empty.
  std::string also;
};

// Every rule that is checked. Those of one sentence for many structures come from the registry's tables.
const std::vector<SyncTrial>& SyncTrials();

// Empty when the trial goes as it should; else what went wrong. With leave_out the negative test is to fail.
std::string Try(const SyncTrial& trial, const std::function<bool(vk::VuidIndex)>& leave_out = {});

}  // namespace assay::core

#endif  // ASSAY_CORE_TEST_CASES_SYNC_TEST_CASES_H_
