// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
#define ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "messages/messages.h"
#include "stateless/check/fast_path.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/test_cases/route.h"
#include "vk/rules/implicit_rule_info.h"

// Test-only: the negative test of every implicit rule, and its positive counterpart. A minimal correct call that leads
// to the rule's member must be silent. With an invalid member it must be reported by exactly the rule's id.
namespace assay::stateless {

enum class Verdict : uint8_t {
  // Silent if correct, and reported by its own id alone if not.
  kPassed,
  kFailed,
  // Reported by the id of the rule that takes precedence, in a message that names the rule's own id. This concerns a
  // structure that is not valid by its own rules, and a chained structure's sType.
  kReportedAsRelated,
  // The same, in a message that does not name it.
  kReportedByAnotherId,
  // About a handle that is not null, or the object that the command is dispatched on. object_lifetimes and dispatch
  // check these.
  kAboutHandles,
  // No pointer that may be dereferenced leads to the structure.
  kUnreachable,
  // Nothing violates the rule: it requires a valid structure of a type that has no implicit rules.
  kUnbreakable,
};

struct Outcome {
  vk::VuidIndex vuid;
  Verdict verdict;
  // The failure, the id that was reported instead, or why there is nothing to test.
  std::string detail;
};

// Calls visit(owner, command, rule) for each rule of structures and commands; command is null for a structure's.
template <class RulesOf, class Visit>
void ForEachRuleOf(const RulesOf& rules_of, const Visit& visit) {
  for (const StructInfo& structure : vk::Structs()) {
    for (const auto& rule : rules_of(structure)) visit(structure, nullptr, rule);
  }
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    for (const auto& rule : rules_of(command.id)) visit(*command.parameters, &command, rule);
  }
}

class ImplicitRuleTestCases {
 public:
  // Checks use these programs; calls are made from all rules. It cannot be moved, since the fast path refers to it.
  explicit ImplicitRuleTestCases(const Programs& programs, EnabledApi enabled = {})
      : programs_(programs), enabled_(std::move(enabled)), fast_path_(programs_, enabled_, nullptr) {}

  ImplicitRuleTestCases(const ImplicitRuleTestCases&) = delete;
  ImplicitRuleTestCases& operator=(const ImplicitRuleTestCases&) = delete;

  // The messages of a call, and their ids alone.
  std::vector<messages::Message> MessagesOf(const MinimalCall& call) const;
  std::vector<std::string> Check(const MinimalCall& call) const;
  // Whether the fast path accepts the call.
  bool TakesFastPath(const MinimalCall& call) const { return fast_path_.Accepts(call.command().id, call.parameters()); }

  Outcome Run(const StructInfo& owner, const vk::CommandInfo* command, const ImplicitRuleInfo& rule) const;
  // The way to the structure or the parameters that the rule is about, for a call that violates it. None for rules that
  // Run() does not test by a member: about handles, whole structures, and structures that are only chained.
  std::optional<Route> RouteOf(const StructInfo& owner, const vk::CommandInfo* command,
                               const ImplicitRuleInfo& rule) const;
  using Visitor =
      std::function<void(const StructInfo& owner, const vk::CommandInfo* command, const ImplicitRuleInfo& rule)>;
  // Calls visit for every rule of the registry.
  static void ForEachRule(const Visitor& visit) {
    ForEachRuleOf([](const auto& owner) { return vk::ImplicitRulesOf(owner); }, visit);
  }

 private:
  Outcome RunOnMember(const Route& route, const ImplicitRuleInfo& rule) const;
  Outcome RunOnChained(const Route& route, const ImplicitRuleInfo& rule) const;
  Outcome RunOnInLineStruct(const Route& route, const ImplicitRuleInfo& rule) const;
  // The id that is reported when a part of the route's structure is invalid, in a message that names the rule `named`;
  // empty if there is none.
  std::string FindReportingPart(const Route& route, vk::VuidIndex named) const;
  const Route* RouteTo(const StructInfo& owner, const ImplicitRuleInfo& rule) const;

  const Programs& programs_;
  EnabledApi enabled_;
  FastPath fast_path_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
