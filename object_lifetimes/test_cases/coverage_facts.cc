// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts, one line each: for every rule about a handle whether its negative test passes;
// and the rules of the table of DestroyRulesOf(), whose tests are written by hand.

#include <cstddef>
#include <cstdio>
#include <string>

#include "object_lifetimes/rules/destroy_rules.h"
#include "object_lifetimes/test_cases/dispatched_test_cases.h"
#include "object_lifetimes/test_cases/handle_rule_test_cases.h"

namespace {

void Print(assay::vk::VuidIndex rule, const std::string& wrong) {
  std::printf("%s\t%s\t%s\n", wrong.empty() ? "tested" : "failed", std::string(assay::vk::GetVuid(rule).id).c_str(),
              wrong.c_str());
}

void PrintDestroyRules() {
  for (size_t i = 0; i < assay::vk::kCommandCount; ++i) {
    const auto& rules = assay::object_lifetimes::DestroyRulesOf(static_cast<assay::vk::CommandId>(i));
    for (assay::vk::VuidIndex rule : {rules.with_allocator, rules.without_allocator, rules.children}) {
      if (rule == assay::vk::kNoVuid) continue;
      std::printf("in-table\t%s\t\n", std::string(assay::vk::GetVuid(rule).id).c_str());
    }
  }
}

}  // namespace

int main() {
  assay::object_lifetimes::TestObjects objects;
  for (const auto& rule : assay::object_lifetimes::HandleRulesOfRegistry())
    Print(rule.vuid, TestHandleRule(objects, rule));
  TestDispatched(objects, Print);
  PrintDestroyRules();
}
