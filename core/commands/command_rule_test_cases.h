// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_
#define ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_

#include <string>
#include <vector>

#include "core/commands/command_table.h"

// Test-only: the negative test of every command rule and its positive twin. A call on a valid command buffer (or queue)
// must report nothing. With one property wrong, it must report exactly the rule's id.
namespace assay::core {

struct CommandRule {
  vk::CommandId command;
  vk::VuidIndex vuid;
};

// Every command rule of the registry.
std::vector<CommandRule> CommandRulesOfRegistry();

// Runs the test case with the table's checks. Returns an empty string if it passes, else what went wrong.
std::string TestCommandRule(const CommandTable& table, const CommandRule& rule);

}  // namespace assay::core

#endif  // ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_
