// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every command rule whether its negative test passes, one line each. With
// --without VUID..., the same for these rules alone, each with its check taken out.

#include <cstdio>
#include <set>
#include <string>
#include <string_view>

#include "core/commands/command_rule_test_cases.h"

int main(int argc, char** argv) {
  using assay::core::CommandRule;
  using assay::core::CommandTable;
  const bool mutate = argc > 1 && std::string_view(argv[1]) == "--without";
  const std::set<std::string, std::less<>> without(argv + (mutate ? 2 : argc), argv + argc);
  for (const CommandRule& rule : assay::core::CommandRulesOfRegistry()) {
    const std::string id(assay::vk::GetVuid(rule.vuid).id);
    if (mutate && !without.contains(id)) continue;
    const auto leave_out = [&](assay::vk::VuidIndex vuid) { return vuid == rule.vuid; };
    const std::string wrong =
        mutate ? TestCommandRule(CommandTable(leave_out), rule) : TestCommandRule(CommandTable::All(), rule);
    std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed", id.c_str(), wrong.c_str());
  }
}
