// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/explicit_rule_test_cases.h"

#include <optional>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stateless/check/fast_path.h"
#include "stateless/check/interpreter.h"
#include "stateless/explicit/explicit_rules.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/test_cases/rule_values.h"
#include "stateless/test_cases/test_capabilities.h"
#include "testing/messages/collected_messages.h"
#include "vk/command_enums.h"

namespace assay::stateless {
namespace {

using vk::ExplicitRuleInfo;

std::vector<messages::Message> Check(const MinimalCall& call, const ExplicitRules& rules) {
  static const EnabledApi* const enabled = new EnabledApi;
  test::CollectedReport collected(call.command().id);
  const FastPath fast_path(Programs::All(), *enabled, &rules);
  if (!fast_path.Accepts(call.command().id, call.parameters())) {
    Interpreter(Programs::All(), *enabled, call.parameters(), collected.report, &rules, &fast_path).RunCommand();
  }
  rules.CheckCommand({collected.report, call.parameters()});
  return collected.received.all;
}

// The test case of one rule.
class TestCase {
 public:
  TestCase(const StructInfo& owner, const Route& route, const ExplicitRuleInfo& rule, bool leave_out)
      : owner_(owner), route_(route), rule_(rule), leave_out_(leave_out) {}

  Outcome Run() {
    values_.ForEach([this](const RuleValues::Combination& combination) {
      Try(combination);
      return !(has_right_ && broken_.size() == values_.requirement_count());
    });
    const bool needs_right = !values_.terms().empty();
    if (broken_.size() == values_.requirement_count() && (has_right_ || !needs_right))
      return {rule_.vuid, Verdict::kPassed, {}};
    return {rule_.vuid, Verdict::kFailed,
            absl::StrCat(broken_.size(), " of ", int{rule_.requirement_count}, " requirements, right: ", has_right_,
                         "; ", last_)};
  }
  // The message of the first violation that Run() made.
  const std::vector<messages::Message>& received() const { return received_; }

  // The values of the first violation that is reported as it should be, under no other id if there is such a violation.
  std::optional<std::vector<uint64_t>> FindViolation() {
    std::optional<std::vector<uint64_t>> found;
    for (const bool strictly : {true, false}) {
      values_.ForEach([&](const RuleValues::Combination& combination) {
        if (IsViolation(combination) && IsReported(combination.values, strictly)) found = combination.values;
        return !found.has_value();
      });
      if (found.has_value()) break;
    }
    return found;
  }
  const std::vector<Subject>& subjects() const { return values_.subjects(); }

 private:
  ExplicitRules::LeaveOut LeaveOut() const {
    return [all = leave_out_, vuid = rule_.vuid](vk::VuidIndex id) { return all || id != vuid; };
  }

  static bool IsViolation(const RuleValues::Combination& combination) {
    return combination.applies && combination.broken.size() == 1;
  }

  // Each requirement must be violated once, and one call must be right.
  void Try(const RuleValues::Combination& combination) {
    if (IsViolation(combination)) {
      const size_t requirement = combination.broken[0];
      if (!broken_.contains(requirement) && IsReported(combination.values, false)) broken_.insert(requirement);
    } else if (!has_right_ && (combination.broken.empty() || !combination.applies)) {
      // A call that keeps the requirements tests more than a call to which the rule does not apply.
      if (combination.applies || rule_.requirement_count == 0)
        has_right_ = Check(Make(combination.values), without_feature_).empty();
    }
  }

  // Whether the call is reported under the rule's id alone and, if the rule is about a feature, is silent with it.
  // Unless strictly, it may be reported under the id of an implicit rule with the same requirement as well.
  bool IsReported(const std::vector<uint64_t>& values, bool strictly) {
    const MinimalCall call = Make(values);
    std::vector<messages::Message> received = Check(call, without_feature_);
    last_ = absl::StrCat("received: ",
                         absl::StrJoin(received, ", ", [](std::string* out, const messages::Message& message) {
                           absl::StrAppend(out, message.id);
                         }));
    if (!strictly)
      std::erase_if(received, [&](const messages::Message& message) { return IsSameRequirement(message.id); });
    if (received.size() != 1 || received[0].id != vk::GetVuid(rule_.vuid).id) return false;
    if (rule_.absent_count != 0 && !Check(call, with_feature_).empty()) return false;
    if (received_.empty()) received_ = std::move(received);
    return true;
  }

