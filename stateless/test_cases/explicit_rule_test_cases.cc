// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/explicit_rule_test_cases.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <set>
#include <span>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "stateless/check/fast_path.h"
#include "stateless/check/interpreter.h"
#include "stateless/explicit/explicit_rules.h"
#include "stateless/test_cases/minimal_call.h"
#include "stateless/test_cases/route.h"
#include "stateless/test_cases/subject.h"
#include "stateless/test_cases/test_capabilities.h"
#include "vk/enum_info.h"

namespace assay::stateless {
namespace {

using vk::ExplicitRuleInfo;
using vk::ExplicitTerm;
using vk::ExplicitTest;
using vk::MemberInfo;
using vk::MemberKind;
using vk::StructInfo;

const Routes& AllRoutes() {
  static const Routes* const routes = new Routes(Programs::All());
  return *routes;
}

VKAPI_ATTR VkBool32 VKAPI_CALL Collect(VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT,
                                       const VkDebugUtilsMessengerCallbackDataEXT* data, void* messages) {
  static_cast<std::vector<messages::Message>*>(messages)->push_back(
      {.id = data->pMessageIdName, .text = data->pMessage});
  return VK_FALSE;
}

std::vector<messages::Message> Check(const MinimalCall& call, const ExplicitRules& rules) {
  static const EnabledApi* const enabled = new EnabledApi;
  std::vector<messages::Message> received;
  messages::Reporter reporter;
  reporter.AddMessenger(reinterpret_cast<VkDebugUtilsMessengerEXT>(uint64_t{1}),
                        {.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
                         .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
                         .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
                         .pfnUserCallback = &Collect,
                         .pUserData = &received});
  messages::Report report(reporter, call.command().id);
  const FastPath fast_path(Programs::All(), *enabled, &rules);
  if (!fast_path.Accepts(call.command().id, call.parameters())) {
    Interpreter(Programs::All(), *enabled, call.parameters(), report, &rules, &fast_path).RunCommand();
  }
  rules.CheckCommand({report, call.parameters()});
  return received;
}

// The test case of one rule.
class TestCase {
 public:
  TestCase(const StructInfo& owner, const Route& route, const ExplicitRuleInfo& rule, bool leave_out)
      : owner_(owner),
        route_(route),
        rule_(rule),
        capabilities_(rule, false),
        enabled_capabilities_(rule, true),
        without_feature_(capabilities_, LeaveOut(leave_out)),
        with_feature_(enabled_capabilities_, LeaveOut(leave_out)) {
    terms_.assign(vk::Conditions(rule).begin(), vk::Conditions(rule).end());
    terms_.insert(terms_.end(), vk::Requirements(rule).begin(), vk::Requirements(rule).end());
    for (const ExplicitTerm& term : terms_) {
      subject_of_.push_back(AddSubject(term));
      // Changing one half of a sum is enough to violate the rule.
      added_.push_back(term.plus != ExplicitTerm::kNoMember ? AddMember(term.plus) : kNone);
    }
  }

  Outcome Run() {
    Walk(0, std::vector<uint64_t>(subjects_.size()));
    const bool needs_right = !terms_.empty();
    const bool every_requirement = broken_.size() == std::max<size_t>(rule_.requirement_count, 1);
    if (every_requirement && (has_right_ || !needs_right)) return {rule_.vuid, Verdict::kPassed, {}};
    return {rule_.vuid, Verdict::kFailed,
            absl::StrCat(broken_.size(), " of ", int{rule_.requirement_count}, " requirements, right: ", has_right_,
                         "; ", last_)};
  }
  const std::vector<messages::Message>& received() const { return received_; }

 private:
  static constexpr size_t kNone = ~size_t{0};

  ExplicitRules::LeaveOut LeaveOut(bool all) const {
    return [all, vuid = rule_.vuid](vk::VuidIndex id) { return all || id != vuid; };
  }

  size_t AddSubject(const ExplicitTerm& term) {
    const MemberInfo& outer = owner_.members[term.member];
    const bool is_inner = term.inner != ExplicitTerm::kNoMember;
    const MemberInfo& member = is_inner ? vk::Structs()[outer.type].members[term.inner] : outer;
    const uint32_t offset = outer.offset + (is_inner ? member.offset : 0);
    auto found = std::ranges::find(subjects_, offset, &Subject::offset);
    if (found == subjects_.end()) {
      subjects_.push_back({&outer, &member, offset, {}});
      found = subjects_.end() - 1;
      if (member.kind != MemberKind::kHandle) AddCandidates(*found, {0, 1});
      AddValuesOfType(*found);
    }
    constexpr uint64_t kTwoBits = 3;
    if (term.test == ExplicitTest::kSingleBit) AddCandidates(*found, {kTwoBits});
    for (const vk::ExplicitOperand& operand : vk::Operands(term)) AddNear(*found, Number(operand));
    return static_cast<size_t>(found - subjects_.begin());
  }

