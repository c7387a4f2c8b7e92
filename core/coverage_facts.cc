// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every command rule whether its negative test passes, one line each.

#include <cstdio>
#include <string>

#include "core/command_rule_trial.h"

int main() {
  using assay::core::CommandRule;
  for (const CommandRule& rule : assay::core::CommandRulesOfRegistry()) {
    const std::string wrong = TryCommandRule(assay::core::CommandTable::All(), rule);
    std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed",
                std::string(assay::vk::GetVuid(rule.vuid).id).c_str(), wrong.c_str());
  }
}
