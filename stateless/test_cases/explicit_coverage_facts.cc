// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints the facts that //tools/coverage counts: for every explicit rule of vk/rules/explicit_rule_info.h whether its
// negative test passes, one line each, as coverage_facts.cc does for implicit rules. With an argument, also the
// messages.

#include <cstdio>
#include <string>

#include "stateless/test_cases/explicit_rule_test_cases.h"
#include "vk/vuid.h"

int main(int argc, char**) {
  using assay::stateless::ExplicitRuleTestCases;
  using assay::stateless::Verdict;
  ExplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const assay::stateless::Outcome outcome = ExplicitRuleTestCases::Run(owner, command, rule);
    if (outcome.verdict == Verdict::kUnreachable) return;
    const char* status = outcome.verdict == Verdict::kPassed ? "tested" : "failed";
    std::printf("%s\t%s\t%s\n", status, std::string(assay::vk::GetVuid(rule.vuid).id).c_str(), outcome.detail.c_str());
    if (argc > 1) std::fprintf(stderr, "%s\n", ExplicitRuleTestCases::Example(owner, command, rule).text.c_str());
  });
}