  size_t AddMember(uint8_t index) {
    const MemberInfo& member = owner_.members[index];
    const auto found = std::ranges::find(subjects_, member.offset, &Subject::offset);
    if (found != subjects_.end()) return static_cast<size_t>(found - subjects_.begin());
    subjects_.push_back({&member, &member, member.offset, {0, 1, 2}});
    return subjects_.size() - 1;
  }

  static void AddCandidates(Subject& subject, std::initializer_list<uint64_t> values) {
    for (uint64_t value : values) {
      if (std::ranges::find(subject.candidates, value) == subject.candidates.end()) subject.candidates.push_back(value);
    }
  }

  // The values that the registry lists for the member's type.
  static void AddValuesOfType(Subject& subject) {
    const MemberInfo& member = *subject.member;
    if (member.kind == MemberKind::kHandle) AddCandidates(subject, {0, 0x1000});
    if ((member.kind != MemberKind::kEnum && member.kind != MemberKind::kFlags) || member.type == vk::kNoType) return;
    for (const vk::EnumValue& value : vk::GetEnumInfo(static_cast<vk::EnumId>(member.type)).values) {
      AddCandidates(subject, {static_cast<uint64_t>(value.value)});
    }
  }

  void AddNear(Subject& subject, uint64_t operand) {
    const MemberInfo& member = *subject.member;
    if (member.kind == MemberKind::kFlags) {
      for (const uint64_t other : std::vector(subject.candidates)) AddCandidates(subject, {other | operand});
    }
    AddCandidates(subject, {operand});
    if (member.kind == MemberKind::kValue || member.kind == MemberKind::kDeviceAddress)
      AddCandidates(subject, {operand - 1, operand + 1, operand + 2});
  }

  uint64_t Number(const vk::ExplicitOperand& operand) const {
    return operand.limit == vk::ExplicitOperand::kNoLimit ? static_cast<uint64_t>(operand.value)
                                                          : *capabilities_.Limit(operand.limit);
  }

  bool Holds(const ExplicitTerm& term, uint64_t value) const {
    bool one_of = false;
    bool any = false;
    bool all = true;
    uint64_t known = 0;
    uint64_t number = 0;
    for (const vk::ExplicitOperand& operand : vk::Operands(term)) {
      number = Number(operand);
      one_of |= value == number;
      any |= (value & number) != 0;
      all &= (value & number) != 0;
      known |= number;
    }
    switch (term.test) {
      case ExplicitTest::kOneOf:
        return one_of;
      case ExplicitTest::kNoneOf:
        return !one_of;
      case ExplicitTest::kAnyBits:
        return any;
      case ExplicitTest::kNoBits:
        return !any;
      case ExplicitTest::kOnlyBits:
        return (value | known) == known;
      case ExplicitTest::kNotAll:
        return !all;
      case ExplicitTest::kMultipleOf:
        return value / number * number == value;
      case ExplicitTest::kAtLeast:
        return value >= number;
      case ExplicitTest::kAtMost:
        return value <= number;
      case ExplicitTest::kBelow:
        return value < number;
      case ExplicitTest::kPowerOfTwo:
      case ExplicitTest::kSingleBit:
        return std::popcount(value) == 1;
      case ExplicitTest::kNoDynamicState:
      case ExplicitTest::kHasNoLink:
        return value != number;
      case ExplicitTest::kHasLink:
        return value == number;
      case ExplicitTest::kFormatKind:
        return (KindByName(value) & number) != 0;
    }
    return false;
  }

  // The format's kind, from its name.
  static uint64_t KindByName(uint64_t format) {
    const std::string_view name = vk::ToString(static_cast<VkFormat>(format));
    if (format == VK_FORMAT_UNDEFINED) return 0;
    const bool depth =
        absl::StrContains(name, "_D16") || absl::StrContains(name, "_D24") || absl::StrContains(name, "_D32");
    const bool stencil = absl::StrContains(name, "_S8_");
    return depth && stencil ? 8 : depth ? 2 : stencil ? 4 : 1;
  }

  // Tries combinations of the subjects' candidates until each requirement was violated and one call was right.
  void Walk(size_t subject, std::vector<uint64_t> values) {
    if (subject == subjects_.size()) {
      TryValues(values);
      return;
    }
    for (const uint64_t candidate : subjects_[subject].candidates) {
      if (IsComplete()) return;
      values[subject] = candidate;
      Walk(subject + 1, values);
    }
  }
  bool IsComplete() const { return has_right_ && broken_.size() == std::max<size_t>(rule_.requirement_count, 1); }

