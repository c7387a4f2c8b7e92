// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_OBJECT_LIFETIMES_TEST_CASES_IN_USE_TEST_CASES_H_
#define ASSAY_OBJECT_LIFETIMES_TEST_CASES_IN_USE_TEST_CASES_H_

#include <string>
#include <vector>

#include "object_lifetimes/rules/in_use_rules.h"
#include "object_lifetimes/test_cases/test_objects.h"

// Test-only: the negative test of every in-use rule: an object is submitted, in a command buffer or as what it is, and
// the command is called on it while it is pending, and, silently, when it is complete.
namespace assay::object_lifetimes {

// The commands that have such a rule.
std::vector<vk::CommandId> CommandsWithInUseRule();

// Runs the test of a command's rule. Returns an empty string if it passes, else what went wrong.
std::string TestInUse(TestObjects& objects, vk::CommandId command, const InUseRules& rules = InUseRules::All());

}  // namespace assay::object_lifetimes

#endif  // ASSAY_OBJECT_LIFETIMES_TEST_CASES_IN_USE_TEST_CASES_H_
