// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
#define ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stateless/implicit/enabled_api.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/implicit/program.h"
#include "stateless/check/fast_path.h"
#include "stateless/test_cases/route.h"
#include "vk/rules/implicit_rule_info.h"

// Test-only: the negative test of every implicit rule, and its positive twin. A minimal correct call that leads to the
// rule's member must be silent; with that one member broken it must be told of by exactly the rule's id.
namespace assay::stateless {

enum class Verdict : uint8_t {
  // Silent when correct, and told by its own id alone when not.
  kPassed,
  kFailed,
  // Told of by the id of the rule that takes precedence, in a message that names the rule's own id: a structure that is
  // not valid by its own rules, a chained structure's sType by the chain's rule.
  kNamed,
  // The same, in a message that does not name it.
  kPassedByAnother,
  // About a handle that is not null, or the object that the command is dispatched on: for object_lifetimes and
  // dispatch.
  kOfHandles,
  // The structure is behind no pointer that may be followed.
  kUnreachable,
  // Nothing breaks the rule: it asks for a valid structure of a type that has no implicit rules.
  kUnbreakable,
};

struct Outcome {
  vk::VuidIndex vuid;
  Verdict verdict;
  // What went wrong, by which id it was told, or why there is nothing to try.
  std::string detail;
};

// What a messenger is told.
struct Told {
  std::string id;
  // The ids that the text names after "See also".
  std::vector<std::string> related;
};

class RuleTrial {
 public:
  // Checks are made with these programs; calls are made from the whole. It cannot be moved: the quick check refers to
  // it.
  explicit RuleTrial(const Programs& programs, Enabled enabled = {})
      : programs_(programs), enabled_(std::move(enabled)), quick_(programs_, enabled_, nullptr) {}

  RuleTrial(const RuleTrial&) = delete;
  RuleTrial& operator=(const RuleTrial&) = delete;

  // What is told of a call, and the ids alone.
  std::vector<Told> Tell(const FabricatedCall& call) const;
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
  Outcome TryWhole(const Route& route, const vk::RuleInfo& rule) const;
  // The id by which something in the structure that the route leads to is told when it is broken, in a message that
  // names the other one; empty when there is nothing.
  std::string TryParts(const Route& route, vk::VuidIndex named) const;
  const Route* RouteTo(const vk::StructInfo& owner, const vk::RuleInfo& rule) const;

  const Programs& programs_;
  Enabled enabled_;
  QuickCheck quick_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
