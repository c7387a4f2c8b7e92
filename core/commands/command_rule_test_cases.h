// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_
#define ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_

#include <string>
#include <vector>

#include "core/commands/command_table.h"

// Test-only: the negative test of every command rule and its positive twin. A command buffer (or queue) that is right
// in all respects must be silent; one that is wrong in one must be told of by exactly the rule's id.
namespace assay::core {

struct CommandRule {
  vk::CommandId command;
  vk::VuidIndex vuid;
};

// Every command rule of the registry.
std::vector<CommandRule> CommandRulesOfRegistry();

// Empty when the rule is checked by the table as it should be; else what went wrong.
std::string TestCommandRule(const CommandTable& table, const CommandRule& rule);

}  // namespace assay::core

#endif  // ASSAY_CORE_COMMANDS_COMMAND_RULE_TEST_CASES_H_
