// SPDX-FileCopyrightText: The Assay Authors
// SPDX-License-Identifier: Apache-2.0

#include "stateless/test_cases/implicit_rule_test_cases.h"

#include <algorithm>
#include <string_view>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "messages/messages.h"
#include "stateless/check/interpreter.h"
#include "stateless/test_cases/violate_rule.h"
#include "testing/messages/collected_messages.h"

namespace assay::stateless {
namespace {

std::string Id(vk::VuidIndex vuid) { return std::string(vk::GetVuid(vuid).id); }

// Whether the text names the id after "See also".
bool Names(const messages::Message& message, vk::VuidIndex vuid) {
  const std::vector<std::string> parts = absl::StrSplit(message.text, "\nSee also: ");
  if (parts.size() < 2) return false;
  const std::vector<std::string> related = absl::StrSplit(parts[1].substr(0, parts[1].find('\n')), ", ");
  return std::ranges::count(related, Id(vuid)) != 0;
}

// Whether only another package can check the rule.
bool IsOfHandles(const vk::CommandInfo* command, const MemberInfo& member, const ImplicitRuleInfo& rule) {
  if (rule.kind != ImplicitRuleKind::kParameter || member.kind != MemberKind::kHandle ||
      member.indirection != Indirection::kInline) {
    return false;
  }
  const bool dispatched_on = command != nullptr && command->dispatch != vk::DispatchLevel::kGlobal && rule.member == 0;
  return dispatched_on || (rule.flags & vk::kRuleOptional) != 0;
}

const MemberInfo& Subject(const StructInfo& owner, const ImplicitRuleInfo& rule) {
  const MemberInfo& member = owner.members[rule.member];
  return rule.alternative == ImplicitRuleInfo::kNoAlternative ? member
                                                              : vk::Structs()[member.type].members[rule.alternative];
}

// Whether the rule requires that an inline structure is valid.
bool IsInLineStruct(const MemberInfo& subject, const ImplicitRuleInfo& rule) {
  return rule.kind == ImplicitRuleKind::kParameter && subject.kind == MemberKind::kStruct &&
         subject.indirection == Indirection::kInline;
}

// Extends the route from the owner into the member that the rule is about.
Route Into(const Route& route, const StructInfo& owner, const ImplicitRuleInfo& rule) {
  const MemberInfo& member = owner.members[rule.member];
  const bool in_union = rule.alternative != ImplicitRuleInfo::kNoAlternative;
  Route inner = route;
  inner.steps.push_back({&owner, &member, in_union ? &vk::Structs()[member.type].members[rule.alternative] : nullptr});
  return inner;
}

// vkAllocateDescriptorSets has an id for the same length as its structure.
bool IsOneRuleWithTwoIds(const std::vector<std::string>& ids, const ImplicitRuleInfo& rule) {
  if (ids.size() != 2 || rule.kind != ImplicitRuleKind::kLength || std::ranges::count(ids, Id(rule.vuid)) != 1)
    return false;
  return std::ranges::all_of(ids, [](const std::string& id) { return id.ends_with("-arraylength"); });
}

std::string Describe(const Route& route) {
  std::string text(route.command->name);
  for (const RouteStep& step : route.steps) {
    absl::StrAppend(&text, ".", step.member->name);
    if (step.alternative != nullptr) absl::StrAppend(&text, ".", step.alternative->name);
    if (step.chained != nullptr) absl::StrAppend(&text, "<", step.chained->name, ">");
  }
  return text;
}

Outcome Failed(const Route& route, const ImplicitRuleInfo& rule, std::string_view what,
               const std::vector<std::string>& ids) {
  return {rule.vuid, Verdict::kFailed, absl::StrCat(Describe(route), " ", what, ": ", absl::StrJoin(ids, ", "))};
}

}  // namespace

std::vector<messages::Message> ImplicitRuleTestCases::MessagesOf(const MinimalCall& call) const {
  if (TakesFastPath(call)) return {};
  test::CollectedReport collected(call.command().id);
  Interpreter(programs_, enabled_, call.parameters(), collected.report, nullptr, &fast_path_).RunCommand();
  return collected.received.all;
}

std::vector<std::string> ImplicitRuleTestCases::Check(const MinimalCall& call) const {
  std::vector<std::string> ids;
  for (messages::Message& received : MessagesOf(call)) ids.push_back(std::move(received.id));
  return ids;
}

const Route* ImplicitRuleTestCases::RouteTo(const StructInfo& owner, const ImplicitRuleInfo& rule) const {
  const bool of_head = rule.kind == ImplicitRuleKind::kStructureType || rule.kind == ImplicitRuleKind::kNext ||
                       rule.kind == ImplicitRuleKind::kUnique;
  const bool of_output = of_head || Subject(owner, rule).indirection != Indirection::kInline;
  for (bool output : {false, true}) {
    if (output && !of_output) continue;
    for (bool chained : {false, true}) {
      if (chained && of_head) continue;
      if (const Route* route = AllRoutes().To(owner, chained, output)) return route;
    }
  }
  return nullptr;
}

Outcome ImplicitRuleTestCases::RunOnMember(const Route& route, const ImplicitRuleInfo& rule) const {
  const MinimalCall call(route);
  std::vector<std::string> ids = Check(call);
  if (!ids.empty()) return Failed(route, rule, "is not correct", ids);
  for (ViolationKind violation :
       {ViolationKind::kInvalidValue, ViolationKind::kInvalidAddress, ViolationKind::kElement}) {
    MinimalCall broken(route);
    if (!ViolateRule(broken, rule, violation)) continue;
    ids = Check(broken);
    if (ids == std::vector<std::string>{Id(rule.vuid)} || IsOneRuleWithTwoIds(ids, rule)) continue;
    return Failed(route, rule, absl::StrCat("broken (", static_cast<int>(violation), ") gives"), ids);
  }
  return {rule.vuid, Verdict::kPassed, {}};
}

// A chained structure with another sType is not allowed in the chain. If the wrong sType is in the range of the right
// one, the message suggests the right one.
Outcome ImplicitRuleTestCases::RunOnChained(const Route& route, const ImplicitRuleInfo& rule) const {
  const std::vector<std::string> head = {absl::StrCat("VUID-", route.Head().name, "-pNext-pNext")};
  MinimalCall call(route);
  if (const auto ids = Check(call); !ids.empty()) return Failed(route, rule, "gives", ids);
  ViolateRule(call, rule);
  if (const auto ids = Check(call); ids != head) return Failed(route, rule, "broken gives", ids);
  SetWrongStructureType(call, route.Head());
  const std::vector<messages::Message> received = MessagesOf(call);
  if (received.size() != 1 || received[0].id != head[0]) return Failed(route, rule, "mistaken does not give", head);
  const bool named = Names(received[0], rule.vuid);
  return {rule.vuid, named ? Verdict::kReportedAsRelated : Verdict::kReportedByAnotherId, head[0]};
}

std::string ImplicitRuleTestCases::FindReportingPart(const Route& route, vk::VuidIndex named) const {
  const StructInfo& whole = StructOf(route.steps.back());
  for (const ImplicitRuleInfo& part : vk::ImplicitRulesOf(whole)) {
    const MemberInfo& member = Subject(whole, part);
    if (IsOfHandles(nullptr, member, part)) continue;
    if (IsInLineStruct(member, part)) {
      if (std::string id = FindReportingPart(Into(route, whole, part), named); !id.empty()) return id;
      continue;
    }
    MinimalCall call(route);
    if (!Check(call).empty() || !ViolateRule(call, part)) continue;
    const std::vector<messages::Message> received = MessagesOf(call);
    if (received.size() != 1 || received[0].id != Id(part.vuid)) continue;
    if (Names(received[0], named)) return received[0].id;
  }
  return {};
}

// An inline structure is valid unless one of its own rules is violated. Then that rule is reported.
Outcome ImplicitRuleTestCases::RunOnInLineStruct(const Route& route, const ImplicitRuleInfo& rule) const {
  const StructInfo& owner = route.steps.empty() ? *route.command->parameters : StructOf(route.steps.back());
  const Route inner = Into(route, owner, rule);
  if (std::string id = FindReportingPart(inner, rule.vuid); !id.empty())
    return {rule.vuid, Verdict::kReportedAsRelated, std::move(id)};
  const StructInfo& whole = StructOf(inner.steps.back());
  if ((whole.flags & vk::kStructUnion) != 0 || vk::ImplicitRulesOf(whole).empty()) {
    return {rule.vuid, Verdict::kUnbreakable, absl::StrCat(whole.name, " has no implicit rule")};
  }
  return {rule.vuid, Verdict::kReportedByAnotherId, "its members' rules"};
}

Outcome ImplicitRuleTestCases::Run(const StructInfo& owner, const vk::CommandInfo* command,
                                   const ImplicitRuleInfo& rule) const {
  const MemberInfo& subject = Subject(owner, rule);
  if (IsOfHandles(command, subject, rule)) return {rule.vuid, Verdict::kAboutHandles, {}};
  const bool whole = IsInLineStruct(subject, rule);
  if (command != nullptr) return whole ? RunOnInLineStruct({command, {}}, rule) : RunOnMember({command, {}}, rule);
  const Route* route = RouteTo(owner, rule);
  if (route == nullptr && rule.kind == ImplicitRuleKind::kStructureType) {
    for (bool output : {false, true}) {
      if (const Route* chained = AllRoutes().To(owner, true, output)) return RunOnChained(*chained, rule);
    }
  }
  if (route == nullptr) return {rule.vuid, Verdict::kUnreachable, {}};
  return whole ? RunOnInLineStruct(*route, rule) : RunOnMember(*route, rule);
}

std::optional<Route> ImplicitRuleTestCases::RouteOf(const StructInfo& owner, const vk::CommandInfo* command,
                                                    const ImplicitRuleInfo& rule) const {
  const MemberInfo& subject = Subject(owner, rule);
  if (IsOfHandles(command, subject, rule) || IsInLineStruct(subject, rule)) return std::nullopt;
  if (command != nullptr) return Route{command, {}};
  const Route* route = RouteTo(owner, rule);
  return route != nullptr ? std::optional<Route>(*route) : std::nullopt;
}

}  // namespace assay::stateless