  void TryValues(const std::vector<uint64_t>& values) {
    std::vector<size_t> wrong;
    bool counts = true;
    for (size_t i = 0; i < terms_.size(); ++i) {
      const uint64_t added = added_[i] == kNone ? 0 : values[added_[i]];
      const bool holds = Holds(terms_[i], values[subject_of_[i]] + added);
      if (i < rule_.condition_count) {
        counts &= holds;
      } else if (!holds) {
        wrong.push_back(i - rule_.condition_count);
      }
    }
    if (rule_.requirement_count == 0) wrong.push_back(0);
    if (counts && wrong.size() == 1) {
      if (!broken_.contains(wrong[0])) RunViolation(values, wrong[0]);
    } else if (!has_right_ && (wrong.empty() || !counts)) {
      // A call that keeps the requirements tests more than a call to which the rule does not apply.
      if (counts || rule_.requirement_count == 0) has_right_ = IsSilent(values, without_feature_);
    }
  }

  void RunViolation(const std::vector<uint64_t>& values, size_t requirement) {
    const MinimalCall call = Make(values);
    std::vector<messages::Message> received = Check(call, without_feature_);
    last_ = absl::StrCat("received: ",
                         absl::StrJoin(received, ", ", [](std::string* out, const messages::Message& message) {
                           absl::StrAppend(out, message.id);
                         }));
    const std::string_view id = vk::GetVuid(rule_.vuid).id;
    std::erase_if(received,
                  [&](const messages::Message& message) { return IsSameRequirement(message.id, terms_.size()); });
    if (received.size() != 1 || received[0].id != id) return;
    if (rule_.absent_count != 0 && !Check(call, with_feature_).empty()) return;
    broken_.insert(requirement);
    if (received_.empty()) received_ = std::move(received);
  }

  // Whether the id is that of an implicit rule with the same requirement on the same member.
  bool IsSameRequirement(std::string_view id, size_t terms) const {
    if (terms == 0) return false;
    const auto is_of = [&](uint8_t index) {
      if (index == ExplicitTerm::kNoMember) return false;
      const std::string member = absl::StrCat("VUID-", owner_.name, "-", owner_.members[index].name, "-");
      return id == absl::StrCat(member, "arraylength") || id == absl::StrCat(member, "parameter");
    };
    return is_of(terms_.back().member) || is_of(terms_.back().plus);
  }

  bool IsSilent(const std::vector<uint64_t>& values, const ExplicitRules& rules) {
    return Check(Make(values), rules).empty();
  }

  MinimalCall Make(const std::vector<uint64_t>& values) {
    MinimalCall call(route_);
    for (size_t i = 0; i < subjects_.size(); ++i) SetSubject(call, subjects_[i], values[i]);
    return call;
  }

  const StructInfo& owner_;
  const Route& route_;
  const ExplicitRuleInfo& rule_;
  const TestCapabilities capabilities_;
  const TestCapabilities enabled_capabilities_;
  const ExplicitRules without_feature_;
  const ExplicitRules with_feature_;
  std::vector<ExplicitTerm> terms_;
  // For each term: its subject, and the subject that is added.
  std::vector<size_t> subject_of_;
  std::vector<size_t> added_;
  std::vector<Subject> subjects_;
  // Requirements whose violation was reported.
  std::set<size_t> broken_;
  bool has_right_ = false;
  std::string last_;
  std::vector<messages::Message> received_;
};

std::optional<Route> RouteTo(const StructInfo& owner, const vk::CommandInfo* command) {
  if (command != nullptr) return Route{command, {}};
  for (bool chained : {false, true}) {
    if (const Route* route = AllRoutes().To(owner, chained, false)) return *route;
  }
  return std::nullopt;
}

bool IsOfDevice(const vk::CommandInfo& command) {
  return command.dispatch != vk::DispatchLevel::kGlobal && command.dispatch != vk::DispatchLevel::kInstance &&
         command.dispatch != vk::DispatchLevel::kPhysicalDevice;
}

}  // namespace

void ExplicitRuleTestCases::ForEachRule(const Visitor& visit) {
  for (const StructInfo& structure : vk::Structs()) {
    for (const ExplicitRuleInfo& rule : vk::ExplicitRulesOf(structure)) visit(structure, nullptr, rule);
  }
  for (size_t i = 0; i < vk::kCommandCount; ++i) {
    const vk::CommandInfo& command = vk::GetCommandInfo(static_cast<vk::CommandId>(i));
    for (const ExplicitRuleInfo& rule : vk::ExplicitRulesOf(command.id)) visit(*command.parameters, &command, rule);
  }
}

Outcome ExplicitRuleTestCases::Run(const StructInfo& owner, const vk::CommandInfo* command,
                                   const ExplicitRuleInfo& rule, bool leave_out) {
  const std::optional<Route> route = RouteTo(owner, command);
  if (!route.has_value() || !IsOfDevice(*route->command)) return {rule.vuid, Verdict::kUnreachable, {}};
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

}  // namespace assay::stateless
