// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#ifndef ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
#define ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "stateless/check/fast_path.h"
#include "stateless/implicit/enabled_api.h"
#include "stateless/implicit/program.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/test_cases/route.h"
#include "vk/rules/implicit_rule_info.h"

// Test-only: the negative test of every implicit rule, and its positive twin. A minimal correct call that leads to the
// rule's member must be silent; with that one member broken it must be told of by exactly the rule's id.
namespace assay::stateless {

enum class Verdict : uint8_t {
  // Silent when correct, and told by its own id alone when not.
  kPassed,
  kFailed,
  // ReceivedMessage of by the id of the rule that takes precedence, in a message that names the rule's own id: a
  // structure that is
  // not valid by its own rules, a chained structure's sType by the chain's rule.
  kReportedAsRelated,
  // The same, in a message that does not name it.
  kReportedByAnotherId,
  // About a handle that is not null, or the object that the command is dispatched on: for object_lifetimes and
  // dispatch.
  kAboutHandles,
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
struct ReceivedMessage {
  std::string id;
  // The ids that the text names after "See also".
  std::vector<std::string> related;
};

class ImplicitRuleTestCases {
 public:
  // Checks are made with these programs; calls are made from the whole. It cannot be moved: the fast path refers to
  // it.
  explicit ImplicitRuleTestCases(const Programs& programs, EnabledApi enabled = {})
      : programs_(programs), enabled_(std::move(enabled)), fast_path_(programs_, enabled_, nullptr) {}

  ImplicitRuleTestCases(const ImplicitRuleTestCases&) = delete;
  ImplicitRuleTestCases& operator=(const ImplicitRuleTestCases&) = delete;

  // What is told of a call, and the ids alone.
  std::vector<ReceivedMessage> MessagesOf(const MinimalCall& call) const;
  std::vector<std::string> Check(const MinimalCall& call) const;
  // Whether the fast path, which comes first, is enough for it.
  bool TakesFastPath(const MinimalCall& call) const { return fast_path_.Accepts(call.command().id, call.parameters()); }

  Outcome Run(const vk::StructInfo& owner, const vk::CommandInfo* command, const vk::ImplicitRuleInfo& rule) const;
  // Calls visit for every rule of the registry.
  static void ForEachRule(const std::function<void(const vk::StructInfo& owner, const vk::CommandInfo* command,
                                                   const vk::ImplicitRuleInfo& rule)>& visit);

 private:
  Outcome RunOnMember(const Route& route, const vk::ImplicitRuleInfo& rule) const;
  Outcome RunOnChained(const Route& route, const vk::ImplicitRuleInfo& rule) const;
  Outcome RunOnInLineStruct(const Route& route, const vk::ImplicitRuleInfo& rule) const;
  // The id by which something in the structure that the route leads to is told when it is broken, in a message that
  // names the other one; empty when there is nothing.
  std::string FindReportingPart(const Route& route, vk::VuidIndex named) const;
  const Route* RouteTo(const vk::StructInfo& owner, const vk::ImplicitRuleInfo& rule) const;

  const Programs& programs_;
  EnabledApi enabled_;
  FastPath fast_path_;
};

}  // namespace assay::stateless

#endif  // ASSAY_STATELESS_TEST_CASES_IMPLICIT_RULE_TEST_CASES_H_
