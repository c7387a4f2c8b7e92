// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints the facts that //tools/coverage counts: for every implicit rule whether its negative test passes, one line
// each.
//
//     tested<TAB>VUID-vkCreateBuffer-pCreateInfo-parameter<TAB>
//     named<TAB>VUID-VkExportFenceCreateInfo-sType-sType<TAB>VUID-VkFenceCreateInfo-pNext-pNext
//
// With --without VUID..., the same for these rules alone, each without its check.

#include <cstdio>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "stateless/test_cases/implicit_rule_test_cases.h"

namespace {

using assay::stateless::ImplicitRuleTestCases;
using assay::stateless::Outcome;
using assay::stateless::Programs;
using assay::stateless::Verdict;

// But for rules that other packages check.
const std::map<Verdict, const char*> kStatuses = {{Verdict::kPassed, "tested"},
                                                  {Verdict::kReportedAsRelated, "named"},
                                                  {Verdict::kReportedByAnotherId, "by-another"},
                                                  {Verdict::kFailed, "failed"},
                                                  {Verdict::kUnbreakable, "unbreakable"}};

}  // namespace

int main(int argc, char** argv) {
  const bool mutate = argc > 1 && std::string_view(argv[1]) == "--without";
  const std::set<std::string, std::less<>> without(argv + (mutate ? 2 : argc), argv + argc);
  ImplicitRuleTestCases::ForEachRule([&](const auto& owner, const auto* command, const auto& rule) {
    const std::string id(assay::vk::GetVuid(rule.vuid).id);
    if (mutate && !without.contains(id)) return;
    const auto leave_out = [&](assay::vk::VuidIndex vuid) { return vuid == rule.vuid; };
    const Outcome outcome = mutate ? ImplicitRuleTestCases(Programs(leave_out)).Run(owner, command, rule)
                                   : ImplicitRuleTestCases(Programs::All()).Run(owner, command, rule);
    const auto status = kStatuses.find(outcome.verdict);
    if (status != kStatuses.end()) std::printf("%s\t%s\t%s\n", status->second, id.c_str(), outcome.detail.c_str());
  });
}
