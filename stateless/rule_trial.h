// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_RULE_TRIAL_H_
#define ASSAY_STATELESS_RULE_TRIAL_H_

#include <functional>
#include <string>
#include <vector>

#include "stateless/enabled.h"
#include "stateless/fabricated_call.h"
#include "stateless/program.h"
#include "stateless/quick_check.h"
#include "stateless/route.h"
#include "vk/rule_info.h"

// Test-only: the negative test of every implicit rule, and its positive twin. A minimal correct call that leads to the
// rule's member must be silent; with that one member broken it must be told of by exactly the rule's id.
namespace assay::stateless {

enum class Verdict : uint8_t {
  // Silent when correct, and told by its own id alone when not.
  kPassed,
  kFailed,
  // Told of by another id, which was: the structure that is not valid by its own rules, a chained structure's sType by
  // the chain's rule.
  kPassedByAnother,
  // About a handle that is not null, or the object that the command is dispatched on: for object_lifetimes and
  // dispatch.
  kOfHandles,
  // The structure is behind no pointer that may be followed.
  kUnreachable,
};

struct Outcome {
  vk::VuidIndex vuid;
  Verdict verdict;
  // What went wrong, or why there is nothing to try.
  std::string detail;
};

class RuleTrial {
 public:
  // Checks are made with these programs; calls are made from the whole.
  explicit RuleTrial(const Programs& programs);

  // The ids that a call is told of.
  std::vector<std::string> Check(const FabricatedCall& call) const;
  // Whether the quick check, which comes first, is enough for it.
  bool IsQuick(const FabricatedCall& call) const { return quick_.Accepts(call.command().id, call.parameters()); }

  Outcome Try(const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::RuleInfo& rule) const;
  // Calls use for every rule of the registry.
  static void ForEachRule(const std::function<void(const vk::StructInfo& owner, const vk::CommandInfo* command,
                                                   const vk::RuleInfo& rule)>& use);

 private:
  Outcome TryOn(const Route& route, const vk::RuleInfo& rule) const;
  Outcome TryChained(const Route& route, const vk::RuleInfo& rule) const;
  const Route* RouteTo(const vk::StructInfo& owner, const vk::RuleInfo& rule) const;

  const Programs& programs_;
  Enabled enabled_;
  QuickCheck quick_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_RULE_TRIAL_H_
