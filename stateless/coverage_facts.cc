// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

// Prints what //tools/coverage counts: for every implicit rule whether its negative test passes, one line each.
//
//   tested<TAB>VUID-vkCreateBuffer-pCreateInfo-parameter<TAB>
//   by-another<TAB>VUID-VkExportFenceCreateInfo-sType-sType<TAB>VUID-VkFenceCreateInfo-pNext-pNext

#include <cstdio>
#include <string>

#include "stateless/rule_trial.h"

int main() {
  using assay::stateless::Outcome;
  using assay::stateless::RuleTrial;
  using assay::stateless::Verdict;
  const RuleTrial trial(assay::stateless::Programs::All());
  RuleTrial::ForEachRule([&](const assay::vk::StructInfo& owner, const assay::vk::CommandInfo* command,
                             const assay::vk::RuleInfo& rule) {
    const Outcome outcome = trial.Try(owner, command, rule);
    const char* status = nullptr;
    switch (outcome.verdict) {
      case Verdict::kPassed:
        status = "tested";
        break;
      case Verdict::kPassedByAnother:
        status = "by-another";
        break;
      case Verdict::kFailed:
        status = "failed";
        break;
      case Verdict::kOfHandles:
      case Verdict::kUnreachable:
        return;
    }
    std::printf("%s\t%s\t%s\n", status, std::string(assay::vk::GetVuid(rule.vuid).id).c_str(), outcome.detail.c_str());
  });
}
