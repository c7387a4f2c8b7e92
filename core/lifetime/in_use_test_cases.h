// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_LIFETIME_IN_USE_TEST_CASES_H_
#define ASSAY_CORE_LIFETIME_IN_USE_TEST_CASES_H_

#include <string>
#include <vector>

#include "core/lifetime/in_use_rules.h"
#include "dispatch/testing/test_objects.h"
#include "vk/command_id.h"

// Test-only: the negative test of every in-use rule: an object is submitted, in a command buffer or as what it is, and
// the command is called on it while it is pending, and, silently, when it is complete.
namespace assay::core {

// The commands that have such a rule.
std::vector<vk::CommandId> CommandsWithInUseRule();

// Runs the test of a command's rule. Returns an empty string if it passes, else what went wrong.
std::string TestInUse(dispatch::TestObjects& objects, vk::CommandId command,
                      const InUseRules& rules = InUseRules::All());

}  // namespace assay::core

#endif  // ASSAY_CORE_LIFETIME_IN_USE_TEST_CASES_H_