  // Whether the id is that of an implicit rule with the same requirement on the same member.
  bool IsSameRequirement(std::string_view id) const {
    if (values_.terms().empty()) return false;
    const auto is_of = [&](const vk::ExplicitPlace& place) {
      const vk::ExplicitTarget target = vk::TargetOf(owner_, rule_, place);
      if (target.member == nullptr) return false;
      const std::string member = absl::StrCat("VUID-", target.info->name, "-", target.member->name, "-");
      return id == absl::StrCat(member, "arraylength") || id == absl::StrCat(member, "parameter");
    };
    return is_of(values_.terms().back().place) || is_of(values_.terms().back().plus);
  }

  MinimalCall Make(const std::vector<uint64_t>& values) const {
    MinimalCall call(route_);
    SetSubjects(call, rule_, subjects(), values);
    return call;
  }

  const StructInfo& owner_;
  const Route& route_;
  const ExplicitRuleInfo& rule_;
  const bool leave_out_;
  const TestCapabilities capabilities_{rule_, false}, enabled_capabilities_{rule_, true};
  const ExplicitRules without_feature_{capabilities_, LeaveOut()}, with_feature_{enabled_capabilities_, LeaveOut()};
  const RuleValues values_{owner_, rule_, capabilities_};
  // Requirements whose violation was reported.
  std::set<size_t> broken_;
  bool has_right_ = false;
  std::string last_;
  std::vector<messages::Message> received_;
};

// To an owner that commands of devices lead to.
std::optional<Route> RouteTo(const StructInfo& owner, const vk::CommandInfo* command) {
  std::optional<Route> route;
  if (command != nullptr) {
    route = Route{command, {}};
  } else if (const Route* inner = AllRoutes().To(owner, false, false)) {
    route = *inner;
  } else if (const Route* chained = AllRoutes().To(owner, true, false)) {
    route = *chained;
  }
  return route.has_value() && vk::IsDeviceLevel(route->command->dispatch) ? route : std::nullopt;
}

}  // namespace

Outcome ExplicitRuleTestCases::Run(const StructInfo& owner, const vk::CommandInfo* command,
                                   const ExplicitRuleInfo& rule, bool leave_out) {
  const std::optional<Route> route = RouteTo(owner, command);
  if (!route.has_value()) return {rule.vuid, Verdict::kUnreachable, {}};
  return TestCase(owner, *route, rule, leave_out).Run();
}

messages::Message ExplicitRuleTestCases::Example(const StructInfo& owner, const vk::CommandInfo* command,
                                                 const ExplicitRuleInfo& rule) {
  const std::optional<Route> route = RouteTo(owner, command);
  if (!route.has_value()) return {};
  TestCase test_case(owner, *route, rule, false);
  test_case.Run();
  return test_case.received().empty() ? messages::Message() : test_case.received()[0];
}

bool ExplicitRuleTestCases::IsReachable(const StructInfo& owner, const vk::CommandInfo* command) {
  return RouteTo(owner, command).has_value();
}

std::optional<ExplicitRuleTestCases::Violation> ExplicitRuleTestCases::FindViolation(const StructInfo& owner,
                                                                                     const vk::CommandInfo* command,
                                                                                     const ExplicitRuleInfo& rule) {
  std::optional<Route> route = RouteTo(owner, command);
  if (!route.has_value()) return std::nullopt;
  TestCase test_case(owner, *route, rule, false);
  std::optional<std::vector<uint64_t>> values = test_case.FindViolation();
  if (!values.has_value()) return std::nullopt;
  return Violation{*std::move(route), &rule, test_case.subjects(), *std::move(values)};
}

}  // namespace assay::stateless
